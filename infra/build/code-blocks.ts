// Writes a code block of the documentation as HTML: highlighted, with a button that copies it, and for the request of a
// curl command with a choice of languages. Without a script the choice works, too, because it is a group of radio buttons.
import { programLanguages, programOf } from '../../shared/publish/code-examples/programs.ts';
import {
  isRunnable,
  programExamplesOf,
  type RequestExample,
  requestExamplesOf,
} from '../../shared/publish/code-examples/request-examples.ts';
import { highlight, labelOf } from './highlight.ts';

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

/** A shell runs a pasted line at its end, so the copied code has no last line end. */
const withoutLastLineEnd = (code: string): string => code.replace(/\n$/, '');

/** The command first, then the programs of the other languages. */
const variantsOf = ({ code, tag }: CodeBlockOptions): readonly Variant[] => {
  const requests = tag === SHELL ? programExamplesOf(code) : [];
  if (requests.length === 0) return [{ tag, label: labelOf(tag), code }];
  return [
    { tag, label: 'curl', code },
    ...programLanguages.map((language) => ({
      tag: language,
      label: labelOf(language),
      code: programOf(language, requests),
    })),
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
