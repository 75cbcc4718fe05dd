// Checks that a request came through the CloudFront distribution of the service: only CloudFront sends the secret header.
import { EDGE_HEADERS } from '../contract/headers.ts';
import { type HttpEvent, headerOf } from './event.ts';

/**
 * The time depends only on the length of the presented value. It does not use node:crypto, because loading that takes longer
 * than the rest of the cold start of the discovery Lambda.
 */
const isEqualConstantTime = (secret: string, presented: string): boolean => {
  let difference = secret.length ^ presented.length;
  for (let index = 0; index < presented.length; index += 1) {
    difference |= presented.charCodeAt(index) ^ secret.charCodeAt(index % secret.length);
  }
  return difference === 0;
};

/** @param secrets the current and, during a rotation, the previous value; an empty list rejects every request */
export const createOriginCheck = (secrets: readonly string[]): ((event: HttpEvent) => boolean) => {
  const accepted = secrets.filter((secret) => secret !== '');
  return (event) => {
    const presented = headerOf(event, EDGE_HEADERS.originSecret) ?? '';
    let matches = false;
    // No early exit: each secret is compared.
    for (const secret of accepted) {
      if (isEqualConstantTime(secret, presented)) matches = true;
    }
    return matches;
  };
};
