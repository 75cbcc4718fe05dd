// Presents problems to people as HTML, and an unknown route also as Markdown. Programs get the problem document.
import { documents } from '../../contract/documents.ts';
import { ERRORS_PATH } from '../../contract/paths.ts';
import { type ProblemPage, problemPages, samplePage } from '../../contract/problem-rows.ts';
import type { Destination, ErrorFacts, WayOn } from '../../contract/problem-ways.ts';
import {
  isFailure,
  type Problem,
  type ProblemCode,
  problemRow,
  resolutionOf,
  titleOf,
} from '../../contract/problems.ts';
import { queryString } from '../../contract/query-string.ts';
import { accountPath, postUrl, profileUrl, xListPath } from '../../model/handle.ts';
import { MAX_SEARCH_UNITS } from '../../model/lists.ts';
import { cutOffset } from '../content/cut.ts';
import type { GateState } from '../html/elements.ts';
import { errorPageHtml, type Phrase, type Way } from '../html/error-page.ts';
import type { Html } from '../html/html.ts';
import { postPath, profilePath, searchPath } from '../html/inner-links.ts';
import type { PageService } from '../html/page.ts';
import type { Reading } from '../html/reading.ts';

const urlOnX = ({ subject, handle, id, query }: ErrorFacts): string | undefined => {
  if (id !== undefined && subject === 'list') return `https://x.com${xListPath(id)}`;
  if (id !== undefined) return subject === 'profile' ? `https://x.com${accountPath(id)}` : postUrl(id, handle);
  if (subject === 'search' && query !== undefined) return `https://x.com/search?${queryString({ q: query })}`;
  return handle === undefined ? undefined : profileUrl(handle);
};

const profileOf = ({ handle }: ErrorFacts): string | undefined => handle && profilePath(handle);

/** Where the ways lead; undefined if the request has no such page. */
const destinations: Readonly<Record<Destination, (facts: ErrorFacts) => string | undefined>> = {
  again: ({ url }) => url,
  corrected: ({ correctedUrl }) => correctedUrl,
  onX: urlOnX,
  insteadOfX: ({ onX }) => onX?.way?.href,
  above: (facts) => {
    const { subject, isList, handle, id } = facts;
    if (isList !== true) return undefined;
    return subject === 'post' ? id && postPath(id, handle) : profileOf(facts);
  },
  post: ({ id }) => id && postPath(id),
  profile: profileOf,
  feed: (facts) => profileOf(facts) && `${profileOf(facts)}/rss`,
  // The text of the box can be words, in which a link stands.
  words: ({ query }) => (query === undefined || query.length > MAX_SEARCH_UNITS ? undefined : searchPath(query)),
  answers: (facts) => profileOf(facts) && searchPath(`to:${facts.handle}`),
  mentions: ({ handle }) => handle && searchPath(`@${handle}`),
  people: ({ handle }) => handle && searchPath(handle, 'users'),
  example: () => '/jack/status/20',
};

const isDestination = (to: WayOn['to']): to is Destination => Object.hasOwn(destinations, to);

const MAX_QUOTED_CHARACTERS = 60;

const quotation = (query: string): Phrase => {
  const line = query.trim();
  const end = cutOffset(line, MAX_QUOTED_CHARACTERS, 1);
  return ['“', { quoted: end === undefined ? line : `${line.slice(0, end)}…` }, '”'];
};

/** A longer countdown is of no use. */
const MAX_COUNTDOWN_SECONDS = 600;

/** @returns `in 24 seconds`, counting down, or `at 14:03:20 UTC` */
const waitPhrase = ({ seconds, until }: NonNullable<ErrorFacts['wait']>): Phrase =>
  seconds <= MAX_COUNTDOWN_SECONDS ? ['in ', { seconds }, ' seconds'] : [`at ${until}`];

const phraseOf = (words: WayOn['note'], facts: ErrorFacts): Phrase => {
  const { handle = '', query = '', wait } = facts;
  const text = typeof words === 'function' ? words(facts) : words;
  if (text === undefined) return [];
  return text.split(/(\{[a-z]+\})/).flatMap((part): Phrase => {
    if (part === '{query}') return quotation(query);
    if (part === '{wait}') return wait ? waitPhrase(wait) : [];
    return [part === '{handle}' ? handle : part];
  });
};

const wayOf = ({ to, label, note }: WayOn, facts: ErrorFacts): Way | undefined => {
  const href = isDestination(to) ? destinations[to](facts) : documents[to].path;
  return href ? { href, label: phraseOf(label, facts), note: phraseOf(note, facts) } : undefined;
};

const stateOf = (status: number): GateState => {
  if (isFailure(status)) return 'dark';
  if (status === 429) return 'retry';
  return [401, 403, 451].includes(status) ? 'shut' : 'missing';
};

const pageOf = (
  code: ProblemCode,
  facts: ErrorFacts,
  isSample: boolean | undefined,
): ProblemPage & { readonly state: GateState } => {
  const { status, sampleTitle } = problemRow(code);
  if (isSample && sampleTitle !== undefined) return { state: 'missing', ...samplePage(facts) };
  const page: ProblemPage | ((given: ErrorFacts) => ProblemPage) = problemPages[code];
  return { state: stateOf(status), ...(typeof page === 'function' ? page(facts) : page) };
};

const MAX_WAYS = 3;

/** The code says these reasons already. */
const isSaid = (reason: string): boolean => reason === 'unknown' || reason === 'protected';

/** The content of the box: what was asked for, if the box can hold it. */
const boxOf = ({ subject, query, handle }: ErrorFacts): string | undefined =>
  subject === 'profile' && handle !== undefined ? `@${handle}` : query;

/** @param service unset: the page is not an answer of a service */
export const presentError = (code: ProblemCode, facts: ErrorFacts, service?: PageService, reading?: Reading): Html => {
  const { reason, document } = facts;
  const { heading, ways, ...page } = pageOf(code, facts, service?.isSample);
  return errorPageHtml({
    reading,
    ...page,
    heading: phraseOf(heading, facts),
    ways: ways.flatMap((way) => wayOf(way, facts) ?? []).slice(0, MAX_WAYS),
    facts: [String(problemRow(code).status), code, ...(reason === undefined || isSaid(reason) ? [] : [reason])],
    meaning: `${ERRORS_PATH}#${code}`,
    document,
    query: boxOf(facts),
    service,
  });
};

export interface DirectoryEntry {
  readonly href: string;
  readonly rel: string;
  readonly title: string;
}

/** For agents that read Markdown. */
export const unknownRouteMarkdown = (thrown: Problem, baseUrl: string, links: readonly DirectoryEntry[]): string => {
  const { detail } = thrown.options;
  const list = links.map(({ href, title }) => `- [${title}](${href})`).join('\n');
  return `# ${titleOf(thrown)}\n\n${detail === undefined ? '' : `${detail}\n\n`}${resolutionOf(thrown, baseUrl)}\n\n${list}\n`;
};
