// Constructed responses of the official API with all members that the service reads.
import type { Json } from '../member-table.ts';

const ada = {
  id: '2201001',
  username: 'ada_larsson',
  name: 'Ada Larsson',
  description: '🧊 Notes at https://t.co/bio1 and https://t.co/bio2',
  entities: {
    description: {
      urls: [
        { start: 11, end: 28, url: 'https://t.co/bio1', expanded_url: 'https://notes.example/' },
        { start: 34, end: 51, url: 'https://t.co/bio2', expanded_url: 'https://code.example/' },
      ],
    },
    url: { urls: [{ url: 'https://t.co/site', expanded_url: 'https://fjordsound.example/' }] },
  },
  url: 'https://t.co/site',
  location: 'Tromsø, Norge',
  profile_image_url: 'https://pbs.twimg.com/profile_images/2201001/ada_normal.jpg',
  profile_banner_url: 'https://pbs.twimg.com/profile_banners/2201001/1600000000',
  created_at: '2014-05-06T07:08:09.000Z',
  verified: true,
  verified_type: 'blue',
  protected: false,
  public_metrics: { followers_count: 1, following_count: 2, post_count: 3, like_count: 4, media_count: 5 },
};

const eve = { id: '2201004', username: 'eve_moe', name: 'Eve' };

const bob = { id: '2201003', username: 'bob_okafor', name: 'Bob' };

const ID = '2031309083243446753';
const PARENT = '2031309083243446000';
const QUOTED = '2031309083243440000';

export const text: Json = {
  data: {
    id: ID,
    text: '@eve 🧊 &lt;ice&gt; https://t.co/a1 #tide $KSTL https://t.co/q1',
    created_at: '2026-03-14T10:00:00.000Z',
    lang: 'en',
    author_id: ada.id,
    source: 'Twitter Web App',
    community_id: '1493446837214187523',
    conversation_id: '2031309083243445000',
    possibly_sensitive: true,
    in_reply_to_user_id: '2201009',
    edit_history_post_ids: ['2031309083243446700', ID],
    public_metrics: {
      like_count: 1,
      repost_count: 2,
      reply_count: 3,
      quote_count: 4,
      bookmark_count: 5,
      impression_count: 6,
    },
    referenced_posts: [
      { type: 'replied_to', id: PARENT },
      { type: 'quoted', id: QUOTED },
    ],
    entities: {
      mentions: [{ start: 0, end: 4, username: 'eve', id: '2201009' }],
      hashtags: [{ start: 34, end: 39, tag: 'tide' }],
      cashtags: [{ start: 40, end: 45, tag: 'KSTL' }],
      urls: [
        {
          start: 18,
          end: 33,
          url: 'https://t.co/a1',
          expanded_url: 'https://a.example/',
          display_url: 'a.example',
          title: 'The quiet coast',
          description: 'A year among people who listen.',
          images: [{ url: 'https://pbs.twimg.com/news_img/1.jpg' }],
        },
        { start: 46, end: 61, url: 'https://t.co/q1', expanded_url: `https://twitter.com/bob_okafor/status/${QUOTED}` },
      ],
    },
  },
  includes: {
    users: [ada, bob],
    posts: [
      { id: PARENT, text: 'the answered post', author_id: bob.id },
      {
        id: QUOTED,
        text: 'the quoted post',
        author_id: bob.id,
        referenced_posts: [{ type: 'quoted', id: PARENT }],
      },
    ],
  },
};

export const media: Json = {
  data: {
    id: '2032441545323447049',
    text: 'a short text',
    note_post: {
      text: 'A long text https://t.co/a1 https://t.co/p1',
      entities: {
        urls: [
          { start: 12, end: 27, url: 'https://t.co/a1', expanded_url: 'https://x.com/i/article/1' },
          { start: 28, end: 43, url: 'https://t.co/p1', expanded_url: 'https://x.com/a/photo', media_key: '3_1' },
        ],
      },
    },
    attachments: { media_keys: ['3_1', '7_1', '16_1', '3_1'], poll_ids: ['9'] },
    article: { title: 'Why fjords ring', preview_text: 'Fjords ring like glasses.' },
    public_metrics: { like_count: 1, impression_count: 0 },
  },
  includes: {
    media: [
      {
        media_key: '3_1',
        type: 'photo',
        url: 'https://pbs.twimg.com/media/a.jpg',
        width: 1600,
        height: 1200,
        alt_text: 'a board',
      },
      {
        media_key: '7_1',
        type: 'video',
        preview_image_url: 'https://pbs.twimg.com/t.jpg',
        duration_ms: 15250,
        variants: [
          { url: 'https://video.twimg.com/c.m3u8', content_type: 'application/x-mpegURL' },
          { url: 'https://video.twimg.com/a.mp4', content_type: 'video/mp4', bit_rate: 256000 },
          { url: 'https://video.twimg.com/b.mp4', content_type: 'video/mp4', bit_rate: 832000 },
        ],
      },
      {
        media_key: '16_1',
        type: 'animated_gif',
        variants: [{ url: 'https://video.twimg.com/g.mp4', content_type: 'video/mp4', bit_rate: 0 }],
      },
    ],
    polls: [
      {
        id: '9',
        options: [
          { label: 'Hydrophone', votes: 2 },
          { label: 'Camera', votes: 1 },
        ],
        end_datetime: '2026-08-25T00:00:01.000Z',
        voting_status: 'open',
      },
    ],
  },
};

/** A quoted post that is not included, an answered account that is, and an own link to a video. */
export const reply: Json = {
  data: {
    id: ID,
    text: 'yes https://t.co/v1',
    author_id: eve.id,
    in_reply_to_user_id: bob.id,
    referenced_posts: [{ type: 'quoted', id: '77' }],
    attachments: { media_keys: ['3_1'] },
    entities: {
      urls: [{ start: 4, end: 19, url: 'https://t.co/v1', expanded_url: `https://x.com/eve_moe/status/${ID}/video/1` }],
    },
  },
  includes: { users: [eve, bob], media: [{ media_key: '3_1', type: 'photo', url: 'https://pbs.twimg.com/a.jpg' }] },
};

export const repost: Json = {
  data: { id: '40', text: 'RT', author_id: bob.id, referenced_posts: [{ type: 'retweeted', id: '30' }] },
  includes: { users: [eve, bob], posts: [{ id: '30', text: 'the original', author_id: eve.id }] },
};

export const missing: Json = {
  errors: [
    {
      resource_id: ID,
      type: 'https://api.twitter.com/2/problems/not-authorized-for-resource',
      title: 'Authorization Error',
      detail: 'Sorry, you are not authorized to see the Post.',
    },
  ],
};

export const missingProfile: Json = {
  errors: [
    { value: 'another', detail: 'User has been suspended: [another].' },
    {
      value: 'Ada_Larsson',
      type: 'https://api.twitter.com/2/problems/resource-not-found',
      detail: 'Could not find user.',
    },
  ],
};

export const posts: Json = {
  data: [
    { id: '40', text: 'first', author_id: eve.id },
    { id: '38', text: 'second' },
  ],
  includes: { users: [eve] },
  meta: { result_count: 2, next_token: 'b26v' },
};

export const profile: Json = { data: ada };
