// Writes a code block of the documentation as HTML: highlighted, with a button that copies it, and for the request of a
// curl command with a choice between the command and a program. Without a script the choice works, too, because it is a group of radio buttons.

import highlighter from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import go from 'highlight.js/lib/languages/go';
import http from 'highlight.js/lib/languages/http';
import ini from 'highlight.js/lib/languages/ini';
import json from 'highlight.js/lib/languages/json';
import markdown from 'highlight.js/lib/languages/markdown';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import { programOf } from '../../shared/publish/code-examples/programs.ts';
import {
  isRunnable,
  programExamplesOf,
  type RequestExample,
  requestExamplesOf,
} from '../../shared/publish/code-examples/requests.ts';

// Marks the syntax of code with classes at build time. The colours are in docs.css.

const grammars = { bash, go, http, ini, json, markdown, python, typescript, xml } as const;

for (const [name, grammar] of Object.entries(grammars)) highlighter.registerLanguage(name, grammar);

interface CodeLanguage {
  readonly grammar: keyof typeof grammars;
  readonly label: string;
}

/** By the language of the fence. */
const languages = {
  sh: { grammar: 'bash', label: 'Shell' },
  ts: { grammar: 'typescript', label: 'TypeScript' },
  python: { grammar: 'python', label: 'Python' },
  go: { grammar: 'go', label: 'Go' },
  json: { grammar: 'json', label: 'JSON' },
  toml: { grammar: 'ini', label: 'TOML' },
  markdown: { grammar: 'markdown', label: 'Markdown' },
  html: { grammar: 'xml', label: 'HTML' },
  http: { grammar: 'http', label: 'Headers' },
} as const satisfies Readonly<Record<string, CodeLanguage>>;

const languageOf = (tag: string): CodeLanguage => {
  const name = Object.keys(languages).find((known): known is keyof typeof languages => known === tag);
  if (name === undefined) throw new Error(`there is no language "${tag}"; known: ${Object.keys(languages).join(', ')}`);
  return languages[name];
};

export const labelOf = (tag: string): string => languageOf(tag).label;

const PLACEHOLDER = /\{base_url\}/g;

/** A word that no grammar divides, as a URL and within text. */
const STAND_IN = 'https://postern.invalid';

/**
 * @param tag the language of the fence @throws for an unknown language, and if the code contains the stand-in
 * @returns HTML
 */
export const highlight = (code: string, tag: string): string => {
  if (code.includes(STAND_IN)) throw new Error(`code must not contain ${STAND_IN}`);
  const placeholders = code.match(PLACEHOLDER) ?? [];
  const { value } = highlighter.highlight(code.replace(PLACEHOLDER, STAND_IN), {
    language: languageOf(tag).grammar,
    ignoreIllegals: true,
  });
  const pieces = value.split(STAND_IN);
  if (pieces.length !== placeholders.length + 1) throw new Error(`the highlighter divides a placeholder in:\n${code}`);
  return pieces.map((piece, index) => `${piece}${placeholders[index] ?? ''}`).join('');
};

export interface CodeBlockOptions {
  readonly code: string;
  /** The language of the fence. */
  readonly tag: string;
  /** The heading above the block, plain text; names the block for screen readers. */
  readonly heading: string;
  /** Unique on the page. */
  readonly id: string;
  readonly escapeHtml: (text: string) => string;
}

interface Variant {
  readonly tag: string;
  readonly label: string;
  readonly code: string;
}

const SHELL = 'sh';
const PROGRAM = 'ts';

/** A shell runs a pasted line at its end, so the copied code has no last line end. */
const withoutLastLineEnd = (code: string): string => code.replace(/\n$/, '');

/** The command first, then the program. */
const variantsOf = ({ code, tag }: CodeBlockOptions): readonly Variant[] => {
  const requests = tag === SHELL ? programExamplesOf(code) : [];
  if (requests.length === 0) return [{ tag, label: labelOf(tag), code }];
  return [
    { tag, label: 'curl', code },
    { tag: PROGRAM, label: labelOf(PROGRAM), code: programOf(requests) },
  ];
};

const preHtml = ({ tag, label, code }: Variant, { heading, escapeHtml }: CodeBlockOptions): string =>
  `<pre data-language="${tag}" tabindex="0" role="group" aria-label="${escapeHtml(`${label}: ${heading}`)}"><code>${highlight(withoutLastLineEnd(code), tag)}</code></pre>`;

const choiceHtml = ({ tag, label }: Variant, index: number, { id }: CodeBlockOptions): string =>
  `<label><input type="radio" name="${id}" value="${tag}"${index === 0 ? ' checked' : ''}>${label}</label>`;

const barHtml = (variants: readonly Variant[], options: CodeBlockOptions): string =>
  variants.length === 1
    ? `<span class="kind">${variants[0]?.label ?? ''}</span>`
    : `<fieldset><legend class="unseen">${options.escapeHtml(`Language: ${options.heading}`)}</legend>${variants
        .map((variant, index) => choiceHtml(variant, index, options))
        .join('')}</fieldset>`;

const accept = ({ headers }: RequestExample): string => headers['Accept'] ?? '*/*';

/** The requests that the script of the page can send. */
const requestsAttribute = ({ code, tag, escapeHtml }: CodeBlockOptions): string => {
  const requests = tag === SHELL ? requestExamplesOf(code).filter(isRunnable) : [];
  if (requests.length === 0) return '';
  const data = requests.map((request) => ({ target: request.target, accept: accept(request) }));
  return ` data-requests="${escapeHtml(JSON.stringify(data))}"`;
};

export const codeBlockHtml = (options: CodeBlockOptions): string => {
  const { heading, escapeHtml } = options;
  const variants = variantsOf(options);
  return [
    `<div class="code"${requestsAttribute(options)}>`,
    `<div class="tools">${barHtml(variants, options)}<button type="button" class="copy" aria-label="${escapeHtml(`Copy: ${heading}`)}">Copy</button></div>`,
    ...variants.map((variant) => preHtml(variant, options)),
    '</div>\n',
  ].join('\n');
};
