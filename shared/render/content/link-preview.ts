// Selects what a link preview or a quotation shows of a post.
import type { Media, Post } from '../../model/post.ts';
import { articleBeginning } from './article-text.ts';
import { isPictureHost } from './picture-hosts.ts';
import { stillUrl } from './picture-sizes.ts';

/** A picture from a host of X. Size and alternative text are set if they are known. */
export interface PreviewPicture {
  readonly url: string;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly alt?: string | undefined;
}

/** An MP4 video from the host of X, which link previews can play. */
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

/** @returns for example `2 photos, Video` */
export const describeMedia = (media: readonly Media[]): string =>
  names
    .flatMap(([type, one, many]) => {
      const count = media.filter((item) => item.type === type).length;
      return count === 0 ? [] : [count === 1 ? one : `${count} ${many}`];
    })
    .join(', ');

/** The text of the post; if it is empty, its article, poll, media and card. Plain text of any length. */
export const previewText = ({ text, article, poll, media, card }: Post): string => {
  if (text.trim() !== '') return text;
  const facts = [
    article === undefined ? '' : [article.title, articleBeginning(article)].filter((part) => part !== '').join('\n\n'),
    poll === undefined ? '' : `Poll: ${poll.choices.map(({ label }) => label).join(' · ')}`,
    describeMedia(media),
    card?.title ?? '',
  ];
  return facts.filter((fact) => fact !== '').join('\n');
};

/** One picture per photo or video; if there are none, the cover of the article. */
export const previewPictures = ({ media, article }: Post): readonly PreviewPicture[] => {
  const pictures = media.flatMap((item): PreviewPicture[] => {
    const url = stillUrl(item);
    if (url === undefined || !isPictureHost(url)) return [];
    const { type, width, height, alt_text: alt } = item;
    // The still of a video may have another size than the video.
    return [type === 'photo' ? { url, width, height, alt } : { url, alt }];
  });
  const cover = article?.cover_url;
  return pictures.length === 0 && cover !== undefined && isPictureHost(cover) ? [{ url: cover }] : pictures;
};

const VIDEO_FILE = /^https:\/\/video\.twimg\.com\/[^?#]+\.mp4(?:[?#]|$)/i;
/** Link previews play H.264. X names other codecs in the path. */
const OTHER_CODEC = /\/(?:hevc|av01|vp09)\//i;
/** A higher rate stalls in chats. */
const MAX_BITS_PER_SECOND = 5_000_000;

const playable = ({ url, variants = [] }: Media): string | undefined => {
  const files = [...variants]
    .filter((variant) => VIDEO_FILE.test(variant.url) && !OTHER_CODEC.test(variant.url))
    .sort((a, b) => (b.bitrate ?? 0) - (a.bitrate ?? 0));
  const file = files.find(({ bitrate = 0 }) => bitrate <= MAX_BITS_PER_SECOND) ?? files.at(-1);
  return file?.url ?? (VIDEO_FILE.test(url) && !OTHER_CODEC.test(url) ? url : undefined);
};

/** The first video or GIF. */
export const previewVideo = ({ media }: Post): PreviewVideo | undefined => {
  const video = media.find(({ type }) => type !== 'photo');
  const url = video && playable(video);
  return url === undefined ? undefined : { url, width: video?.width, height: video?.height };
};
