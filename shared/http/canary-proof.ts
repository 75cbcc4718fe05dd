// Recognizes requests of the canary of the deployment, so that they make no metrics. The canary proves that it knows the
// origin secret, without sending it: a stranger cannot hide requests from the metrics, nor learn the secret from a proof.
import { isEqualConstantTime } from './constant-time.ts';

/** @returns the value of CANARY_HEADER */
export const canaryProof = (originSecret: string): string => {
  const { createHmac } = process.getBuiltinModule('node:crypto');
  return createHmac('sha256', originSecret).update('canary').digest('base64url');
};

/** @param secrets the origin secrets; an empty list recognizes no request */
export const createCanaryCheck = (secrets: readonly string[]): ((presented: string | undefined) => boolean) => {
  let proofs: readonly string[] | undefined;
  return (presented) => {
    // Only a canary makes an instance load node:crypto.
    if (presented === undefined) return false;
    proofs ??= secrets.map(canaryProof);
    return proofs.some((proof) => isEqualConstantTime(proof, presented));
  };
};
