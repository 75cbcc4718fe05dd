// [bounds 6] Checks that twice the input takes at most about twice the work to map, render or truncate. Work is
// counted as characters read and items visited (support/count-work.ts), so the load of the machine does not matter.
import { expect, test } from 'vitest';
import { FEED_FORMATS, type Format } from '../../../shared/contract/media-types.ts';
import type { Post } from '../../../shared/model/post.ts';
import { visibleText } from '../../../shared/model/visible-text.ts';
import { presentOembed } from '../../../shared/reads/oembed/present.ts';
import { presentPost } from '../../../shared/reads/post/present.ts';
import { presentSearch } from '../../../shared/reads/search/present.ts';
import type { Presenter } from '../../../shared/render/presenters/view.ts';
import { createFxTwitterPostMapper } from '../../../shared/upstream/fxtwitter/map-post.ts';
import { mapPost as mapSyndication } from '../../../shared/upstream/syndication/map-post.ts';
import { createXApiPostMapper as xApiMapper } from '../../../shared/upstream/x-api/map-post.ts';
import { countWork } from '../../support/count-work.ts';
import { renderList, searchOf } from '../../support/list-models.ts';
import { conversationOf, postOf } from '../../support/post-models.ts';

/** Allows for sorting and binary searches, which take a little more than twice as long. */
const MOST_GROWTH = 2.35;
const SIZE = 300;

type Case = readonly [name: string, make: (size: number) => () => unknown];

/** Only the rendering is counted, not the making of the value. */
const rendering = <T>(
  name: string,
  present: Presenter<T>,
  make: (size: number) => T,
  request: Parameters<typeof renderList>[2],
): Case => [
  name,
  (size) => {
    const value = make(size);
    return () => renderList(present, value, request);
  },
];

const times = <T>(size: number, make: (index: number) => T): T[] => Array.from({ length: size }, (_, at) => make(at));

const urlAt = (index: number): string => `https://site${index % 97}.example/articles/${index}?ref=${index * 7}`;

/** Builds a post with URLs that share prefixes, and a text that continues each prefix differently. */
const sharedPrefixPost = (size: number): Post => {
  const url = (index: number): string => `https://a.example/${'a/'.repeat(index % 40)}${index}`;
  const links = times(size, (index) => ({ url: url(index) }));
  return postOf({ text: links.map((_, index) => `https://a.example/${'a/'.repeat(index % 50)}`).join(' '), links });
};

const forms: readonly Format[] = ['markdown', 'obsidian', 'json', 'html'];

const posts: readonly (readonly [name: string, make: (size: number) => Post])[] = [
  ['links that begin alike', sharedPrefixPost],
  ['links without a text', (size) => postOf({ links: times(size, (index) => ({ url: urlAt(index) })) })],
  [
    'leading mentions',
    (size) => {
      const mentions = times(10 * size, (index) => `user${index}`);
      const text = mentions.map((handle) => `@${handle} `).join('');
      return postOf({ text, mentions, in_reply_to: { handle: 'user0' } });
    },
  ],
  ['indentation', (size) => postOf({ text: `${' '.repeat(size)}\t\n${' '.repeat(size)}a\n \t b\n`.repeat(3) })],
];

const postCases: readonly Case[] = posts.flatMap(([name, make]) => {
  const post = (form: string, request: Parameters<typeof renderList>[2]): Case =>
    rendering(`${name} ${form}`, presentPost, (size) => conversationOf(make(size)), request);
  return [
    ...forms.map((format) => post(`as ${format}`, { format })),
    ...FEED_FORMATS.map((format) =>
      rendering(`${name} as ${format}`, presentSearch, (size) => searchOf({ posts: [make(size)] }), { format }),
    ),
    post('as one text', { layout: 'unrolled' }),
    ...[100, 1000].map((maxTokens) => post(`with max_tokens=${maxTokens}`, { maxTokens })),
    ...[undefined, 300, 2000].map((maxHeight) =>
      rendering(
        `${name} as an embed with maxheight ${maxHeight ?? 'unset'}`,
        presentOembed,
        (size) => ({ post: make(size), maxHeight }),
        {},
      ),
    ),
  ];
});

/** Texts whose entities only pages link. */
const words: readonly (readonly [name: string, word: (at: number) => string])[] = [
  ['mentions', (at) => `@user${at}`],
  ['hashtags', (at) => `#tag${at}`],
  ['signs', (at) => '@#$＃＠'.repeat(at % 3)],
  ['signs and links', (at) => `$${urlAt(at)}#@`],
  ['long words after a sign', (at) => `#${'語'.repeat(40 + (at % 7))}@${'a'.repeat(40)}`],
];

const pageCases: readonly Case[] = words.map(([name, word]) =>
  rendering(
    `linked ${name} of a reply as html`,
    presentPost,
    (size) => {
      const all = times(size, word);
      const post = postOf({
        text: all.join(' '),
        in_reply_to: { handle: 'user0' },
        mentions: times(size, (at) => `user${at}`),
        hashtags: times(size, (at) => `tag${at}`),
        links: times(size, (at) => ({ url: urlAt(at) })),
        styles: times(size, (at) => ({ type: at % 2 === 0 ? 'bold' : 'italic', start: at * 5, end: at * 5 + 7 })),
        community_note: { text: all.join(' https://') },
      });
      return conversationOf(post);
    },
    { format: 'html' },
  ),
);

const shortAt = (index: number): string => `https://t.co/${String(index).padStart(10, 'a')}`;

interface MappingText {
  readonly text: string;
  readonly facets: readonly {
    readonly type: string;
    readonly indices: readonly [number, number];
    readonly original: string;
    readonly url?: string;
  }[];
}

/** @param shift moves a position from its correct value */
const mappingText = (size: number, shift: (at: number) => number, before = ''): MappingText => {
  const facets: MappingText['facets'][number][] = [];
  let text = before;
  const addFacet = (type: string, mark: string, original: string, url?: string): void => {
    const start = shift(text.length);
    facets.push({
      type,
      indices: [start, start + mark.length + original.length],
      original,
      ...(url !== undefined && { url }),
    });
    text += `${mark}${original} `;
  };
  for (let index = 0; index < size; index += 1) {
    addFacet('mention', '@', `u${index}`);
    addFacet('hashtag', '#', `h${index}`);
    addFacet('url', '', shortAt(index), urlAt(index));
  }
  return { text, facets };
};

const placed = (size: number): MappingText => mappingText(size, (at) => at);
const afterEmoji = (size: number): MappingText => mappingText(size, (at) => at - size, '🐋'.repeat(size));

/** big-answers.test.ts has facets at their right places. */
const textsToMap: readonly (readonly [name: string, make: (size: number) => MappingText])[] = [
  ['wrong positions', (size) => mappingText(size, (at) => at + 5)],
  ['no positions', (size) => mappingText(size, () => Number.NaN)],
  ['positions in code points after emoji', afterEmoji],
  ['facets in reverse', (size) => ({ ...afterEmoji(size), facets: afterEmoji(size).facets.toReversed() })],
  [
    'facets that do not occur in the text',
    (size) => ({
      ...placed(size),
      facets: placed(size).facets.map((facet) => ({ ...facet, original: `${facet.original}-not` })),
    }),
  ],
  [
    'facets alternately at both ends',
    (size) => ({
      text: `first ${'x'.repeat(size * 60)} last`,
      facets: times(size * 3, (at) => ({
        type: 'mention',
        indices: [-1, -1],
        original: at % 2 === 0 ? 'last' : 'first',
      })),
    }),
  ],
  ['short links at the end', (size) => ({ text: times(size, shortAt).join(' '), facets: [] })],
];

/** The post of each provider that has a text with its facets. */
const mappers: readonly (readonly [provider: string, prepare: (text: MappingText) => () => unknown])[] = [
  [
    'FxTwitter',
    ({ text, facets }) => {
      const styles = facets.map((_, at) => ({ type: at % 2 === 0 ? 'bold' : 'italic', indices: [at, at + 5] }));
      const links = facets.map((facet) => ({ ...facet, replacement: facet.url }));
      const raw = { id: '20', text, raw_text: { text: text.replaceAll('&', '&amp;'), facets: [...styles, ...links] } };
      return () => createFxTwitterPostMapper(0).post(raw);
    },
  ],
  [
    'syndication',
    ({ text, facets }) => {
      const entities = {
        user_mentions: facets.map(({ indices, original }) => ({ indices, screen_name: original })),
        hashtags: facets.map(({ indices, original }) => ({ indices, text: original })),
        urls: facets.map(({ indices, original, url }) => ({ indices, url: original, expanded_url: url })),
      };
      return () => mapSyndication({ id_str: '20', text, entities }, 0);
    },
  ],
  [
    'the X API',
    ({ text, facets }) => {
      const all = facets.map(({ indices: [start, end], original, url }) => ({ start, end, original, url }));
      const entities = {
        mentions: all.map(({ original, ...place }) => ({ ...place, username: original })),
        hashtags: all.map(({ original, ...place }) => ({ ...place, tag: original })),
        urls: all.map(({ original, url, ...place }) => ({ ...place, url: original, expanded_url: url })),
      };
      const includes = { media: [{ media_key: '1', type: 'photo', url: 'https://pbs.twimg.com/media/a.jpg' }] };
      const raw = { id: '20', text, entities, attachments: { media_keys: ['1'] } };
      return () => xApiMapper(includes, 0).post(raw);
    },
  ],
];

const mappingCases: readonly Case[] = mappers.flatMap(([provider, prepare]) =>
  textsToMap.map(([name, make]): Case => [`${provider}: ${name}`, (size) => prepare(make(size))]),
);

const UNITS =
  'a\u200d \u200d س\u200c 👨\u200d ❤\ufe0f \u{e0101} 🏴\u{e0067} \u2800 \u2801\u2800 \u115f ᄒ\u1160 ᠠ\u180b ᠠ\u180e \u200e א\u200e \u034f #\ufe0f\u20e3 \ud800'.split(
    ' ',
  );

const sanitizerCases: readonly Case[] = UNITS.map(
  (unit): Case => [
    `visible ${JSON.stringify(unit)}`,
    (size) => {
      const text = unit.repeat(size * 10);
      return () => visibleText(text);
    },
  ],
);

test.each([...postCases, ...pageCases, ...mappingCases, ...sanitizerCases])(
  '[bounds 6] %s takes at most 2.35 times the work for twice the input',
  (_, make) => {
    const [once, twice] = [make(SIZE), make(2 * SIZE)];
    expect(countWork(twice) / countWork(once)).toBeLessThanOrEqual(MOST_GROWTH);
  },
);

test('[bounds 6] 20,000 links of one post do not deepen the call stack', () => {
  const links = times(20_000, (index) => ({ url: urlAt(index) }));
  const post = postOf({ text: links.map(({ url }) => `word ${url} and`).join('\n'), links });
  const { body } = renderList(presentPost, conversationOf(post), { format: 'html' });
  expect(body.match(/<a href="https:\/\/site/g)).toHaveLength(20_000);
  expect(renderList(presentOembed, { post }).body).toContain(urlAt(19_999));
});
