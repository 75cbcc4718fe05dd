// Renders accounts as rows, and the tabs of an account.
import { profileUrl } from '../../model/handle.ts';
import type { TimelineKind } from '../../model/lists.ts';
import type { User } from '../../model/user.ts';
import { kindOfPage, PROFILE_PAGES, type ProfilePage, profilePages } from '../../model/x-urls.ts';
import { cutOffset } from '../content/cut.ts';
import { formatCount } from '../content/format.ts';
import { innerLinkHtml } from './elements.ts';
import { type Html, html, joinHtml } from './html.ts';
import { belowProfile, profilePath, timelinePath } from './inner-links.ts';
import { type Tab, tabsHtml } from './list.ts';
import { handleHtml, nameHtml, unlinkedAvatarHtml } from './person.ts';

/** A row shows two lines of a biography. The style sheet cuts them, and the server cuts what can never be seen. */
const BIO = { characters: 300, lines: 4 } as const;

/** Plain text: the row is one link, so it has no other. */
const bioHtml = (bio: string): Html | false => {
  const end = cutOffset(bio, BIO.characters, BIO.lines);
  const shown = end === undefined ? bio : `${bio.slice(0, end).trimEnd()}…`;
  return shown.trim() !== '' && html`<p class="text" dir="auto">${shown}</p>`;
};

/** The link of the name covers the row, so a row is one stop of the keyboard. */
const rowHtml = (user: User): Html => {
  const followers = user.metrics?.followers ?? null;
  return html`${[
    html`<li class="item with">`,
    unlinkedAvatarHtml(user),
    html`<div><h2 class="name">${nameHtml(user)}</h2> <span class="meta">${handleHtml(user)}</span></div>`,
    bioHtml(user.bio ?? ''),
    followers !== null && html`<p class="figures">${formatCount(followers, 'follower')}</p>`,
    html`</li>`,
  ]}`;
};

/** @returns undefined without accounts */
export const peopleHtml = (users: readonly User[]): Html | undefined =>
  users.length === 0 ? undefined : html`<ul class="people">\n${joinHtml(users.map(rowHtml), '\n')}\n</ul>`;

/** The tabs of an account. */
export const profileTabsHtml = (handle: string, current: TimelineKind | ProfilePage): Html => {
  const tabs: readonly Tab[] = [
    { label: 'Posts', path: timelinePath(handle, 'posts'), isCurrent: current === 'posts' },
    ...PROFILE_PAGES.map((page) => ({
      label: profilePages[page],
      path: belowProfile(handle, page),
      isCurrent: current === (kindOfPage[page] ?? page),
    })),
  ];
  return tabsHtml(`Pages of @${handle}`, tabs);
};

const rowOf = (owner: User, heading: string, name: Html, below?: Html): Html => {
  const spoken = heading !== '' && html`<span class="sr">${heading} </span>`;
  return html`<header class="by">${unlinkedAvatarHtml(owner, { isInView: true })}<div><h1 class="name">${spoken}${name}</h1>${below}</div></header>`;
};

/** An account in one row. @param heading says to screen readers what the page has of the account; may be empty */
export const ownerHtml = (owner: User, heading = ''): Html =>
  rowOf(owner, heading, nameHtml(owner), html`<p class="meta">${handleHtml(owner)}</p>`);

/** As ownerHtml, if the name would need another call of the provider. */
export const handleRowHtml = (handle: string, heading: string): Html =>
  rowOf({ handle, name: handle, url: profileUrl(handle) }, heading, innerLinkHtml(profilePath(handle), `@${handle}`));
