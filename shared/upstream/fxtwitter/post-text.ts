// Builds the text of a post from its raw text and facets.
//
// The raw text is HTML-escaped and has short links. The provider's own text is not used where it sends both: it lacks some
// links of the author, and a `$` in a URL repeats parts of it. Each facet is used only where the raw text has it.
import { isRecord, type JsonRecord } from '../../model/json.ts';
import type { TextDecoration, TextStyle } from '../../model/post.ts';
import { parsePostUrl } from '../../model/x-urls.ts';
import {
  characterOf,
  endOfText,
  facetAt,
  facetLocator,
  HTML_ENTITY,
  offsetCounter,
  type Replacement,
  shortLinkBefore,
  type TextRange,
} from '../facets.ts';
import { asArray, asRecords, asTarget, asText, asWebUrl } from '../json-readers.ts';

/** The post of a text, and its parts that are separate members. */
export interface TextOwner {
  readonly id: string;
  readonly hasArticle: boolean;
  readonly hasMedia: boolean;
  readonly hasQuote: boolean;
}

interface Link extends Replacement {
  /** X added it for a separate member. */
  readonly isAttached: boolean;
}

const isBlank = (text: string): boolean => text.trim() === '';

/** X links its own post where it cut the text. */
const leadsToPost = (url: string, id: string): boolean => {
  const ref = url.includes('/i/web/status/') ? parsePostUrl(url) : undefined;
  return ref !== undefined && 'id' in ref && ref.id === id;
};

const linksIn = (raw: string, facets: readonly JsonRecord[], { id }: TextOwner): Link[] => {
  const locate = facetLocator(raw);
  const links: Link[] = [];
  for (const facet of facets) {
    const { type } = facet;
    if (type !== 'url' && type !== 'media') continue;
    const original = asText(facet['original']);
    if (original === undefined || isBlank(original)) continue;
    const range = locate(facetAt(facet['indices'], original));
    if (range === undefined) continue;
    const { start, end } = range;
    if (type === 'media') {
      links.push({ start: raw.charAt(start - 1) === ' ' ? start - 1 : start, end, by: '', isAttached: true });
      continue;
    }
    const target = asTarget(facet['replacement']) ?? '';
    // Only its text is kept if it is not a URL.
    const by = asWebUrl(target) ?? (isBlank(target) ? original : target);
    links.push({ start, end, by, isAttached: leadsToPost(by, id) });
  }
  return links;
};

const escapesIn = (raw: string): Replacement[] =>
  // Few texts have one, and the search for a character is faster than the pattern.
  !raw.includes('&')
    ? []
    : [...raw.matchAll(HTML_ENTITY)].map(({ 0: escaped, index }) => ({
        start: index,
        end: index + escaped.length,
        by: characterOf(escaped),
      }));

/** @returns the offset after the author's own words as X shows them; 0 if that is not known */
const shownEnd = (raw: string, rawText: JsonRecord): number => {
  const end = asArray(rawText['display_text_range'])[1];
  // The range of a long post counts UTF-16 units and is the whole text, to which X adds no link.
  return typeof end === 'number' ? offsetCounter(raw)(end) : 0;
};

/** @returns the end of the text before the links that X added; the author can end a text with a link of their own */
const endOfOwnText = (raw: string, links: readonly Link[], rawText: JsonRecord, owner: TextOwner): number => {
  // Few texts end with a short link.
  let isAttached: ReadonlyMap<number, boolean> | undefined;
  let known: number | undefined;
  const leadsToMember = (start: number): boolean => {
    if (owner.hasArticle) return true;
    known ??= shownEnd(raw, rawText);
    return (owner.hasMedia || owner.hasQuote) && start >= known;
  };
  let end = raw.length;
  for (;;) {
    const before = endOfText(raw, end);
    const start = shortLinkBefore(raw, before);
    if (start === undefined) return end;
    isAttached ??= new Map(links.map((link) => [link.end, link.isAttached]));
    if (!(isAttached.get(before) ?? leadsToMember(start))) return end;
    end = endOfText(raw, start);
  }
};

/** A part of the raw text, in UTF-16 units, and the part of the text that takes its place. */
interface Place {
  readonly raw: TextRange;
  readonly shown: TextRange;
}

interface BuiltText {
  readonly text: string;
  /** In the order of both texts. */
  readonly places: readonly Place[];
}

/** If replacements overlap, the one that starts first counts. */
const build = (raw: string, replacements: readonly Replacement[]): BuiltText => {
  const places: Place[] = [];
  let text = '';
  let position = 0;
  for (const { start, end, by } of [...replacements].sort((a, b) => a.start - b.start)) {
    if (start < position || end > raw.length) continue;
    text += raw.slice(position, start);
    places.push({ raw: { start, end }, shown: { start: text.length, end: text.length + by.length } });
    text += by;
    position = end;
  }
  return { text: text + raw.slice(position), places };
};

/** Converts positions in the raw text. A position within a replaced part moves to the end that keeps the range shorter. */
const positionsIn = ({ text, places }: BuiltText): ((position: number, edge: 'start' | 'end') => number) => {
  return (position, edge) => {
    let low = 0;
    let high = places.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((places[middle]?.raw.start ?? 0) < position) low = middle + 1;
      else high = middle;
    }
    const place = places[low - 1];
    if (place === undefined) return Math.min(position, text.length);
    const { raw, shown } = place;
    if (position < raw.end) return edge === 'start' ? shown.end : shown.start;
    return Math.min(shown.end + (position - raw.end), text.length);
  };
};

const STYLES: readonly TextStyle['type'][] = ['bold', 'italic'];
const DECORATIONS = ['underline', 'strikethrough'];
const STYLE_NAMES: ReadonlySet<unknown> = new Set([...STYLES, ...DECORATIONS]);

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

type Styles = Pick<PostText, 'styles' | 'decorations'>;

/** A style facet has no text by which its positions could be checked. They are code points of the raw text. */
const stylesIn = (raw: string, facets: readonly JsonRecord[], built: BuiltText): Styles => {
  const styled = facets.filter(({ type }) => STYLE_NAMES.has(type));
  if (styled.length === 0) return {};
  const offset = offsetCounter(raw);
  const positionOf = positionsIn(built);
  const rangesOf = <Type extends string>(
    types: readonly Type[],
  ): (TextRange & { readonly type: Type })[] | undefined => {
    const ranges = types.flatMap((type) => {
      const found = styled.flatMap((facet): TextRange[] => {
        const [start, end] = asArray(facet['indices']);
        if (facet['type'] !== type || !isPosition(start) || !isPosition(end)) return [];
        const range = { start: positionOf(offset(start), 'start'), end: positionOf(offset(end), 'end') };
        return range.end > range.start ? [range] : [];
      });
      return joined(found).map(({ start, end }) => ({ type, start, end }));
    });
    return ranges.length === 0 ? undefined : ranges.sort((a, b) => a.start - b.start);
  };
  return { styles: rangesOf(STYLES), decorations: rangesOf(DECORATIONS) };
};

export interface PostText {
  readonly text: string;
  /** Undefined: the text has none. */
  readonly styles?: TextStyle[] | undefined;
  readonly decorations?: TextDecoration[] | undefined;
}

/** A part of every short link. */
export const SHORT_LINK = '://t.co/';

const isNamed = (facet: unknown): boolean =>
  isRecord(facet) && (facet['type'] === 'url' || STYLE_NAMES.has(facet['type']));

/**
 * @param text the provider's own text
 * @param rawText the member `raw_text` of a post
 */
export const readPostText = (text: string, rawText: JsonRecord | undefined, owner: TextOwner): PostText => {
  const raw = asText(rawText?.['text']);
  const entries = rawText?.['facets'];
  if (rawText === undefined || raw === undefined || !Array.isArray(entries)) return { text };
  const isPlain = !raw.includes('&') && !raw.includes(SHORT_LINK) && !entries.some(isNamed);
  if (isPlain) return { text: raw };
  const facets = asRecords(entries);
  const links = linksIn(raw, facets, owner);
  const own = raw.slice(0, endOfOwnText(raw, links, rawText, owner));
  const built = build(own, [...links, ...escapesIn(own)]);
  return { text: built.text, ...stylesIn(raw, facets, built) };
};
