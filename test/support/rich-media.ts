// Provides constructed pictures, videos and accounts for golden files.
import type { Media } from '../../shared/model/post.ts';
import type { User } from '../../shared/model/user.ts';
import { fullUser } from './list-models.ts';
import { userOf } from './post-models.ts';

export const at = (day: number, hour = 10): string => `2026-03-${String(day).padStart(2, '0')}T${hour}:00:00Z`;

export const photo = (members: Partial<Media> = {}): Media => ({
  type: 'photo',
  url: 'https://pbs.twimg.com/media/A.jpg',
  width: 1600,
  height: 900,
  ...members,
});

export const video = (members: Partial<Media> = {}): Media => ({
  type: 'video',
  url: 'https://video.twimg.com/ext_tw_video/1/pu/vid/avc1/1280x720/a.mp4?tag=12',
  width: 1280,
  height: 720,
  duration_ms: 61_400,
  thumbnail_url: 'https://pbs.twimg.com/ext_tw_video_thumb/1/pu/img/T.jpg',
  ...members,
});

export const bo = userOf('Bo', 'bo');
export const ada: User = fullUser({
  banner_url: 'https://pbs.twimg.com/profile_banners/1/2',
  verified_type: 'organization',
});

/** Media of one post each, by a name. */
export const MEDIA: readonly (readonly [name: string, media: readonly Media[]])[] = [
  [
    'photos of other hosts and sizes',
    [
      photo({ url: 'https://elsewhere.example/a.jpg', alt_text: 'A tide "table" & more' }),
      photo({ width: 120, height: 90, alt_text: 'Small' }),
      photo({ url: 'https://pbs.twimg.com/media/B?format=png&name=orig', width: 900, height: 1600 }),
      photo({ url: 'https://pbs.twimg.com/media/C.webp:large', width: undefined, height: undefined }),
    ],
  ],
  [
    'a picture of X in another place',
    [photo({ url: 'https://pbs.twimg.com/card_img/1/x?format=jpg', width: 500, height: 250 })],
  ],
  ['a video between photos', [photo({ alt_text: 'First' }), video({ alt_text: 'Waves' }), photo({ alt_text: 'Last' })]],
  [
    'a GIF',
    [
      video({
        type: 'gif',
        duration_ms: undefined,
        alt_text: 'A loop',
        url: 'https://video.twimg.com/tweet_video/a.mp4',
      }),
    ],
  ],
  ['a video without a file', [video({ url: 'https://video.twimg.com/a/pl/a.m3u8', alt_text: 'Live' })]],
  [
    'a video without a still',
    [video({ thumbnail_url: undefined, width: undefined, height: undefined, duration_ms: 3_723_000 })],
  ],
  ['a video of another account and host', [video({ url: 'https://elsewhere.example/v.mp4', publisher: bo })]],
  [
    'a video with variants',
    [
      video({
        publisher: bo,
        variants: [
          { url: 'https://video.twimg.com/v/vid/avc1/320x180/s.mp4', bitrate: 256_000 },
          { url: 'https://video.twimg.com/v/vid/avc1/1920x1080/l.mp4', bitrate: 8_000_000 },
          { url: 'https://video.twimg.com/v/vid/avc1/1280x720/m.mp4', bitrate: 2_000_000 },
          { url: 'https://video.twimg.com/v/vid/avc1/1280x720/n.mp4', bitrate: 3_000_000 },
          { url: 'https://video.twimg.com/v/vid/hevc/1280x720/h.mp4', bitrate: 1_000_000 },
          { url: 'https://video.twimg.com/v/pl/list.m3u8', content_type: 'application/x-mpegURL' },
        ],
      }),
    ],
  ],
];
