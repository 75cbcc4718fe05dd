// Renders the page of the timeline of several accounts, with the accounts and a form that adds some.
import { isSameHandle, MAX_HANDLES } from '../../model/handle.ts';
import { MAX_BOX_UNITS, type TimelineKind } from '../../model/lists.ts';
import type { MergedTimeline } from '../../model/resources.ts';
import {
  missingReasons,
  missingSentence,
  namesOf,
  noTimelinePosts,
  timelineHeadings,
  timelineTitle,
} from '../../render/content/list-labels.ts';
import { innerLinkHtml } from '../../render/html/elements.ts';
import { type Html, html } from '../../render/html/html.ts';
import { mergedTimelinePath, mergedTimelineUrlOnX, profilePath, timelinePath } from '../../render/html/inner-links.ts';
import {
  type ListPageOptions,
  postListHtml,
  repostsHtml,
  type Tab,
  tabsHtml,
  withReposts,
} from '../../render/html/list.ts';
import { timelineStyle } from '../../render/html/style/lists.ts';
import { subscriptionsHtml } from '../../render/html/subscriptions.ts';

/** @returns the timeline without the account; the profile if one other is left */
const pathWithout = ({ handles, kind }: MergedTimeline, handle: string): string | undefined => {
  const [only, ...more] = handles.filter((each) => each !== handle);
  if (only === undefined) return undefined;
  return more.length === 0 ? timelinePath(only, kind) : mergedTimelinePath([only, ...more], kind);
};

const accountHtml = (timeline: MergedTimeline, handle: string): Html => {
  const shown = timeline.posts.find(({ author }) => isSameHandle(author?.handle, handle))?.author?.handle ?? handle;
  const name = `@${shown}`;
  const reason = timeline.missing.find((account) => account.handle === handle)?.reason;
  const without = pathWithout(timeline, handle);
  const away =
    without === undefined
      ? undefined
      : innerLinkHtml(without, html`<span aria-hidden="true">×</span><span class="sr">Remove ${name}</span>`);
  return html`<li${reason !== undefined && html` class="lost"`}>${innerLinkHtml(profilePath(handle), name)}${reason !== undefined && html` <small>${missingReasons[reason]}</small>`}${away}</li>`;
};

/** The box of the front page reads the accounts, and leads to the timeline with them. */
const formHtml = (handles: readonly string[], path: string): Html =>
  handles.length >= MAX_HANDLES
    ? html`<p class="hint">A timeline has at most ${MAX_HANDLES} accounts.</p>`
    : html`<form class="add" action="/"><label for="add">Add accounts</label><input id="add" name="q" required maxlength="${MAX_BOX_UNITS}" placeholder="@handle, @handle" autocomplete="off" autocapitalize="none" spellcheck="false"><input type="hidden" name="to" value="${path.slice(1)}"><button type="submit">Add</button></form>`;

/** More accounts would take the whole screen of a phone. */
const MAX_UNFOLDED = 8;

const foldedHtml = ({ handles, missing }: MergedTimeline, accounts: Html): Html =>
  handles.length <= MAX_UNFOLDED
    ? accounts
    : html`<details><summary>Show and change the accounts</summary>${accounts}</details><p class="meta">${missingSentence(missing)}</p>`;

const tabs: readonly (readonly [TimelineKind, string])[] = [
  ['posts', 'Posts'],
  ['replies', 'Replies'],
  ['media', 'Media'],
];

const COUNTED_FROM = 2;

export const timelineHtml = (timeline: MergedTimeline, options: ListPageOptions): Html => {
  const { handles, kind, posts } = timeline;
  const title = timelineTitle(kind, namesOf(handles));
  const path = mergedTimelinePath(handles, kind) ?? '';
  const feed = withReposts(options.request, path);
  const count = handles.length < COUNTED_FROM ? 'one account' : `${handles.length} accounts`;
  return postListHtml({
    ...options,
    title,
    canonical: mergedTimelineUrlOnX(handles, kind),
    feed,
    posts,
    isGrid: kind === 'media',
    none: noTimelinePosts[kind],
    styles: [timelineStyle],
    top: html`<header class="accounts"><h1>${timelineHeadings[kind]} ${count}</h1>
${foldedHtml(timeline, html`<ul aria-label="Accounts">${handles.map((handle) => accountHtml(timeline, handle))}</ul>${formHtml(handles, path)}`)}
${subscriptionsHtml({ url: options.url, feed, opml: path })}
</header>
${tabsHtml(
  'Pages of the timeline',
  tabs.map(([each, label]): Tab => ({ label, path: mergedTimelinePath(handles, each), isCurrent: each === kind })),
)}
${repostsHtml(options.request, path, kind)}`,
  });
};
