// Selects the pictures and videos of a feed item. Readers load them without a click, so only hosts of X qualify, and
// nothing of a post that is marked as sensitive.
import type { Media, Post } from '../../model/post.ts';
import { mediaLabel } from '../content/labels.ts';
import { previewPictures, previewVideo } from '../content/link-preview.ts';
import { mediumPicture, type SizedPicture, stillUrl } from '../content/picture-sizes.ts';
import { linkHtml, plainHtml } from '../embed/post-lines.ts';
import { escapeHtml } from '../html/escape.ts';

/** A file beside an item. Its length is not known. */
export interface Enclosure {
  readonly url: string;
  readonly type: string;
  readonly durationSeconds?: number | undefined;
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['png', 'image/png'],
  ['webp', 'image/webp'],
  ['gif', 'image/gif'],
]);

/** X names the type in the file name, or in the query of a name without one. */
const PICTURE_TYPE = /\.(\w{3,4})(?::\w+)?(?:[?#]|$)|[?&]format=(\w{3,4})(?:[&#]|$)/i;

/** @param url of a picture of X @returns the media type; without a name, the one of most pictures */
const pictureType = (url: string): string => {
  const [, extension, format = ''] = PICTURE_TYPE.exec(url) ?? [];
  return TYPES.get((extension ?? format).toLowerCase()) ?? 'image/jpeg';
};

const firstPicture = (post: Post): Enclosure | undefined => {
  const [first] = previewPictures(post);
  return first && { url: first.url, type: pictureType(first.url) };
};

const MILLISECONDS = 1000;

const firstVideo = (post: Post): Enclosure | undefined => {
  const file = previewVideo(post);
  const duration = post.media.find(({ type }) => type !== 'photo')?.duration_ms;
  return (
    file && {
      url: file.url,
      type: 'video/mp4',
      durationSeconds: duration === undefined ? undefined : Math.round(duration / MILLISECONDS),
    }
  );
};

/** The URL of the first picture, or of the still of a video. */
export const pictureUrl = (post: Post): string | undefined => firstPicture(post)?.url;

/** The first picture or video, in the order of the post. A video without an MP4 file is its still. */
export const enclosureOf = (post: Post): Enclosure | undefined => {
  const video = firstVideo(post);
  const startsWithPhoto = post.media[0]?.type === 'photo';
  return startsWithPhoto ? (firstPicture(post) ?? video) : (video ?? firstPicture(post));
};

const sizeAttributes = ({ width, height }: SizedPicture): string =>
  width === undefined || height === undefined ? '' : ` width="${width}" height="${height}"`;

const imageOf = (picture: SizedPicture, alt: string): string =>
  `<img src="${escapeHtml(picture.url)}" alt="${escapeHtml(alt)}"${sizeAttributes(picture)}/>`;

/** @returns undefined if the picture is not from a host of X */
const imageHtml = (media: Media): string | undefined => {
  const still = stillUrl(media);
  // The still of a video may have another size than the video.
  const picture = still === undefined ? undefined : mediumPicture(still, media.type === 'photo' ? media : {});
  return picture && imageOf(picture, media.alt_text ?? '');
};

/** The cover of an article. @returns an empty string if the picture is not from a host of X */
export const coverHtml = (url: string): string => {
  const picture = mediumPicture(url);
  return picture === undefined ? '' : `<p>${imageOf(picture, '')}</p>`;
};

const labelOf = ({ type, alt_text: alt }: Media): string => `${mediaLabel(type)}${alt === undefined ? '' : `: ${alt}`}`;

/** @param isShown false: a link stands for the picture */
export const mediaHtml = (media: Media, isShown: boolean): string => {
  const image = isShown ? imageHtml(media) : undefined;
  if (image === undefined) return `<p>${linkHtml(media.url, plainHtml(labelOf(media)))}</p>`;
  const label = media.type === 'photo' ? '' : `<br/>${mediaLabel(media.type)}`;
  return `<p>${linkHtml(media.url, image + label)}</p>`;
};
