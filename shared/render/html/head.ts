// Renders the head of a page: link preview, other formats and oEmbed discovery.
import { mediaTypes } from '../../contract/media-types.ts';
import type { PreviewPicture, PreviewVideo } from '../content/link-preview.ts';
import { linkHtml } from './elements.ts';
import { escapeHtml } from './page.ts';

const EXCERPT_CHARACTERS = 280;

export const cutExcerpt = (text: string): string => Array.from(text).slice(0, EXCERPT_CHARACTERS).join('');

export interface PageHead {
  readonly type: 'article' | 'profile' | 'website';
  readonly title: string;
  readonly description: string;
  /** The URL on X. */
  readonly canonical: string;
  /** The URL of this page without `format`. */
  readonly url: string;
  /** Only from hosts of X. */
  readonly pictures?: readonly PreviewPicture[];
  readonly video?: PreviewVideo | undefined;
  readonly author?: string | undefined;
  readonly publishedAt?: string | undefined;
  /** The oEmbed URL (oEmbed 1.0 section 4). */
  readonly oembed?: string | undefined;
  readonly next?: string | undefined;
}

const ALTERNATES = ['markdown', 'json'] as const;

const formatNames: Readonly<Record<(typeof ALTERNATES)[number], string>> = { markdown: 'Markdown', json: 'JSON' };

/** @returns HTML */
const formatUrl = (url: string, format: string): string =>
  escapeHtml(`${url}${url.includes('?') ? '&' : '?'}format=${format}`);

/** Visible links to the other formats and to X. */
export const alternateLinks = ({ url, canonical }: Pick<PageHead, 'url' | 'canonical'>): string =>
  [
    ...ALTERNATES.map((format) => `<a href="${formatUrl(url, format)}">${formatNames[format]}</a>`),
    linkHtml(canonical, 'On X'),
  ].join('');

type Meta = readonly [name: string, content: string | number | undefined];

const pictureMetas = ({ url, width, height, alt }: PreviewPicture): readonly Meta[] => [
  ['og:image', url],
  ['og:image:width', width],
  ['og:image:height', height],
  ['og:image:alt', alt],
];

const videoMetas = ({ url, width, height }: PreviewVideo): readonly Meta[] => [
  ['og:video', url],
  ['og:video:secure_url', url],
  ['og:video:type', 'video/mp4'],
  ['og:video:width', width],
  ['og:video:height', height],
];

/** Omits metas without content. */
const metas = (attribute: 'name' | 'property', entries: readonly Meta[]): string =>
  entries
    .filter(([, content]) => content !== undefined && content !== '')
    .map(([name, content]) => `<meta ${attribute}="${name}" content="${escapeHtml(String(content))}">\n`)
    .join('');

/** @returns HTML of the elements */
export const headHtml = (head: PageHead): string => {
  const { type, title, description, canonical, url, pictures = [], video, author, publishedAt, oembed, next } = head;
  const links = ALTERNATES.map(
    (format) => `<link rel="alternate" type="${mediaTypes[format]}" href="${formatUrl(url, format)}">\n`,
  );
  const embed =
    oembed === undefined
      ? ''
      : `<link rel="alternate" type="application/json+oembed" href="${escapeHtml(oembed)}" title="${escapeHtml(title)}">\n`;
  const nextLink = next === undefined ? '' : `<link rel="next" href="${escapeHtml(next)}">\n`;
  // X reads Open Graph for the rest of its card. An avatar is too small for a large image.
  const card = type === 'article' && pictures.length > 0 ? 'summary_large_image' : 'summary';
  return [
    `<link rel="canonical" href="${escapeHtml(canonical)}">\n`,
    ...links,
    embed,
    nextLink,
    metas('name', [
      ['description', description],
      ['author', author],
      ['twitter:card', card],
    ]),
    metas('property', [
      ['og:type', type],
      ['og:site_name', 'Postern'],
      ['og:title', title],
      ['og:description', description],
      ['og:url', canonical],
      ...pictures.flatMap(pictureMetas),
      ...(video === undefined ? [] : videoMetas(video)),
      ['article:published_time', publishedAt],
    ]),
  ].join('');
};
