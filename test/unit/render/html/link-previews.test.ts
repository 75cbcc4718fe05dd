// Checks that the link preview of each kind of post says everything that matters of it.
import { expect, test } from 'vitest';
import type { Post } from '../../../../shared/model/post.ts';
import type { Conversation } from '../../../../shared/model/resources.ts';
import { conversationHtml } from '../../../../shared/render/html/conversation.ts';
import { conversationOf, postOf, userOf } from '../../../support/post-models.ts';
import { photo, video } from '../../../support/rich-media.ts';

const unescaped = (text: string): string =>
  text.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&');

interface Preview {
  readonly title: string;
  /** Without the line of the author. */
  readonly lines: readonly string[];
  /** Author and figures. */
  readonly by: string | undefined;
  /** For search engines. */
  readonly excerpt: string;
  /** The last part of each path. */
  readonly pictures: readonly string[];
  readonly video: string | undefined;
  readonly card: string;
}

const previewOf = (conversation: Conversation, lang?: string): Preview => {
  const reading = lang === undefined ? undefined : { lang };
  const html = String(conversationHtml(conversation, 'https://postern.example', { reading }));
  const all = (name: string): readonly string[] =>
    [...html.matchAll(new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)">`, 'g'))].map(
      ([, content = '']) => unescaped(content),
    );
  const nameOf = (url: string): string => /([^/?]+)(?:\?[^?]*)?$/.exec(url)?.[1] ?? '';
  const { author } = conversation.post;
  const isBy = (line: string): boolean => author !== undefined && line.startsWith(`${author.name} (@${author.handle})`);
  const lines = all('og:description')[0]?.split('\n') ?? [];
  expect(all('twitter:creator')).toEqual(author === undefined ? [] : [`@${author.handle}`]);
  return {
    title: all('og:title')[0] ?? '',
    lines: lines.filter((line) => !isBy(line)),
    by: lines.find(isBy),
    excerpt: all('description')[0] ?? '',
    pictures: all('og:image').map(nameOf),
    video: all('og:video').map(nameOf)[0],
    card: all('twitter:card')[0] ?? '',
  };
};

const AUTHOR = { ...userOf(), avatar_url: 'https://pbs.twimg.com/profile_images/1/ada_normal.jpg' };
const BO = userOf('Bo', 'bo');
const BY = 'Ada (@ada) · 1 like · 0 reposts · 2 replies · 3,000 views';
const AVATAR = 'ada_400x400.jpg';

const picture = (name: string) => photo({ url: `https://pbs.twimg.com/media/${name}.jpg` });
const still = (name: string) => `https://pbs.twimg.com/ext_tw_video_thumb/1/pu/img/${name}.jpg`;

const QUOTE = postOf({
  id: '7',
  url: 'https://x.com/bo/status/7',
  author: BO,
  text: 'The words that matter',
  media: [picture('Q')],
});
const quoting = (members: Partial<Post> = {}): Partial<Post> => ({
  text: 'So true https://x.com/bo/status/7',
  links: [{ url: 'https://x.com/bo/status/7' }],
  quote: QUOTE,
  ...members,
});
const POLL = {
  choices: [
    { label: 'Yes', votes: 3, percentage: 75 },
    { label: 'No', votes: 1, percentage: 25 },
  ],
  total_votes: 4,
};
const CARD = {
  url: 'https://long.example/a',
  title: 'The quiet coast',
  description: 'A walk',
  image_url: 'https://pbs.twimg.com/card_img/1/C',
};

const none = { pictures: [AVATAR], video: undefined, card: 'summary' };
const shown = (...pictures: readonly string[]) => ({ pictures, video: undefined, card: 'summary_large_image' });

test.each<readonly [kind: string, post: Partial<Post>, expected: Partial<Preview>]>([
  ['a text', { text: 'Hello' }, { title: 'Ada: Hello', lines: ['Hello'], by: BY, ...none }],
  [
    'a long text',
    { text: `${'tide '.repeat(700)}end` },
    { lines: [`${'tide '.repeat(700)}end`], excerpt: `${'tide '.repeat(55)}tide…\n${BY}`, ...none },
  ],
  [
    'a quote of a long text',
    quoting({ quote: { ...QUOTE, text: `${'tide '.repeat(700)}end` } }),
    {
      lines: ['So true', `Quote of Bo (@bo): ${'tide '.repeat(700)}end`],
    },
  ],
  ['a photo', { text: 'Look', media: [picture('A')] }, { lines: ['Look'], ...shown('A.jpg') }],
  ['a photo without a text', { text: '', media: [picture('A')] }, { title: 'Ada: Photo', lines: ['Photo'] }],
  [
    'four photos',
    { media: ['A', 'B', 'C', 'D'].map(picture) },
    { lines: ['Hello'], ...shown('A.jpg', 'B.jpg', 'C.jpg', 'D.jpg') },
  ],
  ['a video', { media: [video({ thumbnail_url: still('V') })] }, { ...shown('V.jpg'), video: 'a.mp4' }],
  ['a GIF', { media: [video({ type: 'gif', thumbnail_url: still('G') })] }, { ...shown('G.jpg'), video: 'a.mp4' }],
  [
    'a poll',
    { text: 'Cold?', poll: { ...POLL, closed: false, ends_at: '2026-03-09T10:00:00Z' } },
    { lines: ['Cold?', 'Poll (4 votes, open until 2026-03-09 10:00 UTC): Yes: 75 % (3) · No: 25 % (1)'], ...none },
  ],
  [
    'a poll without a text',
    { text: '', poll: { ...POLL, closed: true } },
    { lines: ['Poll (4 votes, closed): Yes: 75 % (3) · No: 25 % (1)'] },
  ],
  ['a quote', quoting(), { lines: ['So true', 'Quote of Bo (@bo): The words that matter'], ...shown('Q.jpg') }],
  [
    'a quote of nothing but its address',
    quoting({ text: 'https://x.com/bo/status/7' }),
    { title: 'Ada', lines: ['Quote of Bo (@bo): The words that matter'] },
  ],
  ['a quote with a picture of its own', quoting({ media: [picture('A')] }), shown('A.jpg')],
  [
    'a quote of a video',
    quoting({ quote: { ...QUOTE, media: [video({ thumbnail_url: still('V') })] } }),
    { ...shown('V.jpg'), video: 'a.mp4' },
  ],
  [
    'a quote of a sensitive post',
    quoting({ quote: { ...QUOTE, sensitive: true } }),
    { lines: ['So true', 'Quote of Bo (@bo): The words that matter'], ...none },
  ],
  [
    'a quote that cannot be read',
    quoting({ quote: { unavailable: true, reason: 'deleted', id: '7' } }),
    { lines: ['So true', 'The quoted post was deleted.'], ...none },
  ],
  [
    'a quote below the fourth level',
    quoting({ quote: { id: '7', url: QUOTE.url } }),
    { lines: ['So true', 'Quotes a post.'] },
  ],
  [
    'a card',
    { text: 'Read https://long.example/a', card: CARD },
    {
      lines: ['Read https://long.example/a', 'Link: The quiet coast – A walk (long.example)'],
      ...shown('C'),
    },
  ],
  [
    'a broadcast',
    { text: '', broadcast: { url: 'https://x.com/i/broadcasts/1', state: 'live', thumbnail_url: still('L') } },
    { lines: ['Live broadcast: x.com'], ...shown('L.jpg') },
  ],
  [
    'an article',
    {
      text: '',
      article: {
        title: 'Tides',
        preview_text: 'They rise.',
        cover_url: 'https://pbs.twimg.com/media/K.jpg',
        blocks: [],
      },
    },
    { title: 'Tides', lines: ['They rise.'], by: BY, ...shown('K.jpg') },
  ],
  [
    'an article with a picture and without a cover',
    { text: '', article: { title: 'Tides', blocks: [{ type: 'media', media: picture('M') }] } },
    { title: 'Tides', ...shown('M.jpg') },
  ],
  [
    'a sensitive post',
    { media: [picture('A'), picture('B')], sensitive: true },
    { lines: ['Hello', '2 photos', 'Marked as sensitive.'], ...none },
  ],
  [
    'a video that is only a playlist',
    { media: [video({ url: 'https://video.twimg.com/a/pl/L.m3u8', thumbnail_url: still('V') })] },
    { ...shown('V.jpg') },
  ],
  [
    'a community note',
    { community_note: { text: 'It is not so.' } },
    { lines: ['Hello', 'Community note: It is not so.'] },
  ],
  [
    'an answer',
    { text: '@bo Yes', in_reply_to: { handle: 'bo', id: '7' }, mentions: ['bo'] },
    { title: 'Ada: Yes', lines: ['Yes', 'In reply to @bo'] },
  ],
  [
    'a post without figures',
    { metrics: { likes: null, reposts: null, replies: null, quotes: null, bookmarks: null, views: null } },
    { by: 'Ada (@ada)' },
  ],
  ['a post of an unknown author', { author: undefined }, { title: 'Post: Hello', lines: ['Hello'], by: undefined }],
  ['a repost', { reposted_by: BO }, { lines: ['Hello', 'Reposted by Bo (@bo)'] }],
])('[oembed 6] the link preview of %s says everything that matters', (_, members, expected) => {
  expect(previewOf(conversationOf(postOf({ author: AUTHOR, ...members })))).toMatchObject(expected);
});

test('[oembed 6] the link preview of a part of a thread says which part it is', () => {
  const part = (id: string, parent?: string): Post =>
    postOf({ id, text: `Part ${id}`, author: AUTHOR, ...(parent && { in_reply_to: { handle: 'ada', id: parent } }) });
  const parts = [part('20'), part('21', '20'), part('22', '21')] as const;
  const [first, second, third] = parts;
  expect(previewOf(conversationOf(first, { thread: [second, third] })).lines).toEqual(['Part 20', 'Thread of 3 posts']);
  const middle = conversationOf(second, { ancestors: [first], thread: [third] });
  expect(previewOf(middle).lines).toEqual(['Part 21', 'Post 2 of a thread of 3 posts']);
});

test('[oembed 6] the link preview of a page in a language of the reader has the translation', () => {
  const conversation = conversationOf(postOf({ text: 'Hei', translation: { text: 'Hello' } }));
  expect(previewOf(conversation).lines).toEqual(['Hei']);
  expect(previewOf(conversation, 'en').lines).toEqual(['Hello']);
});

test('a link preview is bounded, whatever the post holds', () => {
  const text = 'word '.repeat(10_000);
  const post = postOf({ text, community_note: { text }, card: { ...CARD, title: text }, quote: postOf({ text }) });
  expect(previewOf(conversationOf(post)).lines.join('\n').length).toBeLessThan(4 * 4001);
});
