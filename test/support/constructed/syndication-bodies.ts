// Constructed responses of the syndication CDN with all members that the service reads.
import type { Json } from '../member-table.ts';

const user = {
  id_str: '2201001',
  name: 'Ada Larsson',
  profile_image_url_https: 'https://pbs.twimg.com/profile_images/2201001/ada_normal.jpg',
  screen_name: 'ada_larsson',
  verified: false,
  is_blue_verified: false,
};

const tweet = (id: string, members: Json = {}): Json => ({
  __typename: 'Tweet',
  id_str: id,
  text: `post ${id}`,
  user,
  ...members,
});

export const text: Json = tweet('2031309083243446753', {
  lang: 'en',
  favorite_count: 12,
  conversation_count: 3,
  possibly_sensitive: true,
  created_at: '2026-03-14T10:00:00.000Z',
  in_reply_to_screen_name: 'bob_okafor',
  in_reply_to_status_id_str: '2031309083243446000',
  text: '@bob_okafor 🧊 &lt;ice&gt; https://t.co/a1 #tide $KSTL https://t.co/pic1',
  user: { ...user, verified: true },
  entities: {
    hashtags: [{ text: 'tide', indices: [41, 46] }],
    symbols: [{ text: 'KSTL', indices: [47, 52] }],
    user_mentions: [{ screen_name: 'bob_okafor', indices: [0, 11] }],
    urls: [
      {
        url: 'https://t.co/a1',
        expanded_url: 'https://a.example/',
        display_url: 'a.example',
        indices: [25, 40],
      },
    ],
    media: [{ url: 'https://t.co/pic1', indices: [53, 70] }],
  },
  card: {
    url: 'https://t.co/a1',
    binding_values: {
      card_url: { string_value: 'https://t.co/a1' },
      title: { string_value: 'The quiet coast' },
      description: { string_value: 'A year among people who listen.' },
      domain: { string_value: 'longreads.example' },
      vanity_url: { string_value: 'vanity.example' },
      player_url: { string_value: 'https://player.example/' },
      summary_photo_image_large: { image_value: { url: 'https://pbs.twimg.com/card_img/large.jpg' } },
      thumbnail_image_large: { image_value: { url: 'https://pbs.twimg.com/card_img/small.jpg' } },
    },
  },
  quoted_tweet: tweet('2031309083243440000', {
    user: { ...user, is_blue_verified: true },
    quoted_tweet: tweet('2031309083243430000', { user: { ...user, verified_type: 'Business' } }),
  }),
  parent: tweet('2031309083243446000', { user: { ...user, screen_name: 'bob_okafor', verified_type: 'Government' } }),
});

export const media: Json = tweet('2032441545323447049', {
  mediaDetails: [
    {
      type: 'photo',
      media_url_https: 'https://pbs.twimg.com/media/a.jpg',
      original_info: { width: 1600, height: 1200 },
      ext_alt_text: 'a board',
    },
    {
      type: 'video',
      media_url_https: 'https://pbs.twimg.com/t.jpg',
      video_info: {
        duration_millis: 15250,
        variants: [
          { url: 'https://video.twimg.com/c.m3u8', content_type: 'application/x-mpegURL' },
          { url: 'https://video.twimg.com/vid/hevc/d.mp4', content_type: 'video/mp4', bitrate: 9000000 },
          { url: 'https://video.twimg.com/a.mp4', content_type: 'video/mp4', bitrate: 256000 },
          { url: 'https://video.twimg.com/b.mp4', content_type: 'video/mp4', bitrate: 832000 },
        ],
      },
    },
    {
      type: 'animated_gif',
      video_info: { variants: [{ url: 'https://video.twimg.com/g.mp4', content_type: 'video/mp4' }] },
    },
  ],
  article: {
    title: 'Why fjords ring',
    preview_text: 'Fjords ring like glasses.',
    cover_media: { media_info: { original_img_url: 'https://pbs.twimg.com/media/COVER.jpg' } },
  },
  note_tweet: { id: 'Tm90ZQ' },
});

export const poll: Json = tweet('2090378305336247086', {
  text: 'Which next? https://t.co/a1 https://t.co/b2',
  entities: {
    urls: [
      { url: 'https://t.co/a1', expanded_url: 'https://x.com/i/article/1', indices: [12, 27] },
      { url: 'https://t.co/b2', expanded_url: 'an old link', indices: [28, 43] },
    ],
  },
  card: {
    name: 'poll4choice_text_only',
    url: 'card://1',
    binding_values: {
      choice1_label: { string_value: 'Hydrophone' },
      choice1_count: { string_value: '3' },
      choice2_label: { string_value: 'CTD' },
      choice2_count: { string_value: '2' },
      choice3_label: { string_value: 'Camera' },
      choice3_count: { string_value: '1' },
      choice4_label: { string_value: 'None' },
      choice4_count: { string_value: '0' },
      end_datetime_utc: { string_value: '2026-08-25T00:00:00Z' },
    },
  },
});

/** A card whose URL is not a short link, without a large picture. */
export const player: Json = tweet('2090378305336247087', {
  card: {
    url: 'https://site.example/',
    binding_values: {
      title: { string_value: 'A film' },
      vanity_url: { string_value: 'vanity.example' },
      player_url: { string_value: 'https://player.example/' },
      thumbnail_image_large: { image_value: { url: 'https://pbs.twimg.com/card_img/small.jpg' } },
    },
  },
});

export const tombstone: Json = {
  __typename: 'TweetTombstone',
  tombstone: { text: { text: 'This Post was deleted by the Post author.' } },
};
