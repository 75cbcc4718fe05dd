// Renders the two elements whose URLs come from third parties: links and images.
import { visibleUrl } from '../../model/visible-text.ts';
import { isPictureHost } from '../content/picture-hosts.ts';
import { escapeHtml } from './page.ts';

/** @param html content of the link, HTML */
export const linkHtml = (url: string, html: string): string =>
  `<a href="${escapeHtml(visibleUrl(url))}" rel="nofollow noopener">${html}</a>`;

/** A picture from another host is not loaded; its alternative text is shown. @param alt plain text */
export const imageHtml = (url: string, alt: string): string =>
  isPictureHost(url)
    ? `<img src="${escapeHtml(visibleUrl(url))}" alt="${escapeHtml(alt)}" loading="lazy">`
    : escapeHtml(alt);

/** How text and links are written: on a page of Postern, or embedded in another site's page. */
export interface LinkStyle {
  /** Plain text -> HTML. */
  readonly text: (plain: string) => string;
  readonly link: (url: string, html: string) => string;
}

/** The stylesheet of the page keeps line ends. */
export const pageLinkStyle: LinkStyle = { text: escapeHtml, link: linkHtml };
