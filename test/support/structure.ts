// Computes an upper bound for the Markdown structure of a model, per kind of node. Whatever the texts of authors are, a
// parsed document must not have more nodes.

import { isTombstone } from '../../shared/model/conversation.ts';
import type { Article, Post, PostOrTombstone } from '../../shared/model/post.ts';
import { isPictureHost } from '../../shared/render/content/media-files.ts';
import { type Flat, nodesOf } from './markdown-oracle.ts';

/** Lists the node kinds in the names of both parsers; paragraphs and line breaks count as text. */
const KINDS = {
  heading: /^heading /,
  code: /^code /,
  list: /^list /,
  item: /^item$/,
  quote: /^blockquote$/,
  image: /^image /,
  strong: /^strong$/,
  emphasis: /^(?:emphasis|em)$/,
  strike: /^(?:delete|s)$/,
  rule: /^thematicBreak$/,
  codeSpan: /^(?:inlineCode|code_inline)$/,
  link: /^link https?:\/\//,
  text: /^(?:paragraph|break|softbreak)$/,
} as const;

type Kind = keyof typeof KINDS;

export type Bounds = Readonly<Partial<Record<Kind, number>>>;

const sum = (all: readonly Bounds[]): Bounds => {
  const total: Partial<Record<Kind, number>> = {};
  for (const bounds of all)
    for (const [kind, count] of Object.entries(bounds) as [Kind, number][]) total[kind] = (total[kind] ?? 0) + count; // members of Bounds
  return total;
};

const articleBounds = ({ blocks }: Article): Bounds =>
  sum([
    // The title, the cover, and the date.
    { heading: 1, image: 1, link: 1, emphasis: 1 },
    ...blocks.map((block): Bounds => {
      const spans = 'spans' in block ? block.spans.length : 0;
      const marks = { strong: spans, emphasis: spans, strike: spans, link: spans };
      switch (block.type) {
        case 'heading':
          return { heading: 1 };
        case 'quote':
          return { quote: 1, ...marks };
        case 'list_item':
          return { list: 1, item: 1, ...marks };
        case 'code':
          return { code: 1 };
        case 'media':
          return { image: 1, link: 1 };
        case 'post':
          return { link: 1 };
        case 'divider':
          return { rule: 1 };
        default:
          return marks;
      }
    }),
  ]);

/** Line ends and links divide a style. */
const DIVIDES_STYLES = /[\n\r\u0085\u2028\u2029]|https?:/gi;

const styleBounds = ({ text, styles = [], decorations = [] }: Post): Bounds => {
  const ranges = [...styles, ...decorations];
  if (ranges.length === 0) return {};
  const spans = 2 * ranges.length + [...text.matchAll(DIVIDES_STYLES)].length;
  return { strong: spans, emphasis: spans, strike: decorations.length === 0 ? 0 : spans };
};

const postBounds = (post: Post): Bounds => {
  const { article, media, poll, quote, card, broadcast, community_note: note, translation, links } = post;
  return sum([
    styleBounds(post),
    // The date, the quoted author or the reposter, and the sensitivity notice.
    { link: 1 + links.length + media.length, image: media.length, strong: 1, emphasis: 1 },
    article === undefined ? {} : articleBounds(article),
    poll === undefined ? {} : { strong: 1, list: 1, item: poll.choices.length },
    card === undefined ? {} : { strong: 1, link: 1, image: 1 },
    broadcast === undefined ? {} : { strong: 1, link: 1, image: 1 },
    note === undefined ? {} : { strong: 1, quote: 1 },
    translation === undefined ? {} : { emphasis: 2 },
    quote === undefined
      ? {}
      : sum([{ quote: 1, strong: 1, emphasis: 1, link: 1 }, 'metrics' in quote ? postBounds(quote) : {}]),
  ]);
};

/** A link may occur in a text more than once. */
const MANY_LINKS: Bounds = { link: Number.POSITIVE_INFINITY };

/** Each entry may have a heading and a rule before it. */
export const boundsOf = (entries: readonly PostOrTombstone[], frame: Bounds): Bounds =>
  sum([
    MANY_LINKS,
    frame,
    ...entries.map((entry) =>
      isTombstone(entry)
        ? { heading: 1, emphasis: 1, rule: 1 }
        : sum([{ heading: 1, rule: 1, strong: 1 }, postBounds(entry)]),
    ),
  ]);

/** Lists the nodes that exceed the bounds, and nodes that the renderer never writes. */
export const forgedIn = (flat: readonly Flat[], bounds: Bounds): string[] => {
  const nodes = nodesOf(flat, '').map(({ kind }) => kind);
  const unknown = nodes.filter((kind) => !Object.values(KINDS).some((pattern) => pattern.test(kind)));
  const tooMany = (Object.keys(KINDS) as Kind[]) // members of KINDS
    .filter((kind) => kind !== 'text')
    .flatMap((kind) => {
      const count = nodes.filter((node) => KINDS[kind].test(node)).length;
      return count > (bounds[kind] ?? 0) ? [`${count} × ${kind}, not ${bounds[kind] ?? 0}`] : [];
    });
  const foreign = nodes.filter((kind) => kind.startsWith('image ') && !isPictureHost(kind.slice('image '.length)));
  return [...unknown, ...tooMany, ...foreign];
};
