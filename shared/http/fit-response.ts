// No answer is larger than Lambda can send. A representation that is too large is made again of less: of fewer parts,
// whole ones, as long as there are several; then of the beginning of the one that is left. How large a representation gets
// is known only once it is there, so the next try is as much smaller as the last one was too large.
import { problem } from '../contract/problems.ts';
import { MAX_RESPONSE_BYTES } from '../contract/response-size.ts';
import { warning } from '../contract/warnings.ts';
import type { UseCaseResult } from '../ports/upstream.ts';
import { truncateValue } from './truncate-value.ts';

/** UTF-8 of a UTF-16 unit, or what JSON escapes it to. */
const MAX_BYTES_PER_CODE_UNIT = 6;
/** A little less than what would just do. */
const SAFETY_FACTOR = 0.95;
/** With less room than that everything that can be cut is. */
const MIN_CODE_UNITS = 1000;

/** @returns bytes in Lambda's response; an upper bound where that is enough to know */
export const responseBytes = (body: string, maxBytes: number = MAX_RESPONSE_BYTES): number => {
  const bound = body.length * MAX_BYTES_PER_CODE_UNIT;
  return bound <= maxBytes ? bound : Buffer.byteLength(JSON.stringify(body));
};

interface ResponseRenderer<T, Response> {
  /** Pure. */
  render(result: UseCaseResult<T>): Response;
  bytesOf(response: Response): number;
  /** @default MAX_RESPONSE_BYTES */
  readonly maxBytes?: number;
}

const TRUNCATED_MESSAGE = 'The answer would be too large: long texts and lists of the post or account end early.';

const truncated = <T>({ value, ...result }: UseCaseResult<T>, room: number): UseCaseResult<T> => ({
  ...result,
  value: truncateValue(value, room),
  warnings: [...result.warnings, warning('truncated', TRUNCATED_MESSAGE)],
});

/** @throws Problem where not even the least fits */
export const fitResponse = <T, Response>(
  whole: UseCaseResult<T>,
  { render, bytesOf, maxBytes = MAX_RESPONSE_BYTES }: ResponseRenderer<T, Response>,
): Response => {
  const attempt = (result: UseCaseResult<T>) => {
    const response = render(result);
    return { result, response, size: bytesOf(response) };
  };
  let tried = attempt(whole);
  if (tried.size <= maxBytes) return tried.response;
  let { parts } = whole;
  while (tried.size > maxBytes && parts !== undefined && parts.count > parts.minimum) {
    const share = Math.floor((parts.count * SAFETY_FACTOR * maxBytes) / tried.size);
    tried = attempt(parts.keep(Math.max(parts.minimum, Math.min(parts.count - 1, share))));
    parts = tried.result.parts;
  }
  const smallest = tried.result;
  let room = JSON.stringify(smallest.value).length;
  while (tried.size > maxBytes) {
    if (room < MIN_CODE_UNITS) throw problem('internal_error', { cause: `an answer of ${tried.size} bytes` });
    room = Math.floor((room * SAFETY_FACTOR * maxBytes) / tried.size);
    tried = attempt(truncated(smallest, room));
  }
  return tried.response;
};
