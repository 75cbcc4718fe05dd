// Builds the blocks of an embed together with their heights. Browsers show them without a stylesheet of Postern. The
// heights are estimates, because the fonts and the rest of the page belong to another site.

import { PLACES, type PlacedText } from '../../model/text-places.ts';
import { isBlank, visibleText } from '../../model/visible-text.ts';
import { truncateText } from '../content/cut.ts';
import type { LinkedText } from '../content/links.ts';
import { type Html, html } from '../html/html.ts';
import { linkify } from './post-lines.ts';

export interface EmbedBlock {
  readonly html: Html;
  /** Pixels, with the gap to the next block. */
  readonly height: number;
}

/** @returns the best form of a block that is at most `maxHeight` pixels high; undefined: none is */
export type FittingBlock = (maxHeight: number) => EmbedBlock | undefined;

export const LINE_HEIGHT = 24;
/** Between paragraphs, and above and below a block quote. */
export const BLOCK_GAP = 16;
/** The sum of both sides of a block quote. */
export const QUOTE_INDENT = 80;
const NARROW = 9;
const WIDE = 16;
/** Characters from this one on count as wide (Han, Hangul, emoji). A line can end between two of them. */
const FIRST_WIDE = 0x2000;
const UNBROKEN = /\s+|[\u2000-\u{10ffff}]|[^\s\u2000-\u{10ffff}]+/gu;

const widthOf = (run: string): number => ((run.codePointAt(0) ?? 0) < FIRST_WIDE ? run.length * NARROW : WIDE);

/** Wraps words as browsers do. A word that is wider than a line counts as if it could be broken. */
const linesOf = (text: string, width: number): number => {
  if (text.length * WIDE <= width) return 1;
  let lines = 1;
  let lineWidth = 0;
  for (const [run] of text.matchAll(UNBROKEN)) {
    const runWidth = widthOf(run);
    if (lineWidth + runWidth <= width || run.trim() === '') lineWidth += runWidth;
    else {
      lines += (lineWidth === 0 ? 0 : 1) + Math.ceil(runWidth / width) - 1;
      lineWidth = runWidth % width || width;
    }
  }
  return lines;
};

/** @param width pixels @returns pixels */
export const estimateHeight = (text: string, width: number): number =>
  visibleText(text)
    .split('\n')
    .reduce((height, line) => height + LINE_HEIGHT * linesOf(line, Math.max(width, WIDE)), 0);

/** @param content of one line */
export const lineBlock = (content: Html): EmbedBlock => ({
  html: html`<p>${content}</p>`,
  height: LINE_HEIGHT + BLOCK_GAP,
});

/** @param content of a paragraph whose visible text is `text` */
export const paragraphBlock = (content: Html, text: string, width: number): EmbedBlock => ({
  html: html`<p dir="auto">${content}</p>`,
  height: estimateHeight(text, width) + BLOCK_GAP,
});

export const fixedBlock =
  (block: EmbedBlock): FittingBlock =>
  (maxHeight) =>
    block.height <= maxHeight ? block : undefined;

export const noBlock: FittingBlock = () => undefined;

export const firstThatFits =
  (...forms: readonly FittingBlock[]): FittingBlock =>
  (maxHeight) => {
    for (const form of forms) {
      const block = form(maxHeight);
      if (block !== undefined) return block;
    }
    return undefined;
  };

export interface TextBlockOptions {
  readonly width: number;
  readonly attributes?: Html;
  /** Precedes the text in the same paragraph. */
  readonly before?: { readonly html: Html; readonly text: string };
  /** Pixels. @default no bound of its own */
  readonly maxHeight?: number;
}

/** A text in which nothing becomes a link. */
export const unlinkedText = (text: string): PlacedText => ({ text, [PLACES]: [] });

/** A third-party text as a whole, or its longest beginning that fits. The browser chooses the writing direction. */
export const textBlock =
  (
    source: LinkedText,
    { width, attributes, before, maxHeight: ownMaxHeight = Number.POSITIVE_INFINITY }: TextBlockOptions,
  ): FittingBlock =>
  (maxHeight) => {
    const { text: plain } = source;
    if (isBlank(plain)) return undefined;
    const limit = Math.min(maxHeight, ownMaxHeight);
    const heightOf = (text: string): number => estimateHeight((before?.text ?? '') + text, width) + BLOCK_GAP;
    /** @param end of the text before the mark of the cut */
    const block = (text: string, end: number): EmbedBlock => {
      const content = html`${linkify(source, { end })}${text.slice(end)}`;
      return {
        html: before
          ? html`<p dir="auto">${before.html}<span${attributes} dir="auto">${content}</span></p>`
          : html`<p${attributes} dir="auto">${content}</p>`,
        height: heightOf(text),
      };
    };
    const fits = (text: string): boolean => heightOf(text) <= limit;
    if (fits(plain)) return block(plain, plain.length);
    const shorter = truncateText(plain, fits);
    return shorter && block(shorter.text, shorter.end);
  };

const stack = (blocks: readonly EmbedBlock[]): EmbedBlock | undefined =>
  blocks.length === 0
    ? undefined
    : {
        html: html`${blocks.map((block) => block.html)}`,
        height: blocks.reduce((sum, { height }) => sum + height, 0),
      };

/** Stacks as many of the blocks as fit. */
export const allThatFit =
  (candidates: readonly FittingBlock[]): FittingBlock =>
  (maxHeight) => {
    const blocks: EmbedBlock[] = [];
    let left = maxHeight;
    for (const candidate of candidates) {
      const block = candidate(left);
      if (block === undefined) continue;
      blocks.push(block);
      left -= block.height;
    }
    return stack(blocks);
  };

/** Stacks two blocks if both fit. */
export const bothOrNone =
  (first: FittingBlock, second: FittingBlock): FittingBlock =>
  (maxHeight) => {
    const above = first(maxHeight);
    const below = above && second(maxHeight - above.height);
    return above && below && stack([above, below]);
  };

export const quoteBlock =
  (content: FittingBlock, attributes?: Html): FittingBlock =>
  (maxHeight) => {
    const block = content(maxHeight);
    return block && { ...block, html: html`<blockquote${attributes}>${block.html}</blockquote>` };
  };
