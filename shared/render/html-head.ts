// What a page says of itself to unfurlers, and where its other representations are.
import { mediaTypes } from '../contract/media-types.ts';
import { escapeHtml } from './page.ts';

const EXCERPT_CHARACTERS = 280;

export const excerptOf = (words: string): string => Array.from(words).slice(0, EXCERPT_CHARACTERS).join('');

export interface PageHead {
  readonly type: 'article' | 'profile' | 'website';
  readonly title: string;
  readonly description: string;
  /** Where it is on X. */
  readonly canonical: string;
  /** Its own, without `format`. */
  readonly address: string;
  /** From a host of X. */
  readonly picture?: string | undefined;
  readonly next?: string | undefined;
}

const ALTERNATES = ['markdown', 'json'] as const;

/** Elements of the head. */
export const headHtml = ({ type, title, description, canonical, address, picture, next }: PageHead): string => {
  const properties = {
    'og:type': type,
    'og:site_name': 'Postern',
    'og:title': title,
    'og:description': description,
    'og:url': canonical,
    'og:image': picture,
  };
  const metas = Object.entries(properties).flatMap(([property, words]) =>
    words === undefined ? [] : [`<meta property="${property}" content="${escapeHtml(words)}">\n`],
  );
  const start = `${address}${address.includes('?') ? '&' : '?'}format=`;
  const links = ALTERNATES.map(
    (format) => `<link rel="alternate" type="${mediaTypes[format]}" href="${escapeHtml(start + format)}">\n`,
  );
  const following = next === undefined ? '' : `<link rel="next" href="${escapeHtml(next)}">\n`;
  return `<link rel="canonical" href="${escapeHtml(canonical)}">\n${links.join('')}${following}${metas.join('')}`;
};
