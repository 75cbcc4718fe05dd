// Marks the syntax of code with classes at build time. The colours are in docs.css.
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
