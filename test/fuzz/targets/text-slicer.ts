// Fuzzes the slicing of post texts by the ranges of providers: facets, display ranges, styles.
import fc from 'fast-check';
import { asRecord } from '../../../shared/model/json.ts';
import { facetLocator, replaceRanges } from '../../../shared/upstream/facets.ts';
import { readPostText } from '../../../shared/upstream/fxtwitter/post-text.ts';
import { parsePostText } from '../../../shared/upstream/x-api/post-text.ts';
import { hostileText } from '../../generators/hostile-text.ts';
import { ensure, type FuzzTarget } from '../target.ts';

const SEPARATOR = '\u0001';

interface Slice {
  readonly text: string;
  readonly facets: readonly {
    readonly type: string;
    readonly indices: readonly number[];
    readonly original: string;
    readonly replacement: string;
  }[];
}

const TYPES = ['bold', 'italic', 'url', 'media', 'mention', 'hashtag'];

/** Readers of JSON make texts well-formed. A text, and for each further part the numbers and the text of a facet. */
const sliceOf = (input: string): Slice => {
  const [text = '', ...parts] = input.toWellFormed().split(SEPARATOR);
  return {
    text,
    facets: parts.slice(0, 20).map((part) => {
      const [start = '0', end = '0', ...words] = part.split(' ');
      const original = words.join(' ');
      return {
        type: TYPES[part.length % TYPES.length] ?? 'url',
        indices: [Number(start), Number(end)],
        original,
        replacement: `https://long.example/${part.length}`,
      };
    }),
  };
};

const judgeRange = (text: string, start: number, end: number): void => {
  ensure(Number.isSafeInteger(start) && Number.isSafeInteger(end), 'a range without numbers');
  ensure(start >= 0 && start < end && end <= text.length, 'a range outside the text');
};

const judgeStyles = ({ text, facets }: Slice): void => {
  const owner = { id: '20', hasArticle: false, hasMedia: false, hasQuote: false };
  const { text: shown, styles = [] } = readPostText(text, { text, facets }, owner);
  ensure(shown.length <= text.length + facets.length * 60, 'a text that grows without a bound');
  for (const { start, end } of styles) {
    judgeRange(shown, start, end);
    ensure(shown.isWellFormed() ? shown.slice(start, end).isWellFormed() : true, 'half of a character');
  }
};

const judgeLocator = ({ text, facets }: Slice): void => {
  const locate = facetLocator(text);
  const ranges = facets.flatMap(({ indices: [start = 0, end = 0], original }) => {
    const range = locate({ start, end, original });
    if (range === undefined) return [];
    judgeRange(text, range.start, range.end);
    const found = text
      .slice(range.start, range.end)
      .toLowerCase()
      .replace(/^[@#$＠＃]/, '');
    ensure(found === original.toLowerCase().replace(/^[@#$＠＃]/, ''), 'a range with another text');
    return [{ ...range, by: '' }];
  });
  const kept = replaceRanges(text, ranges);
  ensure(kept.length <= text.length, 'a text that grows when parts are removed');
  ensure(replaceRanges(text, []) === text, 'a text that changes without a replacement');
};

const judgeOfficial = ({ text, facets }: Slice): void => {
  const entities = {
    urls: facets.map(({ indices: [start, end], original, replacement }) => ({
      start,
      end,
      url: original,
      expanded_url: replacement,
    })),
    mentions: facets.map(({ indices: [start, end], original }) => ({ start, end, username: original })),
    hashtags: facets.map(({ indices: [start, end], original }) => ({ start, end, tag: original })),
  };
  const raw = asRecord(JSON.parse(JSON.stringify({ text, entities })));
  if (raw === undefined) return;
  const result = parsePostText(raw, { id: '20', quoteId: undefined, media: false, article: false });
  ensure(result.text.length <= text.length * 6 + facets.length * 60, 'a text that grows without a bound');
  for (const { url } of result.links) ensure(/^https?:\/\//i.test(url), 'a link of another scheme');
};

export const target: FuzzTarget = {
  judge(input) {
    const slice = sliceOf(input);
    judgeStyles(slice);
    judgeLocator(slice);
    judgeOfficial(slice);
  },
  seeds: fc
    .tuple(hostileText, fc.array(fc.tuple(fc.nat(60), fc.nat(60), fc.nat(3)), { maxLength: 4 }))
    .map(([text, ranges]) =>
      [
        text,
        ...ranges.map(
          ([start, length, way]) =>
            `${start} ${start + length} ${way === 0 ? 'https://t.co/a' : text.slice(start, start + length)}`,
        ),
      ].join(SEPARATOR),
    ),
};
