// The two elements that lead out of a page.
import { visibleAddress } from '../../model/visible-text.ts';
import { isPictureHost } from '../content/picture-hosts.ts';
import { escapeHtml } from './page.ts';

/** @param html what is shown, HTML */
export const linkHtml = (url: string, html: string): string =>
  `<a href="${escapeHtml(visibleAddress(url))}" rel="nofollow noopener">${html}</a>`;

/** Pictures of other hosts are not loaded: their words stand instead. @param alt plain text */
export const imageHtml = (url: string, alt: string): string =>
  isPictureHost(url)
    ? `<img src="${escapeHtml(visibleAddress(url))}" alt="${escapeHtml(alt)}" loading="lazy">`
    : escapeHtml(alt);

/** How words and links are written: on a page of ours, or on one of somebody else. */
export interface LinkStyle {
  /** Plain text -> HTML. */
  readonly words: (plain: string) => string;
  readonly link: (url: string, html: string) => string;
}

/** The style of our pages keeps line ends. */
export const pageLinkStyle: LinkStyle = { words: escapeHtml, link: linkHtml };
