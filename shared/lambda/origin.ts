// Whether a request came through our CloudFront distribution: it alone knows the secret header.
import { timingSafeEqual } from 'node:crypto';
import { EDGE_HEADERS } from '../contract/headers.ts';
import { type HttpEvent, headerOf } from './event.ts';

/** @param secrets current and, during a rotation, previous value; none refuses everything */
export const originCheck = (secrets: readonly string[]): ((event: HttpEvent) => boolean) => {
  const accepted = secrets.filter((secret) => secret !== '').map((secret) => Buffer.from(secret));
  return (event) => {
    const presented = Buffer.from(headerOf(event, EDGE_HEADERS.originSecret) ?? '');
    let matches = false;
    // Every secret is compared, in constant time; only its length shows.
    for (const secret of accepted) {
      if (secret.length === presented.length && timingSafeEqual(secret, presented)) matches = true;
    }
    return matches;
  };
};
