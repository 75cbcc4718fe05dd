// Aligns the raw text of a post with its text, and reads what depends on positions: bold and italic ranges, and links whose
// URL the text shows with characters that a URL cannot have.
//
// The raw text is escaped and has short links, the text is decoded and has their targets. Both are read once, from the
// start, in step. Where they differ in any other way the alignment ends: the rest of the text stays as it is, without styles.
import { isRecord, type JsonRecord } from '../../model/json.ts';
import type { TextStyle } from '../../model/post.ts';
import { facetAt, facetLocator, offsetCounter, type TextRange } from '../facets.ts';
import { characterOf, HTML_ENTITY } from '../html-entities.ts';
import { asArray, asRecords, asText, asWebUrl } from '../json-readers.ts';

/** A part of the raw text, in UTF-16 units, and the part of the text that shows it. */
interface Piece {
  readonly raw: TextRange;
  readonly shown: TextRange;
}

/** A part of the raw text that the text shows in another form. */
interface Token extends TextRange {
  /** The forms, the usual one first. */
  readonly forms: readonly string[];
}

const escapesIn = (raw: string): Token[] =>
  [...raw.matchAll(HTML_ENTITY)].map(({ 0: escaped, index }) => ({
    start: index,
    end: index + escaped.length,
    forms: [characterOf(escaped), escaped],
  }));

const linksIn = (raw: string, facets: readonly JsonRecord[]): Token[] => {
  const locate = facetLocator(raw);
  return facets.flatMap((facet) => {
    const { type } = facet;
    const original = asText(facet['original']);
    if ((type !== 'url' && type !== 'media') || original === undefined) return [];
    const range = locate(facetAt(facet['indices'], original));
    const target = type === 'media' ? '' : asText(facet['replacement']);
    return range === undefined ? [] : [{ ...range, forms: [...(target === undefined ? [] : [target]), original] }];
  });
};

interface Alignment {
  /** The text with valid URLs. */
  readonly text: string;
  /** In the order of both texts. */
  readonly pieces: readonly Piece[];
}

const commonLength = (a: string, b: string, start: number): number => {
  if (b.startsWith(a, start)) return a.length;
  let length = 0;
  while (length < a.length && a.charCodeAt(length) === b.charCodeAt(start + length)) length += 1;
  return length;
};

/** @param tokens in the order of the text */
const align = (raw: string, text: string, tokens: readonly Token[], from: number): Alignment => {
  const pieces: Piece[] = [];
  let written = '';
  let position = from; // in the raw text
  let read = 0; // in the text
  const add = (end: number, length: number, shown: string): void => {
    pieces.push({
      raw: { start: position, end },
      shown: { start: written.length, end: written.length + shown.length },
    });
    written += shown;
    position = end;
    read += length;
  };
  const copyUntil = (end: number): boolean => {
    const part = raw.slice(position, end);
    const length = commonLength(part, text, read);
    if (length > 0) add(position + length, length, part.slice(0, length));
    return length === part.length;
  };
  const end: Token = { start: raw.length, end: raw.length, forms: [''] };
  for (const token of [...tokens, end]) {
    if (token.start < position) continue; // overlaps the token before it
    if (!copyUntil(token.start)) break;
    const form = token.forms.find((candidate) => text.startsWith(candidate, read));
    if (form === undefined) break;
    add(token.end, form.length, asWebUrl(form) ?? form);
  }
  return { text: written + text.slice(read), pieces };
};

/** Converts positions in the raw text. A position within a token moves to the end of the token that keeps the range shorter. */
const positionsIn = (pieces: readonly Piece[]): ((position: number, edge: 'start' | 'end') => number) => {
  return (position, edge) => {
    let low = 0;
    let high = pieces.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pieces[middle]?.raw.end ?? 0) <= position) low = middle + 1;
      else high = middle;
    }
    const piece = pieces[low];
    if (piece === undefined) return pieces.at(-1)?.shown.end ?? 0;
    const { raw, shown } = piece;
    if (position <= raw.start) return shown.start;
    const isCopy = raw.end - raw.start === shown.end - shown.start;
    if (isCopy) return shown.start + (position - raw.start);
    return edge === 'start' ? shown.end : shown.start;
  };
};

const STYLES: readonly TextStyle['type'][] = ['bold', 'italic'];

const isPosition = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/** Joins ranges that overlap or touch. */
const joined = (ranges: readonly TextRange[]): TextRange[] => {
  const result: { start: number; end: number }[] = [];
  for (const { start, end } of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else result.push({ start, end });
  }
  return result;
};

/** A style facet has no text by which its positions could be checked. They are code points of the raw text. */
const stylesIn = (raw: string, facets: readonly JsonRecord[], pieces: readonly Piece[]): TextStyle[] => {
  const offset = offsetCounter(raw);
  const positionOf = positionsIn(pieces);
  const styles = STYLES.flatMap((type): TextStyle[] => {
    const ranges = facets.flatMap((facet): TextRange[] => {
      const [start, end] = asArray(facet['indices']);
      if (facet['type'] !== type || !isPosition(start) || !isPosition(end)) return [];
      const range = { start: positionOf(offset(start), 'start'), end: positionOf(offset(end), 'end') };
      return range.end > range.start ? [range] : [];
    });
    return joined(ranges).map(({ start, end }) => ({ type, start, end }));
  });
  return styles.sort((a, b) => a.start - b.start);
};

const isStyle = ({ type }: JsonRecord): boolean => type === 'bold' || type === 'italic';

const needsEncoding = ({ type, replacement }: JsonRecord): boolean => {
  const url = type === 'url' ? asWebUrl(replacement) : undefined;
  return url !== undefined && url !== replacement;
};

const BLANK_START = /^\s*/;

export interface PostText {
  readonly text: string;
  /** Undefined: the text is plain. */
  readonly styles: TextStyle[] | undefined;
}

/** @param rawText the member `raw_text` of a post */
export const readPostText = (text: string, rawText: JsonRecord | undefined): PostText => {
  const facets = asArray(rawText?.['facets']);
  return facets.some(needsAlignment) ? alignedText(text, rawText) : { text, styles: undefined };
};

const needsAlignment = (facet: unknown): boolean => isRecord(facet) && (isStyle(facet) || needsEncoding(facet));

const alignedText = (text: string, rawText: JsonRecord | undefined): PostText => {
  const facets = asRecords(rawText?.['facets']);
  const raw = asText(rawText?.['text']);
  if (raw === undefined) return { text, styles: undefined };
  // The text can lack the white space at the start.
  const from = /^\s/.test(text) ? 0 : (BLANK_START.exec(raw)?.[0].length ?? 0);
  const tokens = [...linksIn(raw, facets), ...escapesIn(raw)].sort((a, b) => a.start - b.start);
  const aligned = align(raw, text, tokens, from);
  const styles = stylesIn(raw, facets, aligned.pieces);
  return { text: aligned.text, styles: styles.length === 0 ? undefined : styles };
};
