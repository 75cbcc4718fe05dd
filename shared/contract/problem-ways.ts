// Lists the ways on from the page of a problem, and defines what a page can know about the request that failed.
import type { TombstoneReason } from '../model/post.ts';
import type { DocumentName } from './documents.ts';

/** Describes the requested page of X. The page of the error has this text. */
export interface PageOnX {
  readonly text: string;
  /** A page of this service that can be read instead. */
  readonly way?: { readonly href: string; readonly label: string };
}

/** A failed request for a page. Third-party text is only in `handle`, `query` and, percent-encoded, in the paths. */
export interface ErrorFacts {
  /** Describes this occurrence in words of the service. */
  readonly detail?: string | undefined;
  readonly reason?: TombstoneReason | undefined;
  readonly onX?: PageOnX | undefined;
  /** The time until the request can be repeated. `until` is a time of day: `14:03:20 UTC`. */
  readonly wait?: { readonly seconds: number; readonly until: string } | undefined;
  /** The subject of the requested page. `box`: the text of the box has none. */
  readonly subject: 'post' | 'profile' | 'list' | 'search' | 'box';
  /** The page is a list below the post or the profile. @default false */
  readonly isList?: boolean;
  /** A valid handle. */
  readonly handle?: string | undefined;
  /** The valid id of the post, the account or the list. */
  readonly id?: string | undefined;
  /** The search text, or the text of the box. */
  readonly query?: string | undefined;
  /** The requested path with its query, without `format`. */
  readonly url: string;
  /** `url` without the parameters that are wrong. */
  readonly correctedUrl: string;
  /** The path of the problem document; unset: a browser cannot get it. */
  readonly document?: string | undefined;
}

/** A page that the request names. It does not exist if the request lacks what its address needs. */
export type Destination =
  | 'again'
  | 'corrected'
  | 'onX'
  | 'insteadOfX'
  | 'above'
  | 'post'
  | 'profile'
  | 'feed'
  | 'words'
  | 'answers'
  | 'mentions'
  | 'people'
  | 'example';

type WordsOnWay = string | ((facts: ErrorFacts) => string | undefined);

/** A link to a page of this service, to its documentation, or to the same page on X. */
export interface WayOn {
  readonly to: Destination | DocumentName;
  /** `{handle}` and `{query}` are those of the request. */
  readonly label: WordsOnWay;
  /** Follows the link. `{wait}` says when the request can be repeated. */
  readonly note?: WordsOnWay;
}

const isSearched = ({ subject, query }: ErrorFacts): boolean => subject === 'search' && query !== undefined;

const repeatLabel = (facts: ErrorFacts): string => (isSearched(facts) ? 'Search for {query} again' : 'Try again');

export const sameAgain: WayOn = { to: 'again', label: repeatLabel };
export const sameAgainLater: WayOn = { to: 'again', label: repeatLabel, note: ({ wait }) => wait && ', best {wait}' };
export const corrected: WayOn = {
  to: 'corrected',
  label: (facts) => (isSearched(facts) ? 'Search for {query}' : 'The page without this setting'),
};
export const fromBeginning: WayOn = { to: 'corrected', label: 'The list from its beginning' };
/** The page above a list. */
export const aboveList: WayOn = {
  to: 'above',
  label: ({ subject }) => (subject === 'post' ? 'The post' : 'Profile of @{handle}'),
};
export const insteadOfX: WayOn = { to: 'insteadOfX', label: ({ onX }) => onX?.way?.label };
export const onX: WayOn = { to: 'onX', label: 'Look on X' };
export const onXForFollowers: WayOn = { to: 'onX', label: 'Look on X', note: ' if you follow the account' };
export const postById: WayOn = { to: 'post', label: 'The post with this number' };
export const postsOfAuthor: WayOn = { to: 'profile', label: 'Posts of @{handle}' };
export const profileOfAuthor: WayOn = { to: 'profile', label: 'Profile of @{handle}' };
export const feedOfAuthor: WayOn = { to: 'feed', label: 'Feed of @{handle}' };
export const searchForText: WayOn = { to: 'words', label: 'Search for {query}' };
export const answersToAuthor: WayOn = { to: 'answers', label: 'What others answered to @{handle}' };
export const mentionsOfHandle: WayOn = { to: 'mentions', label: 'Posts that mention @{handle}' };
export const peopleOfThisName: WayOn = { to: 'people', label: 'People named “{handle}”' };
export const examplePost: WayOn = { to: 'example', label: 'An example: the first post on X' };
export const frontPage: WayOn = { to: 'home', label: 'The front page' };
export const sampleReads: WayOn = { to: 'home', label: 'What the sample has' };
export const documentation: WayOn = { to: 'docs', label: 'The documentation' };
export const formats: WayOn = { to: 'formats', label: 'The formats of a page' };
export const searchHelp: WayOn = { to: 'search', label: 'What a search can say' };
export const keys: WayOn = { to: 'limits', label: 'API keys' };
export const limits: WayOn = { to: 'limits', label: 'Why there is a limit' };
export const limitsAndKeys: WayOn = {
  to: 'limits',
  label: 'Why there is a limit, and how a key raises it',
};
export const removal: WayOn = { to: 'removal', label: 'What is withheld, and how to object' };
