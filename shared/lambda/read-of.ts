// Which read an operation does: the one of its row, or the one that a parameter chooses.
import type { Operation, ReadName } from '../contract/operations.ts';
import { type HttpEvent, singleParameter } from './event.ts';

/** undefined: the parameter chooses none. */
export const readOf = ({ reads }: Operation, event: HttpEvent): ReadName | undefined => {
  if (typeof reads === 'string') return reads;
  const chosen = singleParameter(event, reads.by);
  return chosen !== undefined && Object.hasOwn(reads.choices, chosen) ? reads.choices[chosen] : undefined;
};
