// Renders the choice of a language below a post: a form of all languages, which is folded until one was asked for, and a
// link to English where the post is in another language.

import type { TranslationChoice } from '../../contract/parameters.ts';
import { queryString } from '../../contract/query-string.ts';
import { languages } from '../../model/languages.ts';
import type { Post } from '../../model/post.ts';
import { isBlank } from '../../model/visible-text.ts';
import { foreignLanguage, languageName, PAGE_LANGUAGE } from '../content/translation.ts';
import { factsHtml, innerLinkHtml } from './elements.ts';
import { escaped, type Html, html, trustedHtml } from './html.ts';
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

const formHtml = (path: string, { lang, translation }: Reading): Html => {
  const options = languages
    .map((code): readonly [string, string] => [languageName(code) ?? code, code])
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, code]) => html`<option value="${code}"${code === lang ? ' selected' : ''}>${name}`);
  const original = lang !== undefined && innerLinkHtml(path, 'Original');
  const only = translation === 'only' && html`<input type="hidden" name="translation" value="only">`;
  return html`<form action="${path}"><label for="lang">Language</label><select id="lang" name="lang">${options}</select>${only}<button type="submit">Translate</button>${original}</form>`;
};

/** @param path of the post @param reading unset: the service translates nothing */
export const readingHtml = (post: Post, path: string, reading: Reading | undefined): Html | undefined => {
  if (reading === undefined || (reading.lang === undefined && isBlank(post.text))) return undefined;
  if (reading.lang !== undefined) return html`<div class="lang">${formHtml(path, reading)}</div>`;
  const name = foreignLanguage(post);
  const way =
    name !== undefined &&
    innerLinkHtml(`${path}?${queryString({ lang: PAGE_LANGUAGE })}`, `Read in ${languageName(PAGE_LANGUAGE)}`);
  const known = way && html`<p class="facts">${factsHtml([`In ${name}`, way])}</p>`;
  return html`<div class="lang">${known}<details><summary>Another language</summary>${formHtml(path, reading)}</details></div>`;
};

/** The paths of posts, with the place on their page. No text of others has an attribute: it is escaped. */
const POST_LINK = / href="(\/\w+\/status\/\d+)(#\w+)?"/g;

/** @param query the language that was asked for; empty: none was @returns the same with links to posts in this language */
export const inSameLanguage = (part: Html, query: string): Html =>
  query === ''
    ? part
    : trustedHtml(
        String(part).replace(
          POST_LINK,
          (_, path: string, place = '') => ` href="${path}?${String(escaped(query))}${place}"`,
        ),
      );
