// A list as a page for people and for chat unfurlers. No script, and every third-party word is a text node.
import type { User } from '../model/user.ts';
import { headHtml, otherForms, type PageHead } from './html-head.ts';
import { image, link } from './html-parts.ts';
import { isPicture } from './media.ts';
import { escapeHtml, htmlPage } from './page.ts';
import { text, titleOf } from './post-html.ts';
import { userCounts } from './wording.ts';

/** A picture of an account from a host of X. */
export const avatarOf = ({ avatar_url: url }: User): string | undefined =>
  url !== undefined && isPicture(url) ? url : undefined;

export const avatarHtml = (user: User): string => {
  const url = avatarOf(user);
  return url === undefined ? '' : image(url, '');
};

export const userHtml = (user: User): string => {
  const { url, bio, verified, protected: isProtected } = user;
  const facts = `${verified ? ' · verified' : ''}${isProtected ? ' · protected' : ''}`;
  const counts = userCounts(user);
  return (
    `<article><p class="by">${avatarHtml(user)}${link(url, escapeHtml(titleOf(user)))}${facts}</p>${text(bio ?? '')}` +
    `${counts.length === 0 ? '' : `<footer>${counts.join(' · ')}</footer>`}</article>`
  );
};

export interface ListPage {
  readonly head: PageHead;
  /** Plain text. */
  readonly heading: string;
  /** HTML below the heading. */
  readonly intro?: string;
  readonly section?: string;
  /** HTML. */
  readonly items: readonly string[];
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
    links: otherForms(head),
    body: `<main><h1>${escapeHtml(heading)}</h1>${intro}${note}<section>${title}${body}</section>${next}</main>`,
  });
};
