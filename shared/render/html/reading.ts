// Renders the choice of a language below a post: a form where one was asked for, and elsewhere a link if the post is not in
// English, so that pages in English have nothing of it.

import type { TranslationChoice } from '../../contract/parameters.ts';
import { queryString } from '../../contract/query-string.ts';
import { canonicalLanguage, languages } from '../../model/languages.ts';
import type { Post } from '../../model/post.ts';
import { languageName } from '../content/translation.ts';
import { innerLinkHtml } from './elements.ts';
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
.lang { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin-top: 1.25rem; color: var(--quiet); font-size: .875rem }
.lang :is(select, button) { padding: .35rem .6rem; border: 1px solid var(--edge); border-radius: var(--radius); background: none; color: var(--ink); font: inherit }
`;

/** The language of the pages, which a link offers. */
const OFFERED = 'en';

const formHtml = (path: string, { lang, translation }: Reading): Html => {
  const options = languages
    .map((code): readonly [string, string] => [languageName(code) ?? code, code])
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, code]) => html`<option value="${code}"${code === lang ? ' selected' : ''}>${name}`);
  const only = translation === 'only' && html`<input type="hidden" name="translation" value="only">`;
  return html`<form class="lang" action="${path}"><label for="lang">Language</label><select id="lang" name="lang">${options}</select>${only}<button type="submit">Translate</button>${innerLinkHtml(path, 'Original')}</form>`;
};

/** @param path of the post @param reading unset: the service translates nothing */
export const readingHtml = ({ lang, text }: Post, path: string, reading: Reading | undefined): Html | undefined => {
  if (reading === undefined) return undefined;
  if (reading.lang !== undefined) return formHtml(path, reading);
  const name = languageName(lang);
  if (lang === undefined || name === undefined || text.trim() === '' || canonicalLanguage(lang) === OFFERED)
    return undefined;
  const way = innerLinkHtml(`${path}?${queryString({ lang: OFFERED })}`, `Read in ${languageName(OFFERED)}`);
  return html`<p class="meta">In ${name} · ${way}</p>`;
};
