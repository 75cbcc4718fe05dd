// The places of links, mentions, hashtags and cashtags in a text, as its provider names them. X decides them by rules of its
// own: a link ends before `?` or `&`, and a mention follows a full stop. A search of the text could only guess them.
import { validOffset } from './visible-text.ts';

export type PlaceType = 'link' | 'mention' | 'hashtag' | 'cashtag';

/** A part of a text, in UTF-16 units. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A mention, hashtag or cashtag begins with its sign, and a link is its own target. */
export interface TextPlace extends TextRange {
  readonly type: PlaceType;
}

/**
 * The member of a model that has the places of its text. Absent: the provider names none, and the text is searched. It is
 * a symbol, so that copies keep it and JSON leaves it out.
 */
export const PLACES: unique symbol = Symbol('places');

/** A text with the places in it. */
export interface PlacedText {
  readonly text: string;
  readonly [PLACES]?: readonly TextPlace[] | undefined;
}

/** What the words at a place can be. Other words would forge a link, or are no link at all. */
const FORMS: Readonly<Record<PlaceType, RegExp>> = {
  link: /^https?:\/\/[^\s<>]+$/i,
  mention: /^[@＠]\w{1,30}$/,
  hashtag: /^[#＃][^\s#＃]+$/,
  cashtag: /^\$[^\s$]+$/,
};

/** @returns the places that the text has, in its order. If places overlap, the one that starts first counts. */
export const validPlaces = (text: string, places: readonly TextPlace[]): readonly TextPlace[] => {
  let last = 0;
  let isSorted = true;
  for (const { start, end } of places) {
    if (start < last) isSorted = false;
    last = end;
  }
  const sorted = isSorted ? places : [...places].sort((a, b) => a.start - b.start);
  let position = 0;
  return sorted.filter(({ type, start, end }) => {
    const isPlace = start >= position && end <= text.length && validOffset(text, end) === end;
    if (!isPlace || !FORMS[type].test(text.slice(start, end))) return false;
    position = end;
    return true;
  });
};

/** The places after a text lost or got characters. @param move converts an offset; a place whose length changes is lost */
export const movedPlaces = (
  places: readonly TextPlace[] | undefined,
  move: (offset: number) => number,
): readonly TextPlace[] | undefined =>
  places?.flatMap((place) => {
    const start = move(place.start);
    const end = move(place.end);
    return end - start === place.end - place.start ? [{ ...place, start, end }] : [];
  });

/** @returns the places that end at the offset or before it */
export const placesBefore = (places: readonly TextPlace[], offset: number): readonly TextPlace[] =>
  places.filter(({ end }) => end <= offset);
