// Renders the search page before anything was asked. Its form is the box that every page has.
import { operations } from '../../contract/operations.ts';
import { PREVIEW_PATH } from '../../contract/paths.ts';
import { escapeHtml } from './escape.ts';
import { htmlPage } from './page.ts';
import { listStyle } from './style/lists.ts';
import { postStyle } from './style/post.ts';

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

export const SEARCH_HELP_TITLE = 'What a search can say';

/** @returns HTML of a list */
export const searchHelpHtml = (): string =>
  `<dl class="says">${OPERATORS.map(([text, meaning]) => `<dt><code>${escapeHtml(text)}</code></dt><dd>${escapeHtml(meaning)}</dd>`).join('')}</dl>`;

const TITLE = 'Search';
const TEXT = 'Posts and accounts that are public on X, with the operators of its search.';

export const searchFormHtml = (baseUrl: string): string => {
  const url = escapeHtml(`${baseUrl}${operations.searchPostsPermalink.path}`);
  return htmlPage({
    title: TITLE,
    head: `<link rel="canonical" href="${url}">
<meta name="description" content="${TEXT}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="Postern">
<meta property="og:title" content="${TITLE}">
<meta property="og:description" content="${TEXT}">
<meta property="og:url" content="${url}">
<meta property="og:image" content="${escapeHtml(baseUrl + PREVIEW_PATH)}">
`,
    styles: [postStyle, listStyle],
    main: `<section class="state"><h1>What are you looking for?</h1><p>Write words into the box above: X looks for whole words, in any letter case. An @handle leads to a profile, and a link to its page here.</p></section>
<section class="help"><h2>${SEARCH_HELP_TITLE}</h2>${searchHelpHtml()}</section>`,
  });
};
