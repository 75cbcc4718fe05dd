// Tests the text of posts that is built from raw text and facets: words, styles and links.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Post } from '../../../shared/model/post.ts';
import { buildText, escapesIn } from '../../../shared/upstream/build-text.ts';
import { createFxTwitterPostMapper } from '../../../shared/upstream/fxtwitter/map-post.ts';
import { readPostText, type TextOwner } from '../../../shared/upstream/fxtwitter/post-text.ts';
import { mapPost as mapSyndicationPost } from '../../../shared/upstream/syndication/map-post.ts';
import { parsePostText as parseXApiPostText } from '../../../shared/upstream/x-api/post-text.ts';
import { hostileText } from '../../generators/hostile-text.ts';
import type { Json } from '../../support/member-table.ts';

const bold = (start: number, end: number) => ({ type: 'bold', indices: [start, end] });
const italic = (start: number, end: number) => ({ type: 'italic', indices: [start, end] });

const styled = ({
  text,
  styles = [],
  decorations = [],
}: Pick<Post, 'text' | 'styles' | 'decorations'>): readonly string[] =>
  [...styles, ...decorations].map(({ type, start, end }) => `${type}: ${text.slice(start, end)}`);

const stylesOf = (raw: string, facets: readonly unknown[]): readonly string[] => {
  const { text, styles = [] } = readPostText('', { text: raw, facets }, NOTHING);
  return styled({ text, styles });
};

/** The words of a text that the author wrote, whatever the provider did to them. */
const NOTHING = { id: '20', hasArticle: false, hasMedia: false, hasQuote: false };

const textOf = (rawText: Json, owner: Partial<TextOwner> = {}): string =>
  readPostText('of the provider', rawText, { ...NOTHING, ...owner }).text;

const link = (raw: string, original: string, replacement?: string): Json => {
  const start = [...raw.slice(0, raw.indexOf(original))].length;
  return { type: 'url', indices: [start, start + original.length], original, ...(replacement && { replacement }) };
};

const decoded = (text: string): string => buildText(text, escapesIn(text)).text;

describe('readPostText', () => {
  test.each([{}, { text: 'raw' }, { text: '', facets: [] }, { text: 'raw', facets: null }])(
    'takes the text of the provider without a raw text or its facets: %j',
    (rawText) => expect(textOf(rawText)).toBe('of the provider'),
  );

  test('keeps a link whose entity has no target, or one that is longer than any URL', () => {
    const raw = 'See https://t.co/abc now';
    expect(textOf({ text: raw, facets: [link(raw, 'https://t.co/abc')] })).toBe(raw);
    const target = `https://long.example/${'a'.repeat(4096)}`;
    expect(textOf({ text: raw, facets: [link(raw, 'https://t.co/abc', target)] })).toBe(raw);
  });

  test.each<[string, Partial<TextOwner>, readonly [number, number] | undefined, string]>([
    ['nothing', {}, undefined, 'Look https://t.co/one https://t.co/two'],
    ['a quote', { hasQuote: true }, undefined, 'Look'],
    ['media', { hasMedia: true }, undefined, 'Look'],
    ['media outside of its range', { hasMedia: true }, [0, 4], 'Look'],
    ['media after its own link', { hasMedia: true }, [0, 21], 'Look https://t.co/one'],
    ['an article', { hasArticle: true }, [0, 21], 'Look'],
  ])('ends before the short links that X added for %s', (_, owner, range, expected) => {
    const raw = 'Look https://t.co/one https://t.co/two';
    expect(textOf({ text: raw, facets: [], display_text_range: range }, owner)).toBe(expected);
  });

  test('removes the link to the post itself with which X ends a cut text, and no other', () => {
    const raw = 'A cut… https://t.co/abc';
    const facetTo = (id: string): Json => link(raw, 'https://t.co/abc', `https://x.com/i/web/status/${id}`);
    expect(textOf({ text: raw, facets: [facetTo('20')] })).toBe('A cut…');
    expect(textOf({ text: raw, facets: [facetTo('21')] })).toBe('A cut… https://x.com/i/web/status/21');
  });

  test('removes a link to media also before other words', () => {
    const media = { type: 'media', indices: [4, 20], original: 'https://t.co/pic' };
    expect(textOf({ text: 'Look https://t.co/pic, all', facets: [media] })).toBe('Look, all');
  });

  test('moves a range behind decoded escapes, expanded links and characters of two units', () => {
    const raw = '🧊 &lt;a&gt; https://t.co/abc &amp; b';
    const facets = [link(raw, 'https://t.co/abc', 'https://long.example/target'), bold(2, 11), italic(35, 36)];
    expect(stylesOf(raw, facets)).toEqual(['bold: <a>', 'italic: b']);
  });

  test('keeps a range over a whole link and drops the part of a range within a link', () => {
    const raw = 'see https://t.co/abc now';
    const facet = link(raw, 'https://t.co/abc', 'https://long.example/');
    expect(stylesOf(raw, [facet, bold(4, 20)])).toEqual(['bold: https://long.example/']);
    expect(stylesOf(raw, [facet, bold(0, 10), italic(10, 24)])).toEqual(['bold: see ', 'italic:  now']);
  });

  test('joins ranges of one type that overlap or touch', () => {
    expect(stylesOf('abcdefgh', [bold(4, 6), bold(0, 2), bold(2, 3), bold(5, 8), italic(1, 2)])).toEqual([
      'bold: abc',
      'italic: b',
      'bold: efgh',
    ]);
  });

  test.each([
    { type: 'overline', indices: [0, 3] },
    { type: 'bold', indices: [3, 3] },
    { type: 'bold', indices: [3, 1] },
    { type: 'bold', indices: [-1, 3] },
    { type: 'bold', indices: [0.5, 3] },
    { type: 'bold', indices: ['0', '3'] },
    { type: 'bold', indices: null },
    { type: 'bold' },
    null,
  ])('ignores the facet %j', (facet) => {
    const { text, styles } = readPostText('', { text: 'one two', facets: [facet] }, NOTHING);
    expect([text, styles]).toEqual(['one two', undefined]);
  });

  test('any facets give ordered, disjoint ranges, and the words between the links', () => {
    const facet = fc.record({
      type: fc.constantFrom('bold', 'italic', 'url', 'media'),
      indices: fc.array(fc.nat(40), { maxLength: 3 }),
      original: fc.constantFrom('https://t.co/abc', 'a', '&amp;', ''),
      replacement: fc.constantFrom('https://long.example/', "$'", undefined),
    });
    fc.assert(
      fc.property(hostileText, fc.array(facet, { maxLength: 8 }), (words, facets) => {
        const text = `${words} https://t.co/abc &amp; ${words}`;
        const result = readPostText('', { text, facets }, NOTHING);
        if (facets.every(({ type }) => type === 'bold' || type === 'italic'))
          expect(result.text).toBe(decoded(text.toWellFormed()));
        for (const type of ['bold', 'italic']) {
          let end = -1;
          for (const style of (result.styles ?? []).filter((range) => range.type === type)) {
            expect(style.start).toBeGreaterThan(end);
            expect(style.end).toBeGreaterThan(style.start);
            expect(style.end).toBeLessThanOrEqual(result.text.length);
            end = style.end;
          }
        }
      }),
      { numRuns: 2000 },
    );
  });
});

test('the official API: any entities give only links of http and https, and a text that does not grow by more', () => {
  const entity = fc.record({
    start: fc.nat(60),
    end: fc.nat(120),
    url: fc.constantFrom('https://t.co/abc', 'javascript:a()', ''),
    expanded_url: fc.constantFrom('https://long.example/', 'javascript:a()', "$'", undefined),
    username: fc.constantFrom('jack', '@a', ''),
    tag: fc.constantFrom('sea', '#a', ''),
  });
  fc.assert(
    fc.property(hostileText, fc.array(entity, { maxLength: 6 }), (words, all) => {
      const raw = { text: `${words} https://t.co/abc ${words}`, entities: { urls: all, mentions: all, hashtags: all } };
      const { text, links } = parseXApiPostText(raw, { id: '20', quoteId: undefined, media: false, article: false });
      expect(text.length).toBeLessThanOrEqual(raw.text.length * 6 + all.length * 60);
      for (const { url } of links) expect(url).toMatch(/^https?:\/\//i);
    }),
    { numRuns: 1000 },
  );
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
});

describe('the syndication CDN: white space at the start', () => {
  const textOf = (text: string, media: readonly unknown[] = []): string | undefined =>
    mapSyndicationPost({ id_str: '20', text, entities: { media } }, 0)?.text;

  test('is removed if a short link to media was before it', () => {
    expect(textOf('https://t.co/abc words', [{ indices: [0, 16], url: 'https://t.co/abc' }])).toBe('words');
  });
});
