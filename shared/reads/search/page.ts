// Renders search results. The box at the top of the page holds the search text, and the tabs are the feeds.

import { operations } from '../../contract/operations.ts';
import { PREVIEW_PATH } from '../../contract/paths.ts';
import type { WarningCode } from '../../contract/warnings.ts';
import { parseHandle } from '../../model/handle.ts';
import { FEEDS, type SearchFeed } from '../../model/lists.ts';
import type { SearchResults, Warning } from '../../model/resources.ts';
import { visibleText } from '../../model/visible-text.ts';
import {
  feedTabs,
  feedTitles,
  feedWords,
  searchDescription,
  searchPageTitle,
} from '../../render/content/list-labels.ts';
import { type QueryWords, queryWords, wordPattern } from '../../render/content/query-words.ts';
import { factsHtml, innerLinkHtml } from '../../render/html/elements.ts';
import { escaped, type Html, type HtmlContent, html } from '../../render/html/html.ts';
import { profilePath, searchPath, searchUrlOnX } from '../../render/html/inner-links.ts';
import { hintHtml, type ListPageOptions, listHtml, postsHtml, tabsHtml } from '../../render/html/list.ts';
import { htmlPage, type PageService } from '../../render/html/page.ts';
import type { Reading } from '../../render/html/reading.ts';
import { listStyle, stateStyle } from '../../render/html/style/lists.ts';
import { postStyle } from '../../render/html/style/post.ts';
import { peopleHtml } from '../../render/html/users.ts';

// Lists the operators of X that a search text can contain.

/** Each with its meaning. The search of X defines them. */
const OPERATORS: readonly (readonly [text: string, meaning: string])[] = [
  ['two words', 'both of them, in any order'],
  ['"two words"', 'exactly these words'],
  ['this OR that', 'one of them'],
  ['-word', 'without this word'],
  ['from:handle', 'by one account'],
  ['to:handle', 'answers to one account'],
  ['#tag', 'with this hashtag'],
  ['since:2026-03-01', 'from this day on (UTC)'],
  ['until:2026-04-01', 'before this day (UTC)'],
  ['lang:fr', 'in one language'],
  ['filter:links', 'with links; also images, videos, replies'],
  ['min_faves:100', 'with at least so many likes'],
  ['url:example.org', 'with a link to a site'],
];

const SEARCH_HELP_TITLE = 'What a search can say';

const searchHelpHtml = (): Html =>
  html`<dl class="says">${OPERATORS.map(([text, meaning]) => html`<dt><code>${text}</code></dt><dd>${meaning}</dd>`)}</dl>`;

// Renders the search page before anything was asked. Its form is the box that every page has.

const TITLE = 'Search';
const TEXT = 'Posts and accounts that are public on X, with the operators of its search.';

export const searchFormHtml = (baseUrl: string, service?: PageService, reading?: Reading): Html => {
  const url = `${baseUrl}${operations.searchPostsPermalink.path}`;
  return htmlPage({
    title: TITLE,
    service,
    reading,
    head: html`<link rel="canonical" href="${url}">
<meta name="description" content="${TEXT}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="Postern">
<meta property="og:title" content="${TITLE}">
<meta property="og:description" content="${TEXT}">
<meta property="og:url" content="${url}">
<meta property="og:image" content="${baseUrl + PREVIEW_PATH}">
`,
    styles: [postStyle, listStyle, stateStyle],
    main: html`<section class="state"><h1>What are you looking for?</h1><p>Write words into the box above: X looks for whole words, in any letter case. An @handle leads to a profile, and a link to its page here.</p></section>
<section class="help"><h2>${SEARCH_HELP_TITLE}</h2>${searchHelpHtml()}</section>`,
  });
};

// Marks the words of a search in the texts that it found.

/** @returns a function that writes plain text as HTML with each of the words marked */
export const createWordMarker = (words: readonly string[]): ((text: string) => Html) => {
  const pattern = wordPattern(words);
  if (pattern === undefined) return escaped;
  return (source) => {
    // A word is whole only without the invisible characters in it.
    const text = visibleText(source);
    const parts: Html[] = [];
    let at = 0;
    for (const { 0: word, index } of text.matchAll(pattern)) {
      parts.push(html`${text.slice(at, index)}<mark>${word}</mark>`);
      at = index + word.length;
    }
    return html`${parts}${text.slice(at)}`;
  };
};

/** The latest posts need no parameter. */
export const feedPath = (query: string, feed: SearchFeed): string =>
  searchPath(query, feed === 'latest' ? undefined : feed);

const feedTabsHtml = (query: string, current: SearchFeed): Html =>
  tabsHtml(
    'Feeds',
    FEEDS.map((feed) => ({ label: feedTabs[feed], path: feedPath(query, feed), isCurrent: feed === current })),
  );

const MENTION_AND_WORDS = /^[@\uff20](\w+)\s+(\S.*)$/s;

/** A word that can be a handle may be meant as one. X finds posts that mention a handle, not the posts of the account. */
const meantHtml = (query: string): Html | undefined => {
  const [, mentioned = query, words] = MENTION_AND_WORDS.exec(query) ?? [];
  const handle = parseHandle(mentioned);
  const path = handle === undefined ? undefined : profilePath(handle);
  if (handle === undefined || path === undefined) return undefined;
  return words === undefined
    ? html`Looking for ${innerLinkHtml(path, `@${handle}`)}?`
    : html`Looking for ${innerLinkHtml(searchPath(`from:${handle} ${words}`), html`posts by @${handle} with “<bdi>${words}</bdi>”`)}?`;
};

/** Posts are found by operators, too. The page without results explains them itself. */
const hintsHtml = (query: string, feed: SearchFeed, hasItems: boolean): Html | undefined => {
  const help =
    hasItems &&
    feed !== 'users' &&
    html`<small>${innerLinkHtml(operations.searchPostsPermalink.path, SEARCH_HELP_TITLE)}</small>`;
  const hints = factsHtml([meantHtml(query), help]);
  return hints && html`<p class="hint facts">${hints}</p>`;
};

const quoted = (text: string): Html => html`“<bdi>${text}</bdi>”`;

const nothingFound = (feed: SearchFeed, said: string): HtmlContent => {
  if (said === '') return feed === 'users' ? 'No account was found.' : 'No post was found.';
  const sentences: Readonly<Record<SearchFeed, Html>> = {
    latest: html`Nothing says ${quoted(said)} here.`,
    top: html`Nothing says ${quoted(said)} here.`,
    media: html`No picture or video comes with ${quoted(said)}.`,
    users: html`No account was found for ${quoted(said)}.`,
  };
  return sentences[feed];
};

const explanation = (feed: SearchFeed, { from, hasOperators }: QueryWords): string => {
  if (feed === 'users') return 'X suggests a few accounts by their names and handles, and does not list all of them.';
  const by = from === undefined ? '' : ` by @${from}`;
  return `X found no post${by} ${hasOperators ? 'that fits all of the search' : 'with these words'}. It looks for whole words, in any letter case.`;
};

/** Another feed that may have results, and why. */
const otherFeeds: Readonly<Record<SearchFeed, readonly [feed: SearchFeed, words: string, reason: string]>> = {
  latest: ['top', 'The same among top posts', ': they reach further back'],
  top: ['latest', 'The same among the latest posts', ''],
  media: ['latest', 'The same among all posts', ', with media or without'],
  users: ['latest', 'Posts that say it', ''],
};

const waysOn = (query: string, feed: SearchFeed, { plain, hasOperators, from }: QueryWords): readonly Html[] => {
  const [other, words, reason] = otherFeeds[feed];
  const without = from === undefined ? 'without the operators' : 'by anyone';
  return [
    ...(hasOperators && plain !== ''
      ? [innerLinkHtml(feedPath(plain, feed), html`<bdi>${plain}</bdi>, ${without}`)]
      : []),
    ...(from !== undefined && (plain !== '' || feed !== 'latest')
      ? [innerLinkHtml(searchPath(`from:${from}`), `Everything by @${from}`)]
      : []),
    html`${innerLinkHtml(feedPath(query, other), words)}${reason}`,
  ];
};

const SAMPLE: WarningCode = 'sample';

/** The sample proves nothing about X, and answers no other way on. */
const emptySampleHtml = (feed: SearchFeed): Html =>
  html`<section class="state"><h2>The sample has no such ${feed === 'users' ? 'account' : 'post'}.</h2><p>It answers a few searches only, such as ${innerLinkHtml(searchPath('tide'), 'tide')} and ${innerLinkHtml(searchPath('#ferries'), '#ferries')}.</p></section>`;

const emptyHtml = (query: string, feed: SearchFeed, words: QueryWords): Html => {
  const ways = waysOn(query, feed, words).map((way) => html`<li>${way}</li>`);
  return html`<section class="state"><h2>${nothingFound(feed, words.words.join(' ') || words.plain)}</h2><p>${explanation(feed, words)}</p><ul class="ways">${ways}</ul><details><summary>${SEARCH_HELP_TITLE}</summary>${searchHelpHtml()}</details></section>`;
};

const noneHtml = (query: string, feed: SearchFeed, words: QueryWords, warnings: readonly Warning[]): Html =>
  warnings.some(({ code }) => code === SAMPLE) ? emptySampleHtml(feed) : emptyHtml(query, feed, words);

const DEGRADED = html`<p class="note">A source with less data answered.</p>`;

export const searchHtml = (
  { query, feed, posts = [], users = [], degraded }: SearchResults,
  options: ListPageOptions,
): Html => {
  const words = queryWords(query);
  const { first, limit } = options.request;
  const plain = createWordMarker(words.words);
  const items =
    feed === 'users'
      ? peopleHtml(users)
      : postsHtml(feedTitles[feed], posts, options, ({ id }) => ({ plain, thread: options.threads?.get(id) }));
  return listHtml({
    ...options,
    offersLanguages: feed !== 'users',
    // The page without results says it itself.
    warnings: options.warnings.filter(({ code }) => !(items === undefined && code === 'users_partial')),
    query,
    head: {
      type: 'website',
      title: searchPageTitle(query, feed),
      description: searchDescription(query, feed),
      canonical: searchUrlOnX(query, feed),
      feed: feed === 'users' ? undefined : feedPath(query, feed),
    },
    top: html`<h1 class="sr">Search: ${query}, ${feedWords[feed]}</h1>
${feedTabsHtml(query, feed)}
${first === undefined && hintsHtml(query, feed, items !== undefined)}
${degraded && DEGRADED}`,
    items,
    none: items === undefined ? noneHtml(query, feed, words, options.warnings) : undefined,
    noMore: hintHtml('Nothing more is listed here.'),
    more: feed === 'users' ? `Next ${limit}` : feed === 'latest' ? 'Older posts' : 'More posts',
  });
};
