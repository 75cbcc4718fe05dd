// Spreads the calls of one provider over several addresses that serve the same API, and isolates callers from an address
// that dies, refuses or lies.
//
// Health. Each address has its own JSON client, so breakers, bulkheads and fault attribution per kind of query are its own.
// The pool adds to each address a breaker for all kinds, which a 429 that is not about its subject or a refused connection opens, and a rate budget: an
// address out of budget is not asked.
//
// Choice. Of the addresses that may be asked, the one with the fewest calls in flight relative to its weight is asked. Equal
// ones are chosen at random by weight, so that instances do not march together.
//
// Failover. A call is asked at each address at most once, within the deadline of its request and the time of one attempt.
// Every response is judged by the mapper of the provider. After a `usable` response the call ends. After a `doubtful` one,
// such as a bare 404, a second address is asked, and the call ends if both agree; canary.ts asks a canary at these addresses.
// After any other result another address is asked. An address that failed is the last choice for the rest of the request, and
// a failover prefers addresses whose last call succeeded.
//
// Load. A failover is not a retry if the first address got no work: its breaker is open, no connection was made, or it
// answered 429, which closes it. Every other failover is paid with a usable response that the pool got for this kind of
// query before, in common and by the same caller. So a world where every address fails gets only the 20 calls saved at the
// start, and one where a share of the calls fails gets less than one additional call per usable response. A call pays at
// most 2. The retry at the same address (10 % of requests) does not exist in a pool.
//
// Outage. While no address answers a kind of query, one call at a time probes the pool (pool-outage.ts).
//
// Evidence. If one address answers what another could not answer or denied, the other is at fault: its breaker counts a
// failure without a canary. If no address answered, every result is attributed as that of a single address.
import type { Clock } from '../ports/system.ts';
import { type BreakerChange, type CircuitBreaker, createCircuitBreaker } from '../resilience/circuit-breaker.ts';
import type { RateBudget } from '../resilience/rate-budget.ts';
import { createRetryBudget, type RetryBudget } from '../resilience/retry-budget.ts';
import { type AddressNotes, createAddressNotes, type Judge, type Verdict } from './address-notes.ts';
import type { AttemptResult, FetchResult } from './http-request.ts';
import {
  type AddressClient,
  type CallBudget,
  type JsonClient,
  type RejectedCall,
  type SentCall,
  STARVED,
  withLimits,
} from './json-client.ts';
import { createPoolOutage, type PoolCall } from './pool-outage.ts';

/** Refused connections in a row that close an address, and the longest time for which it is closed. */
const ADDRESS_BREAKER = { failureThreshold: 3, openMilliseconds: 5000 };
/** Failovers that are saved, per kind of query and in all; the pool starts with them. */
const SAVED_FAILOVERS = 20;
/** Paid failovers of one call. */
const MAX_FAILOVERS = 2;

export interface PoolAddress {
  readonly baseUrl: string;
  /** The share of calls relative to the other addresses. */
  readonly weight: number;
  /** Unset: no bound. */
  readonly rate?: RateBudget | undefined;
  readonly client: AddressClient;
}

export interface AddressPoolOptions {
  readonly addresses: readonly PoolAddress[];
  /** The base of the URLs that `get` takes. The base URL of the address that is asked replaces it. */
  readonly baseUrl: string;
  /** @returns the kind of the query with this URL */
  kindOf(url: string): string;
  /** Called when an address is closed for all kinds of query, or opened again. */
  onCircuitChange(address: string, change: BreakerChange): void;
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

/** An address with what the pool knows of it. */
interface Member extends PoolAddress {
  /** For all kinds of query: 429 and refused connections. */
  readonly breaker: CircuitBreaker;
  inFlight: number;
}

/** The state of one kind of query. */
interface QueryState {
  readonly failovers: RetryBudget;
  /** Starts a call. */
  readonly startCall: () => PoolCall<Member>;
}

interface Answer {
  readonly member: Member;
  readonly sent: SentCall;
  readonly fetched: FetchResult;
  readonly verdict: Verdict;
}

const NOT_ASKED: FetchResult = { kind: 'down', why: 'no address may be asked' };

const NOT_SENT: Pick<AttemptResult, 'health' | 'retryAfter'> = { health: 'inconclusive' };

/** The result is about the address, whatever the others answer. */
const isAboutAddress = ({ health }: AttemptResult): boolean => health === 'failure' || health === 'throttled';

/** The address got no work from the call, or closed itself. */
const isFree = (attempt: AttemptResult): boolean =>
  attempt.health === 'throttled' || (attempt.health === 'failure' && attempt.status === undefined);

const verdictOf = ({ fetched }: AttemptResult, judge: Judge): Verdict => {
  if (fetched.kind === 'failed' && fetched.isTooLarge === true) return 'usable';
  if (fetched.kind !== 'response') return 'unusable';
  try {
    return judge(fetched);
  } catch {
    return 'unusable'; // a bug of the mapper, or an answer made to find one; the reader logs it if no address does better
  }
};

/** @returns the members with the least score */
const least = (members: readonly Member[], score: (member: Member) => number): readonly Member[] => {
  const scores = members.map(score);
  const minimum = Math.min(...scores);
  return members.filter((_, index) => scores[index] === minimum);
};

/** Random by weight. @param members not empty */
const pickByWeight = (members: readonly Member[], random: () => number): Member | undefined => {
  let left = random() * members.reduce((sum, { weight }) => sum + weight, 0);
  return members.find(({ weight }) => {
    left -= weight;
    return left < 0;
  });
};

export const createAddressPool = (options: AddressPoolOptions): JsonClient => {
  const { addresses, baseUrl, kindOf, onCircuitChange, clock, random } = options;
  const members: readonly Member[] = addresses.map((address) => ({
    ...address,
    breaker: createCircuitBreaker(clock, random, {
      ...ADDRESS_BREAKER,
      onChange: (change) => onCircuitChange(address.baseUrl, change),
    }),
    inFlight: 0,
  }));
  const urlAt = ({ baseUrl: base }: Member, url: string): string => `${base}${url.slice(baseUrl.length)}`;

  const failuresOf = (member: Member, url: string): number =>
    Math.max(member.breaker.failures(), member.client.failures(urlAt(member, url)));

  const states = new Map<string, QueryState>();
  const stateOf = (url: string): QueryState => {
    const kind = kindOf(url);
    const existing = states.get(kind);
    if (existing !== undefined) return existing;
    const created: QueryState = {
      failovers: createRetryBudget({
        requestsPerRetry: 1,
        maxSavedRetries: SAVED_FAILOVERS,
        firstRetries: SAVED_FAILOVERS,
        firstRetriesOfCaller: MAX_FAILOVERS,
      }),
      startCall: createPoolOutage({
        addresses: members,
        failuresOf: (member) => failuresOf(member, url),
        clock,
        random,
      }),
    };
    states.set(kind, created);
    return created;
  };

  const mayBeAsked = (
    url: string,
    budget: CallBudget,
    { only }: AddressNotes,
    asked: ReadonlySet<Member>,
  ): readonly Member[] =>
    members.filter(
      (member) =>
        !asked.has(member) &&
        (only === undefined || only === member.baseUrl) &&
        member.breaker.admits(budget) &&
        member.rate?.hasRoom() !== false &&
        member.client.mayAsk(urlAt(member, url), budget),
    );

  const choose = (
    candidates: readonly Member[],
    url: string,
    budget: CallBudget,
    { failed, doubtful }: AddressNotes,
  ): Member | undefined => {
    if (candidates.length < 2) return candidates[0];
    const trusted = least(candidates, (member) =>
      Number(failed.has(member.baseUrl) || doubtful.includes(member.baseUrl)),
    );
    const free = least(trusted, (member) => Number(!member.client.hasRoom(urlAt(member, url), budget)));
    const sound = failed.size === 0 ? free : least(free, (member) => Number(failuresOf(member, url) > 0));
    return pickByWeight(
      least(sound, ({ inFlight, weight }) => inFlight / weight),
      random,
    );
  };

  /** Sends the call and reports to the breaker of the address. @returns undefined if the breaker admits no call */
  const ask = async (member: Member, url: string, budget: CallBudget): Promise<SentCall | RejectedCall | undefined> => {
    const permit = member.breaker.acquire(budget);
    if (permit === undefined) return undefined;
    member.inFlight += 1;
    const sent = await member.client.send(urlAt(member, url), budget);
    member.inFlight -= 1;
    const { health, retryAfter } = 'why' in sent ? NOT_SENT : sent.attempt;
    permit.report(health === 'suspect' || health === 'throttled' ? 'inconclusive' : health, retryAfter);
    return sent;
  };

  /** Reports the answers of a call to which no address had a usable one, and chooses among them. */
  const lastResort = (answers: readonly Answer[], notes: AddressNotes, failovers: RetryBudget): FetchResult => {
    const doubtful = answers.filter(({ verdict }) => verdict === 'doubtful');
    notes.doubtful = doubtful.map(({ member }) => member.baseUrl);
    // The second answer was paid, and is worth it if a canary shows that the address finds what exists.
    if (doubtful.length > 1) notes.onConfirmed = [...notes.onConfirmed, failovers.deposit];
    for (const { sent, member, verdict } of answers) {
      if (isAboutAddress(sent.attempt)) continue;
      // A canary is known to exist.
      if (notes.only === member.baseUrl && verdict === 'doubtful') sent.blame();
      else sent.settle();
    }
    // A later call can succeed if one of them was down.
    const answer = doubtful[0] ?? answers.find(({ fetched }) => fetched.kind === 'down') ?? answers[0];
    return answer?.fetched ?? NOT_ASKED;
  };

  const callPool = async (
    url: string,
    budget: CallBudget,
    judge: Judge,
    { failovers, call }: { readonly failovers: RetryBudget; readonly call: PoolCall<Member> },
  ): Promise<FetchResult> => {
    budget.addresses ??= createAddressNotes();
    const notes = budget.addresses;
    const asked = new Set<Member>();
    const answers: Answer[] = [];
    const hasTwo = (verdict: Verdict) => answers.filter((answer) => answer.verdict === verdict).length > 1;
    let charges = 0;
    let paid = 0;
    for (;;) {
      const candidates = call.admitted(mayBeAsked(url, budget, notes, asked));
      const member = choose(candidates, url, budget, notes);
      if (member === undefined || charges > MAX_FAILOVERS || hasTwo('doubtful')) break;
      if (charges > paid && !failovers.withdraw(budget.caller)) break;
      paid = charges;
      asked.add(member);
      const isLast = budget.isLast && candidates.length === 1;
      const sent = await withLimits(budget, { isLast }, () => ask(member, url, budget));
      if (sent === undefined) continue;
      if ('why' in sent) {
        if (sent.why === STARVED.why) return answers.length === 0 ? STARVED : lastResort(answers, notes, failovers);
        continue;
      }
      call.recordAsked(member);
      const verdict = verdictOf(sent.attempt, judge);
      const { fetched } = sent.attempt;
      if (verdict === 'usable') {
        sent.settle();
        for (const answer of answers) if (!isAboutAddress(answer.sent.attempt)) answer.sent.blame();
        failovers.deposit(budget.caller);
        notes.doubtful = [];
        return fetched;
      }
      answers.push({ member, sent, fetched, verdict });
      if (verdict === 'unusable') notes.failed.add(member.baseUrl);
      if (isAboutAddress(sent.attempt)) sent.settle((retryAfter) => member.breaker.record('throttled', retryAfter));
      if (!isFree(sent.attempt)) charges += 1;
    }
    return lastResort(answers, notes, failovers);
  };

  return {
    async get(url, budget, judge = () => 'usable') {
      const { failovers, startCall } = stateOf(url);
      const call = startCall();
      try {
        return await callPool(url, budget, judge, { failovers, call });
      } finally {
        call.end();
      }
    },
  };
};
