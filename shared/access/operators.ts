// Who may operate the service: named tokens of which only hashes are known here.
import { timingSafeEqual } from 'node:crypto';
import { hashOf } from './key.ts';

export interface Operator {
  readonly name: string;
  /** SHA-256 of the token in lower-case hexadecimal. */
  readonly tokenHash: string;
}

/** @returns the operator whose token it is; every hash is compared, in constant time */
export const operatorOf = (token: string, operators: readonly Operator[]): Operator | undefined => {
  const presented = Buffer.from(hashOf(token));
  let found: Operator | undefined;
  for (const operator of operators) {
    if (timingSafeEqual(presented, Buffer.from(operator.tokenHash))) found ??= operator;
  }
  return found;
};
