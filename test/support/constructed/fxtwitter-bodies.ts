// Constructed responses of FxTwitter with all members that the service reads.
import type { Json } from '../member-table.ts';

const author = {
  screen_name: 'ada_larsson',
  id: '2201001',
  followers: 48213,
  following: 612,
  likes: 20111,
  media_count: 1402,
  statuses: 9120,
  name: 'Ada Larsson',
  description: 'Marine acoustics.',
  location: 'Tromsø, Norge',
  banner_url: 'https://pbs.twimg.com/profile_banners/2201001/1600000000',
  avatar_url: 'https://pbs.twimg.com/profile_images/2201001/ada_normal.jpg',
  joined: 'Wed Mar 09 18:22:41 +0000 2011',
  protected: false,
  website: { url: 'https://fjordsound.example/' },
  verification: { verified: true, type: 'individual' },
};

const eve = { screen_name: 'eve_moe', id: '2201004', name: 'Eve' };

const bob = { screen_name: 'bob_okafor', id: '2201003', name: 'Bob' };

const status = (id: string, members: Json = {}): Json => ({ type: 'status', id, text: `post ${id}`, ...members });

export const text: Json = {
  code: 200,
  status: status('2031309083243446753', {
    text: '🧊 When <ice> leaves, ask @kestrel_labs: https://fjord.example/a|b #acoustics $KSTL',
    raw_text: {
      text: '🧊 When &lt;ice&gt; leaves, ask @kestrel_labs: https://t.co/VXE8VYb9JE #acoustics $KSTL https://t.co/pic0000001',
      facets: [
        { type: 'bold', indices: [2, 6] },
        { type: 'italic', indices: [7, 24] },
        { type: 'mention', indices: [30, 43], original: 'kestrel_labs', id: '2201002' },
        {
          type: 'url',
          indices: [45, 68],
          original: 'https://t.co/VXE8VYb9JE',
          replacement: 'https://fjord.example/a|b',
          display: 'fjord.example/a|b',
        },
        { type: 'hashtag', indices: [69, 79], original: 'acoustics' },
        { type: 'symbol', indices: [80, 85], original: 'KSTL' },
        { type: 'media', indices: [86, 109], original: 'https://t.co/pic0000001', replacement: 'https://x.com/a' },
      ],
    },
    author,
    replies: 1,
    reposts: 2,
    likes: 3,
    bookmarks: 4,
    quotes: 5,
    views: 6,
    created_at: 'Tue Mar 10 10:00:00 +0000 2026',
    created_timestamp: 1773136801,
    possibly_sensitive: true,
    lang: 'en',
    source: 'Twitter Web App',
    replying_to: { screen_name: 'bob_okafor', status: '2031309083243446000' },
    reposted_by: bob,
    community: { id: '1493446837214187523', name: 'Fjords' },
    translation: { text: 'Eis', source_lang: 'en', target_lang: 'de', provider: 'Google' },
    community_note: {
      text: 'Read a.co/… first',
      facets: [{ type: 'url', indices: [5, 11], display: 'a.co/…', replacement: 'https://a.co/whole' }],
    },
    card: {
      url: 'https://longreads.example/coast',
      title: 'The quiet coast',
      description: 'A year among people who listen.',
      domain: 'longreads.example',
      image: { url: 'https://pbs.twimg.com/card_img/1.jpg' },
    },
    quote: status('2031309083243440000', {
      author: bob,
      source: 'Web',
      quote: status('2031309083243430000', { author: bob, source: 'Web' }),
    }),
  }),
};

export const media: Json = {
  code: 200,
  status: status('2032441545323447049', {
    media: {
      all: [
        {
          type: 'photo',
          url: 'https://pbs.twimg.com/media/a.jpg',
          width: 1600,
          height: 1200,
          altText: 'a board',
        },
        {
          type: 'video',
          url: 'https://video.twimg.com/c.mp4',
          thumbnail_url: 'https://pbs.twimg.com/t.jpg',
          duration: 15.25,
          formats: [
            { url: 'https://video.twimg.com/c.m3u8', container: 'm3u8' },
            { url: 'https://video.twimg.com/c.mp4', container: 'mp4', bitrate: 832000 },
            { url: 'https://video.twimg.com/c.webm', container: 'webm' },
            { url: 'https://video.twimg.com/c.mov', container: 'mov' },
          ],
          publisher: { screen_name: 'kestrel_labs', id: '2201002' },
        },
        { type: 'gif', url: 'https://video.twimg.com/g.mp4' },
      ],
      external: { url: 'https://youtube.example/1', title: 'A film', thumbnail_url: 'https://i.example/1.jpg' },
    },
    poll: {
      choices: [
        { label: 'Hydrophone', count: 3, percentage: 75 },
        { label: 'Camera', count: 1, percentage: 25 },
      ],
      total_votes: 4,
      ends_at: '2026-08-20T10:00:00.000Z',
    },
    quote: {
      type: 'tombstone',
      id: '2031309083243440000',
      url: 'https://x.com/i/status/2031309083243440001',
      reason: 'deleted',
    },
    community_note: { text: 'A note without links' },
  }),
};

export const broadcast: Json = {
  code: 200,
  status: status('2040000000000000004', {
    media: {
      broadcast: {
        url: 'https://x.com/i/broadcasts/1abc',
        state: 'LIVE',
        title: 'Harbour',
        thumbnail: { original: { url: 'https://pbs.twimg.com/b/o.jpg' } },
      },
    },
  }),
};

export const conversation: Json = {
  code: 200,
  status: status('30', { author: eve, replying_to: { screen_name: 'bob_okafor', status: '20' } }),
  thread: [
    { type: 'tombstone', id: '10', reason: 'private' },
    status('20', { author: bob, likes: 1, replying_to: { screen_name: 'kestrel_labs', status: '10' } }),
    status('30', { text: 'a copy' }),
  ],
  replies: [
    status('40', { author: eve, replying_to: { screen_name: 'eve_moe', status: '30' } }),
    status('50', { author: bob, likes: 2, replying_to: { screen_name: 'eve_moe', status: '30' } }),
    status('60', { author: bob, likes: 8, replying_to: { screen_name: 'eve_moe', status: '30' } }),
  ],
  cursor: { bottom: 'DAAC' },
};

export const posts: Json = {
  code: 200,
  results: [status('40', { author: eve }), { type: 'tombstone', id: '39' }, { type: 'thread' }, status('38')],
  cursor: { top: 'DAAA', bottom: 'DAAB' },
};

export const noPosts: Json = { code: 200, results: [], cursor: { top: 'DAAA', bottom: 'DAAB' } };

export const users: Json = { code: 200, results: [eve, bob], cursor: { top: '-1|0', bottom: '0|12' } };

export const noUsers: Json = { code: 200, results: [], cursor: { top: '-1|0', bottom: '0|12' } };

const about: Json = {
  based_in: 'Norway',
  location_accurate: true,
  source: 'Norway App Store',
  username_changes: { count: 2, last_changed_at: '2017-07-14T02:40:00.000Z' },
};

export const profile: Json = { code: 200, user: { ...author, about_account: about } };

export const missingProfile: Json = { code: 404, reason: 'suspended' };
