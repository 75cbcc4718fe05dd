// Finds the operator that a token belongs to. The configuration holds only the SHA-256 of each token.
import { timingSafeEqual } from 'node:crypto';
import type { Operator } from '../ports/stores.ts';
import { sha256Hex } from './api-key.ts';

/** Compares with every hash, each in constant time, so that the duration does not depend on the match. */
export const findOperator = (token: string, operators: readonly Operator[]): Operator | undefined => {
  const presented = Buffer.from(sha256Hex(token));
  let found: Operator | undefined;
  for (const operator of operators) {
    if (timingSafeEqual(presented, Buffer.from(operator.tokenHash))) found ??= operator;
  }
  return found;
};
