// Selects what a link preview or a quotation shows of a post.
import type { Media, Post } from '../../model/post.ts';
import type { User } from '../../model/user.ts';
import { isVideoFile, largestAvatar, mediumPicture, resolutionOf, stillUrl } from './media-files.ts';
import { articleBeginning } from './post-facts.ts';

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
const sizeOfFile = (url: string, { width, height }: Media): Omit<PreviewVideo, 'url'> =>
  resolutionOf(url) ?? { width, height };

/** The first video or GIF. */
export const previewVideo = (post: Post): PreviewVideo | undefined => {
  const video = mayShow(post) ? post.media.find(({ type }) => type !== 'photo') : undefined;
  const url = video && playable(video);
  return video === undefined || url === undefined ? undefined : { url, ...sizeOfFile(url, video) };
};

/** Everything that a link preview shows of a post, for `headHtml`. */
export interface PostPreview {
  /** Plain text of any length. */
  readonly description: string;
  readonly pictures: readonly PreviewPicture[];
  readonly avatar: PreviewPicture | undefined;
  readonly video: PreviewVideo | undefined;
  readonly handle: string | undefined;
  readonly lang: string | undefined;
  readonly publishedAt: string | undefined;
}

export const postPreview = (post: Post): PostPreview => ({
  description: previewText(post),
  pictures: previewPictures(post),
  avatar: post.author && previewAvatar(post.author),
  video: previewVideo(post),
  handle: post.author?.handle,
  lang: post.lang,
  publishedAt: post.article?.published_at ?? post.created_at,
});
