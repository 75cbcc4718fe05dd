// No answer is larger than Lambda can send. A representation that is too large is made again of less: of fewer parts,
// whole ones, as long as there are several; then of the beginning of the one that is left. How large a representation gets
// is known only once it is there, so the next try is as much smaller as the last one was too large.
import { problem } from '../contract/problems.ts';
import { MAX_ANSWER_BYTES } from '../contract/sizes.ts';
import { warning } from '../contract/warnings.ts';
import type { ReadAnswer } from '../ports.ts';
import { cutValue } from './cut-value.ts';

/** UTF-8 of a UTF-16 unit, or what JSON escapes it to. */
const MOST_BYTES_PER_UNIT = 6;
/** A little less than what would just do. */
const MARGIN = 0.95;
/** With less room than that everything that can be cut is. */
const LEAST_ROOM = 1000;

/** @returns bytes in Lambda's response; an upper bound where that is enough to know */
export const sizeOf = (body: string, maxBytes: number = MAX_ANSWER_BYTES): number => {
  const bound = body.length * MOST_BYTES_PER_UNIT;
  return bound <= maxBytes ? bound : Buffer.byteLength(JSON.stringify(body));
};

interface Fitted<T, Made> {
  readonly result: ReadAnswer<T>;
  readonly made: Made;
}

interface Making<T, Made> {
  /** Pure. */
  make(result: ReadAnswer<T>): Made;
  sizeOf(made: Made): number;
  /** @default MAX_ANSWER_BYTES */
  readonly maxBytes?: number;
}

const CUT = 'The answer would be too large: long texts and lists of the post or account end early.';

const withCut = <T>({ value, ...result }: ReadAnswer<T>, room: number): ReadAnswer<T> => ({
  ...result,
  value: cutValue(value, room),
  warnings: [...result.warnings, warning('truncated', CUT)],
});

/** @throws Problem where not even the least fits */
export const fitting = <T, Made>(
  whole: ReadAnswer<T>,
  { make, sizeOf: measure, maxBytes = MAX_ANSWER_BYTES }: Making<T, Made>,
): Fitted<T, Made> => {
  const attempt = (result: ReadAnswer<T>) => {
    const made = make(result);
    return { result, made, size: measure(made) };
  };
  let tried = attempt(whole);
  if (tried.size <= maxBytes) return tried;
  let { parts } = whole;
  while (tried.size > maxBytes && parts !== undefined && parts.count > parts.least) {
    const share = Math.floor((parts.count * MARGIN * maxBytes) / tried.size);
    tried = attempt(parts.keep(Math.max(parts.least, Math.min(parts.count - 1, share))));
    parts = tried.result.parts;
  }
  const smallest = tried.result;
  let room = JSON.stringify(smallest.value).length;
  while (tried.size > maxBytes) {
    if (room < LEAST_ROOM) throw problem('internal_error', { cause: `an answer of ${tried.size} bytes` });
    room = Math.floor((room * MARGIN * maxBytes) / tried.size);
    tried = attempt(withCut(smallest, room));
  }
  return tried;
};
