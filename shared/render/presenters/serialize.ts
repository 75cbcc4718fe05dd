// Serializes a view in the format that the request chose.
import type { Format } from '../../contract/media-types.ts';
import { SAMPLE_SENTENCE } from '../../contract/sample.ts';
import { type WarningCode, warning } from '../../contract/warnings.ts';
import type { Provenance, Warning } from '../../model/resources.ts';
import { BYTES_PER_TOKEN, byteLength } from '../content/format.ts';
import type { FileName } from '../content/post-title.ts';
import type { Html } from '../html/html.ts';
import type { MarkdownDocument } from '../markdown/context.ts';
import type { MarkdownOptions, ResourceView, View } from './view.ts';

const SAMPLE: WarningCode = 'sample';
const SAMPLE_LINE = `\n*${SAMPLE_SENTENCE}*\n`;
const SAMPLE_LINE_TOKENS = Math.ceil(byteLength(SAMPLE_LINE) / BYTES_PER_TOKEN);

/** Sample data says so in the last line of its Markdown, if the bound has room for it. Feeds and embeds have no place. */
const markdownOf = (view: ResourceView<object>, options: MarkdownOptions): MarkdownDocument => {
  if (!view.warnings.some(({ code }) => code === SAMPLE)) return view.markdown(options);
  const { maxTokens } = options;
  const withLine = (document: MarkdownDocument): MarkdownDocument => ({
    ...document,
    markdown: document.markdown + SAMPLE_LINE,
  });
  if (maxTokens === undefined) return withLine(view.markdown(options));
  // Only the budget decides, so that all parts of a post are divided at the same places.
  const lined = withLine(view.markdown({ ...options, maxTokens: maxTokens - SAMPLE_LINE_TOKENS }));
  return byteLength(lined.markdown) <= maxTokens * BYTES_PER_TOKEN ? lined : view.markdown(options);
};

export interface SerializerOptions extends Pick<MarkdownOptions, 'maxTokens' | 'layout' | 'part' | 'metrics'> {
  readonly format: Format;
}

export interface SerializedView {
  readonly format: Format;
  readonly body: string;
  /**
   * The input of a validator starts at this character of the body, after the time of the provider call. The characters
   * before it are ASCII. @default 0
   */
  readonly identityStart?: number;
  /** The input of a validator, if it is no part of the body. */
  readonly identity?: string;
  /** The warning that the Markdown was truncated, if it was. */
  readonly truncation?: Warning;
  /** The cursor of the page after the items that the body shows; undefined: there is none. @default that of the view */
  readonly nextCursor?: string | undefined;
  /** The name under which clients save the body. */
  readonly fileName?: FileName;
}

const removedCharactersWarning = (removed: number): readonly Warning[] =>
  removed === 0 ? [] : [warning('invisible_removed', `${removed} invisible characters were left out of the Markdown.`)];

/** The first members of every JSON body. Two of the warnings depend on the Markdown beside them. */
export const provenanceOf = (
  { fetchedAt, source, warnings }: ResourceView<object>,
  { removed, warning: truncation }: MarkdownDocument,
): Provenance => ({
  fetched_at: new Date(fetchedAt).toISOString(),
  source,
  warnings: [...warnings, ...(truncation === undefined ? [] : [truncation]), ...removedCharactersWarning(removed)],
});

/** `fetched_at` comes first, so that a validator can cover the rest. */
const serializeJson = (view: ResourceView<object>, { maxTokens, metrics, part }: SerializerOptions): SerializedView => {
  const document = markdownOf(view, { dialect: 'markdown', maxTokens, metrics, part });
  const provenance = provenanceOf(view, document);
  return {
    format: 'json',
    body: `${JSON.stringify({ ...provenance, ...view.members(), markdown: document.markdown })}\n`,
    identityStart: `{"fetched_at":"${provenance.fetched_at}",`.length,
    ...(document.warning && { truncation: document.warning }),
  };
};

const serializeMarkdown = (
  view: ResourceView<object>,
  format: 'markdown' | 'obsidian',
  { maxTokens, layout, metrics, part }: SerializerOptions,
): SerializedView => {
  const { markdown, warning, nextCursor } = markdownOf(view, { dialect: format, maxTokens, layout, metrics, part });
  const fileName = format === 'obsidian' ? view.noteName?.(layout) : undefined;
  return {
    format,
    body: markdown,
    nextCursor,
    ...(warning && { truncation: warning }),
    ...(fileName && { fileName }),
  };
};

/** Some line readers also end a line at these characters, which JSON does not escape. */
const LINE_ENDS = /[\u0085\u2028\u2029]/g;

const line = (value: object): string =>
  `${JSON.stringify(value).replace(LINE_ENDS, (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;

/**
 * Newline-delimited JSON: one item a line, and a last line with `next_cursor` and `warnings`. It has the same members on every
 * page, so clients recognize it and notice that it is missing.
 */
const linesOf = (items: readonly object[], view: ResourceView<object>): string =>
  [...items, { next_cursor: view.nextCursor ?? null, warnings: view.warnings, ...view.lastLine?.() }]
    .map(line)
    .join('');

/** @throws Error if the resource has no such form: no input accepts the format for it */
const required = <T>(form: T | undefined, format: Format): T => {
  if (form === undefined) throw new Error(`this resource has no ${format}`);
  return form;
};

/** @returns a complete page @throws Error as required() */
export const pageOf = (view: View): Html => required(view.kind === 'oembed' ? undefined : view.html?.(), 'html');

/** An embed is JSON in any case. */
export const serialize = (view: View, options: SerializerOptions): SerializedView => {
  if (view.kind === 'oembed') return { format: 'json', body: `${JSON.stringify(view.body)}\n` };
  const { format } = options;
  switch (format) {
    case 'html':
      return { format, body: String(pageOf(view)) };
    case 'json':
      return serializeJson(view, options);
    case 'ndjson':
      return { format, body: linesOf(required(view.items?.(), format), view) };
    case 'csv':
      return { format, body: required(view.csv?.(), format) };
    case 'graphml':
      return { format, body: required(view.graphml?.(), format), nextCursor: view.nextCursor };
    case 'opml':
      return { format, ...required(view.opml?.(), format) };
    case 'markdown':
    case 'obsidian':
      return serializeMarkdown(view, format, options);
    case 'rss':
    case 'atom':
    case 'jsonfeed':
      return { format, ...required(view.feed?.(format), format) };
    case 'epub':
    case 'csl':
      throw new Error('keep-post.ts writes the files that readers keep');
    default:
      return format satisfies never;
  }
};
