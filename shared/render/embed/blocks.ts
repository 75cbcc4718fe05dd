// Pieces of an embed with the height that they take, as browsers show them without any style of ours. The heights are
// estimates: fonts, and what else is on the page, are somebody else's.
import { visibleAddress, visibleText } from '../../model/visible-text.ts';
import { truncateText } from '../content/truncate.ts';
import type { LinkStyle } from '../html/elements.ts';
import { escapeHtml } from '../html/page.ts';
import { linkify } from '../html/post.ts';

export interface EmbedBlock {
  readonly html: string;
  /** Pixels, with what separates it from the next. */
  readonly height: number;
}

/** The best form of a piece that is at most so high, if there is one. */
export type FittingBlock = (room: number) => EmbedBlock | undefined;

export const LINE_HEIGHT = 24;
/** Between paragraphs, and around a quotation. */
export const BLOCK_GAP = 16;
/** To both sides of a quotation. */
export const QUOTE_INDENT = 80;
const NARROW = 9;
const WIDE = 16;
/** From here on characters are taken for wide ones, between which a line can end: Han, Hangul, emoji. */
const FIRST_WIDE = 0x2000;
const UNBROKEN = /\s+|[\u2000-\u{10ffff}]|[^\s\u2000-\u{10ffff}]+/gu;

const widthOf = (words: string): number => ((words.codePointAt(0) ?? 0) < FIRST_WIDE ? words.length * NARROW : WIDE);

/** As browsers do it: words that do not fit go to the next line. One that is wider than that is counted as if it broke. */
const linesOf = (words: string, width: number): number => {
  let lines = 1;
  let taken = 0;
  for (const [piece] of words.matchAll(UNBROKEN)) {
    const own = widthOf(piece);
    if (taken + own <= width || piece.trim() === '') taken += own;
    else {
      lines += (taken === 0 ? 0 : 1) + Math.ceil(own / width) - 1;
      taken = own % width || width;
    }
  }
  return lines;
};

/** How high words are. @param width in pixels */
export const estimateHeight = (words: string, width: number): number =>
  visibleText(words)
    .split('\n')
    .reduce((height, line) => height + LINE_HEIGHT * linesOf(line, Math.max(width, WIDE)), 0);

/** The page is somebody else's: its style does not keep line ends, and its reader does not want to leave it. */
export const embedLinkStyle: LinkStyle = {
  words: (plain) => escapeHtml(plain).replaceAll('\n', '<br/>'),
  link: (url, html) =>
    `<a href="${escapeHtml(visibleAddress(url))}" rel="nofollow noopener" target="_blank">${html}</a>`,
};

/** @param html of one line */
export const lineBlock = (html: string): EmbedBlock => ({ html: `<p>${html}</p>`, height: LINE_HEIGHT + BLOCK_GAP });

export const fixedBlock =
  (part: EmbedBlock): FittingBlock =>
  (room) =>
    part.height <= room ? part : undefined;

export const noBlock: FittingBlock = () => undefined;

/** The first form that fits. */
export const firstThatFits =
  (...forms: readonly FittingBlock[]): FittingBlock =>
  (room) => {
    for (const form of forms) {
      const part = form(room);
      if (part !== undefined) return part;
    }
    return undefined;
  };

export interface TextBlockOptions {
  readonly width: number;
  readonly urls?: readonly string[];
  /** Further attributes, HTML. */
  readonly attributes?: string;
  /** Pixels. @default whatever it takes */
  readonly most?: number;
}

/** Words of others in their own direction, whole or as much of their beginning as there is room for. */
export const textBlock =
  (
    plain: string,
    { width, urls = [], attributes = '', most = Number.POSITIVE_INFINITY }: TextBlockOptions,
  ): FittingBlock =>
  (room) => {
    if (visibleText(plain).trim() === '') return undefined;
    const limit = Math.min(room, most);
    const part = (shown: string, known: readonly string[]): EmbedBlock => ({
      html: `<p${attributes} dir="auto">${linkify(shown, known, embedLinkStyle)}</p>`,
      height: estimateHeight(shown, width) + BLOCK_GAP,
    });
    if (estimateHeight(plain, width) + BLOCK_GAP <= limit) return part(plain, urls);
    const shorter = truncateText(plain, (shown) => estimateHeight(shown, width) + BLOCK_GAP <= limit);
    return shorter && part(shorter.words, shorter.isWithinWord ? [] : urls);
  };

const together = (parts: readonly EmbedBlock[]): EmbedBlock | undefined =>
  parts.length === 0
    ? undefined
    : {
        html: parts.map(({ html }) => html).join(''),
        height: parts.reduce((sum, { height }) => sum + height, 0),
      };

/** Pieces one below the other, as many of them as fit. */
export const allThatFit =
  (pieces: readonly FittingBlock[]): FittingBlock =>
  (room) => {
    const parts: EmbedBlock[] = [];
    let left = room;
    for (const piece of pieces) {
      const part = piece(left);
      if (part === undefined) continue;
      parts.push(part);
      left -= part.height;
    }
    return together(parts);
  };

/** Two pieces one below the other, or nothing. */
export const bothOrNone =
  (first: FittingBlock, second: FittingBlock): FittingBlock =>
  (room) => {
    const above = first(room);
    const below = above && second(room - above.height);
    return above && below && together([above, below]);
  };

/** @param attributes further ones, HTML */
export const quoteBlock =
  (piece: FittingBlock, attributes = ''): FittingBlock =>
  (room) => {
    const part = piece(room);
    return part && { ...part, html: `<blockquote${attributes}>${part.html}</blockquote>` };
  };

export interface FittedBlocks<Name extends string> {
  readonly parts: Readonly<Partial<Record<Name, string>>>;
  readonly height: number;
}

/** What there is room for, the most worthy first. */
export const fitBlocks = <Name extends string>(
  pieces: Readonly<Record<Name, FittingBlock>>,
  inOrderOfWorth: readonly Name[],
  room: number,
): FittedBlocks<Name> => {
  const parts: Partial<Record<Name, string>> = {};
  let height = 0;
  for (const name of inOrderOfWorth) {
    const part = pieces[name](room - height);
    if (part === undefined) continue;
    parts[name] = part.html;
    height += part.height;
  }
  return { parts, height };
};
