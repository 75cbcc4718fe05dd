// Renders pictures, videos and GIFs. Only hosts of X are loaded; other files are linked.
import type { Media } from '../../model/post.ts';
import type { User } from '../../model/user.ts';
import { isBlank, visibleUrl } from '../../model/visible-text.ts';
import { formatDuration } from '../content/format.ts';
import { displayName } from '../content/labels.ts';
import { isPictureHost, largePicture, shownPicture, videoFiles } from '../content/media-files.ts';
import { otherPublisher } from '../content/post-facts.ts';
import { innerLinkHtml, linkHtml } from './elements.ts';
import { type Html, html } from './html.ts';
import { profilePath } from './inner-links.ts';
import { langAttribute } from './text.ts';

export interface MediaOptions {
  /** The author of the post. A video by another account names it. */
  readonly author?: User | undefined;
  /** The language of the descriptions. */
  readonly lang?: string | undefined;
  /** The first picture is in view when the page opens, so it loads at once. */
  readonly isInView?: boolean;
  /** The id of the viewer of the pictures, one of the page. Unset: each picture links its file. */
  readonly viewer?: string | undefined;
  /** The picture that is shown whole above the others of its group: its place among all media, from 1. @default none */
  readonly photo?: number | undefined;
  /** The descriptions of pictures stand below them, folded, and not only in the viewer. @default true */
  readonly showsDescriptions?: boolean;
}

/** For `sizes`: the width of the column, which the style sheet sets. */
export const FULL_WIDTH = '(min-width: 42rem) 40rem, calc(100vw - 2rem)';
const HALF_WIDTH = '(min-width: 42rem) 20rem, calc(50vw - 1rem)';

const attribute = (name: string, value: string | number | undefined): Html | false =>
  value !== undefined && html` ${name}="${typeof value === 'number' ? value : visibleUrl(value)}"`;

interface PictureOptions {
  readonly alt: string;
  /** For `sizes`. */
  readonly widths: string;
  readonly isInView: boolean;
  /** The id of the viewer that the picture opens. @default it links its file */
  readonly viewer?: string | undefined;
  /** It is shown whole, above the others. @default false */
  readonly isNamed?: boolean;
}

/** @returns undefined if the picture is not from a host of X */
export const pictureHtml = (
  { url, width, height }: Pick<Media, 'url' | 'width' | 'height'>,
  { alt, widths, isInView, viewer, isNamed = false }: PictureOptions,
): Html | undefined => {
  const shown = shownPicture(url, { width, height });
  if (shown === undefined) return undefined;
  const { src, srcset } = shown;
  // Without dimensions the style sheet reserves 3:2.
  const size =
    shown.width === undefined
      ? html` class="unsized" width="680" height="453"`
      : html`${attribute('width', shown.width)}${attribute('height', shown.height)}`;
  const candidates = srcset !== undefined && html`${attribute('srcset', srcset)} sizes="${widths}"`;
  const loading = !isInView && html` loading="lazy"`;
  const image = html`<img src="${visibleUrl(src)}"${candidates}${size} alt="${alt}"${loading} decoding="async">`;
  return viewer === undefined
    ? linkHtml(shown.large, image)
    : html`<button type="button"${isNamed && html` class="whole"`} popovertarget="${viewer}">${image}</button>`;
};

/** The place of a picture among those of its group. */
interface Place {
  /** From 0. */
  readonly index: number;
  readonly count: number;
}

const placeName = ({ index, count }: Place): string => (count === 1 ? 'Picture' : `Picture ${index + 1} of ${count}`);

/** @returns undefined if the description has nothing that is seen */
const descriptionOf = ({ alt_text: alt = '' }: Media): string | undefined => (isBlank(alt) ? undefined : alt);

const undescribed = (place: Place): string => `${placeName(place)}, not described`;

/** @param isButton the picture is the content of a button, whose name must say that it is a picture */
const altOf = (media: Media, place: Place, isButton: boolean): string => {
  const description = descriptionOf(media);
  if (description === undefined) return undescribed(place);
  return isButton ? `${placeName(place)}: ${description}` : description;
};

/**
 * A picture in the viewer. It is in no layout, and so not loaded, until the viewer is open. It takes the focus then, and
 * from the links to it, so that a screen reader says its place and its description. These stand below it, in place of an `alt` of
 * the same words.
 */
const enlargedHtml = (
  media: Media,
  { id, lang, ...place }: Place & { readonly id: string; readonly lang: string | undefined },
): Html | undefined => {
  const { index, count } = place;
  const large = largePicture(media.url);
  if (large === undefined) return undefined;
  const way = (to: number, name: string): Html | false =>
    to >= 0 && to < count && html`<a href="#${id}-${to + 1}">${name}</a>`;
  const own = `${id}-${index + 1}`;
  const description = descriptionOf(media);
  const said = description && html`<p id="${own}d"${langAttribute(lang)} dir="auto">${description}</p>`;
  const names =
    description === undefined
      ? html` alt="${undescribed(place)}"`
      : html` alt="${placeName(place)}" aria-describedby="${own}d"`;
  const position = count > 1 && html`<span>${index + 1} of ${count}</span>`;
  const ways = html`<p class="meta">${way(index - 1, 'Previous')}${position}${way(index + 1, 'Next')}${linkHtml(large.url, 'Large file')}</p>`;
  return html`<figure><img id="${own}" tabindex="-1" autofocus src="${visibleUrl(large.url)}"${names} loading="lazy"><figcaption>${said}${ways}</figcaption></figure>`;
};

/** The descriptions of authors, for readers who see the pictures. */
const descriptionsHtml = (media: readonly Media[], lang: string | undefined): Html | undefined => {
  const lines = media.flatMap((item, index) => {
    const alt = descriptionOf(item);
    if (alt === undefined) return [];
    const number = media.length === 1 ? '' : `Picture ${index + 1}: `;
    return [html`<p dir="auto">${number}<span${langAttribute(lang)}>${alt}</span></p>`];
  });
  if (lines.length === 0) return undefined;
  const label = lines.length === 1 ? 'Description' : 'Descriptions';
  return html`<details class="desc"><summary>${label}</summary>${lines}</details>`;
};

/**
 * The large pictures as a strip that scrolls from one to the next. The browser opens it above the page and closes it by
 * Escape, without a script. A browser without popovers shows its captions below the pictures, with links to the files.
 */
const viewerHtml = (pictures: readonly Media[], id: string, lang: string | undefined): Html => {
  const count = pictures.length;
  const figures = pictures.map((picture, index) => enlargedHtml(picture, { id, index, count, lang }));
  return html`<div class="strip" id="${id}" popover role="group" aria-label="Large pictures">${figures}<button type="button" popovertarget="${id}">Close</button></div>`;
};

const GRID_CLASSES: Readonly<Record<number, string>> = {
  1: 'media',
  2: 'media many two',
  3: 'media many three',
};

interface GroupOptions extends Omit<MediaOptions, 'photo'> {
  /** The index of the picture that is shown whole. @default none */
  readonly named?: number | undefined;
}

/** A picture alone keeps its proportions; several are cells of a grid. */
const picturesHtml = (
  pictures: readonly Media[],
  { lang, isInView = false, viewer: given, named, showsDescriptions = true }: GroupOptions,
): Html => {
  const count = pictures.length;
  // A picture of another host is not loaded, so it cannot be shown large.
  const viewer = pictures.every(({ url }) => isPictureHost(url)) ? given : undefined;
  const hasNamed = viewer !== undefined && count > 1 && pictures[named ?? -1] !== undefined;
  const cells = pictures.map((picture, index) => {
    const alt = altOf(picture, { index, count }, viewer !== undefined);
    const isNamed = hasNamed && index === named;
    const widths = count === 1 || isNamed ? FULL_WIDTH : HALF_WIDTH;
    const options = { alt, widths, isInView: isInView && index === (hasNamed ? named : 0), viewer, isNamed };
    return pictureHtml(picture, options) ?? linkHtml(picture.url, alt);
  });
  const classes = hasNamed ? 'media many named' : (GRID_CLASSES[count] ?? 'media many');
  const grid = html`<div class="${classes}">${cells}</div>`;
  return html`${grid}${viewer !== undefined && viewerHtml(pictures, viewer, lang)}${(showsDescriptions || viewer === undefined) && descriptionsHtml(pictures, lang)}`;
};

const videoLabel = ({ type, duration_ms: duration }: Media): string => {
  const name = type === 'gif' ? 'GIF' : 'Video';
  return duration === undefined ? name : `${name}, ${formatDuration(duration)}`;
};

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : '');

const posterOf = ({ thumbnail_url: url }: Media): string | undefined =>
  url === undefined ? undefined : shownPicture(url)?.src;

/** A file that browsers cannot play, or of another host. */
const videoCard = (media: Media): Html => {
  const poster = posterOf(media);
  const still =
    poster !== undefined && html`<img${attribute('src', poster)} width="136" height="136" alt="" loading="lazy">`;
  const words = html`<b>${videoLabel(media)}</b><small>${hostOf(media.url)}</small>`;
  return linkHtml(media.url, html`${still}<span>${words}</span>`, html` class="card"`);
};

const publisherHtml = (media: Media, author: User | undefined): Html | undefined => {
  const publisher = otherPublisher(media, author);
  if (publisher === undefined) return undefined;
  const name = html`<bdi>${displayName(publisher)}</bdi>`;
  return html`<p class="meta">From ${innerLinkHtml(profilePath(publisher.handle), name)}</p>`;
};

const videoHtml = (media: Media, { lang, author }: MediaOptions): Html => {
  const files = videoFiles(media);
  const [first] = files;
  const below = html`${descriptionsHtml([media], lang)}${publisherHtml(media, author)}`;
  if (first === undefined) return html`${videoCard(media)}${below}`;
  const label = videoLabel(media);
  const { alt_text: alt } = media;
  const { width = 1280, height = 720 } = media;
  const loops = media.type === 'gif' ? ' loop muted' : '';
  const sources = files.map((url) => html`<source src="${visibleUrl(url)}" type="video/mp4">`);
  const name = alt === undefined ? label : `${label}: ${alt}`;
  return html`<div class="media"><video controls${loops} playsinline preload="none"${attribute('poster', posterOf(media))} width="${width}" height="${height}" aria-label="${name}">${sources}${linkHtml(first, label)}</video></div>${below}`;
};

/** In the order of the post: pictures that follow each other are one group. */
export const mediaHtml = (media: readonly Media[], { photo, ...options }: MediaOptions = {}): Html => {
  const parts: Html[] = [];
  let pictures: Media[] = [];
  let start = 0;
  let isInView = options.isInView ?? false;
  const writePictures = (): void => {
    if (pictures.length === 0) return;
    const viewer = options.viewer && `${options.viewer}-${parts.length}`;
    parts.push(picturesHtml(pictures, { ...options, isInView, viewer, named: photo && photo - 1 - start }));
    pictures = [];
    isInView = false;
  };
  for (const [index, item] of media.entries()) {
    if (item.type === 'photo') {
      if (pictures.length === 0) start = index;
      pictures.push(item);
    } else {
      writePictures();
      parts.push(videoHtml(item, options));
    }
  }
  writePictures();
  return html`${parts}`;
};
