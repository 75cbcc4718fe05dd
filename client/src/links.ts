// Reads the argument of a method: an id, a handle or words, or a link on X, on a mirror or on the service. Links have the
// meaning that they have in the box of the service.
import { meaningNouns, parseText, type TextMeaning } from '../../shared/model/account-list.ts';
import { kindOfPage } from '../../shared/model/x-urls.ts';
import { methodRows } from './method-rows.ts';
import type { MethodRow } from './options.ts';

type Link = Exclude<TextMeaning, { readonly kind: 'error' }>;

export interface Argument {
  /** For the parameter of the route. */
  readonly value: string;
  /** Of the link of a search. */
  readonly feed?: string | undefined;
  /** Of the link of a tab of a profile. */
  readonly kind?: string | undefined;
}

/** A link is one word with a slash. `node.js`, `#a/b` and `"https://x.com/jack"` are words. */
const LINK = /^[\w@/]\S*\/\S*$/;

const argumentOf = (link: Link): Argument => {
  switch (link.kind) {
    case 'post':
      return { value: link.ref.id };
    case 'profile':
      return { value: link.handle, kind: link.page && kindOfPage[link.page] };
    case 'account':
    case 'list':
      return { value: link.id };
    case 'timeline':
      return { value: link.handles.join(), kind: link.page && kindOfPage[link.page] };
    case 'search':
      return { value: link.query, feed: link.feed };
  }
};

const isReadBy = ({ subject, isSeveral }: MethodRow, { kind }: Link): boolean =>
  kind === 'timeline' ? subject === 'profile' && isSeveral === true : kind === subject;

/** @returns the first method in the order of the documents */
const methodFor = (link: Link): string | undefined =>
  Object.entries(methodRows).find(
    ([, row]) => isReadBy(row, link) && (row.isSeveral === true) === (link.kind === 'timeline'),
  )?.[0];

/** @returns undefined if the text is no link, or only looks like a link */
const meaningOf = (text: string, origin: string): TextMeaning | undefined => {
  const meaning = LINK.test(text) ? parseText(text, origin) : undefined;
  return meaning?.kind === 'search' && meaning.query === text ? undefined : meaning;
};

/**
 * @param origin of the service, whose links are also read
 * @returns a text that is no link as it is: the service judges it
 * @throws TypeError if the link is of another kind; the message names the method to use
 */
export const readArgument = (text: string, row: MethodRow, origin: string): Argument => {
  const meaning = meaningOf(text.trim(), origin);
  if (meaning === undefined) return { value: text };
  if (meaning.kind === 'error') {
    // In the path of a route, the service could only say that there is no such route.
    if (row.route.includes('{')) throw new TypeError(`${text} is not the link of ${meaningNouns[row.subject]}`);
    return { value: text };
  }
  if (isReadBy(row, meaning)) return argumentOf(meaning);
  throw new TypeError(`${text} is the link of ${meaningNouns[meaning.kind]}, which ${methodFor(meaning)}() reads`);
};
