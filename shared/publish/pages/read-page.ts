// Reads a documentation page from its Markdown file in this folder. Runs at build time and in tests only.
import { readFileSync } from 'node:fs';
import { errorMessage } from '../../model/json.ts';
import type { PageName } from '../document.ts';
import { requireName } from './markdown-blocks.ts';
import { type PagePlaceholder, pagePlaceholders } from './page-placeholders.ts';

const MAX_CHARACTERS = 200;

/** The first paragraph as plain text, for search engines, link previews and lists of pages. */
export const summaryOf = (markdown: string): string =>
  (markdown.split('\n\n')[1] ?? '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .slice(0, MAX_CHARACTERS);

// Replaces the placeholders of a documentation page. A wrong placeholder throws an error with the file, the line and
// the names that exist, so that the build stops.

const PLACEHOLDER = /\{\{(.*?)\}\}/g;
const NAME_AND_ARGUMENTS = /^(\S*)(?: (.*))?$/;

/** `{{link DOCUMENT#SECTION|TEXT?}}` */
export const usageOf = (name: string, { parameters }: PagePlaceholder): string =>
  parameters.length === 0 ? `{{${name}}}` : `{{${name} ${parameters.join('|')}}}`;

const expand = (content: string): string => {
  const [, given = '', list] = NAME_AND_ARGUMENTS.exec(content) ?? [];
  const name = requireName(pagePlaceholders, given, 'placeholder');
  const placeholder: PagePlaceholder = pagePlaceholders[name];
  const { parameters, toMarkdown } = placeholder;
  const args = list === undefined ? [] : list.split('|');
  const required = parameters.filter((parameter) => !parameter.endsWith('?')).length;
  if (args.length < required || args.length > parameters.length)
    throw new Error(`wrong number of arguments; the form is ${usageOf(name, placeholder)}`);
  return toMarkdown(...args);
};

const expandLine = (line: string): string => {
  if (line.replaceAll(PLACEHOLDER, '').includes('{{')) throw new Error('a placeholder does not end on its line');
  return line.replaceAll(PLACEHOLDER, (_, content: string) => expand(content));
};

/** @param file for the message of an error */
export const expandPlaceholders = (file: string, markdown: string): string =>
  markdown
    .split('\n')
    .map((line, index) => {
      try {
        return expandLine(line);
      } catch (error) {
        throw new Error(`${file}:${index + 1}: ${errorMessage(error)}\n${line}`);
      }
    })
    .join('\n');

/** `selfHosting` is `self-hosting.md`. */
export const pageFile = (name: PageName): string =>
  `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.md`;

/** The Markdown of a page; `{base_url}` remains until a request is answered. */
export const readPageText = (name: PageName): string => {
  const file = pageFile(name);
  return expandPlaceholders(file, readFileSync(new URL(file, import.meta.url), 'utf8'));
};
