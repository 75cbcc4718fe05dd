// Builds conversations of any length in the form of FxTwitter: photos in every third post, a video in every fifth, a
// quote in every fourth, links and mentions, Latin, CJK and emoji.

const WORDS =
  'the fjord is quiet tonight and one hydrophone hangs below the ice 灯台 まで 歩く 🐋 while boats wait for the tide to turn'.split(
    ' ',
  );

const sentence = (seed: number, wordCount: number): string =>
  Array.from({ length: wordCount }, (_, n) => WORDS[(seed * 7 + n * 3) % WORDS.length]).join(' ');

export const author = (seed: number) => ({
  type: 'profile',
  id: String(2_201_000 + seed),
  screen_name: `ada_larsson${seed % 10}`,
  name: `Ada Larsson ${seed % 10} 🦅`,
  url: 'https://x.com/ada_larsson',
  followers: 48_213,
  following: 612,
  likes: 20_111,
  media_count: 1402,
  statuses: 9120,
  description: 'Marine acoustics. I listen to fjords. Notes at https://fjordsound.example/notes',
  raw_description: { text: 'Marine acoustics. I listen to fjords. Notes at https://t.co/abcdefghij', facets: [] },
  location: 'Tromsø, Norge',
  banner_url: 'https://pbs.twimg.com/profile_banners/2201001/1600000000',
  avatar_url: 'https://pbs.twimg.com/profile_images/2201001/ada_200x200.jpg',
  joined: 'Wed Mar 09 18:22:41 +0000 2011',
  protected: false,
  website: { url: 'https://fjordsound.example/', display_url: 'fjordsound.example' },
  verification: { verified: true, verified_at: null, type: 'individual' },
});

const photo = (id: string) => ({
  id,
  type: 'photo',
  url: `https://pbs.twimg.com/media/${id}.jpg?name=orig`,
  width: 1600,
  height: 900,
  altText: 'A small boat on a quiet fjord',
});

const video = (id: string) => ({
  id,
  type: 'video',
  url: `https://video.twimg.com/ext_tw_video/${id}/1280x720.mp4?tag=12`,
  thumbnail_url: `https://pbs.twimg.com/ext/${id}.jpg`,
  duration: 131.072,
  width: 1920,
  height: 1080,
  formats: [256_000, 832_000, 2_176_000].map((bitrate) => ({
    url: `https://video.twimg.com/ext_tw_video/${id}/${bitrate}.mp4?tag=12`,
    bitrate,
    container: 'mp4',
    codec: 'h264',
  })),
  publisher: null,
});

export const status = (seed: number, withQuote: boolean): Record<string, unknown> => {
  const id = String(2_034_932_961_899_447_000n + BigInt(seed));
  const body = sentence(seed, 46);
  const text = `${body} https://fjordsound.example/data/${seed} @kestrel_labs #hydrophone`;
  const raw = `${body} https://t.co/AbCdEfGh12 @kestrel_labs #hydrophone`;
  const at = Array.from(body).length + 1;
  const media = [...(seed % 3 === 0 ? [photo(id)] : []), ...(seed % 5 === 0 ? [video(id)] : [])];
  return {
    type: 'status',
    id,
    url: `https://x.com/ada_larsson/status/${id}`,
    text,
    raw_text: {
      text: raw,
      display_text_range: [0, raw.length],
      facets: [
        {
          type: 'url',
          indices: [at, at + 23],
          original: 'https://t.co/AbCdEfGh12',
          replacement: `https://fjordsound.example/data/${seed}`,
          display: 'fjordsound.example/data',
        },
        { type: 'mention', indices: [at + 24, at + 37], original: 'kestrel_labs', id: '2201002' },
        { type: 'hashtag', indices: [at + 38, at + 49], original: 'hydrophone' },
      ],
    },
    author: author(0),
    created_at: 'Fri Mar 20 10:00:00 +0000 2026',
    created_timestamp: 1_774_000_800 + seed,
    likes: 4000 + seed,
    reposts: 20,
    quotes: 3,
    replies: 9,
    bookmarks: 3,
    views: 98_700,
    possibly_sensitive: false,
    is_note_tweet: false,
    community_note: null,
    lang: 'en',
    replying_to: null,
    source: 'Twitter Web App',
    provider: 'twitter',
    embed_card: 'tweet',
    reposted_by: null,
    media:
      media.length === 0
        ? {}
        : {
            all: media,
            photos: media.filter(({ type }) => type === 'photo'),
            videos: media.filter(({ type }) => type === 'video'),
          },
    ...(withQuote && seed % 4 === 0 && { quote: status(seed + 5000, false) }),
  };
};

export interface Fixture {
  readonly id: string;
  readonly json: string;
}

/** Builds the response of /2/conversation for a thread of `posts` posts. */
export const conversationFixture = (posts: number): Fixture => {
  const thread = Array.from({ length: posts }, (_, seed) => status(seed, true));
  const [focal] = thread;
  return {
    id: String(focal?.['id']),
    json: JSON.stringify({ code: 200, status: focal, thread, replies: [], author: author(0), cursor: null }),
  };
};
