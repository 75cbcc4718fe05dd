// Builds the text of a post from its raw text and facets.
//
// The raw text is HTML-escaped and has short links. The provider's own text is not used where it sends both: it lacks some
// links of the author, and a `$` in a URL repeats parts of it. Each facet is used only where the raw text has it.
import { isRecord, type JsonRecord } from '../../model/json.ts';
import type { TextDecoration, TextStyle } from '../../model/post.ts';
import { PLACES, type TextRange } from '../../model/text-places.ts';
import { parsePostUrl } from '../../model/x-urls.ts';
import {
  type BuiltText,
  buildText,
  escapesIn,
  linkTo,
  type NamedEntity,
  type NamedText,
  namedEntity,
  namedText,
  positionsIn,
  type Replacement,
  SHORT_LINK,
} from '../build-text.ts';
import { endOfText, facetAt, facetLocator, type Locate, offsetCounter, shortLinkBefore } from '../facets.ts';
import { asArray, asRecords, asTarget, asText } from '../json-readers.ts';

/** The post of a text, and its parts that are separate members. */
export interface TextOwner {
  readonly id: string;
  readonly hasArticle: boolean;
  readonly hasMedia: boolean;
  readonly hasQuote: boolean;
}

interface ShortLink extends Replacement {
  /** X added it for a separate member. */
  readonly isAttached: boolean;
}

const isBlank = (text: string): boolean => text.trim() === '';

/** X links its own post where it cut the text. */
const leadsToPost = (url: string, id: string): boolean => {
  const ref = url.includes('/i/web/status/') ? parsePostUrl(url) : undefined;
  return ref !== undefined && 'id' in ref && ref.id === id;
};

const linksIn = (raw: string, locate: Locate, facets: readonly JsonRecord[], { id }: TextOwner): ShortLink[] => {
  const links: ShortLink[] = [];
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
    const shown = isBlank(target) ? { by: original } : linkTo(target, facet['display']);
    links.push({ start, end, ...shown, isAttached: leadsToPost(shown.by, id) });
  }
  return links;
};

const entityTypes: ReadonlyMap<unknown, NamedEntity['type']> = new Map([
  ['mention', 'mention'],
  ['hashtag', 'hashtag'],
  ['symbol', 'cashtag'],
]);

/** @returns the mentions, hashtags and cashtags that the text has */
export const entitiesIn = (locate: Locate, facets: readonly JsonRecord[]): NamedEntity[] =>
  facets.flatMap((facet) => {
    const type = entityTypes.get(facet['type']);
    return (type && namedEntity(locate, type, asText(facet['original']), facet['indices'])) ?? [];
  });

/** @returns the offset after the author's own words as X shows them; 0 if that is not known */
const shownEnd = (raw: string, rawText: JsonRecord): number => {
  const end = asArray(rawText['display_text_range'])[1];
  // The range of a long post counts UTF-16 units and is the whole text, to which X adds no link.
  return typeof end === 'number' ? offsetCounter(raw)(end) : 0;
};

/** @returns the end of the text before the links that X added; the author can end a text with a link of their own */
const endOfOwnText = (raw: string, links: readonly ShortLink[], rawText: JsonRecord, owner: TextOwner): number => {
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

/** Styles are undefined if the text has none. */
export type PostText = NamedText & {
  readonly styles?: TextStyle[] | undefined;
  readonly decorations?: TextDecoration[] | undefined;
};

const isNamed = (facet: unknown): boolean =>
  isRecord(facet) && (facet['type'] === 'url' || STYLE_NAMES.has(facet['type']));

/** A text whose provider names nothing in it. Its short links are links. */
const unnamedText = (text: string): PostText => ({ ...namedText(text, buildText(text, []), []), [PLACES]: undefined });

/**
 * @param text the provider's own text
 * @param rawText the member `raw_text` of a post
 */
export const readPostText = (text: string, rawText: JsonRecord | undefined, owner: TextOwner): PostText => {
  const raw = asText(rawText?.['text']);
  const entries = rawText?.['facets'];
  if (rawText === undefined || raw === undefined || !Array.isArray(entries)) return unnamedText(text);
  const locate = facetLocator(raw);
  const facets = asRecords(entries);
  const entities = entitiesIn(locate, facets);
  const isPlain = !raw.includes('&') && !raw.includes(SHORT_LINK) && !entries.some(isNamed);
  if (isPlain) return namedText(raw, buildText(raw, []), entities);
  const links = linksIn(raw, locate, facets, owner);
  const own = { start: 0, end: endOfOwnText(raw, links, rawText, owner) };
  const built = buildText(raw, [...links, ...escapesIn(raw)], own);
  const unplaced = links.flatMap(({ link }) => link ?? []);
  return { ...namedText(raw, built, entities, unplaced), ...stylesIn(raw, facets, built) };
};
