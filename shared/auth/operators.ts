// Who may operate the service: named tokens of which only hashes are known here.
import { timingSafeEqual } from 'node:crypto';
import type { Operator } from '../ports/admin-stores.ts';
import { sha256Hex } from './api-key.ts';

/** @returns the operator whose token it is; every hash is compared, in constant time */
export const findOperator = (token: string, operators: readonly Operator[]): Operator | undefined => {
  const presented = Buffer.from(sha256Hex(token));
  let found: Operator | undefined;
  for (const operator of operators) {
    if (timingSafeEqual(presented, Buffer.from(operator.tokenHash))) found ??= operator;
  }
  return found;
};
