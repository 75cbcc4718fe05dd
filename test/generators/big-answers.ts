// Builds provider answers that are as large as the client reads: one part of the answer is repeated, shared or long, and all
// others are small. The bodies are constructed after the provider's format.
export type Json = Readonly<Record<string, unknown>>;

type Kind = 'post' | 'posts' | 'users' | 'profile';

/** An answer of about a number of bytes. */
export interface BigAnswer {
  readonly name: string;
  readonly kind: Kind;
  /** @param bytes of the body, about */
  make(bytes: number): Json;
}

export const BIG_ID = '1800000000000000020';

const idAt = (index: number): string => String(1_800_000_000_000_000_021n + BigInt(index));

const author = (members: Json = {}): Json => ({
  type: 'profile',
  screen_name: 'ada',
  id: '12',
  name: 'Ada',
  ...members,
});

const status = (members: Json = {}): Json => ({
  type: 'status',
  id: BIG_ID,
  text: 'a post',
  source: 'Web',
  author: author(),
  created_timestamp: 1_774_000_800,
  ...members,
});

/** Repeats a part until it has about this number of bytes. */
const repeated = (bytes: number, partAt: (index: number) => unknown): readonly unknown[] => {
  const size = JSON.stringify(partAt(1000)).length + 1;
  return Array.from({ length: Math.max(1, Math.floor(bytes / size)) }, (_, index) => partAt(index));
};

const filled = (part: string, bytes: number): string => part.repeat(Math.ceil(bytes / Buffer.byteLength(part)));

/** Longer URLs are absent. */
const LONG_URL = 4000;

const longUrl = `https://link.example/${'a'.repeat(LONG_URL)}`;

/** The share of a body for each of two parts whose product is the largest. */
const HALF = 0.5;

const postAnswer = (members: Json, around: Json = {}): Json => {
  const post = status(members);
  return { code: 200, status: post, thread: [post], replies: [], cursor: null, ...around };
};

const answerOfPost = (name: string, make: (bytes: number) => Json): BigAnswer => ({
  name,
  kind: 'post',
  // The post stands in the answer twice.
  make: (bytes) => postAnswer(make(bytes), { thread: [] }),
});

const article = (
  blocks: readonly unknown[],
  entityMap: readonly unknown[] = [],
  media: readonly unknown[] = [],
): Json => ({
  article: { title: 'Title', content: { blocks, entityMap }, media_entities: media },
});

const entity = (type: string, data: Json, key = 0): Json => ({ key, value: { type, data } });

const picture = (id: string, url: string): Json => ({
  media_id: id,
  media_info: { original_img_url: url, original_img_width: 1200, original_img_height: 800 },
});

const longPhoto = `https://pbs.twimg.com/media/1.jpg?${'a'.repeat(LONG_URL)}`;

const photo = (index: number): string => `https://pbs.twimg.com/media/${index}.jpg`;

const atomic = (key: number): Json => ({ type: 'atomic', text: ' ', entityRanges: [{ key, offset: 0, length: 1 }] });

/** An article whose ranges refer to one link. */
export const sharedLink = (bytes: number): Json => {
  const ranges = repeated((bytes - LONG_URL) * 0.9, (at) => ({ key: 0, offset: 2 * at, length: 1 }));
  const block = { type: 'unstyled', text: 'a '.repeat(ranges.length), entityRanges: ranges };
  return article([block], [entity('LINK', { url: longUrl })]);
};

const withText = (text: string, facets: readonly unknown[] = []): Json => ({ text, raw_text: { text, facets } });

/** Facets of one type, each after its own text. */
const withFacets = (bytes: number, facetAt: (index: number) => { readonly original: string } & Json): Json => {
  const facets = repeated(bytes * 0.7, (at) => ({ indices: [0, 0], ...facetAt(at) }));
  const text = facets.map((_, at) => facetAt(at).original).join(' ');
  let start = 0;
  const placed = facets.map((_, at) => {
    const facet = facetAt(at);
    const indices = [start, start + facet.original.length];
    start += facet.original.length + 1;
    return { ...facet, indices };
  });
  return withText(text, placed);
};

/** A biography whose facets have longer targets than their texts. */
const biographyWithLinks = (count: number): Json => ({
  raw_description: {
    text: 'a '.repeat(count),
    facets: Array.from({ length: count }, (_, at) => ({
      type: 'url',
      indices: [2 * at, 2 * at + 1],
      original: 'a',
      replacement: longUrl,
    })),
  },
});

const list = (results: readonly unknown[]): Json => ({ code: 200, results, cursor: { top: null, bottom: null } });

const answerOf = (name: string, kind: Kind, make: (bytes: number) => Json): BigAnswer => ({ name, kind, make });

/** An entry whose author has only the id and the handle. */
const bareStatus = (at: number, members: Json = {}): Json => ({
  type: 'status',
  id: idAt(at),
  source: 'Web',
  ...members,
  author: { id: '12', screen_name: 'ada' },
});

/** An author of half the answer. */
const bigAuthor = (bytes: number): Json => author({ followers: 1, description: filled('bio ', bytes * HALF) });

const quoting = (depth: number, text: string): Json =>
  status({ id: idAt(depth), text, ...(depth > 0 && { quote: quoting(depth - 1, text) }) });

export const bigAnswers: readonly BigAnswer[] = [
  answerOfPost('article: one link', sharedLink),
  answerOfPost('article: one link in many blocks', (bytes) =>
    article(
      repeated(bytes, () => ({
        type: 'unstyled',
        text: 'ab',
        entityRanges: [{ key: 0, offset: 0, length: 2 }],
      })),
      [entity('LINK', { url: longUrl })],
    ),
  ),
  answerOfPost('article: one picture in many blocks', (bytes) =>
    article(
      repeated(bytes, () => atomic(0)),
      [entity('MEDIA', { mediaItems: [{ mediaId: '1' }] })],
      [picture('1', longPhoto)],
    ),
  ),
  answerOfPost('article: one picture many times in one entity', (bytes) =>
    article(
      Array.from({ length: 20 }, () => atomic(0)),
      [entity('MEDIA', { mediaItems: repeated(bytes, () => ({ mediaId: '1' })) })],
      [picture('1', longPhoto)],
    ),
  ),
  answerOfPost('article: one video with many variants', (bytes) =>
    article(
      Array.from({ length: 200 }, () => atomic(0)),
      [entity('MEDIA', { mediaItems: Array.from({ length: 200 }, () => ({ mediaId: '1' })) })],
      [
        {
          media_id: '1',
          media_info: {
            variants: repeated(bytes * 0.95, (at) => ({
              url: `https://video.twimg.com/${at}.mp4`,
              content_type: 'video/mp4',
              bit_rate: at,
            })),
          },
        },
      ],
    ),
  ),
  answerOfPost('article: one code in many blocks', (bytes) =>
    article(
      repeated(bytes * HALF, () => atomic(0)),
      [entity('MARKDOWN', { markdown: filled('a `b` *c* ', bytes * HALF) })],
    ),
  ),
  answerOfPost('article: one post in many blocks', (bytes) =>
    article(
      repeated(bytes, () => atomic(0)),
      [entity('TWEET', { tweetId: '20' })],
    ),
  ),
  answerOfPost('article: one entity of an unknown type in many blocks', (bytes) =>
    article(
      repeated(bytes * HALF, () => atomic(0)),
      [
        entity(
          'EMBED',
          Object.fromEntries(Array.from({ length: bytes / 50 }, (_, at) => [`member${at}`, `text ${at}`])),
        ),
      ],
    ),
  ),
  answerOfPost('article: mentions whose ranges are the whole text', (bytes) => {
    const text = filled('a ', bytes * HALF);
    const mentions = repeated(bytes * HALF, () => ({ fromIndex: 0, toIndex: text.length, text: 'ada' }));
    return article([{ type: 'unstyled', text, data: { mentions } }]);
  }),
  answerOf('search: one author whose biography has links', 'posts', (bytes) =>
    list([
      status({ author: author(biographyWithLinks(Math.floor((bytes * HALF) / LONG_URL))) }),
      ...repeated(bytes * HALF, (at) => ({
        type: 'status',
        id: idAt(at),
        author: { type: 'profile', screen_name: 'ada', id: '12', name: 'Ada' },
      })),
    ]),
  ),
  answerOf('conversation: one author of half the answer', 'post', (bytes) => {
    const big = bigAuthor(bytes);
    const entries = repeated(bytes * HALF, (at) => bareStatus(at));
    return postAnswer({ author: big }, { thread: [], replies: entries });
  }),
  answerOf('thread: one author of half the answer', 'post', (bytes) => {
    const big = bigAuthor(bytes);
    const entries = repeated(bytes * HALF, (at) =>
      bareStatus(at, { replying_to: { status: at === 0 ? BIG_ID : idAt(at - 1), screen_name: 'ada' } }),
    );
    return postAnswer({ author: big }, { thread: entries });
  }),
  answerOf('search: one author of half the answer', 'posts', (bytes) =>
    list([status({ author: bigAuthor(bytes) }), ...repeated(bytes * HALF, (at) => bareStatus(at))]),
  ),
  answerOf('copies of one post among the replies', 'post', (bytes) =>
    postAnswer(
      { text: filled('. ', bytes * HALF) },
      { thread: [], replies: repeated(bytes * HALF, () => ({ id: BIG_ID, type: 'status' })) },
    ),
  ),
  answerOf('search of many articles that share links', 'posts', (bytes) =>
    list(Array.from({ length: 20 }, (_, at) => status({ id: idAt(at), ...sharedLink(bytes / 20) }))),
  ),
  answerOfPost('article: a link over many styles', (bytes) => {
    const styles = repeated(bytes * 0.8, (at) => ({ style: 'Bold', offset: 4 * at, length: 2 }));
    const text = 'a '.repeat(2 * styles.length);
    const block = {
      type: 'unstyled',
      text,
      inlineStyleRanges: styles,
      entityRanges: [{ key: 0, offset: 0, length: text.length }],
    };
    return article([block], [entity('LINK', { url: longUrl })]);
  }),
  answerOfPost('article: overlapping styles', (bytes) => {
    const ranges = repeated(bytes * 0.9, (at) => ({
      style: ['Bold', 'Italic', 'STRIKETHROUGH'][at % 3],
      offset: 2 * at,
      length: 21,
    }));
    return article([{ type: 'unstyled', text: 'a '.repeat(ranges.length), inlineStyleRanges: ranges }]);
  }),
  answerOfPost('article: many links', (bytes) => {
    const links = repeated(bytes * 0.6, (at) => entity('LINK', { url: `https://link.example/${at}` }, at));
    const ranges = links.map((_, at) => ({ key: at, offset: 2 * at, length: 1 }));
    return article([{ type: 'unstyled', text: 'a '.repeat(ranges.length), entityRanges: ranges }], links);
  }),
  answerOfPost('article: many URLs of a block', (bytes) => {
    const urls = repeated(bytes * 0.9, (at) => ({
      fromIndex: 2 * at,
      toIndex: 2 * at + 1,
      text: `https://link.example/${at}`,
    }));
    return article([{ type: 'unstyled', text: 'a '.repeat(urls.length), data: { urls } }]);
  }),
  answerOfPost('article: many mentions', (bytes) => {
    const mentions = repeated(bytes * 0.9, (at) => ({ fromIndex: 5 * at, toIndex: 5 * at + 4, text: 'ada' }));
    return article([{ type: 'unstyled', text: '@ada '.repeat(mentions.length), data: { mentions } }]);
  }),
  answerOfPost('article: many entities of unknown types', (bytes) => {
    const entities = repeated(bytes * HALF, (at) => entity(`TYPE${at}`, { text: `text ${at}` }, at));
    return article(
      entities.map((_, at) => atomic(at)),
      entities,
    );
  }),
  answerOfPost('article: many short blocks', (bytes) =>
    article(repeated(bytes, () => ({ type: 'unstyled', text: '"' }))),
  ),
  answerOfPost('article: many headings', (bytes) =>
    article(repeated(bytes, () => ({ type: 'header-one', text: 'h' }))),
  ),
  answerOfPost('article: many list items', (bytes) =>
    article(repeated(bytes, () => ({ type: 'ordered-list-item', text: '1.' }))),
  ),
  answerOfPost('article: many pictures', (bytes) => {
    const media = repeated(bytes * 0.7, (at) => picture(String(at), photo(at)));
    return article(
      [atomic(0)],
      [entity('MEDIA', { mediaItems: media.map((_, at) => ({ mediaId: String(at) })) })],
      media,
    );
  }),
  answerOfPost('article: one block of dots', (bytes) => article([{ type: 'unstyled', text: filled('. ', bytes) }])),
  answerOfPost('text: links', (bytes) =>
    withFacets(bytes, (at) => ({
      type: 'url',
      original: `https://t.co/${String(at).padStart(10, 'a')}`,
      replacement: `https://link.example/${at}`,
    })),
  ),
  answerOfPost('text: one link many times', (bytes) =>
    withFacets(bytes, () => ({
      type: 'url',
      original: 'https://t.co/aaaaaaaaaa',
      replacement: 'https://link.example/a',
    })),
  ),
  answerOfPost('text: mentions', (bytes) => withFacets(bytes, (at) => ({ type: 'mention', original: `@user${at}` }))),
  answerOfPost('text: hashtags', (bytes) => withFacets(bytes, (at) => ({ type: 'hashtag', original: `#tag${at}` }))),
  answerOfPost('text: styles that overlap', (bytes) => {
    const facets = repeated(bytes * 0.9, (at) => ({
      type: at % 2 === 0 ? 'bold' : 'italic',
      indices: [2 * at, 2 * at + 11],
    }));
    return withText('a '.repeat(facets.length), facets);
  }),
  answerOfPost('text: dots', (bytes) => ({ text: filled('. ', bytes) })),
  answerOfPost('text: words', (bytes) => ({ text: filled('the fjord is quiet tonight. ', bytes) })),
  answerOfPost('text: quotation marks', (bytes) => ({ text: filled('"', bytes / 2) })),
  answerOfPost('text: marks', (bytes) => ({ text: filled('*a_ [b] ~c `d <e@f> &amp; ', bytes) })),
  answerOfPost('text: line ends', (bytes) => ({ text: filled('\n\na', bytes / 2) })),
  answerOfPost('text: characters of 3 bytes', (bytes) => ({ text: filled('灯', bytes) })),
  answerOfPost('text: invisible characters', (bytes) => ({ text: filled('a\u200d\u{e0101}', bytes) })),
  answerOfPost('text: one word', (bytes) => ({ text: filled('a', bytes) })),
  answerOfPost('author with a long name', (bytes) => ({ author: author({ name: filled('*n* ', bytes) }) })),
  answerOfPost('author with a long biography', (bytes) => ({ author: author({ description: filled('b ', bytes) }) })),
  answerOfPost('community note', (bytes) => ({ community_note: { text: filled('. ', bytes) } })),
  answerOfPost('card', (bytes) => ({
    card: { url: longUrl, title: filled('t ', bytes * HALF), description: filled('d ', bytes * HALF) },
  })),
  answerOfPost('poll', (bytes) => ({
    poll: { choices: repeated(bytes, (at) => ({ label: String(at), count: 1, percentage: 1 })), total_votes: 1 },
  })),
  answerOfPost('pictures', (bytes) => ({
    media: { all: repeated(bytes, (at) => ({ type: 'photo', url: photo(at), width: 1200, height: 800 })) },
  })),
  answerOfPost('one alt text', (bytes) => ({
    media: { all: [{ type: 'photo', url: photo(1), width: 1200, height: 800, altText: filled('. ', bytes) }] },
  })),
  answerOfPost('video with many variants', (bytes) => ({
    media: {
      all: [
        {
          type: 'video',
          url: 'https://video.twimg.com/a.mp4',
          formats: repeated(bytes, (at) => ({
            url: `https://video.twimg.com/${at}.mp4`,
            container: 'mp4',
            bitrate: at,
          })),
        },
      ],
    },
  })),
  answerOfPost('quotes of four levels', (bytes) => ({ quote: quoting(3, filled('. ', bytes / 4)) })),
  answerOf('replies', 'post', (bytes) =>
    postAnswer(
      {},
      { thread: [], replies: repeated(bytes, (at) => status({ id: idAt(at), author: author({ id: '13' }) })) },
    ),
  ),
  answerOf('thread of many parts', 'post', (bytes) =>
    postAnswer(
      {},
      {
        thread: repeated(bytes, (at) =>
          status({
            id: idAt(at),
            replying_to: { status: at === 0 ? BIG_ID : idAt(at - 1), screen_name: 'ada' },
          }),
        ),
      },
    ),
  ),
  answerOf('search of long posts', 'posts', (bytes) =>
    list(Array.from({ length: 20 }, (_, at) => status({ id: idAt(at), text: filled('. ', bytes / 20) }))),
  ),
  answerOf('search of many posts', 'posts', (bytes) => list(repeated(bytes, (at) => status({ id: idAt(at) })))),
  answerOf('followers with long biographies', 'users', (bytes) =>
    list(
      Array.from({ length: 20 }, (_, at) =>
        author({
          screen_name: `user${at}`,
          id: String(at + 1),
          description: filled('https://link.example/ ', bytes / 20),
        }),
      ),
    ),
  ),
  answerOf('profile with a long biography', 'profile', (bytes) => ({
    code: 200,
    user: author({ followers: 1, description: filled('https://link.example/ ', bytes) }),
  })),
  answerOf('profile whose biography has many links', 'profile', (bytes) => ({
    code: 200,
    user: author({ followers: 1, ...biographyWithLinks(Math.floor(bytes / LONG_URL)) }),
  })),
  answerOf('profile with a long name', 'profile', (bytes) => ({
    code: 200,
    user: author({ followers: 1, name: filled('"n" ', bytes * 0.8) }),
  })),
];
