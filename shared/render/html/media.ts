// Renders pictures, videos and GIFs. Only hosts of X are loaded; other files are linked.
import type { Media } from '../../model/post.ts';
import type { User } from '../../model/user.ts';
import { isBlank, visibleUrl } from '../../model/visible-text.ts';
import { formatDuration } from '../content/format.ts';
import { displayName } from '../content/labels.ts';
import { isPictureHost, largePicture, shownPicture, videoFiles } from '../content/media-files.ts';
import { otherPublisher } from '../content/post-facts.ts';
import { innerLinkHtml, linkHtml } from './elements.ts';
import { type Html, html, joinHtml } from './html.ts';
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

const placeName = ({ index, count }: Place, noun = 'Picture'): string =>
  count === 1 ? noun : `${noun} ${index + 1} of ${count}`;

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

/** @returns for example `a, b and c` */
const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/** @returns the place of the item among those of its type */
const placeOf = (media: readonly Media[], item: Media): Place => {
  const same = media.filter(({ type }) => type === item.type);
  return { index: same.indexOf(item), count: same.length };
};

const nouns: Readonly<Record<Media['type'], string>> = { photo: 'Picture', video: 'Video', gif: 'GIF' };

/** @returns for example `Picture 2 of 4`; `Video` if it is the only one of its type */
const nameIn = (media: readonly Media[], item: Media): string => placeName(placeOf(media, item), nouns[item.type]);

/** `Picture 2 of 4` within a sentence. */
const lower = (name: string): string => name.replace(/^[PV]/, (letter) => letter.toLowerCase());

/** @returns for example `Descriptions of pictures 1 and 3 of 4`; without more if there is one item */
const descriptionLabel = (media: readonly Media[], described: readonly Media[]): string => {
  const [first] = described;
  if (first === undefined || media.length === 1) return 'Description';
  if (described.length === 1) return `Description of ${lower(nameIn(media, first))}`;
  const isAlike = media.every(({ type }) => type === first.type);
  if (!isAlike) return `Descriptions of ${listed(described.map((item) => lower(nameIn(media, item))))}`;
  const numbers = described.map((item) => String(placeOf(media, item).index + 1));
  return `Descriptions of ${lower(nouns[first.type])}s ${listed(numbers)} of ${media.length}`;
};

/** The descriptions of authors, for readers who see the pictures. */
const descriptionsHtml = (media: readonly Media[], lang: string | undefined): Html | undefined => {
  const described = media.filter((item) => descriptionOf(item) !== undefined);
  if (described.length === 0) return undefined;
  const lines = described.map((item) => {
    const name = described.length === 1 ? '' : `${nameIn(media, item)}: `;
    return html`<p dir="auto">${name}<span${langAttribute(lang)}>${descriptionOf(item)}</span></p>`;
  });
  return html`<details class="desc"><summary>${descriptionLabel(media, described)}</summary>${lines}</details>`;
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

interface GridOptions extends Omit<MediaOptions, 'photo'> {
  /** The picture that is shown whole. @default none */
  readonly named?: Media | undefined;
}

/** A video may take a row of a grid. A GIF does without the controls that need the room. */
const takesRow = ({ type }: Media): boolean => type === 'video';

const gridClass = (media: readonly Media[], hasNamed: boolean): string => {
  const { length } = media;
  const grid = hasNamed ? 'media many named' : (GRID_CLASSES[length] ?? 'media many');
  return `${grid}${length > 1 && media.some(takesRow) ? ' clips' : ''}`;
};

const videoLabel = ({ type, duration_ms: duration }: Media): string => {
  const name = nouns[type];
  return duration === undefined ? name : `${name}, ${formatDuration(duration)}`;
};

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : '');

const posterOf = ({ thumbnail_url: url }: Media): string | undefined =>
  url === undefined ? undefined : shownPicture(url)?.src;

const publisherHtml = (media: Media, author: User | undefined): Html | undefined => {
  const publisher = otherPublisher(media, author);
  if (publisher === undefined) return undefined;
  const name = html`<bdi>${displayName(publisher)}</bdi>`;
  return innerLinkHtml(profilePath(publisher.handle), name);
};

/** A file that browsers cannot play, or of another host. */
const videoCard = (media: Media, { lang, author }: MediaOptions): Html => {
  const poster = posterOf(media);
  const still =
    poster !== undefined && html`<img${attribute('src', poster)} width="136" height="136" alt="" loading="lazy">`;
  const words = html`<b>${videoLabel(media)}</b><small>${hostOf(media.url)}</small>`;
  const publisher = publisherHtml(media, author);
  return html`${linkHtml(media.url, html`${still}<span>${words}</span>`, html` class="card"`)}${descriptionsHtml([media], lang)}${publisher && html`<p class="meta">From ${publisher}</p>`}`;
};

/** @param files of the video, the best first */
const videoHtml = (media: Media, [first = '', ...others]: readonly string[], isRow: boolean): Html => {
  const label = videoLabel(media);
  const { alt_text: alt } = media;
  const { width = 1280, height = 720 } = media;
  const loops = media.type === 'gif' ? ' loop muted' : '';
  const sources = [first, ...others].map((url) => html`<source src="${visibleUrl(url)}" type="video/mp4">`);
  const name = alt === undefined ? label : `${label}: ${alt}`;
  return html`<video${isRow && html` class="row"`} controls${loops} playsinline preload="none"${attribute('poster', posterOf(media))} width="${width}" height="${height}" aria-label="${name}">${sources}${linkHtml(first, label)}</video>`;
};

/** Says how long the videos are, which their controls say only when they play, and whose they are. */
const videoFacts = (media: readonly Media[], author: User | undefined): Html | undefined => {
  const videos = media.filter(({ type }) => type !== 'photo');
  if (videos.length === 0) return undefined;
  const facts = videos.map((video) => {
    const publisher = publisherHtml(video, author);
    return html`${videoLabel(video)}${publisher && html`, from ${publisher}`}`;
  });
  return html`<p class="meta">${joinHtml(facts, ' · ')}</p>`;
};

/** One picture or video keeps its proportions; several are cells of a grid, which the style sheet lays out. */
const gridHtml = (
  media: readonly Media[],
  { lang, author, isInView = false, viewer: given, named, showsDescriptions = true }: GridOptions,
): Html => {
  const pictures = media.filter(({ type }) => type === 'photo');
  // A picture of another host is not loaded, so it cannot be shown large.
  const viewer = pictures.length > 0 && pictures.every(({ url }) => isPictureHost(url)) ? given : undefined;
  const whole = viewer !== undefined && media.length > 1 ? pictures.find((picture) => picture === named) : undefined;
  const first = whole ?? pictures[0];
  const cells = media.map((item) => {
    if (item.type !== 'photo') return videoHtml(item, videoFiles(item), media.length > 1 && takesRow(item));
    const alt = altOf(item, placeOf(media, item), viewer !== undefined);
    const isNamed = item === whole;
    const widths = media.length === 1 || isNamed ? FULL_WIDTH : HALF_WIDTH;
    const options = { alt, widths, isInView: isInView && item === first, viewer, isNamed };
    return pictureHtml(item, options) ?? linkHtml(item.url, alt);
  });
  const described = showsDescriptions || viewer === undefined ? media : media.filter(({ type }) => type !== 'photo');
  return html`${[
    html`<div class="${gridClass(media, whole !== undefined)}">${cells}</div>`,
    viewer !== undefined && viewerHtml(pictures, viewer, lang),
    videoFacts(media, author),
    descriptionsHtml(described, lang),
  ]}`;
};

/** In the order of the post: pictures, videos and GIFs that follow each other are one grid. */
export const mediaHtml = (media: readonly Media[], { photo, ...options }: MediaOptions = {}): Html => {
  const named = photo === undefined ? undefined : media[photo - 1];
  const parts: Html[] = [];
  let group: Media[] = [];
  let isInView = options.isInView ?? false;
  const writeGroup = (): void => {
    if (group.length === 0) return;
    const viewer = options.viewer && `${options.viewer}-${parts.length}`;
    parts.push(gridHtml(group, { ...options, isInView, viewer, named }));
    if (group.some(({ type }) => type === 'photo')) isInView = false;
    group = [];
  };
  for (const item of media) {
    if (item.type === 'photo' || videoFiles(item).length > 0) group.push(item);
    else {
      writeGroup();
      parts.push(videoCard(item, options));
    }
  }
  writeGroup();
  return html`${parts}`;
};
