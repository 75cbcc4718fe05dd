// Presents problems to people as HTML, and an unknown route also as Markdown. Programs get the problem document.
import { ERRORS_PATH } from '../../contract/paths.ts';
import { type ProblemCode, problemRow } from '../../contract/problems.ts';
import { SAMPLE_SENTENCE } from '../../contract/sample.ts';
import { MAX_HANDLES } from '../../model/handle.ts';
import { MAX_SEARCH_UNITS } from '../../model/lists.ts';
import { errorPageHtml } from '../html/error-page.ts';
import type { Html } from '../html/html.ts';
import type { PageService } from '../html/page.ts';
import {
  aboveList,
  clockTime,
  corrected,
  documentation,
  type ErrorFacts,
  examplePost,
  feedOfAuthor,
  formats,
  fromBeginning,
  frontPage,
  insteadOfX,
  keys,
  limits,
  limitsAndKeys,
  onX,
  postById,
  postsOfAuthor,
  removal,
  sameAgain,
  sameAgainLater,
  sampleReads,
  searchForText,
  searchHelp,
  waitPhrase,
} from './error-ways.ts';
import { missingPosts, profileNotFound, profileProtected, say, type Wording } from './reason-words.ts';

// Says each problem in the words of a person: the sentence, the explanation and the ways on. A problem of the source never
// reads as if the post or the account were gone.

const spentAllowance = ({ subject, isList }: ErrorFacts, time: string): string => {
  if (subject === 'search')
    return `The allowance of searches is used up. Ask again at ${time}; posts and profiles can be read meanwhile.`;
  if (subject === 'profile' || subject === 'list' || isList)
    return `The allowance of profiles and lists is used up. Ask again at ${time}; posts can be read meanwhile.`;
  return `This network has read many pages in a short time. Ask again at ${time}.`;
};

const rateLimited = (facts: ErrorFacts): Wording => {
  const { subject, wait } = facts;
  const isSearch = subject === 'search';
  const noun = isSearch ? 'search' : 'page';
  const ways = [sameAgain, isSearch ? limitsAndKeys : limits, ...(facts.subject === 'post' ? [aboveList] : [])];
  if (wait === undefined) return { state: 'ajar', heading: ['Too many requests.'], text: 'Ask again later.', ways };
  const time = clockTime(wait.until);
  return {
    state: 'ajar',
    title: `The next ${noun} at ${time}`,
    heading: [`The next ${noun} is yours `, ...waitPhrase(wait), '.'],
    text: spentAllowance(facts, time),
    ways,
  };
};

/** The words for what was requested, in an outage. */
const nothingSaid = ({ subject }: ErrorFacts): string => {
  switch (subject) {
    case 'post':
      return 'This says nothing about the post: it may well be there.';
    case 'profile':
      return 'This says nothing about the account: it may well be there.';
    default:
      return 'This says nothing about the page that you asked for.';
  }
};

const outage =
  (sentence: string, text: (about: string) => string) =>
  (facts: ErrorFacts): Wording => ({
    state: 'dark',
    heading: [sentence],
    text: text(nothingSaid(facts)),
    ways: [sameAgainLater, aboveList, onX],
  });

const partOfAddress =
  (sentence: string) =>
  ({ detail = 'something is wrong.' }: ErrorFacts): Wording => ({
    state: 'walled',
    heading: [sentence],
    text: `In this address, ${detail}`,
    ways: [corrected, documentation],
  });

/** The wrong value is the path of a timeline or the text of the box, which no other address corrects. */
const isAccountList = ({ subject, url, correctedUrl }: ErrorFacts): boolean =>
  subject !== 'post' && url === correctedUrl;

const tooManyAccounts = say(
  'walled',
  'These are too many accounts.',
  `A timeline has at most ${MAX_HANDLES} accounts. Write fewer of them into the box above.`,
  documentation,
  frontPage,
);

const WHAT_OPENS = 'Postern opens links to posts, to profiles, to the lists of both, and to searches';

/** Routes for programs have these problems; no page for people does. */
const unreadable = say('walled', 'This request cannot be read.', 'Pages are read with GET, without a body.', sameAgain);

/** A new code does not compile without its words. */
const wordings = {
  missing_parameter: partOfAddress('Part of this address is missing.'),
  invalid_parameter: (facts: ErrorFacts): Wording =>
    isAccountList(facts) ? tooManyAccounts() : partOfAddress('Part of this address is not valid.')(facts),
  repeated_parameter: partOfAddress('Part of this address is there twice.'),
  invalid_url: say(
    'walled',
    'This is not a link of X.',
    `A link of X is a web address without a user name and a password. ${WHAT_OPENS}.`,
    examplePost,
    documentation,
  ),
  unsupported_host: say(
    'walled',
    'This is not a link of X itself.',
    `${WHAT_OPENS} on x.com, twitter.com and their mirrors. Short links such as t.co are not followed: open the link, and paste the address to which it leads.`,
    searchForText,
    examplePost,
    documentation,
  ),
  invalid_path: ({ onX }: ErrorFacts): Wording => ({
    state: 'walled',
    heading: ['Postern has no page for this link.'],
    text: `${onX ? `${onX.text} ` : ''}${WHAT_OPENS}.`,
    ways: [insteadOfX, examplePost, documentation],
  }),
  invalid_handle: say(
    'walled',
    'No account can have this handle.',
    'A handle has 1 to 15 letters, digits or underscores. The link may have been cut or joined with other text.',
    postById,
    examplePost,
    documentation,
  ),
  invalid_id: ({ subject }) => {
    const noun = subject === 'profile' ? 'an account' : subject === 'list' ? 'a list' : 'a post';
    return {
      state: 'walled',
      heading: [`This is not a link to ${noun}.`],
      text: `The link of ${noun} ends in a number of at most 19 digits. It may have been cut or joined with other text.`,
      ways: [postsOfAuthor, examplePost, documentation],
    };
  },
  invalid_format: say(
    'walled',
    'This page has no such form.',
    'Each page can also be had as Markdown and as JSON, and a post for Obsidian.',
    corrected,
    feedOfAuthor,
    formats,
  ),
  missing_query: say(
    'walled',
    'There is nothing to search for.',
    'Write words, a @handle or a link into the box above.',
    searchHelp,
    frontPage,
  ),
  invalid_query: say(
    'walled',
    'This search is not accepted.',
    `It is longer than ${MAX_SEARCH_UNITS} characters, or its quotes and operators do not fit together.`,
    searchHelp,
    frontPage,
  ),
  invalid_feed: say(
    'walled',
    'There is no such view of a search.',
    'A search shows the latest posts, the top posts, posts with media, or people.',
    corrected,
    searchHelp,
  ),
  invalid_cursor: say(
    'walled',
    'This part of the list is no longer there.',
    'The address of a later part belongs to one list, and is forgotten after some time.',
    fromBeginning,
    aboveList,
    onX,
  ),
  invalid_resource: unreadable,
  invalid_key: say(
    'shut',
    'This API key is not valid.',
    'It is unknown or disabled. Pages for people need no key: open the address without one.',
    sameAgain,
    keys,
  ),
  unauthorized: say('shut', 'This page is for the operator.', 'It needs a token of the operator.', frontPage),
  post_protected: missingPosts.protected,
  profile_protected: profileProtected,
  forbidden_origin: say(
    'shut',
    'This is not the public address.',
    'The request did not come through the public address of the service.',
    documentation,
  ),
  route_not_found: ({ onX }: ErrorFacts): Wording => ({
    state: 'walled',
    heading: [onX ? 'This page of X is not here.' : 'Nothing is at this address.'],
    text: `${onX ? `${onX.text} ` : ''}Postern has the pages of posts, of profiles, of the lists of both, and of searches, at the same addresses as X. Paste a link of X into the box above.`,
    ways: [insteadOfX, examplePost, documentation, frontPage],
  }),
  post_not_found: ({ reason = 'unknown' }: ErrorFacts): Wording => missingPosts[reason](),
  profile_not_found: profileNotFound,
  key_not_found: unreadable,
  method_not_allowed: say(
    'walled',
    'This page can only be read.',
    'The request wanted to do something else than read. Postern writes nothing, here and on X.',
    sameAgain,
    onX,
  ),
  not_acceptable: say(
    'walled',
    'This page has no such form.',
    'Each page can be had as HTML, as Markdown and as JSON.',
    corrected,
    formats,
  ),
  content_too_large: unreadable,
  uri_too_long: say(
    'walled',
    'This address is too long.',
    'An address can have 8,192 characters. Much text may have been pasted into it.',
    frontPage,
    documentation,
  ),
  unsupported_media_type: unreadable,
  rate_limited: rateLimited,
  withheld_by_operator: ({ detail = '' }: ErrorFacts): Wording => ({
    state: 'shut',
    heading: ['The operator withholds this page.'],
    text: `${detail} That says nothing about X, where it can still be.`,
    ways: [removal, frontPage],
  }),
  internal_error: outage(
    'Postern failed at this page.',
    (about) => `The fault is on this side, and is recorded. ${about}`,
  ),
  format_not_implemented: unreadable,
  not_available_here: ({ detail = 'No source of this service has it.' }: ErrorFacts): Wording => ({
    state: 'walled',
    heading: ['Postern cannot show this list.'],
    text: detail,
    ways: [onX, documentation],
  }),
  upstream_failed: outage(
    'X answers, but not with this page.',
    (about) => `The source that Postern reads from sent something that cannot be used. ${about} Try again in a minute.`,
  ),
  upstream_unavailable: outage(
    'X does not answer just now.',
    (about) =>
      `The sources that Postern reads from are silent or busy. ${about} Most of these faults pass within a minute.`,
  ),
} as const satisfies Readonly<Record<ProblemCode, (facts: ErrorFacts) => Wording>>;

/** Sample data proves nothing about X. */
const notInSample = ({ subject, isList, handle }: ErrorFacts): Wording => {
  const name = handle === undefined ? 'such account' : `account @${handle}`;
  const missing =
    isList || subject === 'search' || subject === 'list' ? 'such page' : subject === 'profile' ? name : 'such post';
  return {
    state: 'walled',
    heading: [`The sample has no ${missing}.`],
    text: `${SAMPLE_SENTENCE} What you asked for may well be on X. To read it, start Postern where X can be reached.`,
    ways: [sampleReads, aboveList, onX],
  };
};

const wordingOf = (facts: ErrorFacts): Wording => {
  if (facts.isSample && problemRow(facts.code).sampleTitle !== undefined) return notInSample(facts);
  const words: (given: ErrorFacts) => Wording = wordings[facts.code];
  return words(facts);
};

const MAX_WAYS = 3;

/** The code says these reasons already. */
const isSaid = (reason: string): boolean => reason === 'unknown' || reason === 'protected';

/** The content of the box: what was asked for, if the box can hold it. */
const boxOf = ({ subject, query, handle }: ErrorFacts): string | undefined =>
  subject === 'profile' && handle !== undefined ? `@${handle}` : query;

/** @param service unset: the page is not an answer of a service */
export const presentError = (facts: ErrorFacts, service?: PageService): Html => {
  const { code, reason, document } = facts;
  const { ways, ...words } = wordingOf(facts);
  const query = boxOf(facts);
  return errorPageHtml({
    ...words,
    service,
    ways: ways.flatMap((find) => find(facts) ?? []).slice(0, MAX_WAYS),
    facts: [String(problemRow(code).status), code, ...(reason === undefined || isSaid(reason) ? [] : [reason])],
    meaning: `${ERRORS_PATH}#${code}`,
    ...(document !== undefined && { document }),
    ...(query !== undefined && { query }),
  });
};

export interface DirectoryEntry {
  readonly href: string;
  readonly rel: string;
  readonly title: string;
}

export interface UnknownRoute {
  readonly title: string;
  readonly detail: string | undefined;
  readonly resolution: string;
  readonly links: readonly DirectoryEntry[];
}

/** For agents that read Markdown. */
export const unknownRouteMarkdown = ({ title, detail, resolution, links }: UnknownRoute): string =>
  `# ${title}\n\n${detail === undefined ? '' : `${detail}\n\n`}${resolution}\n\n${links.map(({ href, title: label }) => `- [${label}](${href})`).join('\n')}\n`;
