// [decision 4 #104] Twice the input is twice the work, wherever something of an answer is mapped, rendered or cut. What is counted is
// characters read and items visited (support/work.ts), so that a busy machine changes nothing.
import { describe, expect, test } from 'vitest';
import type { Format } from '../../../shared/contract/media-types.ts';
import type { ArticleBlock, Media, Post } from '../../../shared/model/post.ts';
import { visibleText } from '../../../shared/model/visible-text.ts';
import { presentOembed } from '../../../shared/render/presenters/present-oembed.ts';
import { presentPost } from '../../../shared/render/presenters/present-post.ts';
import { presentProfile } from '../../../shared/render/presenters/present-profile.ts';
import { presentSearch } from '../../../shared/render/presenters/present-search.ts';
import { createUsersPresenter } from '../../../shared/render/presenters/present-users.ts';
import { createFxTwitterPostMapper } from '../../../shared/upstream/fxtwitter/map-post.ts';
import { mapPost as mapSyndication } from '../../../shared/upstream/syndication/map-post.ts';
import { createXApiPostMapper as xApiMapper } from '../../../shared/upstream/x-api/map-post.ts';
import { countWork } from '../../support/count-work.ts';
import { fullUser, profileOf, renderList, searchOf } from '../../support/list-models.ts';
import { conversationOf, postOf, userOf } from '../../support/post-models.ts';

/** Sorting and binary searches take a little more than twice as long. */
const MOST_GROWTH = 2.35;
const SIZE = 300;

type Case = readonly [name: string, make: (size: number) => () => unknown];

const some = <T>(size: number, make: (index: number) => T): T[] => Array.from({ length: size }, (_, at) => make(at));

const urlAt = (index: number): string => `https://site${index % 97}.example/articles/${index}?ref=${index * 7}`;

const linkedPost = (size: number): Post => {
  const links = some(size, (index) => ({ url: urlAt(index) }));
  return postOf({ text: links.map(({ url }, index) => `word${index} ${url} and`).join('\n'), links });
};

/** Addresses that begin alike, each the beginning of the next, and a text that goes on otherwise. */
const alikePost = (size: number): Post => {
  const url = (index: number): string => `https://a.example/${'a/'.repeat(index % 40)}${index}`;
  const links = some(size, (index) => ({ url: url(index) }));
  return postOf({ text: links.map((_, index) => `https://a.example/${'a/'.repeat(index % 50)}`).join(' '), links });
};

const photo = (index: number): Media => ({
  type: 'photo',
  url: `https://pbs.twimg.com/media/${index}.jpg`,
  width: 1200,
  height: 800,
  alt_text: `Photo ${index}`,
});

const styledArticle = (size: number): Post => {
  const block = (index: number): ArticleBlock => ({
    type: index % 3 === 0 ? 'paragraph' : 'quote',
    spans: some(20, (at) => ({ text: `word ${at} `, ...(at % 2 === 0 ? { bold: true } : { url: urlAt(at) }) })),
  });
  return postOf({ article: { title: 'Title', blocks: some(Math.ceil(size / 20), block) } });
};

const forms: readonly Format[] = ['markdown', 'obsidian', 'json', 'html'];

const posts: readonly (readonly [name: string, make: (size: number) => Post])[] = [
  ['links', linkedPost],
  ['links that begin alike', alikePost],
  ['links without a text', (size) => postOf({ links: some(size, (index) => ({ url: urlAt(index) })) })],
  ['mentions and hashtags', (size) => postOf({ text: some(size, (at) => `@user${at} #tag${at}`).join(' ') })],
  ['photos', (size) => postOf({ media: some(size, photo) })],
  ['styled spans', styledArticle],
  ['marks', (size) => postOf({ text: '*a_ [b] ~c `d <e@f> &amp; '.repeat(size) })],
  ['lines', (size) => postOf({ text: '- # > 1. \n\n---\n'.repeat(size) })],
  [
    'invisible characters',
    (size) => postOf({ text: 'a\u200d\u{e0101}\u3164b \u2800 and some more words '.repeat(size) }),
  ],
  [
    'poll choices',
    (size) =>
      postOf({
        poll: { total_votes: size, choices: some(size, (at) => ({ label: `choice ${at}`, votes: 1, percentage: 1 })) },
      }),
  ],
];

const ofPosts: readonly Case[] = posts.flatMap(([name, make]) => [
  ...forms.map(
    (format): Case => [
      `${name} as ${format}`,
      (size) => {
        const value = conversationOf(make(size));
        return () => renderList(presentPost, value, { format });
      },
    ],
  ),
  ...[100, 1000].map(
    (maxTokens): Case => [
      `${name} with max_tokens=${maxTokens}`,
      (size) => {
        const value = conversationOf(make(size));
        return () => renderList(presentPost, value, { maxTokens });
      },
    ],
  ),
  ...[undefined, 300, 2000].map(
    (maxHeight): Case => [
      `${name} as an embed ${maxHeight ?? 'of any'} pixels high`,
      (size) => {
        const post = make(size);
        return () => renderList(presentOembed, { post, maxHeight });
      },
    ],
  ),
]);

const person = (index: number) => fullUser({ handle: `user${index}`, bio: `I listen to ${urlAt(index)} *always*.` });

const itemsOf = (size: number): Post[] => some(size, (index) => ({ ...linkedPost(3), id: String(index + 1) }));

const ofLists: readonly Case[] = [...forms.filter((format) => format !== 'obsidian'), 'cut' as const].flatMap(
  (form): Case[] => {
    const asked = form === 'cut' ? { maxTokens: 500 } : { format: form };
    return [
      [
        `search ${form}`,
        (size) => {
          const value = searchOf({ posts: itemsOf(size) });
          return () => renderList(presentSearch, value, asked);
        },
      ],
      [
        `accounts ${form}`,
        (size) => {
          const value = { handle: 'ada', users: some(size, person) };
          return () => renderList(createUsersPresenter('followers'), value, asked);
        },
      ],
      [
        `profile ${form}`,
        (size) => {
          const value = profileOf(userOf(), { posts: itemsOf(size) });
          return () => renderList(presentProfile, value, asked);
        },
      ],
      [
        `conversation ${form}`,
        (size) => {
          const items = itemsOf(size);
          const value = conversationOf(postOf(), { thread: items, ancestors: items, replies: items });
          return () => renderList(presentPost, value, asked);
        },
      ],
      [
        `one long item of a list ${form}`,
        (size) => {
          const value = searchOf({ posts: [linkedPost(size)] });
          return () => renderList(presentSearch, value, asked);
        },
      ],
      [
        `one long biography ${form}`,
        (size) => {
          const value = profileOf(fullUser({ bio: linkedPost(size).text }));
          return () => renderList(presentProfile, value, asked);
        },
      ],
    ];
  },
);

const shortAt = (index: number): string => `https://t.co/${String(index).padStart(10, 'a')}`;

interface Told {
  readonly words: string;
  readonly facets: readonly {
    readonly type: string;
    readonly indices: readonly [number, number];
    readonly original: string;
    readonly url?: string;
  }[];
}

/** @param shift how far positions are from the truth */
const told = (size: number, shift: (at: number) => number, before = ''): Told => {
  const facets: Told['facets'][number][] = [];
  let words = before;
  const say = (type: string, mark: string, original: string, url?: string): void => {
    const start = shift(words.length);
    facets.push({
      type,
      indices: [start, start + mark.length + original.length],
      original,
      ...(url !== undefined && { url }),
    });
    words += `${mark}${original} `;
  };
  for (let index = 0; index < size; index += 1) {
    say('mention', '@', `u${index}`);
    say('hashtag', '#', `h${index}`);
    say('url', '', shortAt(index), urlAt(index));
  }
  return { words, facets };
};

const textsToMap: readonly (readonly [name: string, make: (size: number) => Told])[] = [
  ['right positions', (size) => told(size, (at) => at)],
  ['positions that are off', (size) => told(size, (at) => at + 5)],
  ['no positions', (size) => told(size, () => Number.NaN)],
  ['positions in code points after emoji', (size) => told(size, (at) => at - size, '🐋'.repeat(size))],
  [
    'facets in reverse',
    (size) => {
      const { words, facets } = told(size, (at) => at - size, '🐋'.repeat(size));
      return { words, facets: facets.toReversed() };
    },
  ],
  [
    'facets that are nowhere',
    (size) => {
      const { words, facets } = told(size, (at) => at);
      return { words, facets: facets.map((facet) => ({ ...facet, original: `${facet.original}-not` })) };
    },
  ],
  [
    'facets at both ends in turn',
    (size) => ({
      words: `first ${'x'.repeat(size * 60)} last`,
      facets: some(size * 3, (at) => ({
        type: 'mention',
        indices: [-1, -1],
        original: at % 2 === 0 ? 'last' : 'first',
      })),
    }),
  ],
  ['short links at the end', (size) => ({ words: some(size, shortAt).join(' '), facets: [] })],
];

const ofTexts: readonly Case[] = textsToMap.flatMap(([name, make]): Case[] => {
  const of = ({ facets }: Told, type: string) => facets.filter((facet) => facet.type === type);
  return [
    [
      `FxTwitter: ${name}`,
      (size) => {
        const { words, facets } = make(size);
        const raw = {
          id: '20',
          text: words,
          raw_text: { text: words, facets: facets.map((facet) => ({ ...facet, replacement: facet.url })) },
        };
        return () => createFxTwitterPostMapper(0).post(raw);
      },
    ],
    [
      `syndication: ${name}`,
      (size) => {
        const all = make(size);
        const raw = {
          id_str: '20',
          text: all.words,
          entities: {
            user_mentions: of(all, 'mention').map(({ indices, original }) => ({ indices, screen_name: original })),
            hashtags: of(all, 'hashtag').map(({ indices, original }) => ({ indices, text: original })),
            urls: of(all, 'url').map(({ indices, original, url }) => ({ indices, url: original, expanded_url: url })),
          },
        };
        return () => mapSyndication(raw, 0);
      },
    ],
    [
      `the official API: ${name}`,
      (size) => {
        const all = make(size);
        const at = ({ indices: [start, end] }: Told['facets'][number]) => ({ start, end });
        const raw = {
          id: '20',
          text: all.words,
          attachments: { media_keys: ['1'] },
          entities: {
            mentions: of(all, 'mention').map((facet) => ({ ...at(facet), username: facet.original })),
            hashtags: of(all, 'hashtag').map((facet) => ({ ...at(facet), tag: facet.original })),
            urls: of(all, 'url').map((facet) => ({ ...at(facet), url: facet.original, expanded_url: facet.url })),
          },
        };
        const includes = { media: [{ media_key: '1', type: 'photo', url: 'https://pbs.twimg.com/media/a.jpg' }] };
        return () => xApiMapper(includes, 0).post(raw);
      },
    ],
  ];
});

const articleToMap = (blocks: readonly object[], entityMap: readonly object[], media: readonly object[] = []) => {
  const raw = { id: '20', article: { title: 'Title', content: { blocks, entityMap }, media_entities: media } };
  return () => createFxTwitterPostMapper(0).post(raw);
};

const ofArticles: readonly Case[] = [
  [
    'styles and links of one block',
    (size) => {
      const range = (index: number) => ({ offset: index * 3, length: 7 + (index % 5), style: 'Bold', key: index });
      const ranges = some(size, range);
      const block = { type: 'unstyled', text: 'word '.repeat(size), inlineStyleRanges: ranges, entityRanges: ranges };
      return articleToMap(
        [block],
        some(size, (key) => ({ key, value: { type: 'LINK', data: { url: urlAt(key) } } })),
      );
    },
  ],
  [
    'links over the whole of one block',
    (size) => {
      const ranges = some(size, (key) => ({ offset: key, length: size * 5, key }));
      const block = { type: 'unstyled', text: 'word '.repeat(size), entityRanges: ranges };
      return articleToMap(
        [block],
        some(size, (key) => ({ key, value: { type: 'LINK', data: { url: urlAt(key) } } })),
      );
    },
  ],
  [
    'pictures',
    (size) => {
      const items = some(size, (at) => ({ mediaId: String(at) }));
      const blocks = [{ type: 'atomic', text: ' ', entityRanges: [{ key: 0 }] }];
      const media = some(size, (at) => ({ media_id: String(at), media_info: { original_img_url: photo(at).url } }));
      return articleToMap(blocks, [{ key: 0, value: { type: 'MEDIA', data: { mediaItems: items } } }], media);
    },
  ],
  [
    'blocks that share one entity',
    (size) => {
      const blocks = some(size, () => ({ type: 'atomic', text: ' ', entityRanges: [{ key: 0 }] }));
      const items = some(size, () => ({ mediaId: '1' }));
      const media = [{ media_id: '1', media_info: { original_img_url: photo(1).url } }];
      return articleToMap(blocks, [{ key: 0, value: { type: 'MEDIA', data: { mediaItems: items } } }], media);
    },
  ],
];

const ofWords: readonly Case[] = [
  'a\u200d',
  '\u200d',
  'س\u200c',
  '👨\u200d',
  '❤\ufe0f',
  '\u{e0101}',
  '🏴\u{e0067}',
  '\u2800',
  '\u2801\u2800',
  '\u115f',
  'ᄒ\u1160',
  'ᠠ\u180b',
  'ᠠ\u180e',
  '\u200e',
  'א\u200e',
  '\u034f',
  '#\ufe0f\u20e3',
  '\ud800',
].map(
  (unit): Case => [
    `visible ${JSON.stringify(unit)}`,
    (size) => {
      const words = unit.repeat(size * 10);
      return () => visibleText(words);
    },
  ],
);

test('the meter sees what grows with the square', () => {
  const squared = (size: number) => () => {
    const all = some(size, String);
    return all.filter((entry) => all.includes(entry));
  };
  expect(countWork(squared(400)) / countWork(squared(200))).toBeGreaterThan(3.5);
  const restarted = (size: number) => () => some(size, () => 'a'.repeat(size).replace(/b/g, ''));
  expect(countWork(restarted(400)) / countWork(restarted(200))).toBeGreaterThan(3.5);
});

describe('[decision 4 #104] twice the input is twice the work', () => {
  test.each([...ofPosts, ...ofLists, ...ofTexts, ...ofArticles, ...ofWords])('%s', (_, make) => {
    const [once, twice] = [make(SIZE), make(2 * SIZE)];
    expect(countWork(twice) / countWork(once)).toBeLessThanOrEqual(MOST_GROWTH);
  });
});

test('[decision 4 #104] 20,000 links are no deeper than one: nothing calls itself once for each', () => {
  const value = conversationOf(linkedPost(20_000));
  expect(renderList(presentPost, value, { format: 'html' }).body.match(/<a href="https:\/\/site/g)).toHaveLength(
    20_000,
  );
  expect(renderList(presentOembed, { post: value.post }).body).toContain(urlAt(19_999));
});
