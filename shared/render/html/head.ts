// Renders the head of a page: link preview, other formats and oEmbed discovery.
import { FEED_FORMATS, type FeedFormat, mediaTypes, OEMBED_TYPE } from '../../contract/media-types.ts';
import { PREVIEW_PATH } from '../../contract/paths.ts';
import { urlOfFormat } from '../../contract/query-string.ts';
import { cutExcerpt, cutPreview } from '../content/cut.ts';
import type { PreviewPicture } from '../content/link-preview.ts';
import type { SizedFile } from '../content/media-files.ts';
import { type Html, html } from './html.ts';
import { profilePath } from './inner-links.ts';

export interface PageHead {
  readonly type: 'article' | 'profile' | 'website';
  readonly title: string;
  /** Plain text, or several lines, of any length. */
  readonly description: string | readonly string[];
  /** The URL on X. Search engines index it in place of this page. */
  readonly canonical: string;
  /** The URL of this page without `format`. A link preview leads there, and some clients read the preview from there. */
  readonly url: string;
  /** Only from hosts of X. */
  readonly pictures?: readonly PreviewPicture[];
  /** The picture of the account, for a page without pictures. Only from hosts of X. */
  readonly avatar?: PreviewPicture | undefined;
  readonly video?: SizedFile | undefined;
  readonly author?: string | undefined;
  /** The handle of the author or of the profile. */
  readonly handle?: string | undefined;
  /** The language of the post. @default English, the language of the page */
  readonly lang?: string | undefined;
  readonly publishedAt?: string | undefined;
  /** The oEmbed URL (oEmbed 1.0 section 4). */
  readonly oembed?: string | undefined;
  readonly next?: string | undefined;
  /** Path and query of the list of posts whose formats are feeds; unset: the page has no feed. */
  readonly feed?: string | undefined;
}

const ALTERNATES = ['markdown', 'json'] as const;

type Meta = readonly [name: string, content: string | number | undefined];

const pictureMetas = ({ url, width, height, alt }: PreviewPicture): readonly Meta[] => [
  ['og:image', url],
  ['og:image:width', width],
  ['og:image:height', height],
  ['og:image:alt', alt],
];

const VIDEO_TYPE = 'video/mp4';

const videoMetas = ({ url, width, height }: SizedFile): readonly Meta[] => [
  ['og:video', url],
  ['og:video:secure_url', url],
  ['og:video:type', VIDEO_TYPE],
  ['og:video:width', width],
  ['og:video:height', height],
];

/** The file itself. There is no `twitter:player`: it must be a page for a frame, and no page of the service can be framed. */
const streamMetas = ({ url, width, height }: SizedFile): readonly Meta[] => [
  ['twitter:player:stream', url],
  ['twitter:player:stream:content_type', VIDEO_TYPE],
  ['twitter:player:width', width],
  ['twitter:player:height', height],
];

const DEFAULT_LOCALE = 'en_US';

/** Open Graph wants a language and a country, such as `de_DE`. X names languages only. */
const localeOf = (lang: string | undefined): string => {
  if (lang === undefined) return DEFAULT_LOCALE;
  try {
    const { language, region } = new Intl.Locale(lang).maximize();
    return region === undefined ? DEFAULT_LOCALE : `${language}_${region}`;
  } catch {
    return DEFAULT_LOCALE; // not a language tag (BCP 47)
  }
};

/** The picture of the service. `npm run update -- icons` draws it in this size. */
export const PREVIEW_PICTURE = {
  width: 1200,
  height: 630,
  alt: 'Postern: public posts on X as pages, as Markdown and as JSON.',
} as const;

/** @param url absolute */
export const originOf = (url: string): string => /^https?:\/\/[^/?#]+/.exec(url)?.[0] ?? '';

const authorUrl = (origin: string, handle: string): string | undefined => {
  const path = profilePath(handle);
  return path === undefined ? undefined : origin + path;
};

/** A page always has a picture: its own, that of the account, or that of the service. */
const picturesOf = ({ pictures = [], avatar, url }: PageHead): readonly PreviewPicture[] => {
  if (pictures.length > 0) return pictures;
  if (avatar !== undefined) return [avatar];
  return [{ url: `${originOf(url)}${PREVIEW_PATH}`, ...PREVIEW_PICTURE }];
};

/** The picture of an account is too small for a large image. */
const cardOf = ({ type, pictures = [], avatar }: PageHead): string => {
  const isAvatar = pictures.length === 0 ? avatar !== undefined : type === 'profile';
  return isAvatar ? 'summary' : 'summary_large_image';
};

/** Omits metas without content. */
const metas = (attribute: 'name' | 'property', entries: readonly Meta[]): readonly Html[] =>
  entries
    .filter(([, content]) => content !== undefined && content !== '')
    .map(([name, content]) => html`<meta ${attribute}="${name}" content="${content}">\n`);

const feedNames: Readonly<Record<FeedFormat, string>> = { rss: 'RSS', atom: 'Atom', jsonfeed: 'JSON Feed' };

/** Readers find a feed by the URL of its page, and name it by its title. */
const feedLinksOf = ({ title, url, feed }: PageHead): readonly Html[] =>
  feed === undefined
    ? []
    : FEED_FORMATS.map(
        (format) =>
          html`<link rel="alternate" type="${mediaTypes[format]}" href="${originOf(url) + urlOfFormat(feed, format)}" title="${`${title} (${feedNames[format]})`}">\n`,
      );

const linksOf = (head: PageHead): Html => {
  const { title, canonical, url, oembed, next } = head;
  return html`${[
    html`<link rel="canonical" href="${canonical}">\n`,
    ...ALTERNATES.map(
      (format) => html`<link rel="alternate" type="${mediaTypes[format]}" href="${urlOfFormat(url, format)}">\n`,
    ),
    oembed !== undefined && html`<link rel="alternate" type="${OEMBED_TYPE}" href="${oembed}" title="${title}">\n`,
    ...feedLinksOf(head),
    next !== undefined && html`<link rel="next" href="${next}">\n`,
  ]}`;
};

const joined = (lines: readonly string[]): string => lines.filter((line) => line !== '').join('\n');

export const headHtml = (head: PageHead): Html => {
  const { type, title, url, video, author, handle = '', lang, publishedAt } = head;
  const lines = [head.description].flat().map((line) => line.trim());
  return html`${[
    linksOf(head),
    // X reads Open Graph for the rest of its card.
    metas('name', [
      ['description', joined(lines.map((line) => cutExcerpt(line)))],
      ['author', author],
      ['twitter:card', cardOf(head)],
      ['twitter:creator', handle === '' ? undefined : `@${handle}`],
      ...(video === undefined ? [] : streamMetas(video)),
    ]),
    metas('property', [
      ['og:type', type],
      ['og:site_name', 'Postern'],
      ['og:locale', localeOf(lang)],
      ['og:title', title],
      ['og:url', url],
      ...picturesOf(head).flatMap(pictureMetas),
      ...(video === undefined ? [] : videoMetas(video)),
      ['article:published_time', publishedAt],
      ['article:author', type === 'article' ? authorUrl(originOf(url), handle) : undefined],
      ['profile:username', type === 'profile' ? handle : undefined],
      // The last: some clients read only the beginning of a page, and this can be long.
      ['og:description', cutPreview(joined(lines))],
    ]),
  ]}`;
};
