// Expands the short links of texts that are no posts: biographies and community notes. Neither is HTML-escaped.
import type { JsonRecord } from '../model/json.ts';
import { PLACES, type PlacedText } from '../model/text-places.ts';
import type { User } from '../model/user.ts';
import { buildText, linkTo, type NamedEntity, namedText, type Replacement } from './build-text.ts';
import { facetAt, facetLocator, type Locate } from './facets.ts';
import { asRecords, asShortText, MAX_CHARACTERS } from './json-readers.ts';

interface LinkFacts {
  /** The text of the link. */
  readonly original: string | undefined;
  /** Its target. */
  readonly by: string | undefined;
  readonly indices: unknown;
}

interface ExpandOptions {
  readonly read: (facet: JsonRecord) => LinkFacts;
  /** Finds what else the provider names. @default nothing */
  readonly entities?: (locate: Locate) => readonly NamedEntity[];
  /** The bound of the result. Links that would exceed it stay short. @default none */
  readonly maxLength?: number;
}

/** @param facets other values than a list: the provider names nothing in the text */
export const expandLinks = (
  text: string,
  facets: unknown,
  { read, entities = () => [], maxLength = Number.POSITIVE_INFINITY }: ExpandOptions,
): PlacedText => {
  if (!Array.isArray(facets)) return { text };
  const locate = facetLocator(text);
  let left = maxLength - text.length;
  const replacements = asRecords(facets).flatMap((facet): readonly Replacement[] => {
    const { original, by, indices } = read(facet);
    const range = original === undefined || by === undefined ? undefined : locate(facetAt(indices, original));
    if (range === undefined || by === undefined || by.length > left) return [];
    left -= by.length;
    return [{ ...range, ...linkTo(by) }];
  });
  const named = namedText(text, buildText(text, replacements), entities(locate));
  return { text: named.text, [PLACES]: named[PLACES] };
};

/** Expands the links of a biography, within the bound of biographies. */
export const expandBio = (
  value: unknown,
  facets: unknown,
  options: Omit<ExpandOptions, 'maxLength'>,
): Pick<User, 'bio' | typeof PLACES> | undefined => {
  const text = asShortText(value, 'bio');
  if (text === undefined) return undefined;
  const expanded = expandLinks(text, facets, { ...options, maxLength: MAX_CHARACTERS.bio });
  return { bio: expanded.text, [PLACES]: expanded[PLACES] };
};
