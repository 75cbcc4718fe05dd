// Builds the text of a model from the raw text of a provider: decodes its entities, puts the target of each short link in the
// place of it, and keeps the places of what the provider names.
import { PROVIDER_HANDLE } from '../model/handle.ts';
import type { JsonRecord } from '../model/json.ts';
import type { Link, Post } from '../model/post.ts';
import {
  PLACES,
  type PlacedText,
  type PlaceType,
  type TextPlace,
  type TextRange,
  validPlaces,
} from '../model/text-places.ts';
import { characterOf, facetAt, HTML_ENTITY, type Locate } from './facets.ts';
import { asRecords, asShortText, asText, asWebUrl, optionalMember } from './json-readers.ts';

/** Replaces a part of the raw text, in UTF-16 units. */
export interface Replacement extends TextRange {
  readonly by: string;
  /** The link that takes the place. */
  readonly link?: Link | undefined;
}

/** A link shows its target, as the list of links has it. Only the text of the target is kept if it is no URL. */
export const linkTo = (target: string, display?: unknown): Pick<Replacement, 'by' | 'link'> => {
  const url = asWebUrl(target);
  if (url === undefined) return { by: target };
  return { by: url, link: { url, ...optionalMember('display_url', asShortText(display, 'line')) } };
};

/** @param pattern matches each entity that is decoded */
export const escapesIn = (raw: string, pattern = HTML_ENTITY): Replacement[] =>
  // Few texts have one, and the search for a character is faster than the pattern.
  !raw.includes('&')
    ? []
    : [...raw.matchAll(pattern)].map(({ 0: escaped, index }) => ({
        start: index,
        end: index + escaped.length,
        by: characterOf(escaped),
      }));

interface Piece {
  readonly raw: TextRange;
  readonly shown: TextRange;
}

export interface BuiltText {
  readonly text: string;
  /** The replaced parts, in the order of both texts. */
  readonly pieces: readonly Piece[];
  /** The replacements that are links, each with its place. */
  readonly links: readonly (TextRange & { readonly link: Link })[];
  /** The part of the raw text that was built. */
  readonly own: TextRange;
}

/** @param own the part of the raw text to build. If replacements overlap, the one that starts first counts. */
export const buildText = (
  raw: string,
  replacements: readonly Replacement[],
  own: TextRange = { start: 0, end: raw.length },
): BuiltText => {
  const pieces: Piece[] = [];
  const links: (TextRange & { readonly link: Link })[] = [];
  let text = '';
  let position = own.start;
  for (const { start, end, by, link } of [...replacements].sort((a, b) => a.start - b.start)) {
    if (start < position || end > own.end) continue;
    text += raw.slice(position, start);
    const shown = { start: text.length, end: text.length + by.length };
    pieces.push({ raw: { start, end }, shown });
    if (link !== undefined) links.push({ ...shown, link });
    text += by;
    position = end;
  }
  return { text: text + raw.slice(position, own.end), pieces, links, own };
};

/** Converts positions in the raw text. A position within a replaced part moves to the end that keeps the range shorter. */
export const positionsIn = ({
  text,
  pieces,
  own,
}: BuiltText): ((position: number, edge: 'start' | 'end') => number) => {
  const bounded = (position: number): number => Math.min(Math.max(position, 0), text.length);
  return (position, edge) => {
    let low = 0;
    let high = pieces.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pieces[middle]?.raw.start ?? 0) < position) low = middle + 1;
      else high = middle;
    }
    const piece = pieces[low - 1];
    if (piece === undefined) return bounded(position - own.start);
    const { raw, shown } = piece;
    if (position < raw.end) return edge === 'start' ? shown.end : shown.start;
    return bounded(shown.end + (position - raw.end));
  };
};

/** A mention, hashtag or cashtag that a provider names. */
export interface NamedEntity {
  readonly type: Exclude<PlaceType, 'link'>;
  /** Without its sign. */
  readonly name: string;
  /** In the raw text, with its sign or without it. */
  readonly range: TextRange;
}

const SIGNS: Readonly<Record<NamedEntity['type'], string>> = { mention: '@＠', hashtag: '#＃', cashtag: '$' };

/** A list of entities as X sends it, and the member that has the name of each. */
interface EntityList {
  readonly type: NamedEntity['type'];
  readonly list: string;
  readonly member: string;
}

/** @returns undefined: it is none, or the text does not have it */
export const namedEntity = (
  locate: Locate,
  type: NamedEntity['type'],
  name: string | undefined,
  indices: unknown,
): NamedEntity | undefined => {
  if (name === undefined || (type === 'mention' && !PROVIDER_HANDLE.test(name))) return undefined;
  const range = locate(facetAt(indices, name, SIGNS[type].charAt(0)));
  return range && { type, name, range };
};

/** @returns what the lists name and the text has */
export const readEntities = (
  locate: Locate,
  entities: JsonRecord | undefined,
  lists: readonly EntityList[],
  indicesOf: (entity: JsonRecord) => unknown,
): NamedEntity[] =>
  lists.flatMap(({ type, list, member }) =>
    asRecords(entities?.[list]).flatMap(
      (entity) => namedEntity(locate, type, asText(entity[member]), indicesOf(entity)) ?? [],
    ),
  );

/** @returns the places of entities in the built text. One that is within a link, or has no sign, has none. */
const entityPlaces = (raw: string, built: BuiltText, entities: readonly NamedEntity[]): TextPlace[] => {
  const positionOf = positionsIn(built);
  return entities.flatMap(({ type, range: { start, end } }) => {
    const signs = SIGNS[type];
    const at = signs.includes(raw.charAt(start)) ? start : start - 1;
    if (at < 0 || !signs.includes(raw.charAt(at))) return [];
    const place = { type, start: positionOf(at, 'start'), end: positionOf(end, 'end') };
    return place.end - place.start === end - at ? [place] : [];
  });
};

/** A part of every short link. */
export const SHORT_LINK = '://t.co/';

/** A short link that the provider does not name. Within another URL it is none. */
const SHORT_LINKS = /(?<![\w=/?&#%])https?:\/\/t\.co\/\w{1,15}/g;

/** The short links that stay in a text. */
const shortLinksIn = (text: string): readonly (TextRange & { readonly link: Link })[] =>
  text.includes(SHORT_LINK)
    ? [...text.matchAll(SHORT_LINKS)].map(({ 0: url, index }) => ({
        start: index,
        end: index + url.length,
        link: { url },
      }))
    : [];

/** Keeps the first link with each URL, with its first place. */
const uniqueLinks = (links: readonly Link[]): Link[] => {
  if (links.length < 2) return [...links];
  const byUrl = new Map<string, Link>();
  for (const link of links) {
    const known = byUrl.get(link.url);
    if (known === undefined || (known.start === undefined && link.start !== undefined)) byUrl.set(link.url, link);
  }
  return [...byUrl.values()];
};

/** @returns each value once, in the order of first occurrence */
const unique = (values: string[]): string[] => (values.length < 2 ? values : [...new Set(values)]);

const namesOf = (entities: readonly NamedEntity[], type: NamedEntity['type']): string[] =>
  unique(entities.flatMap((entity) => (entity.type === type ? entity.name : [])));

/** A text with what it names. */
export type NamedText = PlacedText & Pick<Post, 'mentions' | 'hashtags' | 'cashtags' | 'links'>;

/**
 * @param entities that the provider names in the raw text
 * @param unplaced links that the provider names, of which the text shows nothing
 */
export const namedText = (
  raw: string,
  built: BuiltText,
  entities: readonly NamedEntity[],
  unplaced: readonly Link[] = [],
): NamedText => {
  const { text } = built;
  const placed = built.links.toSorted((a, b) => a.start - b.start);
  let next = 0;
  // A target can have a short link in it.
  const isFree = ({ start, end }: TextRange): boolean => {
    while ((placed[next]?.end ?? end) <= start) next += 1;
    return (placed[next]?.start ?? end) >= end;
  };
  const linked = [...placed, ...shortLinksIn(text).filter(isFree)].sort((a, b) => a.start - b.start);
  const links = uniqueLinks([...linked.map(({ start, end, link }) => ({ ...link, start, end })), ...unplaced]);
  const linkPlaces = linked.map(({ start, end }): TextPlace => ({ type: 'link', start, end }));
  return {
    text,
    [PLACES]: validPlaces(text, [...linkPlaces, ...entityPlaces(raw, built, entities)]),
    mentions: namesOf(entities, 'mention'),
    hashtags: namesOf(entities, 'hashtag'),
    cashtags: namesOf(entities, 'cashtag'),
    links,
  };
};
