// Fits a response into the size that Lambda can send. A response that is too large is rendered again with fewer parts, and
// with one part left from the beginning of that part. The size is known only after rendering. A result of which no form
// would fit, such as 20 posts of 2 MB, gets smaller before it is rendered at all.
// Long texts and lists of the last part end early. Names, ids, URLs, numbers and all members stay.
import { MAX_RESPONSE_BYTES } from '../contract/bounds.ts';
import { problem } from '../contract/problems.ts';
import { warning } from '../contract/warnings.ts';
import { fittingAmount, shrinkToFit } from '../model/fit.ts';
import { isRecord, type JsonRecord } from '../model/json.ts';
import type { Link } from '../model/post.ts';
import { PLACES, type PlacedText, placesBefore } from '../model/text-places.ts';
import type { UseCaseResult } from '../ports/upstream.ts';
import { CUT_MARK, cutUnits } from '../render/content/cut.ts';

/** The largest size of a UTF-16 code unit: as UTF-8, or as a JSON escape. */
const MAX_BYTES_PER_CODE_UNIT = 6;
/** At this size everything that can be truncated is truncated. */
const MIN_CODE_UNITS = 1000;

/** The size of the texts of a result that is rendered. */
const MAX_TEXT_CODE_UNITS = 2 * MAX_RESPONSE_BYTES;

/** Texts that are used twice count twice, as they are rendered twice. */
const textCodeUnits = (part: unknown): number => {
  if (typeof part === 'string') return part.length;
  let sum = 0;
  // Loops without closures, because every answer with parts is measured. Reflect.get would take twice the time.
  if (Array.isArray(part)) for (const item of part) sum += textCodeUnits(item);
  else if (isRecord(part)) for (const name in part) sum += textCodeUnits(part[name]);
  return sum;
};

/** Leaves out parts until the texts of a result can be rendered. */
const renderable = <T>(whole: UseCaseResult<T>): UseCaseResult<T> => {
  const { parts } = whole;
  if (parts === undefined || parts.count <= parts.minimum) return whole;
  return shrinkToFit(parts.count, parts.minimum, (count) => {
    const value = count === parts.count ? whole : parts.keep(count);
    return { value, fitting: (count * MAX_TEXT_CODE_UNITS) / textCodeUnits(value.value) };
  });
};

/** @returns bytes in Lambda's response; an upper bound below the maximum, or a lower bound far above it, saves a copy */
export const responseBytes = (body: string): number => {
  const bound = body.length * MAX_BYTES_PER_CODE_UNIT;
  if (bound <= MAX_RESPONSE_BYTES) return bound;
  return Buffer.byteLength(body.length > 2 * MAX_RESPONSE_BYTES ? body : JSON.stringify(body));
};

interface ResponseRenderer<T, Response> {
  /** Pure. */
  render(result: UseCaseResult<T>): Response;
  bytesOf(response: Response): number;
}

const TRUNCATED_MESSAGE = 'The answer would be too large: long texts and lists of the post or account end early.';

const truncated = <T>({ value, ...result }: UseCaseResult<T>, codeUnits: number): UseCaseResult<T> => ({
  ...result,
  value: truncateValue(value, codeUnits),
  warnings: [...result.warnings, warning('truncated', TRUNCATED_MESSAGE)],
});

/** @throws Problem `internal_error` if not even the smallest result fits */
export const fitResponse = <T, Response>(
  whole: UseCaseResult<T>,
  { render, bytesOf }: ResponseRenderer<T, Response>,
): Response => {
  const attempt = (amount: number, result: UseCaseResult<T>) => {
    const response = render(result);
    const size = bytesOf(response);
    return { value: { result, response, size }, fitting: fittingAmount(amount, size, MAX_RESPONSE_BYTES) };
  };
  const first = renderable(whole);
  const { count = 0, minimum = 0 } = first.parts ?? {};
  const { result, response, size } = shrinkToFit(count, minimum, (kept) =>
    // From the whole: parts that are left out twice would be reported twice.
    attempt(kept, kept === count ? first : (whole.parts?.keep(kept) ?? first)),
  );
  if (size <= MAX_RESPONSE_BYTES) return response;
  const codeUnits = fittingAmount(JSON.stringify(result.value).length, size, MAX_RESPONSE_BYTES);
  const shortened = shrinkToFit(codeUnits, MIN_CODE_UNITS, (kept) => attempt(kept, truncated(result, kept)));
  if (shortened.size <= MAX_RESPONSE_BYTES) return shortened.response;
  throw problem('internal_error', { cause: `an answer of ${shortened.size} bytes` });
};

/** Shorter texts stay whole. Cursors and almost all URLs are shorter. */
const MIN_TEXT_CODE_UNITS = 4096;

interface PlacedLinks extends Pick<PlacedText, typeof PLACES> {
  readonly links?: readonly Link[];
}

/** The links of a text that is cut. A link that is no longer in it has no place. */
const linksBefore = (links: readonly Link[], offset: number): readonly Link[] =>
  links.map(({ start, end, ...link }) => (end === undefined || end > offset ? link : { ...link, start, end }));

/** The links and the places that are left of a text. */
const linksWithin = (whole: object & Partial<PlacedText>, { text, links }: JsonRecord): PlacedLinks => {
  if (!('text' in whole) || whole.text === text || typeof text !== 'string') return {};
  const end = text.length - CUT_MARK.length;
  const places = whole[PLACES];
  return {
    ...(Array.isArray(links) && { links: linksBefore(links, end) }),
    ...(places && { [PLACES]: placesBefore(places, end) }),
  };
};

/** @param codeUnits of the JSON; the members that always stay may exceed it */
export const truncateValue = <T>(value: T, codeUnits: number): T => {
  let left = codeUnits;
  const truncate = (part: unknown): unknown => {
    if (typeof part === 'string') {
      const kept = Math.min(part.length, Math.max(MIN_TEXT_CODE_UNITS, left));
      left -= kept + 2;
      return cutUnits(part, kept);
    }
    if (Array.isArray(part)) {
      const kept: unknown[] = [];
      for (const item of part) {
        if (left <= 0) break;
        kept.push(truncate(item));
      }
      return kept;
    }
    if (typeof part !== 'object' || part === null) {
      left -= 8;
      return part;
    }
    const members = Object.fromEntries(
      Object.entries(part).map(([name, member]) => {
        left -= name.length + 4;
        return [name, truncate(member)];
      }),
    );
    return { ...part, ...members, ...linksWithin(part, members) }; // with the places of its text
  };
  return truncate(value) as T; // the same shape: members stay, and lists may have any length
};
