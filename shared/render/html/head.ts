// What a page says of itself to unfurlers, and where its other representations are.
import { mediaTypes } from '../../contract/media-types.ts';
import type { PreviewPicture, PreviewVideo } from '../content/link-preview.ts';
import { linkHtml } from './elements.ts';
import { escapeHtml } from './page.ts';

const EXCERPT_CHARACTERS = 280;

export const cutExcerpt = (words: string): string => Array.from(words).slice(0, EXCERPT_CHARACTERS).join('');

export interface PageHead {
  readonly type: 'article' | 'profile' | 'website';
  readonly title: string;
  readonly description: string;
  /** Where it is on X. */
  readonly canonical: string;
  /** Its own, without `format`. */
  readonly address: string;
  /** From hosts of X. */
  readonly pictures?: readonly PreviewPicture[];
  readonly video?: PreviewVideo | undefined;
  readonly author?: string | undefined;
  readonly publishedAt?: string | undefined;
  /** Where it is told how to embed it (oEmbed 1.0 section 4). */
  readonly oembed?: string | undefined;
  readonly next?: string | undefined;
}

const ALTERNATES = ['markdown', 'json'] as const;

const formNames: Readonly<Record<(typeof ALTERNATES)[number], string>> = { markdown: 'Markdown', json: 'JSON' };

const formAddress = (address: string, format: string): string =>
  escapeHtml(`${address}${address.includes('?') ? '&' : '?'}format=${format}`);

/** The same in other forms, and where it is on X: links for people. */
export const alternateLinks = ({ address, canonical }: Pick<PageHead, 'address' | 'canonical'>): string =>
  [
    ...ALTERNATES.map((format) => `<a href="${formAddress(address, format)}">${formNames[format]}</a>`),
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

/** What is not known is not said. */
const metas = (attribute: 'name' | 'property', all: readonly Meta[]): string =>
  all
    .filter(([, content]) => content !== undefined && content !== '')
    .map(([name, content]) => `<meta ${attribute}="${name}" content="${escapeHtml(String(content))}">\n`)
    .join('');

/** Elements of the head. */
export const headHtml = (head: PageHead): string => {
  const {
    type,
    title,
    description,
    canonical,
    address,
    pictures = [],
    video,
    author,
    publishedAt,
    oembed,
    next,
  } = head;
  const links = ALTERNATES.map(
    (format) => `<link rel="alternate" type="${mediaTypes[format]}" href="${formAddress(address, format)}">\n`,
  );
  const embed =
    oembed === undefined
      ? ''
      : `<link rel="alternate" type="application/json+oembed" href="${escapeHtml(oembed)}" title="${escapeHtml(title)}">\n`;
  const following = next === undefined ? '' : `<link rel="next" href="${escapeHtml(next)}">\n`;
  // Other cards fall back to Open Graph; a small picture of an account is no large image.
  const card = type === 'article' && pictures.length > 0 ? 'summary_large_image' : 'summary';
  return [
    `<link rel="canonical" href="${escapeHtml(canonical)}">\n`,
    ...links,
    embed,
    following,
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
