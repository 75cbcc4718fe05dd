// Compares the search for places with the library of X: with its conformance files, and with its answers for other texts.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { load } from 'js-yaml';
import twitterText from 'twitter-text';
import { describe, expect, test } from 'vitest';
import { isRecord } from '../../../../shared/model/json.ts';
import type { PlaceType, TextPlace } from '../../../../shared/model/text-places.ts';
import { placesOf } from '../../../../shared/render/content/links.ts';
import { searchPlaces } from '../../../../shared/render/content/search-places.ts';
import { cases } from '../../../support/full-form.ts';

interface Case {
  readonly description: string;
  readonly text: string;
  readonly expected: unknown;
}

const groupsOf = (name: string): Readonly<Record<string, readonly Case[]>> => {
  const file = load(readFileSync(new URL(`../../../fixtures/twitter-text/${name}.yml`, import.meta.url), 'utf8'));
  return (file as { readonly tests: Record<string, readonly Case[]> }).tests; // the form of the conformance files
};

const LISTS = 'X has no list at this path any more, so the account is the link';
const NO_SUFFIXES = 'without a list of top-level domains, a word that follows a domain looks like a part of it';

/** The cases in which the search differs, with the reason. */
const DIFFERENCES: ReadonlyMap<string, string> = new Map([
  ['Extract a list', LISTS],
  ['Extract a mention and list', LISTS],
  ['Extract a list in the middle of a Japanese tweet', LISTS],
  ['Autolink list preceded by a space', LISTS],
  ['Autolink list at the beginning', LISTS],
  ['Autolink list preceded by puctuation', LISTS],
  ['Autolink list followed by puctuation', LISTS],
  ['Autolink list name over 25 characters (truncated to 25)', LISTS],
  ['Autolink list that contains an _', LISTS],
  ['Autolink list that contains a -', LISTS],
  ['Autolink list that contains a number', LISTS],
  ['urls: test http://example.comだよね.comtest/hogehoge', NO_SUFFIXES],
]);

const isDifferent = (group: string, { description, text }: Case): boolean =>
  DIFFERENCES.has(description) || DIFFERENCES.has(`${group}: ${text}`);

/** A link needs a scheme here: nobody knows what a word with a dot is. */
const hasScheme = (url: string): boolean => /^https?:\/\//i.test(url);

const wordsOf = (text: string, type: PlaceType): readonly string[] =>
  searchPlaces(text)
    .filter((place) => place.type === type)
    .map(({ start, end }) => text.slice(type === 'link' ? start : start + 1, end));

const strings = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

const TYPES: Readonly<Record<string, PlaceType>> = {
  mentions: 'mention',
  urls: 'link',
  tco_urls_with_params: 'link',
  hashtags: 'hashtag',
  hashtags_from_astral: 'hashtag',
  cashtags: 'cashtag',
};

/** The groups with indices, and the member that has the words of an entity. */
const INDEXED: Readonly<Record<string, readonly [type: PlaceType, member: string]>> = {
  mentions_with_indices: ['mention', 'screen_name'],
  mentions_or_lists_with_indices: ['mention', 'screen_name'],
  urls_with_indices: ['link', 'url'],
  urls_with_directional_markers: ['link', 'url'],
  hashtags_with_indices: ['hashtag', 'hashtag'],
  cashtags_with_indices: ['cashtag', 'cashtag'],
};

const LINKED: Readonly<Record<string, readonly PlaceType[]>> = {
  usernames: ['mention'],
  lists: ['mention'],
  hashtags: ['hashtag'],
  urls: ['link'],
  cashtags: ['cashtag'],
  all: ['link', 'mention', 'hashtag', 'cashtag'],
};

const ANCHOR = /<a [^>]*>(.*?)<\/a>/g;
const unescaped = (html: string): string =>
  html
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

const casesOf = (name: string, groups: Readonly<Record<string, unknown>>): readonly (readonly [string, Case])[] => {
  const all = groupsOf(name);
  return Object.keys(groups).flatMap((group) => (all[group] ?? []).map((each): [string, Case] => [group, each]));
};

const same = casesOf('extract', TYPES).filter(([group, each]) => !isDifferent(group, each));
const indexed = casesOf('extract', INDEXED).filter(([group, each]) => !isDifferent(group, each));
const linked = casesOf('autolink', LINKED).filter(([group, each]) => !isDifferent(group, each));

describe('[text 15] a search finds what the conformance files of X expect', () => {
  test.each(same.map(([group, each]) => [group, each.description, each] as const))(
    '%s: %s',
    (group, _, { text, expected }) => {
      const type = TYPES[group] ?? 'link';
      const wanted = strings(expected);
      expect(wordsOf(text, type)).toEqual(type === 'link' ? wanted.filter(hasScheme) : wanted);
    },
  );

  test.each(indexed.map(([group, each]) => [group, each.description, each] as const))(
    '%s: %s',
    (group, _, { text, expected }) => {
      const [type = 'link', member = ''] = INDEXED[group] ?? [];
      const entities = Array.isArray(expected) ? expected.filter(isRecord) : [];
      const pointOf = (offset: number): number => Array.from(text.slice(0, offset)).length;
      const found = searchPlaces(text).filter((place) => place.type === type);
      expect(found.map(({ start, end }) => [pointOf(start), pointOf(end)])).toEqual(
        entities.filter((entity) => type !== 'link' || hasScheme(String(entity[member]))).map(({ indices }) => indices),
      );
    },
  );

  test.each(linked.map(([group, each]) => [group, each.description, each] as const))(
    'autolink %s: %s',
    (group, _, { text, expected }) => {
      const words = [...String(expected).matchAll(ANCHOR)].map(([, html = '']) =>
        unescaped(html.replaceAll(/<[^>]+>/g, '')),
      );
      const types = LINKED[group] ?? [];
      const found = searchPlaces(text).filter(({ type }) => types.includes(type));
      expect(found.map(({ type, start, end }) => text.slice(type === 'mention' ? start + 1 : start, end))).toEqual(
        words.filter((word) => hasScheme(word) || !/^[a-z0-9-]+\.[a-z]/i.test(word)),
      );
    },
  );

  test('all but the listed cases are compared', () => {
    const all = [...casesOf('extract', { ...TYPES, ...INDEXED }), ...casesOf('autolink', LINKED)];
    expect(all.length - same.length - indexed.length - linked.length).toBe(DIFFERENCES.size);
    expect(all.length).toBeGreaterThan(400);
  });
});

const typeOf = (entity: object): PlaceType =>
  'url' in entity ? 'link' : 'hashtag' in entity ? 'hashtag' : 'cashtag' in entity ? 'cashtag' : 'mention';

/** The answer of the library, in the order of the text. */
const libraryPlaces = (text: string): readonly TextPlace[] =>
  twitterText
    .extractEntitiesWithIndices(text)
    .map((entity) => ({ type: typeOf(entity), start: entity.indices[0], end: entity.indices[1] }))
    .sort((a, b) => a.start - b.start);

test('[text 15] a search finds what the library of X finds in any text', () => {
  // biome-ignore format: side by side they fit on a screen
  const parts = [
    ' ', '.', ',', '?', '!', '&', '/', '(', ')', '-', '_', '9', 'é', '語', '🐋', '\n', '\u200f', 'RT', ':', '%', "'",
    '@ada', '＠bo', '@', '#tide', '＃潮', '#', '#1', '$TIDE', '$A.B', '$', 'http://', 'https://a.com/x', 'https://t.co/abc', 'https://b.org/x_(y)', 'https://c.net/?q=1&b',
  ];
  const texts = fc.array(fc.constantFrom(...parts), { maxLength: 12 }).map((all) => all.join(''));
  fc.assert(
    fc.property(texts, (text) => {
      const wanted = libraryPlaces(text);
      // What differs by intent: addresses without a scheme, words that look like a top-level domain, lists of X, and what
      // stands directly after a refused entity or an address, which the library loses.
      fc.pre(wanted.every(({ type, start, end }) => type !== 'link' || hasScheme(text.slice(start, end))));
      fc.pre(!/\.[a-z]*rt\/|[@＠]rt|\$http|[@＠]\w+\/[a-z]|http\S+http/i.test(text));
      expect(searchPlaces(text)).toEqual(wanted);
    }),
    { numRuns: cases(2000, 20_000) },
  );
});

test('[text 15] a translation keeps the links of its original, which the rules of X would divide', () => {
  const url = 'https://ja.wikipedia.example/wiki/日本';
  const wordsIn = (text: string, urls: readonly string[]): readonly string[] =>
    placesOf({ text, links: urls.map((each) => ({ url: each })) }).map(({ start, end }) => text.slice(start, end));
  expect(wordsIn(`See ${url}? #Tide`, [url])).toEqual([url, '#Tide']);
  expect(wordsIn(`See ${url}? #Tide`, [])).toEqual(['https://ja.wikipedia.example/wiki/', '#Tide']);
  expect(wordsIn('https://a.example/b/c', ['https://a.example/b'])).toEqual(['https://a.example/b/c']);
});

test('[text 15] an address without a scheme is text with all that belongs to it', () => {
  expect(searchPlaces('a.example/@ada/#tide b.example/$TIDE')).toEqual([]);
});

test('[text 15] an address with an invisible character is text, because it would show another target', () => {
  expect(searchPlaces('see https://exam\u034fple.com/x and https://b.org/y')).toEqual([
    { type: 'link', start: 31, end: 46 },
  ]);
});
