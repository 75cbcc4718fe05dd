// Asks each provider for each kind of read once, and says what answered, how fast and how fresh.
import { keysOf } from '../../../shared/model/json.ts';
import type { Post } from '../../../shared/model/post.ts';
import { elapsed, later } from '../../../shared/model/time.ts';
import type { User } from '../../../shared/model/user.ts';
import type { Clock } from '../../../shared/ports/system.ts';
import type { Outcome, TranslationRequest } from '../../../shared/ports/upstream.ts';
import type { CallBudget } from '../../../shared/upstream/json-client.ts';
import type { NamedProvider } from '../../../shared/upstream/list-reader.ts';
import type { Provider, ProviderPage } from '../../../shared/upstream/provider.ts';

export interface Known {
  /** Id of a post that exists. */
  readonly post: string;
  /** Handle of a profile that exists. */
  readonly profile: string;
  /** Handle of an account that posts many times a day. */
  readonly freshness: string;
  /** Id of a post with replies; unset: one of the timeline. FxTwitter has no lists of the oldest posts. */
  readonly answered?: string | undefined;
  /** Unset: `answered`, in German. */
  readonly translated?: TranslationRequest;
}

interface Seen {
  /** Posts by which the read is fresh or old. */
  readonly posts?: readonly Post[];
  /** Set if the provider leaves something out, so that the read is not whole. */
  readonly lacks?: string;
}

type Read = (provider: Provider, known: Known, budget: CallBudget) => Promise<Outcome<Seen>> | undefined;

const PAGE = { size: 20 };

const mapped = async <T>(
  outcome: Promise<Outcome<T>> | undefined,
  see: (value: T, warnings: readonly string[]) => Seen = () => ({}),
): Promise<Outcome<Seen>> => {
  const found = await outcome;
  if (found === undefined) throw new Error('the provider has no such read');
  if (found.kind !== 'found') return found;
  return {
    ...found,
    value: see(
      found.value,
      found.warnings.map(({ code }) => code),
    ),
  };
};

const posts = (page: ProviderPage<Post>): Seen => ({ posts: page.items });

const listOfPosts =
  (requestOf: (known: Known) => Parameters<NonNullable<Provider['listPosts']>>[0]): Read =>
  (provider, known, budget) => {
    const read = provider.listPosts?.(requestOf(known));
    return read && mapped(read(PAGE, budget), posts);
  };

const listOfUsers =
  (requestOf: (known: Known) => Parameters<NonNullable<Provider['listUsers']>>[0]): Read =>
  (provider, known, budget) => {
    const read = provider.listUsers?.(requestOf(known));
    return read && mapped<ProviderPage<User>>(read(PAGE, budget));
  };

const answeredIn = ({ answered, post }: Known): string => answered ?? post;

/** X has lists of its own only at the official API; elsewhere the search reads them. */
const reads = {
  post: ({ readPost }, { post: id }, budget) =>
    readPost && mapped(readPost({ id, thread: 'off', replies: 'off' }, budget)),
  conversation: ({ readPost }, { post: id }, budget) =>
    readPost &&
    mapped(readPost({ id, thread: 'full', replies: 'top' }, budget), (_, warnings) =>
      warnings.includes('conversation_unavailable') ? { lacks: 'without replies' } : {},
    ),
  translation: ({ translatePost }, known, budget) =>
    translatePost && mapped(translatePost(known.translated ?? { id: answeredIn(known), lang: 'de' }, budget)),
  profile: ({ readProfile }, { profile }, budget) => readProfile && mapped(readProfile(profile, budget)),
  timeline: listOfPosts(({ freshness: handle }) => ({ list: 'posts', handle, kind: 'posts' })),
  'posts and replies': listOfPosts(({ profile: handle }) => ({ list: 'posts', handle, kind: 'replies' })),
  media: listOfPosts(({ profile: handle }) => ({ list: 'posts', handle, kind: 'media' })),
  articles: listOfPosts(({ profile: handle }) => ({ list: 'posts', handle, kind: 'articles' })),
  search: listOfPosts(({ freshness }) => ({ list: 'search', query: `from:${freshness}`, feed: 'latest' })),
  'search for accounts': listOfUsers(({ profile: query }) => ({ list: 'users', query })),
  followers: listOfUsers(({ profile: handle }) => ({ list: 'followers', handle })),
  following: listOfUsers(({ profile: handle }) => ({ list: 'following', handle })),
  replies: listOfPosts((known) => ({ list: 'replies', id: answeredIn(known), order: 'top' })),
  quotes: listOfPosts((known) => ({ list: 'quotes', id: answeredIn(known) })),
  reposts: listOfUsers((known) => ({ list: 'reposts', id: answeredIn(known) })),
} as const satisfies Readonly<Record<string, Read>>;

export type ReadName = keyof typeof reads;

export const readNames: readonly ReadName[] = keysOf(reads);

/** They are of the freshness profile, which may have posted a minute ago. */
const FRESH: readonly ReadName[] = ['timeline', 'search'];

/** They are of a post that the timeline names. */
const OF_ANSWERED: readonly ReadName[] = ['translation', 'replies', 'quotes', 'reposts'];

export interface Finding {
  readonly read: ReadName;
  readonly provider: string;
  readonly isOk: boolean;
  readonly milliseconds: number;
  /** The instant of the newest post, in milliseconds since the epoch. */
  readonly newest?: number;
  /** Set if the provider leaves something out, so that the read is not whole. */
  readonly lacks?: string;
  /** Why it failed. */
  readonly why?: string;
}

const whyOf = (outcome: Exclude<Outcome<Seen>, { readonly kind: 'found' }>): string => {
  if ('why' in outcome) return `${outcome.kind}: ${outcome.why}`;
  return 'reason' in outcome ? `${outcome.kind}: ${outcome.reason}` : `${outcome.kind}: not found`;
};

const newestOf = (seen: Seen): number | undefined => {
  const instants = (seen.posts ?? []).flatMap(({ created_at }) =>
    created_at === undefined ? [] : Date.parse(created_at),
  );
  return instants.length === 0 ? undefined : Math.max(...instants);
};

const mostAnswered = (seen: Seen): string | undefined =>
  seen.posts?.toSorted((a, b) => (b.metrics.replies ?? 0) - (a.metrics.replies ?? 0))[0]?.id;

/** The time of a read of the service. */
const LIMIT_MILLISECONDS = 8000;

const MAX_AT_ONCE = 4;

/** Runs the tasks in their order, some at once. */
const runAll = async (tasks: readonly (() => Promise<void>)[]): Promise<void> => {
  const waiting = tasks.values();
  const work = async (): Promise<void> => {
    for (const task of waiting) await task();
  };
  await Promise.all(Array.from({ length: MAX_AT_ONCE }, work));
};

const examineProvider = async (
  { name, provider }: NamedProvider,
  given: Known,
  clock: Clock,
  report: (finding: Finding) => void,
): Promise<void> => {
  let known = given;
  const ask = async (read: ReadName): Promise<void> => {
    const call: Read = reads[read];
    const startedAt = clock();
    const asked = call(provider, known, { deadline: later(startedAt, LIMIT_MILLISECONDS), calls: { retries: 1 } });
    if (asked === undefined) return;
    const outcome = await asked;
    const milliseconds = Math.round(elapsed(startedAt, clock()));
    if (outcome.kind !== 'found')
      return report({ read, provider: name, isOk: false, milliseconds, why: whyOf(outcome) });
    const { lacks } = outcome.value;
    const newest = FRESH.includes(read) ? newestOf(outcome.value) : undefined;
    if (read === 'timeline') known = { answered: mostAnswered(outcome.value), ...known };
    report({
      read,
      provider: name,
      isOk: lacks === undefined,
      milliseconds,
      ...(newest !== undefined && { newest }),
      ...(lacks !== undefined && { lacks }),
    });
  };
  const names = readNames.filter((read) => !OF_ANSWERED.includes(read));
  await runAll(names.map((read) => () => ask(read)));
  await runAll(OF_ANSWERED.map((read) => () => ask(read)));
};

/** @returns the findings in the order of the reads, then of the providers */
export const examineReads = async (
  providers: readonly NamedProvider[],
  known: Known,
  clock: Clock,
): Promise<readonly Finding[]> => {
  const findings: Finding[] = [];
  await Promise.all(
    providers.map((provider) => examineProvider(provider, known, clock, (finding) => findings.push(finding))),
  );
  const order = providers.map(({ name }) => name);
  return findings.toSorted(
    (a, b) =>
      readNames.indexOf(a.read) - readNames.indexOf(b.read) || order.indexOf(a.provider) - order.indexOf(b.provider),
  );
};

/** The reads that a provider has, but none gave. */
export const lostReads = (findings: readonly Finding[]): readonly ReadName[] =>
  readNames.filter((name) => {
    const ways = findings.filter(({ read }) => read === name);
    return ways.length > 0 && !ways.some(({ isOk }) => isOk);
  });
