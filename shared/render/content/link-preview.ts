// Selects what a link preview or a quotation shows of a post.
import type { Media, Post } from '../../model/post.ts';
import type { User } from '../../model/user.ts';
import { isVideoFile, largestAvatar, mediumPicture, resolutionOf, type SizedFile, stillUrl } from './media-files.ts';
import { articleBeginning } from './post-facts.ts';
import { withoutQuoteUrl } from './repeats.ts';

/** A picture from a host of X. */
export interface PreviewPicture extends SizedFile {
  readonly alt?: string | undefined;
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
export const previewText = (post: Post): string => {
  const { article, poll, media, card } = post;
  const { text } = withoutQuoteUrl(post);
  if (text.trim() !== '') return text;
  const facts = [
    article === undefined ? '' : [article.title, articleBeginning(article)].filter((part) => part !== '').join('\n\n'),
    poll === undefined ? '' : `Poll: ${poll.choices.map(({ label }) => label).join(' · ')}`,
    describeMedia(media),
    card?.title ?? '',
  ];
  return facts.filter((fact) => fact !== '').join('\n');
};

const pictureOf = (item: Media): PreviewPicture | undefined => {
  const url = stillUrl(item);
  if (url === undefined) return undefined;
  // The still of a video has the proportions of the video, which is what a preview needs.
  const picture = mediumPicture(url, item);
  return picture && { ...picture, alt: item.alt_text };
};

/** A picture that X marks as sensitive is not shown without a click, and a link preview has no click. */
const mayShow = ({ sensitive }: Post): boolean => sensitive !== true;

/**
 * One picture per photo, then one still per video or GIF. If there are none: the cover of the article, or the picture of the
 * card.
 */
export const previewPictures = (post: Post): readonly PreviewPicture[] => {
  if (!mayShow(post)) return [];
  const { media, article, card } = post;
  const photosFirst = [
    ...media.filter(({ type }) => type === 'photo'),
    ...media.filter(({ type }) => type !== 'photo'),
  ];
  const pictures = photosFirst.map(pictureOf).filter((picture) => picture !== undefined);
  if (pictures.length > 0) return pictures;
  const { cover_url: cover, cover_width: width, cover_height: height } = article ?? {};
  const other =
    (cover === undefined ? undefined : mediumPicture(cover, { width, height })) ??
    (card?.image_url === undefined ? undefined : mediumPicture(card.image_url));
  return other === undefined ? [] : [other];
};

/** The picture of an account. @returns undefined if it is unknown or not from a host of X */
export const previewAvatar = ({ avatar_url: url }: Pick<User, 'avatar_url'>): PreviewPicture | undefined =>
  url === undefined ? undefined : largestAvatar(url);

/** A higher rate stalls in chats. */
const MAX_BITS_PER_SECOND = 5_000_000;

const playable = ({ url, variants = [] }: Media): string | undefined => {
  const files = [...variants]
    .filter((variant) => isVideoFile(variant.url))
    .sort((a, b) => (b.bitrate ?? 0) - (a.bitrate ?? 0));
  const file = files.find(({ bitrate = 0 }) => bitrate <= MAX_BITS_PER_SECOND) ?? files.at(-1);
  return file?.url ?? (isVideoFile(url) ? url : undefined);
};

/** The size of the file that the URL names. The size of the media is that of its largest variant. */
const sizeOfFile = (url: string, { width, height }: Media): Omit<SizedFile, 'url'> =>
  resolutionOf(url) ?? { width, height };

/** The first video or GIF that link previews can play: an MP4 file from the host of X. */
export const previewVideo = (post: Post): SizedFile | undefined => {
  const video = mayShow(post) ? post.media.find(({ type }) => type !== 'photo') : undefined;
  const url = video && playable(video);
  return video === undefined || url === undefined ? undefined : { url, ...sizeOfFile(url, video) };
};
