// Divides a Markdown document of this service into parts of a bounded size. A part ends between items, else after a
// paragraph, a sentence, a word or a character. A better boundary wins if it keeps at least half of what fits.
//
// Joined, the parts are the document: part n + 1 starts at the character after part n, blank lines and spaces included. A
// fence, link or style that a cut divides is closed at the end of a part and opened again in the next, so joining also
// leaves out what was added there. Each part is read from the start of the last, so the work is linear in the document.
import { findLargest } from '../../model/fit.ts';
import { graphemeStart } from '../../model/graphemes.ts';
import { byteLength, type SizeOf } from '../content/format.ts';

/** The end of a part. */
interface Cut {
  readonly at: number;
  /** Added at the end of the part. */
  readonly close: string;
  /** Added in the next part at the offset `openAt`, after the spaces at the cut. */
  readonly open: string;
  readonly openAt: number;
}

export interface MarkdownPart {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Fence {
  readonly prefix: string;
  readonly open: string;
  readonly close: string;
  /** The line ends before and after the code. */
  readonly from: number;
  readonly to: number;
}

/** Lines without a blank line between them, or a fence. */
interface Block {
  readonly start: number;
  readonly end: number;
  readonly fence?: Fence;
}

const LOW_SURROGATE = /[\udc00-\udfff]/;
const FENCE = /^((?:> )*)(`{3,})[^`]*$/;
/** Blank, also within quotes. */
const BLANK = /^[> ]*$/;

const blocksOf = (document: string): readonly Block[] => {
  const blocks: Block[] = [];
  let start: number | undefined;
  let fence: (Omit<Fence, 'to'> & { readonly start: number }) | undefined;
  const endBlock = (end: number): void => {
    if (start !== undefined) blocks.push({ start, end });
    start = undefined;
  };
  for (let at = 0; at < document.length; ) {
    const newline = document.indexOf('\n', at);
    const end = newline === -1 ? document.length : newline;
    const line = document.slice(at, end);
    const [, prefix = '', marker] = fence === undefined ? (FENCE.exec(line) ?? []) : [];
    if (fence !== undefined) {
      if (line === fence.close) {
        blocks.push({ start: fence.start, end, fence: { ...fence, to: at - 1 } });
        fence = undefined;
      }
    } else if (marker !== undefined) {
      endBlock(at - 1);
      fence = { start: at, prefix, open: line, close: prefix + marker, from: end };
    } else if (BLANK.test(line)) endBlock(at - 1);
    else start ??= at;
    at = end + 1;
  }
  endBlock(document.length);
  return blocks;
};

/** A link or a style, from after its opening mark to before its closing mark. */
interface Span {
  readonly from: number;
  to: number;
  readonly open: string;
  close: string;
  readonly isLink: boolean;
  parent?: Span;
}

interface Point {
  readonly at: number;
  /** The end of the spaces at the point. */
  readonly gapEnd: number;
  /** The marks at the start of the line. */
  readonly prefix: string;
}

/** The points at which a block of text may be cut, each list in ascending order. */
interface Inline {
  readonly sentences: readonly Point[];
  readonly words: readonly Point[];
  /** A link is divided only if there is no other point. */
  readonly linkWords: readonly Point[];
  /** The ends of lines, with the marks at the start of the line after. */
  readonly lines: readonly Point[];
  readonly prefix: string;
  /** Ranges that are never divided, by start. */
  readonly atoms: readonly { readonly from: number; readonly to: number }[];
  readonly spans: readonly Span[];
}

/** In this order: the end of a line, an escape, an autolink, the marks of links and styles, and the ends of words. */
const TOKEN =
  / *\n((?:> ?)*(?:#{1,6} |- |[0-9]{1,9}\. )?)|\\[^\n]|<https?:[^<>\s]*>|!?\[|\]\([^()\s]*\)|\*+|~+|[。！？]+[」』”’）]*| +/g;
/** The marks of quotes, a heading or a list item. */
const LINE_START = /^(?:> ?)*(?:#{1,6} |- |[0-9]{1,9}\. )?/;
const SENTENCE_END = /[.!?…]["'”’)\]*~_]*$/;
const SENTENCE_END_REACH = 8;
/** More spaces at the start of a part would be code. */
const MAX_GAP = 3;
/** The start of a part is the start of a line, where these would be structure, or would change what is before them. */
const UNSAFE_START = /^(?:[#>+\-=|:`\s\p{M}\u200d]|[*_](?=\s|$)|[*_]{3,}(?=\s)|~{3}|[0-9]{1,9}[.)](?=\s|$))/u;
const UNSAFE_START_REACH = 16;

const isUnsafeStart = (document: string, at: number): boolean =>
  UNSAFE_START.test(document.slice(at, at + UNSAFE_START_REACH)) || document.charAt(at - 1) === '\u200d';

/** @param items by offset @returns the index of the last item whose offset is at most the limit; -1: there is none */
const lastAtMost = <T>(items: readonly T[], offsetOf: (item: T) => number, limit: number): number =>
  findLargest(0, items.length - 1, (index) => {
    const item = items[index];
    return item !== undefined && offsetOf(item) <= limit ? index : undefined;
  }) ?? -1;

const isMark = (run: string): boolean => (run.startsWith('*') ? run.length <= 3 : run.length === 2);

const nestSpans = (closed: readonly Span[]): readonly Span[] => {
  const spans = closed.toSorted((a, b) => a.from - b.from);
  const open: Span[] = [];
  for (const span of spans) {
    while (open.length > 0 && (open.at(-1)?.to ?? 0) < span.from) open.pop();
    const parent = open.at(-1);
    if (parent !== undefined) span.parent = parent;
    open.push(span);
  }
  return spans;
};

/** Marks are paired within their line, as the renderer writes them. A mark without a pair is a character of the text. */
const inlineOf = (document: string, { start, end }: Block): Inline => {
  const sentences: Point[] = [];
  const words: Point[] = [];
  const linkWords: Point[] = [];
  const lines: Point[] = [];
  const atoms: { from: number; to: number }[] = [];
  const closed: Span[] = [];
  let open: (Span & { readonly atom: number })[] = [];
  const [firstPrefix] = LINE_START.exec(document.slice(start, Math.min(end, start + 100))) ?? [''];
  let prefix = firstPrefix;
  const startLine = (at: number): void => {
    if (prefix !== '') atoms.push({ from: at, to: at + prefix.length + 1 });
  };
  startLine(start);

  const close = (index: number, mark: string, at: number): void => {
    const opened = open[index];
    if (opened === undefined) return;
    const { atom, ...span } = opened;
    closed.push({ ...span, to: at, close: mark });
    open = open.slice(0, index);
    // A cut beside a mark would leave an empty link or style.
    const opening = atoms[atom];
    const closing = atoms.at(-1);
    if (opening !== undefined) opening.to += 1;
    if (closing !== undefined) closing.from -= 1;
  };
  const addMark = (mark: string, at: number, isLink: boolean): void => {
    // An earlier one of the same kind has no pair.
    open = open.filter((span) => span.open !== mark);
    open.push({ from: at + mark.length, to: 0, open: mark, close: '', isLink, atom: atoms.length - 1 });
  };

  TOKEN.lastIndex = start + prefix.length;
  for (let match = TOKEN.exec(document); match !== null && match.index < end; match = TOKEN.exec(document)) {
    const [token, linePrefix] = match;
    const at = match.index;
    const after = at + token.length;
    if (linePrefix !== undefined) {
      open = [];
      prefix = linePrefix;
      startLine(after - prefix.length);
      lines.push({ at, gapEnd: at, prefix });
      continue;
    }
    const isInLink = open.some(({ isLink }) => isLink);
    const isSpaces = token.startsWith(' ');
    if (isSpaces || /^[。！？]/.test(token)) {
      if (token.length > MAX_GAP && isSpaces) continue;
      if (after >= end || isUnsafeStart(document, after)) continue;
      const point = { at: isSpaces ? at : after, gapEnd: after, prefix };
      const isSentence = !isSpaces || SENTENCE_END.test(document.slice(Math.max(start, at - SENTENCE_END_REACH), at));
      if (isInLink) linkWords.push(point);
      else if (isSentence) sentences.push(point);
      else words.push(point);
      continue;
    }
    const isStyle = /^[*~]/.test(token);
    if (isStyle && !isMark(token)) continue;
    atoms.push({ from: at, to: after });
    if (token.startsWith(']')) {
      close(
        open.findLastIndex(({ isLink }) => isLink),
        token,
        at,
      );
    } else if (token.endsWith('[')) {
      if (!token.startsWith('\\')) addMark(token, at, true);
    } else if (isStyle) {
      const opened = open.findLastIndex((span) => span.open === token);
      const canClose = opened > open.findLastIndex(({ isLink }) => isLink) && /\S/.test(document.charAt(at - 1));
      if (canClose) close(opened, token, at);
      else if (/\S/.test(document.charAt(after))) addMark(token, at, false);
    }
  }
  return { sentences, words, linkWords, lines, prefix: firstPrefix, atoms, spans: nestSpans(closed) };
};

/** The links and styles around an offset, the inner ones first. */
const spansAround = (spans: readonly Span[], at: number): readonly Span[] => {
  const around: Span[] = [];
  let span = spans[lastAtMost(spans, ({ from }) => from, at)];
  for (; span !== undefined; span = span.parent) if (at < span.to) around.push(span);
  return around;
};

/** A better boundary wins if it keeps at least this share of what fits. */
const MIN_KEPT_FRACTION = 0.5;
/** Closing and opening marks take at most this share of a part. */
const MAX_MARKS_FRACTION = 0.5;

export interface PartsOptions {
  /** The offsets after the items of the document, in ascending order. */
  readonly itemEnds: readonly number[];
  readonly sizeOf?: SizeOf;
  /** The size of a part with all that closes it. */
  readonly size: number;
  /** The size of the first part. @default size */
  readonly firstSize?: number;
}

/** Yields at least one part; each has at least one character. */
export function* divideMarkdown(
  document: string,
  { itemEnds, sizeOf = byteLength, size, firstSize = size }: PartsOptions,
): Generator<MarkdownPart> {
  const blocks = blocksOf(document);
  const blockEnds = blocks.map(({ end }) => end);
  /** A heading or a rule belongs to what follows it. */
  const sectionEnds = blocks
    .filter(({ start, end }) => !/^(?:#{1,6} |---$)/.test(document.slice(start, Math.min(end, start + 7))))
    .map(({ end }) => end);
  let analyzed: { readonly block: Block; readonly inline: Inline } | undefined;
  const analyze = (block: Block): Inline => {
    if (analyzed?.block !== block) analyzed = { block, inline: inlineOf(document, block) };
    return analyzed.inline;
  };

  const isWithinGrapheme = (at: number): boolean => graphemeStart(document, at) !== at;
  /** The greatest offset to which the text fits. Sizes are additive, so an attempt measures only what is undecided. */
  const reach = (start: number, available: number): number => {
    let from = start;
    let used = 0;
    // A code unit has a size of at least 1.
    const end = findLargest(start + 1, Math.min(document.length, start + available), (at) => {
      const size = used + sizeOf(document.slice(from, at));
      if (size > available) return undefined;
      // Half a character has another size.
      if (!LOW_SURROGATE.test(document.charAt(at))) [from, used] = [at, size];
      return at;
    });
    return graphemeStart(document, end ?? start);
  };
  const plain = (at: number): Cut => ({ at, close: '', open: '', openAt: at });
  const lastOf = (offsets: readonly number[], limit: number): number =>
    offsets[lastAtMost(offsets, (end) => end, limit)] ?? 0;

  /** Cuts within the code of a fence: after a line, else after a character. */
  const fenceCuts = ({ prefix, open, close, from, to }: Fence, start: number, available: number): readonly Cut[] => {
    const closing = `\n${close}`;
    const limit = Math.min(reach(start, available - sizeOf(closing)), to - 1);
    const newline = start + document.slice(start, limit + 1).lastIndexOf('\n');
    return [
      { at: newline, close: closing, open, openAt: newline },
      { at: limit, close: closing, open: `${open}\n${prefix}`, openAt: limit },
    ].filter(({ at }) => at > from);
  };

  /** Cuts within a text: the last ones of each kind, the better kinds first. */
  function* textCuts(block: Block, start: number, limit: number, available: number): Generator<Cut> {
    const { sentences, words, linkWords, lines, prefix: firstPrefix, atoms, spans } = analyze(block);
    const cutAt = ({ at, gapEnd, prefix }: Point): Cut => {
      const around = spansAround(spans, at);
      const close = around.map((span) => span.close).join('');
      const open = around.map((span) => span.open).reverse();
      return { at, close, open: prefix + open.join(''), openAt: gapEnd };
    };
    /** An added mark would join a mark of the text, or be none after a blank. */
    const touchesMark = ({ at, openAt }: Cut): boolean =>
      /[*~_\s]/.test(document.charAt(at - 1) + document.charAt(openAt));
    /** Markdown leaves out a last word of # in a heading. */
    const endsHeading = ({ at, open }: Cut): boolean => open.includes('#') && document.charAt(at - 1) === '#';
    const fits = (cut: Cut): boolean =>
      !endsHeading(cut) &&
      (cut.close === '' ||
        (!touchesMark(cut) && sizeOf(document.slice(start, cut.at)) + sizeOf(cut.close) <= available));
    /** The range around an offset that is never divided. */
    const atomAround = (at: number): Inline['atoms'][number] | undefined => {
      const atom = atoms[lastAtMost(atoms, ({ from }) => from, at - 1)];
      return atom !== undefined && atom.to > at ? atom : undefined;
    };
    const last = (points: readonly Point[]): readonly Cut[] => {
      let index = lastAtMost(points, ({ at }) => at, limit);
      for (let point = points[index]; point !== undefined && point.at > start; point = points[index]) {
        const cut = cutAt(point);
        if (atomAround(point.at) === undefined && fits(cut)) return [cut];
        index -= 1;
      }
      return [];
    };
    const character = (): readonly Cut[] => {
      // Another block has other marks.
      for (let at = limit; at > Math.max(start, block.start); at -= 1) {
        const atom = atomAround(at);
        if (atom !== undefined) {
          at = atom.from + 1;
          continue;
        }
        // The first two are cheap, and exclude most places of a hostile text.
        if (isUnsafeStart(document, at) || LOW_SURROGATE.test(document.charAt(at)) || isWithinGrapheme(at)) continue;
        const { prefix } = lines[lastAtMost(lines, (line) => line.at, at - 1)] ?? { prefix: firstPrefix };
        const cut = cutAt({ at, gapEnd: at, prefix });
        if (fits(cut)) return [cut];
      }
      return [];
    };
    yield* last(sentences);
    const line = lines[lastAtMost(lines, ({ at }) => at, limit)];
    if (line !== undefined) yield plain(line.at);
    yield* last(words);
    yield* last(linkWords);
    yield* character();
  }

  function* cutsUpTo(limit: number, start: number, available: number): Generator<Cut> {
    yield plain(lastOf(itemEnds, limit));
    yield plain(lastOf(sectionEnds, limit));
    const block = blocks[lastAtMost(blocks, (candidate) => candidate.start, limit)];
    if (block !== undefined && block.end > limit)
      yield* block.fence === undefined
        ? textCuts(block, start, limit, available)
        : fenceCuts(block.fence, start, available);
    yield plain(lastOf(blockEnds, limit));
  }

  const cutAfter = (start: number, openAt: number, available: number): Cut => {
    const limit = reach(start, available);
    let longest: Cut | undefined;
    for (const cut of cutsUpTo(limit, start, available)) {
      if (cut.at <= openAt || sizeOf(cut.open + cut.close) > size * MAX_MARKS_FRACTION) continue;
      if (cut.at - start >= (limit - start) * MIN_KEPT_FRACTION) return cut;
      if (cut.at > (longest?.at ?? 0)) longest = cut;
    }
    // Marks that are longer than a part are divided like text.
    return (
      longest ?? plain(limit > openAt ? limit : openAt + String.fromCodePoint(document.codePointAt(openAt) ?? 0).length)
    );
  };

  let { at: start, open, openAt } = plain(0);
  for (;;) {
    const available = (start === 0 ? firstSize : size) - sizeOf(open);
    const isLast = document.length - start <= available && sizeOf(document.slice(start)) <= available;
    const cut = isLast ? plain(document.length) : cutAfter(start, openAt, available);
    const text = document.slice(start, openAt) + open + document.slice(openAt, cut.at) + cut.close;
    yield { start, end: cut.at, text };
    if (cut.at >= document.length) return;
    ({ at: start, open, openAt } = cut);
  }
}
