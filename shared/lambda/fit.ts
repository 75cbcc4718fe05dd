// No answer is larger than Lambda can send. A representation that is too large is made again of less: of fewer parts,
// whole ones, as long as there are several; then of the beginning of the one that is left. How large a representation gets
// is known only once it is there, so the next try is as much smaller as the last one was too large.
import { problem } from '../contract/problems.ts';
import { MAX_ANSWER_BYTES } from '../contract/sizes.ts';
import { warning } from '../contract/warnings.ts';
import type { ReadAnswer } from '../ports.ts';
import type { Represented } from '../render/represent.ts';
import { cutValue } from './cut-value.ts';

/** UTF-8 of a UTF-16 unit, or what JSON escapes it to. */
const MOST_BYTES_PER_UNIT = 6;
/** A little less than what would just do. */
const MARGIN = 0.95;
/** With less room than that everything that can be cut is. */
const LEAST_ROOM = 1000;

/** @returns bytes in Lambda's response; an upper bound where that is enough to know */
export const sizeOf = (body: string): number => {
  const bound = body.length * MOST_BYTES_PER_UNIT;
  return bound <= MAX_ANSWER_BYTES ? bound : Buffer.byteLength(JSON.stringify(body));
};

export interface Fitting<T> {
  readonly result: ReadAnswer<T>;
  readonly representation: Represented;
}

interface Tried<T> extends Fitting<T> {
  readonly size: number;
}

const CUT = 'The answer would be too large: long texts and lists of the post or account end early.';

const withCut = <T>({ value, ...result }: ReadAnswer<T>, room: number): ReadAnswer<T> => ({
  ...result,
  value: cutValue(value, room),
  warnings: [...result.warnings, warning('truncated', CUT)],
});

/** @param represent pure @throws Problem where not even the least fits */
export const fitting = <T>(whole: ReadAnswer<T>, represent: (result: ReadAnswer<T>) => Represented): Fitting<T> => {
  const attempt = (result: ReadAnswer<T>): Tried<T> => {
    const representation = represent(result);
    return { result, representation, size: sizeOf(representation.body) };
  };
  let tried = attempt(whole);
  if (tried.size <= MAX_ANSWER_BYTES) return tried;
  let { parts } = whole;
  while (tried.size > MAX_ANSWER_BYTES && parts !== undefined && parts.count > parts.least) {
    const share = Math.floor((parts.count * MARGIN * MAX_ANSWER_BYTES) / tried.size);
    tried = attempt(parts.keep(Math.max(parts.least, Math.min(parts.count - 1, share))));
    parts = tried.result.parts;
  }
  const smallest = tried.result;
  let room = JSON.stringify(smallest.value).length;
  while (tried.size > MAX_ANSWER_BYTES) {
    if (room < LEAST_ROOM) throw problem('internal_error', { cause: `an answer of ${tried.size} bytes` });
    room = Math.floor((room * MARGIN * MAX_ANSWER_BYTES) / tried.size);
    tried = attempt(withCut(smallest, room));
  }
  return tried;
};
