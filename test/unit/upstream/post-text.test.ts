// Tests the alignment of the raw text of FxTwitter posts with their text: styles and links.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Post } from '../../../shared/model/post.ts';
import { createFxTwitterPostMapper } from '../../../shared/upstream/fxtwitter/map-post.ts';
import { readPostText } from '../../../shared/upstream/fxtwitter/post-text.ts';
import { mapPost as mapSyndicationPost } from '../../../shared/upstream/syndication/map-post.ts';
import { createXApiPostMapper } from '../../../shared/upstream/x-api/map-post.ts';
import { hostileText } from '../../generators/hostile-text.ts';
import { recordedConversation } from '../../support/recorded-posts.ts';

const bold = (start: number, end: number) => ({ type: 'bold', indices: [start, end] });
const italic = (start: number, end: number) => ({ type: 'italic', indices: [start, end] });

const styled = ({ text, styles = [] }: Pick<Post, 'text' | 'styles'>): readonly string[] =>
  styles.map(({ type, start, end }) => `${type}: ${text.slice(start, end)}`);

const stylesOf = (text: string, raw: string, facets: readonly unknown[]): readonly string[] => {
  const { styles, ...rest } = readPostText(text, { text: raw, facets });
  return styled({ ...rest, ...(styles && { styles }) });
};

test('a recorded long post has its bold and italic words', async () => {
  const { post } = await recordedConversation('fxtwitter/status/note_rich.json');
  expect(post.styles).toEqual([
    { type: 'bold', start: 11, end: 34 },
    { type: 'italic', start: 77, end: 79 },
    { type: 'bold', start: 91, end: 103 },
    { type: 'italic', start: 91, end: 103 },
  ]);
  expect(styled(post)).toEqual([
    'bold: why shallow fjords ring',
    'italic: up',
    'bold: This matters',
    'italic: This matters',
  ]);
});

test('a quoted long post has its styles, and a post without styles has no member', async () => {
  const { post } = await recordedConversation('fxtwitter/status/quote_plain.json');
  expect(JSON.parse(JSON.stringify(post))).not.toHaveProperty('styles');
  expect(post.quote).toMatchObject({ styles: [{ type: 'bold', start: 11, end: 34 }, {}, {}, {}] });
});

describe('readPostText', () => {
  test('moves a range behind decoded escapes, expanded links and characters of two units', () => {
    const raw = '🧊 &lt;a&gt; https://t.co/abc &amp; b';
    const facets = [
      { type: 'url', indices: [12, 28], original: 'https://t.co/abc', replacement: 'https://long.example/target' },
      bold(2, 11),
      italic(35, 36),
    ];
    expect(stylesOf('🧊 <a> https://long.example/target & b', raw, facets)).toEqual(['bold: <a>', 'italic: b']);
  });

  test('keeps a range over a whole link and drops the part of a range within a link', () => {
    const raw = 'see https://t.co/abc now';
    const link = { type: 'url', indices: [4, 20], original: 'https://t.co/abc', replacement: 'https://long.example/' };
    const text = 'see https://long.example/ now';
    expect(stylesOf(text, raw, [link, bold(4, 20)])).toEqual(['bold: https://long.example/']);
    expect(stylesOf(text, raw, [link, bold(0, 10), italic(10, 24)])).toEqual(['bold: see ', 'italic:  now']);
  });

  test('ends a range where the text ends', () => {
    const media = { type: 'media', indices: [5, 21], original: 'https://t.co/pic' };
    expect(stylesOf('Look', 'Look https://t.co/pic', [media, bold(0, 21)])).toEqual(['bold: Look']);
    expect(stylesOf('Look', 'Look', [bold(0, 400), italic(400, 500)])).toEqual(['bold: Look']);
  });

  test('skips the white space that the text lacks at the start', () => {
    expect(stylesOf('one two', '  one two', [bold(6, 9)])).toEqual(['bold: two']);
    expect(stylesOf('  one two', '  one two', [bold(6, 9)])).toEqual(['bold: two']);
  });

  test('ignores a link within the white space at the start, and a link within a link', () => {
    const blank = { type: 'url', indices: [0, 1], original: ' ', replacement: 'https://blank.example/' };
    expect(stylesOf('one two', '  one two', [blank, bold(6, 9)])).toEqual(['bold: two']);
    const link = { type: 'url', indices: [0, 16], original: 'https://t.co/abc', replacement: 'https://long.example/' };
    const inner = { type: 'url', indices: [8, 12], original: 't.co', replacement: 'https://inner.example/' };
    expect(stylesOf('https://long.example/ now', 'https://t.co/abc now', [link, inner, bold(17, 20)])).toEqual([
      'bold: now',
    ]);
  });

  test('joins ranges of one type that overlap or touch', () => {
    expect(stylesOf('abcdefgh', 'abcdefgh', [bold(4, 6), bold(0, 2), bold(2, 3), bold(5, 8), italic(1, 2)])).toEqual([
      'bold: abc',
      'italic: b',
      'bold: efgh',
    ]);
  });

  test('drops the styles after the first difference between the texts', () => {
    expect(stylesOf('one TWO three', 'one two three', [bold(0, 3), italic(8, 13)])).toEqual(['bold: one']);
  });

  test.each([
    { type: 'underline', indices: [0, 3] },
    { type: 'bold', indices: [3, 3] },
    { type: 'bold', indices: [3, 1] },
    { type: 'bold', indices: [-1, 3] },
    { type: 'bold', indices: [0.5, 3] },
    { type: 'bold', indices: ['0', '3'] },
    { type: 'bold', indices: null },
    { type: 'bold' },
    null,
  ])('ignores the facet %j', (facet) => {
    expect(readPostText('one two', { text: 'one two', facets: [facet] })).toEqual({
      text: 'one two',
      styles: undefined,
    });
  });

  test('any facets give ordered, disjoint ranges of the text, and leave the text as it is', () => {
    const facet = fc.record({
      type: fc.constantFrom('bold', 'italic'),
      indices: fc.array(fc.nat(40), { maxLength: 3 }),
    });
    fc.assert(
      fc.property(hostileText, hostileText, fc.array(facet, { maxLength: 8 }), (raw, text, facets) => {
        const result = readPostText(text, { text: raw, facets });
        expect(result.text).toBe(text);
        for (const type of ['bold', 'italic']) {
          let end = -1;
          for (const style of (result.styles ?? []).filter((range) => range.type === type)) {
            expect(style.start).toBeGreaterThan(end);
            expect(style.end).toBeGreaterThan(style.start);
            expect(style.end).toBeLessThanOrEqual(text.length);
            end = style.end;
          }
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a link whose URL has characters that no URL can have', () => {
  const target = 'https://data.example/?a=<b>&c={d}';
  const url = 'https://data.example/?a=%3Cb%3E&c=%7Bd%7D';

  test('FxTwitter: the text shows the link as `links` has it, and styles behind it keep their words', () => {
    const post = createFxTwitterPostMapper(0).post({
      id: '20',
      text: `1 < 2 ${target} end`,
      raw_text: {
        text: '1 &lt; 2 https://t.co/abc end',
        facets: [{ type: 'url', indices: [9, 25], original: 'https://t.co/abc', replacement: target }, bold(26, 29)],
      },
    });
    expect(post).toMatchObject({ text: `1 < 2 ${url} end`, links: [{ url }] });
    expect(post && styled(post)).toEqual(['bold: end']);
  });

  test('the official API: the text shows the link as `links` has it', () => {
    const post = createXApiPostMapper({}, 0).post({
      id: '20',
      text: 'See https://t.co/abc end',
      entities: { urls: [{ start: 4, end: 20, url: 'https://t.co/abc', expanded_url: target }] },
    });
    expect(post).toMatchObject({ text: `See ${url} end`, links: [{ url }] });
  });

  test('the syndication CDN: the text shows the link as `links` has it', () => {
    const urls = [{ indices: [4, 20], url: 'https://t.co/abc', expanded_url: target }];
    const post = mapSyndicationPost({ id_str: '20', text: 'See https://t.co/abc end', entities: { urls } }, 0);
    expect(post).toMatchObject({ text: `See ${url} end`, links: [{ url }] });
  });
});

describe('the syndication CDN: white space at the start', () => {
  const textOf = (text: string, media: readonly unknown[] = []): string | undefined =>
    mapSyndicationPost({ id_str: '20', text, entities: { media } }, 0)?.text;

  test('stays if the author wrote it', () => {
    expect(textOf('  two spaces')).toBe('  two spaces');
  });

  test('is removed if a short link to media was before it', () => {
    expect(textOf('https://t.co/abc words', [{ indices: [0, 16], url: 'https://t.co/abc' }])).toBe('words');
  });
});
