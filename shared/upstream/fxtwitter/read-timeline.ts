// Reads the posts of a profile from FxTwitter, latest first: its timelines, and searches for posts of the past.
//
// X ends a timeline after about 3,200 posts, with pinned posts and threads out of order. Older posts are reached with
// `until`: then searches replace the timeline (search-windows.ts). No search finds articles, so they always come from their timeline.
// Posts outside of the period are left to the caller. Searches also replace a timeline that fails; the cursor says how the
// list is read.
import type { QueryKind } from '../../contract/providers.ts';
import { warning } from '../../contract/warnings.ts';
import { isSameHandle } from '../../model/handle.ts';
import type { TimelineKind } from '../../model/lists.ts';
import type { Post } from '../../model/post.ts';
import type { FailedOutcome, Outcome, TimelineRequest } from '../../ports/upstream.ts';
import { type CallBudget, countRepeat } from '../json-client.ts';
import { NOT_A_CURSOR, type ProviderOptions, type ProviderPage, type ReadList } from '../provider.ts';
import { sleep } from '../wait.ts';
import { asksSecondWay } from './failures.ts';
import { pageParameters, readPostPage, searchLatest } from './responses.ts';
import {
  firstWindow,
  formatWindow,
  lacksShownPost,
  parseWindow,
  type SearchWindow,
  windowAfter,
  windowOperators,
} from './search-windows.ts';
import { withoutShown } from './shown-posts.ts';

/** A window that must have a post, and has none, is asked for again. */
const MAX_ATTEMPTS = 3;
const PAUSE_MILLISECONDS = 300;

interface Timeline {
  readonly kind: QueryKind<'fxtwitter'>;
  /** The last segment of the path. */
  readonly segment: string;
  readonly parameters?: Readonly<Record<string, string>>;
  /** The operators of a search for the same posts. A search finds no reposts. Unset: there is no such search. */
  readonly operators?: string;
}

const WITHOUT_REPLIES = '-filter:replies';

const timelines = {
  // By default FxTwitter leaves out replies to others.
  posts: { kind: 'statuses', segment: 'statuses', operators: WITHOUT_REPLIES },
  replies: { kind: 'statuses with replies', segment: 'statuses', parameters: { with_replies: '1' }, operators: '' },
  media: { kind: 'media', segment: 'media', operators: 'filter:media' },
  articles: { kind: 'articles', segment: 'articles' },
} as const satisfies Readonly<Record<TimelineKind, Timeline>>;

export const createTimelineReader = (options: ProviderOptions<'fxtwitter'>): ReadList<TimelineRequest, Post> => {
  const readTimeline = async (
    { handle, lang }: TimelineRequest,
    { kind, segment, parameters }: Timeline,
    page: { readonly size: number; readonly cursor?: string },
    budget: CallBudget,
  ): Promise<Outcome<ProviderPage<Post>>> => {
    const query = {
      kind,
      path: `profile/${handle}/${segment}`,
      parameters: { ...parameters, ...pageParameters(page) },
    };
    return readPostPage(options, query, budget, lang);
  };

  /** The handle has only letters, digits and underscores, so it adds no operator to the query. */
  const searchWindow = async (
    request: TimelineRequest,
    operators: string,
    window: SearchWindow,
    size: number,
    budget: CallBudget,
  ): Promise<Outcome<ProviderPage<Post>>> => {
    const q = `from:${request.handle} ${windowOperators(window, request)} ${operators}`.trim();
    const ask = (token?: string) => searchLatest(options, q, { size, token, lang: request.lang }, budget);
    const isFailure = (found: Outcome<ProviderPage<Post>>): boolean =>
      found.kind === 'found' &&
      lacksShownPost(window, found.value.items, request) &&
      windowAfter(window, [], [], found.value.next, request) === undefined;
    let page = await ask(window.token);
    for (let attempt = 1; isFailure(page) && attempt < MAX_ATTEMPTS; attempt += 1) {
      await sleep(attempt * PAUSE_MILLISECONDS);
      const again = await ask();
      if (again.kind === 'found' && again.value.items.length > 0) page = again;
    }
    if (page.kind !== 'found') return page;
    if (isFailure(page)) return { ...page, value: { items: [], isCut: true } };
    const { items, next } = page.value;
    const fresh = withoutShown(window.shown, items);
    const after = windowAfter(window, items, fresh, next, request);
    const kept = new Set(fresh);
    const others = items.filter((post) => !kept.has(post)).map(({ id }) => id);
    return {
      ...page,
      value: { items: fresh, others, ...(after && { next: formatWindow(after) }) },
      warnings: request.reposts ? [...page.warnings, warning('reposts_unavailable')] : page.warnings,
    };
  };

  /** A search without posts of the account can be about one that is missing or protected, so it explains no failure. */
  const searchInstead = async (
    failure: FailedOutcome,
    request: TimelineRequest,
    operators: string,
    size: number,
    budget: CallBudget,
  ): Promise<Outcome<ProviderPage<Post>>> => {
    countRepeat(budget.calls);
    const page = await searchWindow(request, operators, firstWindow(options.clock()), size, budget);
    const isOwn = ({ author }: Post): boolean => isSameHandle(author?.handle, request.handle);
    return page.kind === 'found' && page.value.items.some(isOwn) ? insteadOfTimeline(page) : failure;
  };

  return async (request, { size, cursor }, budget) => {
    const { kind, until } = request;
    const timeline: Timeline = timelines[kind];
    const operators = operatorsOf(timeline, request);
    const isPast = operators !== undefined && until !== undefined && until <= options.clock();
    const start = isPast ? firstWindow(until) : undefined;
    const window = cursor === undefined ? start : parseWindow(cursor);
    if (window === 'invalid' || (window !== undefined && operators === undefined)) return NOT_A_CURSOR;
    if (window !== undefined && operators !== undefined) {
      const page = await searchWindow(request, operators, window, size, budget);
      return isPast || page.kind !== 'found' ? page : insteadOfTimeline(page);
    }
    if (cursor !== undefined) return readTimeline(request, timeline, { size, cursor }, budget);
    const limits = operators === undefined ? budget : { ...budget, isLast: false };
    const page = await readTimeline(request, timeline, { size }, limits);
    return page.kind !== 'found' &&
      operators !== undefined &&
      asksSecondWay(timeline.kind, page, budget) &&
      !isCallers(page)
      ? searchInstead(page, request, operators, size, budget)
      : page;
  };
};

type FoundPage = Extract<Outcome<ProviderPage<Post>>, { kind: 'found' }>;

const insteadOfTimeline = (page: FoundPage): FoundPage => ({
  ...page,
  value: { ...page.value, isFallback: true },
  warnings: [...page.warnings, warning('fallback_answered')],
});

/** The calls of the caller took all slots, or the page is too large. */
const isCallers = (failure: FailedOutcome): boolean =>
  (failure.kind === 'down' && failure.isStarved === true) || (failure.kind === 'failed' && failure.isTooLarge === true);

/** Replies of the account to itself are replies, too. */
const operatorsOf = ({ operators }: Timeline, { threads }: TimelineRequest): string | undefined =>
  threads && operators === WITHOUT_REPLIES ? '' : operators;
