// Lists the problems (requirements: problems): status and title, which are constant per code, the resolution for authors of
// clients, and below them the words of each page for people. Bundles without pages leave the second table out, so a row has
// no call and a text with a constant in it stands in a function.
import { MAX_HANDLES } from '../model/handle.ts';
import { MAX_SEARCH_UNITS } from '../model/lists.ts';
import type { TombstoneReason } from '../model/post.ts';
import type { CacheClass } from './caching.ts';
import { REMOVAL_PATH } from './paths.ts';
import {
  aboveList,
  answersToAuthor,
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
  mentionsOfHandle,
  onX,
  onXForFollowers,
  type PageOnX,
  peopleOfThisName,
  postById,
  postsOfAuthor,
  profileOfAuthor,
  removal,
  sameAgain,
  sameAgainLater,
  sampleReads,
  searchForText,
  searchHelp,
  type WayOn,
} from './problem-ways.ts';
import { SAMPLE_SENTENCE } from './sample.ts';

export interface ProblemRow {
  readonly status: number;
  readonly title: string;
  /** One imperative sentence for the author of a client. `{base_url}` is a placeholder. */
  readonly resolution: string;
  /** The resolutions of the reasons for which another one is right. */
  readonly resolutions?: Readonly<Partial<Record<TombstoneReason, string>>>;
  /** The seconds of Retry-After and `retry_after`, if they are constant. */
  readonly retryAfter?: number;
  /** The seconds until a retry in a tool result, if HTTP has no Retry-After. */
  readonly toolRetryAfter?: number;
  /** The cache class; undefined: `no-store`. */
  readonly cache?: CacheClass;
  /** The field `Link`, with the placeholder `{base_url}`. */
  readonly link?: string;
  /** The title on sample data, of a problem that makes a statement about X, which sample data cannot prove. */
  readonly sampleTitle?: string;
  /** The same where the sample has a reason, such as that the post is deleted. @default sampleTitle */
  readonly sampleTitleOfReason?: string;
}

const WAIT_SECONDS = 30;

export const problems = {
  missing_parameter: {
    status: 400,
    title: 'A required parameter is missing',
    resolution: 'Add the missing parameter and send the request again.',
  },
  invalid_parameter: {
    status: 400,
    title: 'A parameter has a value that is not accepted',
    resolution: 'Correct the named parameter and send the request again.',
  },
  repeated_parameter: {
    status: 400,
    title: 'A parameter was given more than once',
    resolution: 'Send each parameter at most once.',
  },
  invalid_url: {
    status: 400,
    title: 'The url is not a URL',
    resolution: 'Pass url as https://x.com/{handle}/status/{id}, percent-encoded.',
  },
  unsupported_host: {
    status: 400,
    title: 'The url is not on X',
    resolution: 'Pass the URL of a post on x.com; short links such as t.co must be resolved by the caller.',
  },
  invalid_path: {
    status: 400,
    title: 'The url does not name a post',
    resolution: 'Pass the URL of one post: https://x.com/{handle}/status/{id}.',
  },
  invalid_handle: {
    status: 400,
    title: 'The handle is malformed',
    resolution: 'Pass 1 to 15 letters, digits or underscores, with at most one leading @.',
  },
  invalid_id: {
    status: 400,
    title: 'The id is malformed',
    resolution: 'Pass the id as decimal digits without a leading zero, at most 9223372036854775807.',
  },
  invalid_format: {
    status: 400,
    title: 'The format is unknown',
    resolution:
      'Pass format=markdown or format=json (posts also take format=obsidian, epub or csl, lists format=ndjson or csv, lists of posts format=rss, atom or jsonfeed, followed accounts and timelines format=opml, conversations format=graphml), or leave it out.',
  },
  missing_query: { status: 400, title: 'The search text is missing', resolution: 'Pass q with 1 to 512 characters.' },
  invalid_query: {
    status: 400,
    title: 'The search text is not accepted',
    resolution: 'Shorten or simplify q: at most 512 UTF-16 units, balanced quotes and operators.',
  },
  invalid_feed: {
    status: 400,
    title: 'The feed is unknown',
    resolution: 'Pass feed=latest, top, media or users, or leave it out.',
  },
  invalid_cursor: {
    status: 400,
    title: 'The cursor does not belong to this list',
    resolution: 'Pass next_cursor of the previous page unchanged, or start again without cursor.',
  },
  invalid_resource: {
    status: 400,
    title: 'The resource is unknown',
    resolution: 'Pass resource=profile, followers, following or search, or call the v1 route directly.',
  },
  invalid_key: {
    status: 401,
    title: 'The API key is unknown or disabled',
    resolution:
      'Drop the Authorization header to call anonymously, or ask the operator for a new key; do not retry this one.',
  },
  unauthorized: {
    status: 401,
    title: 'This route is private',
    resolution: 'Find the public route in {base_url}/openapi.json.',
  },
  post_protected: {
    status: 403,
    title: 'The post is not public',
    sampleTitle: 'The sample does not show this post',
    resolution: 'Do not retry: its author limits who can read it.',
    cache: 'missing',
  },
  profile_protected: {
    status: 403,
    title: 'The lists of this profile are not public',
    sampleTitle: 'The sample does not show these lists',
    resolution: 'Do not retry: its owner limits who can read them.',
    cache: 'missing',
  },
  forbidden_origin: {
    status: 403,
    title: 'The origin of the request is not allowed',
    resolution: 'Call the public URL of the service.',
  },
  route_not_found: {
    status: 404,
    title: 'No such route',
    resolution: 'Find the route in {base_url}/api and correct the request.',
    cache: 'route',
  },
  post_not_found: {
    status: 404,
    title: 'The post does not exist or is not available',
    sampleTitle: 'The sample has no such post',
    sampleTitleOfReason: 'The sample does not show this post',
    resolution: 'Check the id; do not retry soon.',
    resolutions: {
      deleted: 'Do not retry: a deleted post does not come back.',
      suspended: 'Do not retry soon: the post comes back only if the suspension of its author ends.',
      withheld: 'Do not retry: X does not show this post to visitors.',
    },
    cache: 'missing',
  },
  profile_not_found: {
    status: 404,
    title: 'The profile does not exist or is not available',
    sampleTitle: 'The sample has no such profile',
    sampleTitleOfReason: 'The sample does not show this profile',
    resolution: 'Check the handle or the id; do not retry soon.',
    resolutions: {
      deleted: 'Do not retry: its owner closed the account, or has another handle now.',
      suspended: 'Do not retry soon: the account comes back only if its suspension ends.',
      withheld: 'Do not retry: X does not show this account to visitors.',
    },
    cache: 'missing',
  },
  key_not_found: { status: 404, title: 'No such key', resolution: 'List the keys and use an id from that list.' },
  method_not_allowed: {
    status: 405,
    title: 'The method is not allowed on this route',
    resolution: 'Use one of the methods in the Allow header.',
  },
  not_acceptable: {
    status: 406,
    title: 'No offered type is acceptable',
    resolution: 'Ask for one of the types named in detail, or pass format.',
  },
  content_too_large: { status: 413, title: 'The request body is too large', resolution: 'Send a smaller body.' },
  uri_too_long: { status: 414, title: 'The URL is too long', resolution: 'Keep path and query within 8192 bytes.' },
  unsupported_media_type: {
    status: 415,
    title: 'The type of the request body is not supported',
    resolution: 'Send the body as application/json.',
  },
  rate_limited: {
    status: 429,
    title: 'Rate limit exceeded',
    resolution: 'Wait the number of seconds in Retry-After, then send the request again.',
  },
  withheld_by_operator: {
    status: 451,
    title: 'The operator of this service withholds the resource',
    resolution: `Do not retry: {base_url}${REMOVAL_PATH} says what is withheld, and how to object.`,
    // RFC 7725 section 4.
    link: `<{base_url}${REMOVAL_PATH}>; rel="blocked-by"`,
    cache: 'degraded',
  },
  internal_error: {
    status: 500,
    title: 'The service failed',
    resolution: 'Send the request again later; if it keeps failing, report the request id.',
  },
  format_not_implemented: {
    status: 501,
    title: 'The format is not implemented',
    resolution: 'Pass format=json or leave it out.',
  },
  not_available_here: {
    status: 501,
    title: 'No source of this service has this',
    sampleTitle: 'The sample does not have this',
    resolution: 'Do not retry soon: read it on X, or ask the operator for a source that has it.',
  },
  upstream_failed: {
    status: 502,
    title: 'The source of the data gave an unusable answer',
    sampleTitle: 'The sample has no usable answer',
    resolution: 'Send the request again later.',
    toolRetryAfter: WAIT_SECONDS,
  },
  upstream_unavailable: {
    status: 503,
    title: 'The source of the data does not answer',
    sampleTitle: 'The sample does not answer this',
    resolution: `Wait ${WAIT_SECONDS} seconds and send the same request again.`,
    retryAfter: WAIT_SECONDS,
  },
} as const satisfies Readonly<Record<string, ProblemRow>>;

// Says each problem in the words of a person: the sentence, the explanation and the ways on. A problem of the source never
// reads as if the post or the account were gone.

export interface ProblemPage {
  /** `{wait}` says when the request can be repeated. */
  readonly heading: string;
  readonly text: string;
  /** At most three of them are shown. */
  readonly ways: readonly WayOn[];
  /** @default the heading */
  readonly title?: string;
}

const WHAT_OPENS = 'Postern opens links to posts, to profiles, to the lists of both, and to searches';
const WITHOUT_ACCOUNT = 'Postern reads without an account and sees what every visitor sees.';
const HANDLES_CHANGE = 'Handles change: its owner may have another one now.';

const partOfAddress = (heading: string, { detail = 'something is wrong.' }: ErrorFacts): ProblemPage => ({
  heading,
  text: `In this address, ${detail}`,
  ways: [corrected, documentation],
});

/** The wrong value is the path of a timeline or the text of the box, which no other address corrects. */
const isAccountList = ({ subject, url, correctedUrl }: ErrorFacts): boolean =>
  subject !== 'post' && url === correctedUrl;

/** Stands before the explanation of a page of X that is not here. */
const textOfX = (page: PageOnX | undefined): string => (page === undefined ? '' : `${page.text} `);

/** Routes for programs have these problems; no page for people does. */
const unreadable: ProblemPage = {
  heading: 'This request cannot be read.',
  text: 'Pages are read with GET, without a body.',
  ways: [sameAgain],
};

/** The heading and the text by reason. Another reason has the words of `unknown`. */
type WordsOfReasons = Readonly<Partial<Record<TombstoneReason, readonly [heading: string, text: string]>>>;

const missingPost = ({ reason = 'unknown' }: ErrorFacts): ProblemPage => {
  const words: WordsOfReasons = {
    deleted: [
      'This post was deleted.',
      'X says that it was taken down. Postern keeps no copies, so there is nothing to show.',
    ],
    suspended: [
      'The author’s account is suspended.',
      'X shows no posts of a suspended account. They can come back if the suspension ends.',
    ],
    withheld: [
      'X does not show this post to the public.',
      `A limit of age, a block or a legal demand can be the reason. ${WITHOUT_ACCOUNT}`,
    ],
  };
  const [heading, text] = words[reason] ?? [
    'X does not give this post, and not why.',
    'There may be no post with this number, or it is not public. A digit can be missing at the end of the link.',
  ];
  return { heading, text, ways: [...(reason === 'suspended' ? [] : [postsOfAuthor]), answersToAuthor, onX] };
};

const missingProfile = ({ handle, reason = 'unknown' }: ErrorFacts): ProblemPage => {
  const account = handle === undefined ? 'this account' : `@${handle}`;
  const subject = account.replace(/^t/, 'T');
  const words: WordsOfReasons = {
    deleted: [`${subject} no longer exists.`, `X says that the account was deactivated or deleted. ${HANDLES_CHANGE}`],
    suspended: [
      `${subject} is suspended.`,
      'X shows nothing of a suspended account. It can come back if the suspension ends.',
    ],
    withheld: [`X does not show ${account} to the public.`, WITHOUT_ACCOUNT],
  };
  const unknown =
    handle === undefined
      ? ['There is no such account.', 'X has no account with this number, or does not show it to the public.']
      : [
          `No account is called ${subject}.`,
          `There is no profile with this handle, or X does not show it to the public. ${HANDLES_CHANGE}`,
        ];
  const [heading, text] = words[reason] ?? unknown;
  return { heading, text, ways: [peopleOfThisName, mentionsOfHandle, onX] };
};

const spentAllowance = ({ subject, isList }: ErrorFacts, until: string): string => {
  const isOfLists = isList || subject === 'profile' || subject === 'list';
  const [spent, other] =
    subject === 'search' ? ['searches', 'posts and profiles'] : isOfLists ? ['profiles and lists', 'posts'] : [];
  return spent === undefined
    ? `This network has read many pages in a short time. Ask again at ${until}.`
    : `The allowance of ${spent} is used up. Ask again at ${until}; ${other} can be read meanwhile.`;
};

/** The words for what was requested, in an outage. */
const nothingSaid = ({ subject }: ErrorFacts): string => {
  const noun = subject === 'post' ? 'post' : subject === 'profile' ? 'account' : undefined;
  return `This says nothing about the ${noun === undefined ? 'page that you asked for' : `${noun}: it may well be there`}.`;
};

const outage = (heading: string, text: string): ProblemPage => ({
  heading,
  text,
  ways: [sameAgainLater, aboveList, onX],
});

/** A new code does not compile without its page. */
export const problemPages = {
  missing_parameter: (facts) => partOfAddress('Part of this address is missing.', facts),
  invalid_parameter: (facts) =>
    isAccountList(facts)
      ? {
          heading: 'These are too many accounts.',
          text: `A timeline has at most ${MAX_HANDLES} accounts. Write fewer of them into the box above.`,
          ways: [documentation, frontPage],
        }
      : partOfAddress('Part of this address is not valid.', facts),
  repeated_parameter: (facts) => partOfAddress('Part of this address is there twice.', facts),
  invalid_url: () => ({
    heading: 'This is not a link of X.',
    text: `A link of X is a web address without a user name and a password. ${WHAT_OPENS}.`,
    ways: [examplePost, documentation],
  }),
  unsupported_host: ({ onX: shortLink }) =>
    shortLink
      ? { heading: 'This is a short link of X.', text: shortLink.text, ways: [examplePost, documentation] }
      : {
          heading: 'This is not a link of X.',
          text: `${WHAT_OPENS} on x.com, twitter.com and their mirrors.`,
          ways: [searchForText, examplePost, documentation],
        },
  invalid_path: ({ onX: page }) => ({
    heading: 'Postern has no page for this link.',
    text: `${textOfX(page)}${WHAT_OPENS}.`,
    ways: [insteadOfX, examplePost, documentation],
  }),
  invalid_handle: {
    heading: 'No account can have this handle.',
    text: 'A handle has 1 to 15 letters, digits or underscores. The link may have been cut or joined with other text.',
    ways: [postById, examplePost, documentation],
  },
  invalid_id: ({ subject }) => {
    const noun = subject === 'profile' ? 'an account' : subject === 'list' ? 'a list' : 'a post';
    return {
      heading: `This is not a link to ${noun}.`,
      text: `The link of ${noun} ends in a number of at most 19 digits. It may have been cut or joined with other text.`,
      ways: [postsOfAuthor, examplePost, documentation],
    };
  },
  invalid_format: {
    heading: 'This page has no such form.',
    text: 'Each page can also be had as Markdown and as JSON, and a post for Obsidian.',
    ways: [corrected, feedOfAuthor, formats],
  },
  missing_query: {
    heading: 'There is nothing to search for.',
    text: 'Write words, a @handle or a link into the box above.',
    ways: [searchHelp, frontPage],
  },
  invalid_query: () => ({
    heading: 'This search is not accepted.',
    text: `It is longer than ${MAX_SEARCH_UNITS} characters, or its quotes and operators do not fit together.`,
    ways: [searchHelp, frontPage],
  }),
  invalid_feed: {
    heading: 'There is no such view of a search.',
    text: 'A search shows the latest posts, the top posts, posts with media, or people.',
    ways: [corrected, searchHelp],
  },
  invalid_cursor: {
    heading: 'This part of the list is no longer there.',
    text: 'The address of a later part belongs to one list, and is forgotten after some time.',
    ways: [fromBeginning, aboveList, onX],
  },
  invalid_resource: unreadable,
  invalid_key: {
    heading: 'This API key is not valid.',
    text: 'It is unknown or disabled. Pages for people need no key: open the address without one.',
    ways: [sameAgain, keys],
  },
  unauthorized: {
    heading: 'This page is for the operator.',
    text: 'It needs a token of the operator.',
    ways: [frontPage],
  },
  post_protected: () => ({
    heading: 'Only followers can read this post.',
    text: `Its author limits who can read it. ${WITHOUT_ACCOUNT}`,
    ways: [profileOfAuthor, onXForFollowers],
  }),
  profile_protected: ({ handle }) => ({
    heading: 'Only followers can see this.',
    text: `${handle === undefined ? 'The owner of the account' : `@${handle}`} limits who can read the account. ${WITHOUT_ACCOUNT}`,
    ways: [profileOfAuthor, onXForFollowers],
  }),
  forbidden_origin: {
    heading: 'This is not the public address.',
    text: 'The request did not come through the public address of the service.',
    ways: [documentation],
  },
  route_not_found: ({ onX: page }) => ({
    heading: page ? 'This page of X is not here.' : 'Nothing is at this address.',
    text: `${textOfX(page)}Postern has the pages of posts, of profiles, of the lists of both, and of searches, at the same addresses as X. Paste a link of X into the box above.`,
    ways: [insteadOfX, examplePost, documentation, frontPage],
  }),
  post_not_found: missingPost,
  profile_not_found: missingProfile,
  key_not_found: unreadable,
  method_not_allowed: {
    heading: 'This page can only be read.',
    text: 'The request wanted to do something else than read. Postern writes nothing, here and on X.',
    ways: [sameAgain, onX],
  },
  not_acceptable: {
    heading: 'This page has no such form.',
    text: 'Each page can be had as HTML, as Markdown and as JSON.',
    ways: [corrected, formats],
  },
  content_too_large: unreadable,
  uri_too_long: {
    heading: 'This address is too long.',
    text: 'An address can have 8,192 characters. Much text may have been pasted into it.',
    ways: [frontPage, documentation],
  },
  unsupported_media_type: unreadable,
  rate_limited: (facts) => {
    const isSearch = facts.subject === 'search';
    const noun = isSearch ? 'search' : 'page';
    const ways = [sameAgain, isSearch ? limitsAndKeys : limits, ...(facts.subject === 'post' ? [aboveList] : [])];
    if (facts.wait === undefined) return { heading: 'Too many requests.', text: 'Ask again later.', ways };
    const { until } = facts.wait;
    return {
      title: `The next ${noun} at ${until}`,
      heading: `The next ${noun} is yours {wait}.`,
      text: spentAllowance(facts, until),
      ways,
    };
  },
  withheld_by_operator: ({ detail = '' }) => ({
    heading: 'The operator withholds this page.',
    text: `${detail} That says nothing about X, where it can still be.`,
    ways: [removal, frontPage],
  }),
  internal_error: (facts) =>
    outage('Postern failed at this page.', `The fault is on this side, and is recorded. ${nothingSaid(facts)}`),
  format_not_implemented: unreadable,
  not_available_here: ({ detail = 'No source of this service has it.' }) => ({
    heading: 'Postern cannot show this list.',
    text: detail,
    ways: [onX, documentation],
  }),
  upstream_failed: (facts) =>
    outage(
      'X answers, but not with this page.',
      `The source that Postern reads from sent something that cannot be used. ${nothingSaid(facts)} Try again in a minute.`,
    ),
  upstream_unavailable: (facts) =>
    outage(
      'X does not answer just now.',
      `The sources that Postern reads from are silent or busy. ${nothingSaid(facts)} Most of these faults pass within a minute.`,
    ),
} as const satisfies Readonly<Record<keyof typeof problems, ProblemPage | ((facts: ErrorFacts) => ProblemPage)>>;

/** The page of each problem that makes a statement about X, on sample data, which proves nothing about X. */
export const samplePage = ({ subject, isList, handle, reason = 'unknown' }: ErrorFacts): ProblemPage => {
  const isPage = isList || subject === 'search' || subject === 'list';
  const name = handle === undefined ? 'such account' : `account @${handle}`;
  const missing = isPage ? 'such page' : subject === 'profile' ? name : 'such post';
  const shown = isPage ? 'page' : subject === 'profile' ? 'account' : 'post';
  return {
    heading: reason === 'unknown' ? `The sample has no ${missing}.` : `The sample does not show this ${shown}.`,
    text: `${SAMPLE_SENTENCE} What you asked for may well be on X. To read it, start Postern where X can be reached.`,
    ways: [sampleReads, aboveList, onX],
  };
};
