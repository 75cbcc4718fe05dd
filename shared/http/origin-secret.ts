// Whether a request came through our CloudFront distribution: it alone knows the secret header.
import { EDGE_HEADERS } from '../contract/headers.ts';
import { type HttpEvent, headerOf } from './event.ts';

/**
 * In a time that depends on the length of what was presented alone. By hand, because loading node:crypto takes longer
 * than everything else that a function of constant answers does at its start.
 */
const isEqualConstantTime = (secret: string, presented: string): boolean => {
  let difference = secret.length ^ presented.length;
  for (let index = 0; index < presented.length; index += 1) {
    difference |= presented.charCodeAt(index) ^ secret.charCodeAt(index % secret.length);
  }
  return difference === 0;
};

/** @param secrets current and, during a rotation, previous value; none refuses everything */
export const createOriginCheck = (secrets: readonly string[]): ((event: HttpEvent) => boolean) => {
  const accepted = secrets.filter((secret) => secret !== '');
  return (event) => {
    const presented = headerOf(event, EDGE_HEADERS.originSecret) ?? '';
    let matches = false;
    // Every secret is compared.
    for (const secret of accepted) {
      if (isEqualConstantTime(secret, presented)) matches = true;
    }
    return matches;
  };
};
