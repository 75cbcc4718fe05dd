// Parses Markdown with two independent parsers and flattens the structure and the text into a comparable form. mdast
// reads CommonMark with all of GFM; markdown-it reads CommonMark with tables, strikethrough and raw HTML.
import MarkdownIt, { type Token } from 'markdown-it';
import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

/** A node with its kind and content, or text. */
export type Flat = string | FlatNode;
export interface FlatNode {
  readonly kind: string;
  readonly content: readonly Flat[];
}

const node = (kind: string, ...content: readonly Flat[]): FlatNode => ({ kind, content });

const BLOCK = /^(?:break|paragraph|heading|item|list|blockquote|code)\b/;

/** Joins adjacent texts. */
export const mergeTexts = (content: readonly Flat[]): Flat[] => {
  const result: Flat[] = [];
  for (const entry of content) {
    const last = result.at(-1);
    if (typeof entry === 'string' && typeof last === 'string') result[result.length - 1] = last + entry;
    else if (entry !== '') result.push(entry);
  }
  return result;
};

const textOf = (flat: Flat): string => (typeof flat === 'string' ? flat : flat.content.map(textOf).join(''));

const decodeUrl = (url: string): string => {
  try {
    return decodeURI(url);
  } catch {
    return url;
  }
};

/** GFM turns plain URLs into links whatever is escaped; a link that shows its target counts as text. */
const showsTarget = (url: string, label: string): boolean =>
  [label, `http://${label}`, `mailto:${label}`].some(
    (target) => target === url || decodeUrl(target) === decodeUrl(url),
  );

const link = (url: string, content: readonly Flat[]): readonly Flat[] => {
  const label = content.map(textOf).join('');
  return showsTarget(url, label) ? content : [node(`link ${decodeUrl(url)}`, ...mergeTexts(content))];
};

const flattenAll = (nodes: readonly Nodes[]): Flat[] => mergeTexts(nodes.flatMap(flatten));

const flatten = (mdastNode: Nodes): readonly Flat[] => {
  switch (mdastNode.type) {
    case 'text':
      return [mdastNode.value];
    case 'link':
      return link(mdastNode.url, flattenAll(mdastNode.children));
    case 'image':
      return [node(`image ${decodeUrl(mdastNode.url)}`, mdastNode.alt ?? '')];
    case 'heading':
      return [node(`heading ${mdastNode.depth}`, ...flattenAll(mdastNode.children))];
    case 'list':
      return [node(`list ${mdastNode.ordered ? 'ordered' : 'bullet'}`, ...flattenAll(mdastNode.children))];
    case 'listItem':
      return [
        node(
          `item${mdastNode.checked === null || mdastNode.checked === undefined ? '' : ' task'}`,
          ...flattenAll(mdastNode.children),
        ),
      ];
    case 'code':
      return [node(`code ${mdastNode.lang ?? ''}`, mdastNode.value)];
    case 'html':
    case 'inlineCode':
    case 'yaml':
      return [node(mdastNode.type, mdastNode.value)];
    default:
      return [node(mdastNode.type, ...('children' in mdastNode ? flattenAll(mdastNode.children) : []))];
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
      const closed = stack.pop();
      if (closed === undefined) continue;
      if (closed.url !== undefined) add(...link(closed.url, closed.content));
      else add(node(closed.kind, ...mergeTexts(closed.content)));
    } else if (token.type === 'inline') add(...flattenTokens(token.children ?? []));
    else if (token.type === 'text') add(token.content);
    else if (token.type === 'image')
      add(
        node(
          `image ${decodeUrl(String(token.attrGet('src')))}`,
          token.children?.map(({ content }) => content).join('') ?? '',
        ),
      );
    else if (token.type === 'fence') add(node(`code ${token.info.trim()}`, token.content.replace(/\n$/, '')));
    else if (token.type === 'hardbreak') add(node('break'));
    else if (token.type === 'softbreak') add('\n');
    else if (token.type === 'hr') add(node('thematicBreak'));
    else add(node(token.type, token.content));
  }
  return mergeTexts(stack[0]?.content ?? []);
};

export const readWithMarkdownIt = (markdown: string): Flat[] => flattenTokens(markdownIt.parse(markdown, {}));

/** Returns all nodes whose kind starts with this text. */
export const nodesOf = (flat: readonly Flat[], kind: string): FlatNode[] =>
  flat.flatMap((entry) =>
    typeof entry === 'string' ? [] : [...(entry.kind.startsWith(kind) ? [entry] : []), ...nodesOf(entry.content, kind)],
  );

/** @param between written at the end of a line or paragraph */
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

/** The kinds of nodes that renderers write besides text. */
const RENDERED =
  /^(?:heading|paragraph|break|strong|emphasis|delete|link|image|list|item|blockquote|code|thematicBreak|inlineCode)\b/;

/** @returns the kinds of nodes that no renderer writes */
export const strangeKindsIn = (flat: readonly Flat[]): readonly string[] =>
  nodesOf(flat, '').flatMap(({ kind }) => (RENDERED.test(kind) ? [] : kind));

const STYLE = /^(?:strong|emphasis|em|delete|s)$/;

/** Replaces the nodes of styles with their content. @param isMark other nodes that count as styles */
export const withoutStyles = (flat: readonly Flat[], isMark = (_kind: string): boolean => false): Flat[] =>
  flat.flatMap((entry) => {
    if (typeof entry === 'string') return [entry];
    const content = withoutStyles(entry.content, isMark);
    return STYLE.test(entry.kind) || isMark(entry.kind) ? content : [{ kind: entry.kind, content }];
  });
