// Renders the frame of every page for readers: head, header with the box, main, footer. No script, one inline style.

import { documents } from '../../contract/documents.ts';
import type { Format } from '../../contract/media-types.ts';
import { queryString, urlOfFormat, urlWithQuery } from '../../contract/query-string.ts';
import { SAMPLE_REASON } from '../../contract/sample.ts';
import { MAX_BOX_UNITS } from '../../model/lists.ts';
import type { ProxyPath } from '../../model/picture-hosts.ts';
import { linkHtml, symbolsFor } from './elements.ts';
import { escaped, type Html, type HtmlContent, html, trustedHtml } from './html.ts';
import type { Reading } from './reading.ts';
import { frameStyle, GROUND } from './style/frame.ts';

// Renders the one field for links, handles and words that every page has.

const LABEL = 'Link, @handle or words';

/**
 * @param hidden the class of text for screen readers only
 * @param query plain text
 * @returns the label, the field and the button, for a form that sends GET to the front page
 */
export const boxFieldHtml = (hidden: string, query = ''): Html =>
  html`<label class="${hidden}" for="q">${LABEL}</label><input type="text" id="q" name="q" value="${query}" placeholder="${LABEL}" required maxlength="${MAX_BOX_UNITS}" enterkeyhint="go" autocomplete="off" autocapitalize="none" spellcheck="false"><button type="submit">Read</button>`;

/** What the operator chose for all pages that the service answers. */
export interface PageService {
  /** Sample data takes the place of X, and a bar says so. @default false */
  readonly isSample?: boolean | undefined;
  /** Search engines may index the page. @default false */
  readonly isIndexed?: boolean | undefined;
  /** Unset: pages load and link pictures and videos of X from there. */
  readonly proxyPath?: ProxyPath | undefined;
}

const LINKED_FILE = / (src|srcset|poster|href)="(https:[^"]*)"/gi;
const FILE_URL = /https:\/\/[^\s"]+/gi;

/**
 * Lets a part of a page load and link pictures and videos through the service. A picture that the proxy would refuse is left out, so
 * that its description or letter takes its place. Third-party text is escaped, so it has no attributes.
 */
const withOwnFiles = (part: Html, proxyPath: ProxyPath): Html =>
  trustedHtml(
    String(part).replace(LINKED_FILE, (attribute: string, name: string, value: string) => {
      const own = value.replace(
        FILE_URL,
        (url) => proxyPath(url.replaceAll('&amp;', '&'))?.replaceAll('&', '&amp;') ?? url,
      );
      if (own.includes('://')) return name === 'href' ? attribute : '';
      return ` ${name}="${own}"`;
    }),
  );

/** Paths of pages below this service. No text of others has an attribute: it is escaped. A link to the original stays one. */
const INNER_LINK = / href="(\/[^"#]*)(#[^"]*)?"(?! rel="alternate")/g;
/** The address says in which language it is, or leads to a file. */
const IS_SETTLED = /[?;](?:lang|format|download)=/;
const BOX_FORM = /<form(?=[^>]* action="\/"[^>]*>)[^>]*>/g;

/** Documents are in one language. The box of the front page leads to pages in the one that was asked for. */
const documentPaths: ReadonlySet<string> = new Set(
  Object.values(documents).flatMap(({ path }) => (path === documents.home.path ? [] : [path])),
);

/** @returns the query of the language that was asked for; empty: none was */
export const readingQuery = ({ lang, translation }: Reading = {}): string =>
  lang === undefined ? '' : queryString({ lang, translation: translation === 'only' ? translation : undefined });

/** @returns the same with its links and its box leading to pages in the language that was asked for */
export const inSameLanguage = (part: Html, reading: Reading): Html => {
  const query = readingQuery(reading);
  if (query === '') return part;
  const fields = query.split('&').map((field) => {
    const [name, value] = field.split('=');
    return html`<input type="hidden" name="${name}" value="${value}">`;
  });
  return trustedHtml(
    String(part)
      .replace(INNER_LINK, (link: string, path: string, place = '') => {
        const [pathname = ''] = path.split('?');
        if (documentPaths.has(pathname) || IS_SETTLED.test(path)) return link;
        return ` href="${path}${path === pathname ? '?' : '&amp;'}${String(escaped(query))}${place}"`;
      })
      .replace(BOX_FORM, (form) => `${form}${String(html`${fields}`)}`),
  );
};

const NO_INDEX = html`<meta name="robots" content="noindex">`;

const MORE = html`<a href="${documents.home.path}">What the sample has</a>`;

/** @param more stands after the sentence */
export const sampleBarHtml = (more: Html = MORE): Html =>
  html`<p class="note" data-part="sample">Sample data: ${SAMPLE_REASON}. ${more}</p>`;

export interface Page {
  /** Plain text, without the name of the service. */
  readonly title: string;
  /** The content of the main element. */
  readonly main: Html;
  /** A table of contents, which stands before the main element. */
  readonly contents?: Html | undefined;
  /** Additional elements of the head. */
  readonly head?: Html;
  /** The content of the box, plain text. */
  readonly query?: string | undefined;
  /** The language of the reader, which links keep. @default none was asked for */
  readonly reading?: Reading | undefined;
  /** The style sections of the page. The frame has its own. */
  readonly styles?: readonly Html[];
  /** Unset: the page is not an answer of a service. */
  readonly service?: PageService | undefined;
  /** No service serves the page, so it has no box and no links to other pages of the service. @default false */
  readonly isAlone?: boolean | undefined;
}

const [LIGHT, DARK] = GROUND;

const HEAD_LINKS = html`<meta name="theme-color" content="${LIGHT}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${DARK}" media="(prefers-color-scheme: dark)">
<link rel="icon" href="${documents.favicon.path}" sizes="32x32">
<link rel="icon" href="${documents.icon.path}" type="image/svg+xml">
<link rel="apple-touch-icon" href="${documents.touchIcon.path}">
`;

const BRAND = html`<a class="brand" href="/" aria-label="Postern, front page"><svg viewBox="0 0 32 32" aria-hidden="true"><path fill="#1d7a64" d="M3 31V15a13 13 0 0 1 26 0v16z"/><path fill="#ffd06a" d="M9 31V15a7 7 0 0 1 14 0v16z"/><path fill="#0b3a30" d="M9 31V15a7 7 0 0 1 7-7v20z"/><path stroke="#fff" stroke-opacity=".55" d="M3 15h6m14 0h6M16 2v6M6.8 5.8l4.3 4.3m9.8 0 4.3-4.3M3 23h6m14 0h6"/></svg><span>Postern</span></a>`;

const FOOTER_LINKS = html`<p><a href="${documents.docs.path}">Docs</a><a href="${documents.removal.path}">Removal</a><a href="${documents.privacy.path}">Privacy</a><a href="${documents.llms.path}">llms.txt</a></p>`;

const FOOTER_TEXT = html`<p>Reads what is public on X. No account, cookie or tracker. Not affiliated with X.`;

const headerHtml = (query: string): Html =>
  html`<header class="top">${BRAND}<form class="box" action="/" method="get" role="search">${boxFieldHtml('sr', query)}</form><nav aria-label="Site"><a href="${documents.docs.path}">Docs</a></nav></header>\n`;

const OTHER_LANGUAGE = / lang="(?!en")/;

/** The page is in English, so only a page with texts in other languages has to name it again. */
const withoutOwnLanguage = (main: Html): Html => {
  const text = String(main);
  return OTHER_LANGUAGE.test(text) ? main : trustedHtml(text.replaceAll(' lang="en"', ''));
};

const shownMain = (main: Html, { proxyPath }: PageService = {}): Html => {
  const shown = withoutOwnLanguage(main);
  return proxyPath === undefined ? shown : withOwnFiles(shown, proxyPath);
};

export const htmlPage = ({
  title,
  main,
  contents,
  head,
  query = '',
  reading = {},
  styles = [],
  service,
  isAlone = false,
}: Page): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${service !== undefined && !service.isIndexed && NO_INDEX}<title>${title} · Postern</title>
${head}${HEAD_LINKS}<style>${frameStyle}${styles}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
${!isAlone && inSameLanguage(headerHtml(query), reading)}${contents}<main id="main" tabindex="-1">${service?.isSample && html`\n${inSameLanguage(sampleBarHtml(), reading)}`}
${shownMain(isAlone ? main : inSameLanguage(main, reading), service)}
</main>
<footer class="foot">${!isAlone && FOOTER_LINKS}${FOOTER_TEXT}${symbolsFor(main)}</p></footer>
</body>
</html>
`;

// Renders the end of a page: its other formats, files to keep, citations, its URL, and the one link to X.

/** A form of the page to copy, in plain text. */
export interface Copy {
  readonly label: string;
  readonly text: string;
}

export interface OtherForms {
  /** The URL of this page without `format`; unset: no service serves the page or its other formats. */
  readonly url?: string | undefined;
  /** The URL on X. */
  readonly canonical: string;
  /** Path and query of the list of posts whose formats are feeds; unset: the page has no feed. */
  readonly feed?: string | undefined;
  readonly citations?: readonly Copy[];
  /** Only a post has files to keep: path and query of the page, and a link that makes a note of a short post in Obsidian. */
  readonly keep?: { readonly path: string; readonly note?: string };
  /** The formats for programs that the page offers as files, with their names. @default none */
  readonly data?: readonly (readonly [format: Format, name: string])[] | undefined;
}

const formatLink = (url: string, format: string, name: string): Html =>
  html`<a href="${urlOfFormat(url, format)}">${name}</a>`;

/** The page as a book and as one file, both with its pictures, and as a note, each of the whole thread. */
const keepLinks = ({ path, note }: NonNullable<OtherForms['keep']>): Html => {
  const file = urlWithQuery(urlOfFormat(path, 'obsidian'), 'layout=unrolled');
  return html`${formatLink(path, 'epub', 'Book (EPUB)')}<a href="${urlWithQuery(path, 'download=1')}">HTML file</a><a href="${file}" download>Note</a>${note !== undefined && html`<a href="${note}">Note in Obsidian</a>`}`;
};

/** `user-select: all` marks the whole text with one tap, without a script. */
const copyHtml = ({ label, text }: Copy): Html => html`<div><dt>${label}</dt><dd><code>${text}</code></dd></div>`;

const groupHtml = (verb: string, links: HtmlContent): Html => html`<p>${verb} ${links}</p>`;

export const otherFormsHtml = ({ url, canonical, feed, citations = [], keep, data = [] }: OtherForms): Html => {
  const files =
    url === undefined
      ? []
      : data.map(([format, name]) => html`<a href="${urlOfFormat(url, format)}" download>${name}</a>`);
  const formats = [
    url !== undefined && [formatLink(url, 'markdown', 'Markdown'), formatLink(url, 'json', 'JSON')],
    feed !== undefined && formatLink(feed, 'rss', 'RSS'),
  ];
  return html`${[
    html`<nav class="other-forms" aria-label="Other forms of this page">`,
    (url !== undefined || feed !== undefined) && groupHtml('Read as', formats),
    keep && groupHtml('Keep as', keepLinks(keep)),
    files.length > 0 && groupHtml('Keep as', files),
    citations.length > 0 && html`<details><summary>Cite</summary><dl>${citations.map(copyHtml)}</dl></details>`,
    linkHtml(canonical, html`On X <span aria-hidden="true">↗</span>`, html` class="out"`),
    html`</nav><p class="addr"><code>${url ?? canonical}</code></p>`,
  ]}`;
};
