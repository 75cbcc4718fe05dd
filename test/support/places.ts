// Names the places of links and other parts of a text, as a provider does.
import type { PlaceType, TextPlace } from '../../shared/model/text-places.ts';

/** @returns the places of each word in the text; of words that begin at one place, the longest counts */
const placesAt = (type: PlaceType, text: string, words: readonly string[]): TextPlace[] => {
  const places: TextPlace[] = [];
  const longest = [...words].sort((a, b) => b.length - a.length);
  for (let at = 0; at < text.length; at += 1) {
    const word = longest.find((each) => each !== '' && text.startsWith(each, at));
    if (word === undefined) continue;
    places.push({ type, start: at, end: at + word.length });
    at += word.length - 1;
  }
  return places;
};

export const linksAt = (text: string, urls: readonly string[]): TextPlace[] => placesAt('link', text, urls);

const types: ReadonlyMap<string, PlaceType> = new Map([
  ['@', 'mention'],
  ['＠', 'mention'],
  ['#', 'hashtag'],
  ['＃', 'hashtag'],
  ['$', 'cashtag'],
]);

/** @param words links, or other words with their signs @returns the places of all, in the order of the text */
export const placesIn = (text: string, words: readonly string[]): TextPlace[] =>
  words
    .flatMap((word) => placesAt(types.get(word.charAt(0)) ?? 'link', text, [word]))
    .sort((a, b) => a.start - b.start);
