// Reads a documentation page from its Markdown file in this folder. Runs at build time and in tests only.
import { readFileSync } from 'node:fs';
import type { PageName } from '../document.ts';
import { expandPlaceholders } from './expand-placeholders.ts';

/** `selfHosting` is `self-hosting.md`. */
export const pageFile = (name: PageName): string =>
  `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.md`;

/** The Markdown of a page; `{base_url}` remains until a request is answered. */
export const readPage = (name: PageName): string => {
  const file = pageFile(name);
  return expandPlaceholders(file, readFileSync(new URL(file, import.meta.url), 'utf8'));
};
