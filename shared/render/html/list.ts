// A list as a page for people and for chat unfurlers. No script, and every third-party word is a text node.
import type { User } from '../../model/user.ts';
import { userCounts } from '../content/labels.ts';
import { isPictureHost } from '../content/picture-hosts.ts';
import { imageHtml, linkHtml } from './elements.ts';
import { alternateLinks, headHtml, type PageHead } from './head.ts';
import { escapeHtml, htmlPage } from './page.ts';
import { textHtml, userTitle } from './post.ts';

/** A picture of an account from a host of X. */
export const avatarUrl = ({ avatar_url: url }: User): string | undefined =>
  url !== undefined && isPictureHost(url) ? url : undefined;

export const avatarHtml = (user: User): string => {
  const url = avatarUrl(user);
  return url === undefined ? '' : imageHtml(url, '');
};

export const userHtml = (user: User): string => {
  const { url, bio, verified, protected: isProtected } = user;
  const facts = `${verified ? ' · verified' : ''}${isProtected ? ' · protected' : ''}`;
  const counts = userCounts(user);
  return (
    `<article><p class="by">${avatarHtml(user)}${linkHtml(url, escapeHtml(userTitle(user)))}${facts}</p>${textHtml(bio ?? '')}` +
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
    links: alternateLinks(head),
    body: `<main><h1>${escapeHtml(heading)}</h1>${intro}${note}<section>${title}${body}</section>${next}</main>`,
  });
};
