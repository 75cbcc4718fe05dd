// Renders one page of a list as an HTML page. It has no script; all third-party text is in text nodes.
import { escapeHtml } from './escape.ts';
import { headHtml, type PageHead } from './head.ts';
import { htmlPage } from './page.ts';
import { sillHtml } from './sill.ts';
import { postStyle } from './style/post.ts';

export interface ListPageOptions {
  /** The URL of this page. */
  readonly url: string;
  /** The URL of the next page; unset: there is none. */
  readonly next: string | undefined;
  /** Sentences that say what is missing. */
  readonly messages: readonly string[];
}

export interface ListPage {
  readonly head: PageHead;
  /** Plain text. */
  readonly heading: string;
  /** HTML below the heading. */
  readonly intro?: string;
  readonly section?: string;
  /** HTML. */
  readonly items: readonly string[];
  /** Shown if there are no items. */
  readonly none: string;
  readonly messages: readonly string[];
}

export const listHtml = ({ head, heading, intro = '', section, items, none, messages }: ListPage): string => {
  const note = messages.length === 0 ? '' : `<p role="note"><em>Incomplete: ${escapeHtml(messages.join(' '))}</em></p>`;
  const title = section === undefined ? '' : `<h2>${escapeHtml(section)}</h2>`;
  const body = items.length === 0 ? `<p>${escapeHtml(none)}</p>` : items.join('');
  const next = head.next === undefined ? '' : `<nav><a href="${escapeHtml(head.next)}" rel="next">Next page</a></nav>`;
  return htmlPage({
    title: head.title,
    head: headHtml(head),
    styles: [postStyle],
    main: `<h1>${escapeHtml(heading)}</h1>${intro}${note}<section class="list">${title}${body}</section>${next}${sillHtml(head)}`,
  });
};
