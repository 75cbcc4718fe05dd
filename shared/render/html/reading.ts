// Renders the choice of a language below a post: a form of all languages, which is folded until one was asked for, and a
// link to English where the post is in another language.

import type { TranslationChoice } from '../../contract/parameters.ts';
import { queryString, urlWithQuery } from '../../contract/query-string.ts';
import { languages } from '../../model/languages.ts';
import type { Post } from '../../model/post.ts';
import { isBlank } from '../../model/visible-text.ts';
import { foreignLanguage, languageName, PAGE_LANGUAGE } from '../content/translation.ts';
import { factsHtml, innerLinkHtml } from './elements.ts';
import { type Html, html } from './html.ts';
import { css } from './style/frame.ts';

/** The language of a reader. */
export interface Reading {
  /** A language of languages.ts. Unset: the reader named none. */
  readonly lang?: string | undefined;
  /** @default 'both' */
  readonly translation?: TranslationChoice | undefined;
}

export const readingStyle: Html = css`
.text + .meta { margin-top: .75rem }
.lang { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin-top: 1.25rem; color: var(--quiet); font-size: .875rem }
.lang :is(details, select) { min-width: 0; max-width: 100% }
.lang form { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center }
.lang summary { padding-block: .1rem }
.lang details[open] { flex-basis: 100% }
.lang details[open] summary { margin-bottom: .5rem }
.lang :is(select, button) { padding: .35rem .6rem; border: 1px solid var(--edge); border-radius: var(--radius); background: none; color: var(--ink); font: inherit }
`;

/** The languages that a list offers: all of them would be a tenth of its page. The page of a post has all. */
const OF_LISTS = 'ar de en es fr hi id it ja ko pt ru tr uk zh-hans zh-hant'.split(' ');

/** @param url path and query of the page: the form sends the other parameters, too */
const formHtml = (url: string, lang: string | undefined, offered: readonly string[] = languages): Html => {
  const [path = '', query = ''] = url.split('?');
  const others = [...new URLSearchParams(query)].filter(([name]) => name !== 'lang');
  const options = [...new Set([...offered, ...(lang === undefined ? [] : [lang])])]
    .map((code): readonly [string, string] => [languageName(code) ?? code, code])
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, code]) => html`<option value="${code}"${code === lang ? ' selected' : ''}>${name}`);
  const fields = others.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
  return html`<form action="${path}"><label for="lang">Language</label><select id="lang" name="lang">${options}</select>${fields}<button type="submit">Translate</button>${lang !== undefined && originalLinkHtml(path, others)}</form>`;
};

const originalLinkHtml = (path: string, parameters: readonly (readonly [string, string])[]): Html => {
  const query = queryString(Object.fromEntries(parameters.filter(([name]) => name !== 'translation')));
  // Links to other pages keep the language. This one does not.
  return innerLinkHtml(urlWithQuery(path, query), 'Original', html` rel="alternate"`);
};

/** @param path of the post @param reading unset: the service translates nothing */
export const readingHtml = (post: Post, path: string, reading: Reading | undefined): Html | undefined => {
  if (reading === undefined || (reading.lang === undefined && isBlank(post.text))) return undefined;
  const { lang, translation } = reading;
  const url = translation === 'only' ? `${path}?${queryString({ translation })}` : path;
  if (lang !== undefined) return html`<div class="lang">${formHtml(url, lang)}</div>`;
  const name = foreignLanguage(post);
  const way =
    name !== undefined &&
    innerLinkHtml(`${path}?${queryString({ lang: PAGE_LANGUAGE })}`, `Read in ${languageName(PAGE_LANGUAGE)}`);
  const known = way && html`<p class="facts">${factsHtml([`In ${name}`, way])}</p>`;
  return html`<div class="lang">${known}${foldedHtml(url, undefined)}</div>`;
};

const foldedHtml = (url: string, lang: string | undefined, offered?: readonly string[]): Html =>
  html`<details><summary>${lang === undefined ? 'Another language' : `In ${languageName(lang)}, where it is translated`}</summary>${formHtml(url, lang, offered)}</details>`;

/** The choice below a list of posts. @param url path and query of the page @param reading as in readingHtml */
export const listReadingHtml = (url: string, reading: Reading | undefined): Html | undefined =>
  reading && html`<div class="lang">${foldedHtml(url, reading.lang, OF_LISTS)}</div>`;
