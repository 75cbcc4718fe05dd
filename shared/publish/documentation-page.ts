// Builds the HTML frame of a documentation page: metadata, navigation and the link to the Markdown form.
import { type DocumentName, documents } from '../contract/documents.ts';
import { mediaTypes } from '../contract/media-types.ts';
import { BASE_URL_PLACEHOLDER as B, SAMPLE_BAR_PLACEHOLDER } from '../contract/placeholders.ts';
import { keysOf } from '../model/json.ts';
import { PREVIEW_PICTURE } from '../render/html/head.ts';
import { type Html, html, joinHtml, trustedHtml } from '../render/html/html.ts';
import { boxFieldHtml } from '../render/html/page.ts';
import { GROUND } from '../render/html/style/frame.ts';
import { chapterGroups, chapters, type PageName } from './document.ts';
import { summaryOf } from './pages/read-page.ts';

/** A path and not a URL, so that links work on every host that serves the page. */
const pathOf = (name: DocumentName): string => documents[name].path;
const urlOf = (name: DocumentName): string => `${B}${pathOf(name)}`;

/** The navigation entries of the level 2 headings. */
const sectionsOf = (body: Html): readonly Html[] =>
  [...String(body).matchAll(/<h2 id="([^"]*)">(.*?)<\/h2>/g)].map(
    ([, id, text = '']) => html`<li><a href="#${id}">${trustedHtml(text.replace(/<[^>]*>/g, ''))}</a></li>\n`,
  );

const chapterItem = (name: PageName, current: PageName, sections: readonly Html[]): Html => {
  const { path, title } = documents[name];
  if (name !== current) return html`<li><a href="${path}">${title}</a></li>`;
  const below = sections.length > 0 && html`\n<ul>\n${sections}</ul>\n`;
  return html`<li><a href="${path}" aria-current="page">${title}</a>${below}</li>`;
};

const navigation = (current: PageName, sections: readonly Html[]): Html | undefined =>
  joinHtml(
    Object.entries<readonly PageName[]>(chapterGroups).map(([group, names]) => {
      const items = names.map((name) => chapterItem(name, current, sections));
      return html`<p id="pages-${group}">${group}</p>\n<ul aria-labelledby="pages-${group}">\n${joinHtml(items, '\n')}\n</ul>`;
    }),
    '\n',
  );

const pagerLink = (rel: 'prev' | 'next', name: PageName | undefined): Html | undefined => {
  if (name === undefined) return undefined;
  const { path, title } = documents[name];
  return html`<a rel="${rel}" href="${path}"><small>${rel === 'prev' ? 'Previous' : 'Next'}</small>${title}</a>\n`;
};

const pagerLinks = (current: PageName): Html | undefined => {
  const place = chapters.indexOf(current);
  if (place === -1) return undefined;
  return html`${pagerLink('prev', chapters[place - 1])}${pagerLink('next', chapters[place + 1])}`;
};

const footerLabels = {
  docs: 'Docs',
  removal: 'Removal',
  privacy: 'Privacy',
  openapi: 'OpenAPI',
  llms: 'llms.txt',
} as const;

const preview = (name: PageName, title: string, summary: string): Html | undefined =>
  joinHtml(
    Object.entries({
      'og:type': 'article',
      'og:site_name': 'Postern',
      'og:url': urlOf(name),
      'og:title': title,
      'og:description': summary,
      'og:image': urlOf('preview'),
      'og:image:width': PREVIEW_PICTURE.width,
      'og:image:height': PREVIEW_PICTURE.height,
      'og:image:alt': PREVIEW_PICTURE.alt,
    }).map(([property, content]) => html`<meta property="${property}" content="${content}">`),
    '\n',
  );

/** The style sheet of the pages sets the ground to the same colours. */
const themeColours = joinHtml(
  ['light', 'dark'].map(
    (scheme, index) =>
      html`<meta name="theme-color" media="(prefers-color-scheme: ${scheme})" content="${GROUND[index]}">`,
  ),
  '\n',
);

const box = html`<form class="ask" action="${pathOf('home')}" method="get" role="search" aria-label="Posts and profiles">
${boxFieldHtml('unseen')}
</form>`;

/** Without a script the field is hidden, because the script searches. */
const documentationSearch = html`<div class="find" role="search" aria-label="Documentation">
<label for="find">Search the documentation</label>
<input id="find" type="search" data-index="${pathOf('docsSearch')}" data-engine="${pathOf('docsSearchScript')}" autocomplete="off" autocapitalize="none" spellcheck="false" enterkeyhint="search">
<p class="unseen" role="status" data-part="found-status"></p>
<ul class="found" data-part="found" hidden></ul>
</div>`;

const footerLinks = joinHtml(
  keysOf(footerLabels).map((name) => html`<a href="${pathOf(name)}">${footerLabels[name]}</a>`),
  ' ',
);

/** @param body the content of the same page */
export const documentationPage = (name: PageName, markdown: string, body: Html): Html => {
  const { title } = documents[name];
  const summary = summaryOf(markdown);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${themeColours}
<title>${title} · Postern</title>
<meta name="description" content="${summary}">
${preview(name, title, summary)}
<meta name="twitter:card" content="summary_large_image">
<link rel="canonical" href="${urlOf(name)}">
<link rel="icon" href="${pathOf('favicon')}" sizes="32x32">
<link rel="icon" href="${pathOf('icon')}" type="image/svg+xml">
<link rel="apple-touch-icon" href="${pathOf('touchIcon')}">
<link rel="stylesheet" href="${pathOf('docsStyle')}">
<link rel="alternate" type="${mediaTypes.markdown}" href="${urlOf(name)}">
<link rel="service-desc" type="${mediaTypes.json}" href="${urlOf('openapi')}">
<script type="module" src="${pathOf('loadScript')}"></script>
</head>
<body class="docs" data-script="${pathOf('docsScript')}">
<a class="skip" href="#content">Skip to the text</a>
<header class="top">
<a class="brand" href="${pathOf('home')}" aria-label="Postern, front page"><img src="${pathOf('icon')}" alt="" width="30" height="30"><span>Postern</span></a>
${box}
<nav aria-label="Site"><a href="${pathOf('docs')}">Docs</a></nav>
</header>
<div class="pages">
${documentationSearch}
<nav aria-label="Documentation">
<details><summary>Pages</summary>
${navigation(name, sectionsOf(body))}
</details>
</nav>
</div>
<main id="content" tabindex="-1">${SAMPLE_BAR_PLACEHOLDER}
<div class="text">
${body}</div>
<nav class="turn" aria-label="Previous and next page">
${pagerLinks(name)}</nav>
<p class="twin">This page as Markdown: <code>curl -H 'Accept: ${mediaTypes.markdown}' ${urlOf(name)}</code></p>
<p class="unseen" role="status" data-part="status"></p>
</main>
<footer class="foot">
<p><a href="${pathOf('home')}">Postern</a> ${footerLinks}</p>
<p>Reads what is public on X. No account, no cookie, no tracker. Not affiliated with X.</p>
</footer>
</body>
</html>
`;
};
