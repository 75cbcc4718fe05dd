// Renders the end of a page: the other formats, copyable forms, and the one link to X.
import { urlOfFormat } from '../../contract/query-string.ts';
import { linkHtml } from './elements.ts';
import { escapeHtml } from './escape.ts';

/** A form of the page to copy, in plain text. */
export interface Copy {
  readonly label: string;
  readonly text: string;
}

export interface Sill {
  /** The URL of this page without `format`. */
  readonly url: string;
  /** The URL on X. */
  readonly canonical: string;
  /** Path and query of the list of posts whose formats are feeds; unset: the page has no feed. */
  readonly feed?: string | undefined;
  readonly copies?: readonly Copy[];
}

const formatLink = (url: string, format: string, name: string): string =>
  `<a href="${escapeHtml(urlOfFormat(url, format))}">${name}</a>`;

/** `user-select: all` marks the whole text with one tap, without a script. */
const copyHtml = ({ label, text }: Copy): string =>
  `<div><dt>${escapeHtml(label)}</dt><dd><code>${escapeHtml(text)}</code></dd></div>`;

/** The paragraph with the URL is only printed. */
export const sillHtml = ({ url, canonical, feed, copies = [] }: Sill): string =>
  [
    '<nav class="sill" aria-label="Other forms of this page">',
    formatLink(url, 'markdown', 'Markdown'),
    formatLink(url, 'json', 'JSON'),
    feed === undefined ? '' : formatLink(feed, 'rss', 'RSS'),
    copies.length === 0
      ? ''
      : `<details><summary>Copy as…</summary><dl>${copies.map(copyHtml).join('')}</dl></details>`,
    linkHtml(canonical, 'On X <span aria-hidden="true">↗</span>', ' class="out"'),
    `</nav><p class="addr">${escapeHtml(url)}</p>`,
  ].join('');
