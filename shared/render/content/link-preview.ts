// What is told of a post where there is room for a glimpse alone: link previews, and posts that others quote.
import type { Article, Media, Post } from '../../model/post.ts';
import { isPictureHost } from './picture-hosts.ts';
import { stillOf } from './picture-sizes.ts';

/** A picture of X; its size and what it shows are told only when they are known. */
export interface PreviewPicture {
  readonly url: string;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly alt?: string | undefined;
}

/** A film that unfurlers can play: MP4, from the host of X. */
export interface PreviewVideo {
  readonly url: string;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

const names = [
  ['photo', 'Photo', 'photos'],
  ['video', 'Video', 'videos'],
  ['gif', 'GIF', 'GIFs'],
] as const;

/** `2 photos, Video` */
export const describeMedia = (all: readonly Media[]): string =>
  names
    .flatMap(([type, one, many]) => {
      const count = all.filter((media) => media.type === type).length;
      return count === 0 ? [] : [count === 1 ? one : `${count} ${many}`];
    })
    .join(', ');

/** How an article begins. */
export const articleBeginning = ({ preview_text: preview, blocks }: Article): string =>
  preview ??
  blocks
    .map((block) => ('spans' in block ? block.spans.map(({ text }) => text).join('') : ''))
    .find((words) => words.trim() !== '') ??
  '';

/** The text; where there is none, what there is instead. Plain text, as long as it is. */
export const previewText = ({ text, article, poll, media, card }: Post): string => {
  if (text.trim() !== '') return text;
  const facts = [
    article === undefined
      ? ''
      : [article.title, articleBeginning(article)].filter((words) => words !== '').join('\n\n'),
    poll === undefined ? '' : `Poll: ${poll.choices.map(({ label }) => label).join(' · ')}`,
    describeMedia(media),
    card?.title ?? '',
  ];
  return facts.filter((fact) => fact !== '').join('\n');
};

/** Of all photos and videos; of an article without any, its cover. */
export const previewPictures = ({ media: all, article }: Post): readonly PreviewPicture[] => {
  const pictures = all.flatMap((media): PreviewPicture[] => {
    const url = stillOf(media);
    if (url === undefined || !isPictureHost(url)) return [];
    const { type, width, height, alt_text: alt } = media;
    // The still of a video need not be as large as the video.
    return [type === 'photo' ? { url, width, height, alt } : { url, alt }];
  });
  const cover = article?.cover_url;
  return pictures.length === 0 && cover !== undefined && isPictureHost(cover) ? [{ url: cover }] : pictures;
};

const VIDEO_FILE = /^https:\/\/video\.twimg\.com\/[^?#]+\.mp4(?:[?#]|$)/i;
/** Unfurlers play H.264; X says in the path what is something else. */
const OTHER_CODEC = /\/(?:hevc|av01|vp09)\//i;
/** What plays in a chat without waiting. */
const MAX_BITS_PER_SECOND = 5_000_000;

const playable = ({ url, variants = [] }: Media): string | undefined => {
  const files = [...variants]
    .filter((variant) => VIDEO_FILE.test(variant.url) && !OTHER_CODEC.test(variant.url))
    .sort((a, b) => (b.bitrate ?? 0) - (a.bitrate ?? 0));
  const file = files.find(({ bitrate = 0 }) => bitrate <= MAX_BITS_PER_SECOND) ?? files.at(-1);
  return file?.url ?? (VIDEO_FILE.test(url) && !OTHER_CODEC.test(url) ? url : undefined);
};

/** The first video or GIF. */
export const previewVideo = ({ media: all }: Post): PreviewVideo | undefined => {
  const [media] = all.filter(({ type }) => type !== 'photo');
  const url = media && playable(media);
  return url === undefined ? undefined : { url, width: media?.width, height: media?.height };
};
