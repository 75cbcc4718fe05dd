// What two independent parsers read in a Markdown text: its structure and its words, in a form that can be compared.
// mdast is CommonMark with all of GFM; markdown-it is CommonMark with tables, strikethrough and raw HTML.
import MarkdownIt, { type Token } from 'markdown-it';
import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

/** A node: its kind and what it holds; a string is words. */
export type Flat = string | FlatNode;
export interface FlatNode {
  readonly kind: string;
  readonly content: readonly Flat[];
}

const node = (kind: string, ...content: readonly Flat[]): FlatNode => ({ kind, content });

const BLOCK = /^(?:break|paragraph|heading|item|list|blockquote|code)\b/;

/** Words that stand side by side are one text. */
const merged = (content: readonly Flat[]): Flat[] => {
  const result: Flat[] = [];
  for (const entry of content) {
    const last = result.at(-1);
    if (typeof entry === 'string' && typeof last === 'string') result[result.length - 1] = last + entry;
    else if (entry !== '') result.push(entry);
  }
  return result;
};

const textOf = (flat: Flat): string => (typeof flat === 'string' ? flat : flat.content.map(textOf).join(''));

const decoded = (url: string): string => {
  try {
    return decodeURI(url);
  } catch {
    return url;
  }
};

/** GFM makes links of bare addresses whatever is escaped; those that show their target are words. */
const showsTarget = (url: string, label: string): boolean =>
  [label, `http://${label}`, `mailto:${label}`].some((target) => target === url || decoded(target) === decoded(url));

const link = (url: string, content: readonly Flat[]): readonly Flat[] => {
  const label = content.map(textOf).join('');
  return showsTarget(url, label) ? content : [node(`link ${decoded(url)}`, ...merged(content))];
};

const flattenAll = (nodes: readonly Nodes[]): Flat[] => merged(nodes.flatMap(flatten));

const flatten = (read: Nodes): readonly Flat[] => {
  switch (read.type) {
    case 'text':
      return [read.value];
    case 'link':
      return link(read.url, flattenAll(read.children));
    case 'image':
      return [node(`image ${decoded(read.url)}`, read.alt ?? '')];
    case 'heading':
      return [node(`heading ${read.depth}`, ...flattenAll(read.children))];
    case 'list':
      return [node(`list ${read.ordered ? 'ordered' : 'bullet'}`, ...flattenAll(read.children))];
    case 'listItem':
      return [
        node(`item${read.checked === null || read.checked === undefined ? '' : ' task'}`, ...flattenAll(read.children)),
      ];
    case 'code':
      return [node(`code ${read.lang ?? ''}`, read.value)];
    case 'html':
    case 'inlineCode':
    case 'yaml':
      return [node(read.type, read.value)];
    default:
      return [node(read.type, ...('children' in read ? flattenAll(read.children) : []))];
  }
};

export const readWithMdast = (markdown: string): Flat[] =>
  flattenAll(fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }).children);

const markdownIt = new MarkdownIt({ html: true, linkify: false, typographer: false });

const kindOf = (token: Token): string => {
  switch (token.type) {
    case 'heading_open':
      return `heading ${token.tag.slice(1)}`;
    case 'bullet_list_open':
      return 'list bullet';
    case 'ordered_list_open':
      return 'list ordered';
    case 'list_item_open':
      return 'item';
    default:
      return token.type.replace(/_open$/, '');
  }
};

const flattenTokens = (tokens: readonly Token[]): Flat[] => {
  interface Open {
    readonly kind: string;
    readonly url?: string;
    readonly content: Flat[];
  }
  const stack: Open[] = [{ kind: 'root', content: [] }];
  const add = (...content: readonly Flat[]): void => {
    stack.at(-1)?.content.push(...content);
  };
  for (const token of tokens) {
    if (token.nesting === 1) {
      stack.push({
        kind: kindOf(token),
        ...(token.type === 'link_open' && { url: String(token.attrGet('href')) }),
        content: [],
      });
    } else if (token.nesting === -1) {
      const done = stack.pop();
      if (done === undefined) continue;
      if (done.url !== undefined) add(...link(done.url, done.content));
      else add(node(done.kind, ...merged(done.content)));
    } else if (token.type === 'inline') add(...flattenTokens(token.children ?? []));
    else if (token.type === 'text') add(token.content);
    else if (token.type === 'image')
      add(
        node(
          `image ${decoded(String(token.attrGet('src')))}`,
          token.children?.map(({ content }) => content).join('') ?? '',
        ),
      );
    else if (token.type === 'fence') add(node(`code ${token.info.trim()}`, token.content.replace(/\n$/, '')));
    else if (token.type === 'hardbreak') add(node('break'));
    else if (token.type === 'softbreak') add('\n');
    else if (token.type === 'hr') add(node('thematicBreak'));
    else add(node(token.type, token.content));
  }
  return merged(stack[0]?.content ?? []);
};

export const readWithMarkdownIt = (markdown: string): Flat[] => flattenTokens(markdownIt.parse(markdown, {}));

/** All nodes of some kind, by the beginning of its name. */
export const nodesOf = (flat: readonly Flat[], kind: string): FlatNode[] =>
  flat.flatMap((entry) =>
    typeof entry === 'string' ? [] : [...(entry.kind.startsWith(kind) ? [entry] : []), ...nodesOf(entry.content, kind)],
  );

/** @param between what stands for the end of a line or paragraph */
export const wordsIn = (flat: readonly Flat[], between = ''): string =>
  flat
    .map((entry) =>
      typeof entry === 'string'
        ? entry
        : BLOCK.test(entry.kind)
          ? wordsIn(entry.content, between) + between
          : wordsIn(entry.content, between),
    )
    .join('');
