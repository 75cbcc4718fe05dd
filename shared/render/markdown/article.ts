// Renders articles, code, pictures and videos as Markdown. A picture from a host other than X's is a link, because it could be a
// tracker.
import type { Article, ArticleBlock, ArticleSpan, Media } from '../../model/post.ts';
import type { User } from '../../model/user.ts';
import { visibleText } from '../../model/visible-text.ts';
import { formatDuration } from '../content/format.ts';
import { isPictureHost } from '../content/media-files.ts';
import { headingLevel, otherPublisher, spansText } from '../content/post-facts.ts';
import type { MarkdownContext } from './context.ts';
import { autolink, blockquote, destination, escapeHeading, escapeSpan } from './escape.ts';
import { spansMarkdown, visibleSpans } from './styled-text.ts';

const videoNames: Readonly<Record<'video' | 'gif', string>> = { video: 'Video', gif: 'GIF' };

export const pictureMarkdown = (context: MarkdownContext, alt: string, url: string): string =>
  `${isPictureHost(url) ? '!' : ''}[${escapeSpan(context, alt, 'brackets') || 'Photo'}](${destination(url)})`;

/** @returns the handle as a link to the profile */
export const handleLink = (context: MarkdownContext, { handle, url }: User): string =>
  `[${escapeSpan(context, `@${handle}`, 'brackets')}](${destination(url)})`;

/** @param author of the post. A video by another account names it */
export const mediaMarkdown = (context: MarkdownContext, media: Media, author?: User): string => {
  const { type, url, alt_text: alt, duration_ms: length } = media;
  if (type === 'photo') return pictureMarkdown(context, alt ?? '', url);
  const name = videoNames[type] + (length === undefined ? '' : ` (${formatDuration(length)})`);
  const publisher = otherPublisher(media, author);
  const from = publisher === undefined ? '' : ` from ${handleLink(context, publisher)}`;
  return `[${name}${alt === undefined ? '' : `: ${escapeSpan(context, alt, 'brackets')}`}](${destination(url)})${from}`;
};

// Lists the languages that a fence may name. Other info strings can be commands: Obsidian, its plugins and code hosts run or
// draw `dataviewjs`, `dataview`, `tasks`, `query`, `mermaid`, `ad-note`, `chart`, `geojson` and similar ones. People paste
// any Markdown there, so the list applies to every dialect. A missing language only loses its syntax colours.

// biome-ignore format: a list of names
const HARMLESS: ReadonlySet<string> = new Set([
  'asm', 'awk', 'bash', 'bat', 'c', 'c#', 'c++', 'clj', 'clojure', 'cmake', 'cobol', 'console', 'cpp', 'cs', 'csharp', 'css', 'd', 'dart', 'diff', 'dockerfile',
  'elixir', 'elm', 'erlang', 'ex', 'f#', 'fish', 'fortran', 'fs', 'fsharp', 'gdscript', 'glsl', 'go', 'golang', 'gradle', 'graphql', 'groovy', 'haskell', 'hcl', 'hlsl',
  'hs', 'html', 'http', 'ini', 'java', 'javascript', 'js', 'json', 'json5', 'jsonc', 'jsx', 'julia', 'kotlin', 'kt', 'less', 'lisp', 'lua', 'makefile', 'markdown', 'matlab',
  'md', 'mojo', 'move', 'nginx', 'nim', 'nix', 'objc', 'objective-c', 'ocaml', 'pascal', 'perl', 'php', 'pl', 'plain', 'plaintext', 'powershell', 'prolog', 'properties',
  'proto', 'protobuf', 'ps1', 'py', 'python', 'python3', 'r', 'racket', 'rb', 'rs', 'ruby', 'rust', 'sass', 'scala', 'scheme', 'scss', 'sh', 'shell', 'sol', 'solidity',
  'sql', 'svelte', 'swift', 'terraform', 'text', 'tf', 'toml', 'ts', 'tsx', 'txt', 'typescript', 'vb', 'verilog', 'vhdl', 'vim', 'vue', 'vyper', 'wasm', 'wat', 'wgsl',
  'xml', 'yaml', 'yml', 'zig', 'zsh',
]);

/** @returns an empty string if the language is not in the list */
const fenceLanguage = (infoString: string): string => {
  const name = infoString.trim().toLowerCase();
  return HARMLESS.has(name) ? name : '';
};

/** The fence is longer than any run of backticks in the code. It names only languages of the allow-list. */
export const fenced = (context: MarkdownContext, code: string, language = ''): string => {
  const clean = visibleText(code, context.onRemoved);
  let longest = 2;
  for (const [run] of clean.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${fenceLanguage(language)}\n${clean}\n${fence}`;
};

/** The title of an article is a heading of this level, unless the context has another one. */
export const TITLE_LEVEL = 2;

const onOneLine = (spans: readonly ArticleSpan[]): ArticleSpan[] =>
  spans.map((span) => ({ ...span, text: span.text.replace(/\s+/g, ' ') }));

const block = (context: MarkdownContext, entry: ArticleBlock, number: number): string => {
  switch (entry.type) {
    case 'paragraph':
      return spansMarkdown(context, visibleSpans(context, entry.spans));
    case 'heading': {
      const text = escapeHeading(context, spansText(entry.spans));
      return text === '' ? '' : `${'#'.repeat(headingLevel(entry.level, context.titleLevel ?? TITLE_LEVEL))} ${text}`;
    }
    case 'quote': {
      const text = spansMarkdown(context, visibleSpans(context, entry.spans));
      return text === '' ? '' : blockquote(text);
    }
    case 'list_item': {
      const text = spansMarkdown(context, onOneLine(visibleSpans(context, entry.spans)));
      return text === '' ? '' : `${entry.ordered ? `${number}.` : '-'} ${text}`;
    }
    case 'code':
      return fenced(context, entry.text, entry.language);
    case 'media':
      return mediaMarkdown(context, entry.media);
    case 'post':
      return autolink(entry.url);
    case 'divider':
      return '---';
    default:
      return entry satisfies never;
  }
};

const listKind = (entry: ArticleBlock): string => (entry.type === 'list_item' ? `list ${entry.ordered}` : entry.type);

/** Items of one list are on adjacent lines; a blank line separates all other blocks. */
export const articleMarkdown = (context: MarkdownContext, { blocks }: Pick<Article, 'blocks'>): string => {
  let markdown = '';
  let kind = '';
  let number = 1;
  for (const entry of blocks) {
    const continuesList = entry.type === 'list_item' && listKind(entry) === kind;
    const rendered = block(context, entry, continuesList ? number + 1 : 1);
    if (rendered === '') continue;
    markdown += (markdown === '' ? '' : continuesList ? '\n' : '\n\n') + rendered;
    number = continuesList ? number + 1 : 1;
    kind = listKind(entry);
  }
  return markdown;
};
