// Renders the search page before anything was asked. Its form is the box that every page has.
import { operations } from '../../contract/operations.ts';
import { PREVIEW_PATH } from '../../contract/paths.ts';
import { escapeHtml } from './escape.ts';
import { htmlPage } from './page.ts';
import { SEARCH_HELP_TITLE, searchHelpHtml } from './search-help.ts';
import { listStyle } from './style/lists.ts';
import { postStyle } from './style/post.ts';

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
