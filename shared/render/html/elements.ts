// Renders links and dates.
import { visibleUrl } from '../../model/visible-text.ts';
import { formatDate, formatDateTime, formatShortDate } from '../content/format.ts';
import { escapeHtml } from './escape.ts';
import { innerPath } from './inner-links.ts';

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
