// Renders links and dates.
import { visibleUrl } from '../../model/visible-text.ts';
import { formatDate, formatDateTime, formatShortDate } from '../content/format.ts';
import { escapeHtml } from './escape.ts';
import { innerPath } from './inner-links.ts';

// Draws the small pictures that a page repeats. A page contains each drawing once, however often it is shown.

const drawings = {
  verified: '<path fill-rule="evenodd" d="M2 15V7a6 6 0 0 1 12 0v8zm4.9-2.6 5-5.2-1.2-1.1-3.8 4-1.7-1.7L4 9.6z"/>',
  protected: '<path fill-rule="evenodd" d="M2 15V7a6 6 0 0 1 12 0v8zm4.9-3h2.2l-.4-2.7a1.6 1.6 0 1 0-1.4 0z"/>',
  // An opening that is walled up.
  wall: '<path d="M2 15V7a6 6 0 0 1 12 0v8z"/>',
} as const satisfies Readonly<Record<string, string>>;

type SymbolName = keyof typeof drawings;

const reference = (name: string): string => `<use href="#i-${name}"/>`;

/** A drawing that says something. */
export const labelledSymbol = (name: SymbolName, label: string): string =>
  `<svg role="img" aria-label="${label}">${reference(name)}</svg>`;

/** A drawing beside words that say the same. */
export const decorativeSymbol = (name: SymbolName): string => `<svg aria-hidden="true">${reference(name)}</svg>`;

/** @returns the drawings that the HTML shows; empty if it shows none */
export const symbolsFor = (html: string): string => {
  const symbols = Object.entries(drawings).map(([name, drawing]) =>
    html.includes(reference(name)) ? `<symbol id="i-${name}" viewBox="0 0 16 16">${drawing}</symbol>` : '',
  );
  const used = symbols.join('');
  return used === '' ? '' : `<svg width="0" height="0" aria-hidden="true">${used}</svg>`;
};

const WEB_URL = /^https?:\/\//i;

/** A link that leaves the service. A URL of another scheme is not linked. @param html content of the link */
export const linkHtml = (url: string, html: string, attributes = ''): string =>
  WEB_URL.test(url)
    ? `<a href="${escapeHtml(visibleUrl(url))}" rel="nofollow noopener"${attributes}>${html}</a>`
    : html;

/** A link within the service. Without a path there is only the content. @param html content of the link */
export const innerLinkHtml = (path: string | undefined, html: string, attributes = ''): string =>
  path === undefined ? html : `<a href="${escapeHtml(path)}"${attributes}>${html}</a>`;

/** A link to a page on X leads to the page of this service. @param html content of the link */
export const anyLinkHtml = (url: string, html: string, attributes = ''): string => {
  const path = innerPath(url);
  return path === undefined ? linkHtml(url, html, attributes) : innerLinkHtml(path, html, attributes);
};

/** `minute`: 20 March 2026, 10:00 UTC. `day`: 20 March 2026. `short`: 20 Mar 2026. */
export type DateForm = 'minute' | 'day' | 'short';

const dateFormats: Readonly<Record<DateForm, (instant: string) => string>> = {
  minute: formatDateTime,
  day: formatDate,
  short: formatShortDate,
};

/** Absolute, because caches keep the page. */
export const timeHtml = (instant: string, form: DateForm): string =>
  `<time datetime="${escapeHtml(instant)}">${escapeHtml(dateFormats[form](instant))}</time>`;
