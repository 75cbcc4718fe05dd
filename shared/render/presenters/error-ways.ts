// Finds the ways on from an error page: to pages of this service, to its documentation, and to the same page on X.
import { type DocumentName, documents } from '../../contract/documents.ts';
import { REMOVAL_PATH } from '../../contract/paths.ts';
import type { PageOnX, ProblemCode } from '../../contract/problems.ts';
import { queryString } from '../../contract/query-string.ts';
import { accountPath, postUrl, profileUrl, xListPath } from '../../model/handle.ts';
import { MAX_SEARCH_UNITS } from '../../model/lists.ts';
import type { TombstoneReason } from '../../model/post.ts';
import { cutOffset } from '../content/cut.ts';
import type { Phrase, Way } from '../html/error-page.ts';
import { postPath, profilePath, searchPath } from '../html/inner-links.ts';

/** A failed request for a page. Third-party text is only in `handle`, `query` and, percent-encoded, in the paths. */
export interface ErrorFacts {
  readonly code: ProblemCode;
  /** Describes this occurrence in words of the service. */
  readonly detail?: string;
  readonly reason?: TombstoneReason;
  readonly onX?: PageOnX;
  /** The time until the request can be repeated. */
  readonly wait?: { readonly seconds: number; readonly until: string };
  /** The subject of the requested page. `box`: the text of the box has none. */
  readonly subject: 'post' | 'profile' | 'list' | 'search' | 'box';
  /** The page is a list below the post or the profile. @default false */
  readonly isList?: boolean;
  /** A valid handle. */
  readonly handle?: string;
  /** The valid id of the post, the account or the list. */
  readonly id?: string;
  /** The search text, or the text of the box. */
  readonly query?: string;
  /** The requested path with its query, without `format`. */
  readonly url: string;
  /** `url` without the parameters that are wrong. */
  readonly correctedUrl: string;
  /** Sample data answers in place of X. @default false */
  readonly isSample?: boolean | undefined;
  /** The path of the problem document; unset: a browser cannot get it. */
  readonly document?: string;
}

/** @returns undefined if the way does not exist for this request */
export type FindWay = (facts: ErrorFacts) => Way | undefined;

const wayTo = (href: string | undefined, label: string, note?: string): Way | undefined =>
  href === undefined ? undefined : { href, label: [label], ...(note !== undefined && { note: [note] }) };

const MAX_QUOTED_CHARACTERS = 60;

const quotation = (query: string): Phrase => {
  const line = query.trim();
  const end = cutOffset(line, MAX_QUOTED_CHARACTERS, 1);
  return ['“', { quoted: end === undefined ? line : `${line.slice(0, end)}…` }, '”'];
};

export const insteadOfX: FindWay = ({ onX }) => wayTo(onX?.way?.href, onX?.way?.label ?? '');

/** The text of the box can be words, in which a link stands. */
export const searchForText: FindWay = ({ query }) =>
  query === undefined || query.length > MAX_SEARCH_UNITS
    ? undefined
    : { href: searchPath(query), label: ['Search for ', ...quotation(query)] };

export const postsOfAuthor: FindWay = ({ handle }) => wayTo(handle && profilePath(handle), `Posts of @${handle}`);

export const profileOfAuthor: FindWay = ({ handle }) => wayTo(handle && profilePath(handle), `Profile of @${handle}`);

export const feedOfAuthor: FindWay = ({ handle }) =>
  wayTo(handle && profilePath(handle) && `${profilePath(handle)}/rss`, `Feed of @${handle}`);

/** The page above a list. */
export const aboveList: FindWay = ({ subject, isList, handle, id }) => {
  if (isList !== true) return undefined;
  return subject === 'post'
    ? wayTo(id && postPath(id, handle), 'The post')
    : wayTo(handle && profilePath(handle), `Profile of @${handle}`);
};

export const answersToAuthor: FindWay = ({ handle }) =>
  wayTo(handle && profilePath(handle) && searchPath(`to:${handle}`), `What others answered to @${handle}`);

export const peopleOfThisName: FindWay = ({ handle }) =>
  wayTo(handle && searchPath(handle, 'users'), `People named “${handle}”`);

export const mentionsOfHandle: FindWay = ({ handle }) =>
  wayTo(handle && searchPath(`@${handle}`), `Posts that mention @${handle}`);

export const postById: FindWay = ({ id }) => wayTo(id && postPath(id), 'The post with this number');

const urlOnX = ({ subject, handle, id, query }: ErrorFacts): string | undefined => {
  if (id !== undefined && subject === 'list') return `https://x.com${xListPath(id)}`;
  if (id !== undefined) return subject === 'profile' ? `https://x.com${accountPath(id)}` : postUrl(id, handle);
  if (subject === 'search' && query !== undefined) return `https://x.com/search?${queryString({ q: query })}`;
  return handle === undefined ? undefined : profileUrl(handle);
};

export const onX: FindWay = (facts) => wayTo(urlOnX(facts), 'Look on X');

export const onXForFollowers: FindWay = (facts) => wayTo(urlOnX(facts), 'Look on X', ' if you follow the account');

/** A longer countdown is of no use. */
const MAX_COUNTDOWN_SECONDS = 600;

/** @returns RFC 3339 -> `14:03:20 UTC` */
export const clockTime = (instant: string): string => `${instant.slice(11, 19)} UTC`;

/** @returns `in 24 seconds`, counting down, or `at 14:03:20 UTC` */
export const waitPhrase = ({ seconds, until }: NonNullable<ErrorFacts['wait']>): Phrase =>
  seconds <= MAX_COUNTDOWN_SECONDS ? ['in ', { seconds }, ' seconds'] : [`at ${clockTime(until)}`];

const repeatLabel = ({ subject, query }: ErrorFacts): Phrase =>
  subject === 'search' && query !== undefined ? ['Search for ', ...quotation(query), ' again'] : ['Try again'];

export const sameAgain: FindWay = (facts) => ({ href: facts.url, label: repeatLabel(facts) });

export const sameAgainLater: FindWay = (facts) => ({
  href: facts.url,
  label: repeatLabel(facts),
  ...(facts.wait && { note: [', best ', ...waitPhrase(facts.wait)] }),
});

export const corrected: FindWay = ({ subject, query, correctedUrl }) => ({
  href: correctedUrl,
  label:
    subject === 'search' && query !== undefined
      ? ['Search for ', ...quotation(query)]
      : ['The page without this setting'],
});

export const fromBeginning: FindWay = ({ correctedUrl }) => wayTo(correctedUrl, 'The list from its beginning');

const pageAt =
  (href: string, label: string): FindWay =>
  () =>
    wayTo(href, label);

const documentPage = (name: DocumentName, label: string): FindWay => pageAt(documents[name].path, label);

export const limits = documentPage('limits', 'Why there is a limit');
export const limitsAndKeys = documentPage('limits', 'Why there is a limit, and how a key raises it');
export const keys = documentPage('limits', 'API keys');
export const removal = pageAt(REMOVAL_PATH, 'What is withheld, and how to object');
export const formats = documentPage('formats', 'The formats of a page');
export const searchHelp = documentPage('search', 'What a search can say');
export const examplePost = pageAt('/jack/status/20', 'An example: the first post on X');
export const documentation = documentPage('docs', 'The documentation');
export const frontPage = documentPage('home', 'The front page');
export const sampleReads = documentPage('home', 'What the sample has');
