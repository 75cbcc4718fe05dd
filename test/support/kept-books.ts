// Provides conversations for files that readers keep, with a picture for each that they show: recorded posts, threads and
// articles, posts of every kind, and posts whose every text is hostile.
import { drawPicture } from '../../infra/local/sample-pictures.ts';
import type { KeepRequest, KeptFile } from '../../shared/keep/keep-post.ts';
import { keepPost } from '../../shared/keep/keep-post.ts';
import type { ArticleBlock } from '../../shared/model/post.ts';
import type { Conversation, Warning } from '../../shared/model/resources.ts';
import type { ReadPicture } from '../../shared/ports/pictures.ts';
import { presentPost } from '../../shared/reads/post/present.ts';
import { pageOf } from '../../shared/render/presenters/serialize.ts';
import { hostileConversation } from '../generators/hostile-models.ts';
import { hostileText } from '../generators/hostile-text.ts';
import { casesOf } from '../generators/seed.ts';
import { conversationOf } from './post-models.ts';
import { readablePosts, recordedConversation } from './recorded-posts.ts';
import { articlePost } from './rich-articles.ts';
import { RICH_CONVERSATIONS } from './rich-conversations.ts';
import { RICH_POSTS } from './rich-posts.ts';

export type NamedConversation = readonly [name: string, conversation: Conversation];

/** Reads every recorded answer with a post. */
export const recordedBooks = (): Promise<readonly NamedConversation[]> =>
  Promise.all(readablePosts.map(async (file) => [file, await recordedConversation(file)] as const));

export const richBooks: readonly NamedConversation[] = [
  ...RICH_CONVERSATIONS,
  ...[...RICH_POSTS].map(([name, post]) => [name, conversationOf(post)] as const),
  ['an article of every block', conversationOf(articlePost({ cover_url: 'https://pbs.twimg.com/media/cover.jpg' }))],
];

/** URLs that only some parsers accept. */
const HOSTILE_URLS = [
  'https://a.example/%zz?q=[|]{}^`"<>',
  'https://[::1',
  'https://a.example:99999/',
  'https://exa mple/',
  'https://пример.рф/путь?я#я',
  'http://a.example/\\..\\x',
  'https://user:pw@a.example/',
  'https://a.example/?a=1&b=2&amp;c',
  'https://a.example/\u202e\u0000',
  'javascript:alert(1)',
  'https://a..example/',
  'https://-.example/#%',
];

/** @param number the same number is the same conversation */
export const hostileBook = (seed: number): ((number: number) => NamedConversation) => {
  const texts = casesOf(hostileText, seed);
  return (number) => {
    let next = number * 50;
    const nextText = (): string => {
      const text = texts(next);
      next += 1;
      // Some texts are words without an end.
      return next % 97 === 0 ? `${text}${'x'.repeat(60_000)}` : text;
    };
    const conversation = hostileConversation(nextText, 'code');
    const urls = HOSTILE_URLS.map((_, index) => HOSTILE_URLS[(index + number) % HOSTILE_URLS.length] ?? '');
    const [first = '', second = '', third = ''] = urls;
    const { post } = conversation;
    const block: ArticleBlock = { type: 'paragraph', spans: [{ text: nextText(), url: second }] };
    return [
      `hostile ${number}`,
      {
        ...conversation,
        post: {
          ...post,
          text: `${post.text} ${first}`,
          lang: ['ar', 'und', 'x', 'zh-hans', 'en" x="', 'iw', 'qme'][number % 7],
          sensitive: number % 3 === 0,
          links: [{ url: first }],
          card: { url: third, title: nextText(), image_url: `https://pbs.twimg.com/card_img/${number}/a?format=jpg` },
          article:
            number % 2 === 0 || post.article === undefined
              ? undefined
              : { ...post.article, blocks: [...post.article.blocks, block] },
        },
      },
    ];
  };
};

const NO_SIZES: ReadonlyMap<string, { width: number; height: number }> = new Map();

/** Draws each picture: small, and the same each time. */
export const drawnPicture: ReadPicture = async (url) => {
  const small = new URL(url);
  small.searchParams.set('name', 'thumb');
  return { mimeType: 'image/png', bytes: drawPicture(small, NO_SIZES) };
};

const SERVICE = 'https://postern.example';

/** @param options of the request @default a book with every picture */
export const keep = (
  value: Conversation,
  {
    warnings = [],
    readPicture = drawnPicture,
    ...request
  }: Partial<KeepRequest<Conversation>> & {
    readonly warnings?: readonly Warning[];
    readonly readPicture?: ReadPicture;
  } = {},
): Promise<KeptFile> => {
  const result = { value, source: 'fxtwitter', fetchedAt: 0, warnings };
  const urls = { baseUrl: SERVICE, pageUrl: () => SERVICE };
  return keepPost({
    form: 'epub',
    fitted: (render) => render(result),
    page: (shown) => pageOf(presentPost(shown, { ...urls, isKept: true })),
    urls,
    proxyPath: undefined,
    readPicture,
    signal: new AbortController().signal,
    ...request,
  });
};
