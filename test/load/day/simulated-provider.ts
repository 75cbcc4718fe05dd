// Simulates the servers of a provider with the API of FxTwitter in virtual time: latency, a limit of calls per minute for
// each base URL, an outage of all and of one. Answers are what the real mappers read.
import type { AttemptResult, SendRequest } from '../../../shared/upstream/http-request.ts';
import { DAY_START, deadAddress, isIn, outage, PROVIDER_LATENCY, THREAD_EVERY } from './day-assumptions.ts';
import type { VirtualTime } from './virtual-time.ts';

export interface ProviderFigures {
  calls: number;
  /** Rejected with 429 because of the limit of a base URL. */
  throttled: number;
  /** Failed because of an outage. */
  failed: number;
  /** The most admitted calls of a base URL in a minute of the clock. */
  busiestMinute: number;
  readonly callsByMinute: Float64Array;
}

export interface SimulatedProvider {
  readonly baseUrls: readonly string[];
  readonly figures: ProviderFigures;
  /** The sender of one instance to one base URL. */
  senderOf(address: number): SendRequest;
}

export interface SimulatedProviderOptions {
  readonly time: VirtualTime;
  readonly random: () => number;
  readonly addresses: number;
  /** Calls per minute that a base URL admits. */
  readonly callsPerMinute: number;
}

const ITEMS_PER_PAGE = 3;
const MINUTE = 60_000;

const user = (handle: string) => ({ type: 'profile', screen_name: handle, id: '9001', name: handle });

const status = (id: string, handle = 'ada') => ({
  type: 'status',
  id,
  text: `the tide of ${id}`,
  author: user(handle),
  created_timestamp: 1_774_000_800,
});

const hasMore = { bottom: 'more' };
const noMore = { top: null, bottom: null };

const conversationOf = (id: string): object => {
  const post = status(id);
  const number = BigInt(id);
  const part = { ...status(String(number + 1n)), replying_to: { screen_name: 'ada', status: id } };
  const hasThread = number % BigInt(THREAD_EVERY) === 0n;
  return { code: 200, status: post, thread: [post], replies: hasThread ? [part] : [], cursor: hasMore };
};

const bodyOf = (path: string): object => {
  const [, kind = '', subject = '', list] =
    /^\/2\/(conversation|status|thread|profile)\/(\w+)(\/\w+)?/.exec(path) ?? [];
  if (kind === 'conversation' || kind === 'thread') return conversationOf(subject);
  if (kind === 'status') return { code: 200, status: status(subject) };
  if (kind === 'profile' && list === undefined) return { code: 200, user: user(subject) };
  const items = Array.from({ length: ITEMS_PER_PAGE }, (_, index) => status(String(7000 + index), subject || 'ada'));
  const users = Array.from({ length: ITEMS_PER_PAGE }, (_, index) => user(`user_${index}`));
  const isUsers = list === '/followers' || list === '/following';
  return { code: 200, results: isUsers ? users : items, cursor: noMore };
};

const REFUSED: AttemptResult = { fetched: { kind: 'down', why: 'ECONNREFUSED' }, health: 'failure', mayRetry: true };

const timedOut = (isReduced: boolean): AttemptResult => ({
  fetched: { kind: 'down', why: 'time-out' },
  health: isReduced ? 'inconclusive' : 'suspect',
  mayRetry: false,
});

const throttledFor = (milliseconds: number): AttemptResult => ({
  fetched: { kind: 'down', why: 'status 429' },
  health: 'throttled',
  mayRetry: false,
  status: 429,
  retryAfter: Math.ceil(milliseconds / 1000) * 1000,
});

/** Box and Muller. */
const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

export const createSimulatedProvider = (options: SimulatedProviderOptions): SimulatedProvider => {
  const { time, random, addresses, callsPerMinute } = options;
  const baseUrls = Array.from({ length: addresses }, (_, index) => `https://fx${index}.example`);
  const figures: ProviderFigures = {
    calls: 0,
    throttled: 0,
    failed: 0,
    busiestMinute: 0,
    callsByMinute: new Float64Array(1440),
  };
  const minutes = baseUrls.map(() => ({ minute: -1, calls: 0 }));

  /** @returns false: the base URL has no calls left in this minute of the clock */
  const admit = (address: number, now: number): boolean => {
    const current = minutes[address];
    if (current === undefined) return false;
    const minute = Math.floor(now / MINUTE);
    if (current.minute !== minute) Object.assign(current, { minute, calls: 0 });
    if (current.calls >= callsPerMinute) return false;
    current.calls += 1;
    figures.busiestMinute = Math.max(figures.busiestMinute, current.calls);
    return true;
  };

  const fail = async (milliseconds: number, isReduced: boolean): Promise<AttemptResult> => {
    figures.failed += 1;
    const isRefused = random() < 0.5;
    await time.wait(isRefused ? 5 : milliseconds);
    return isRefused ? REFUSED : timedOut(isReduced);
  };

  return {
    baseUrls,
    figures,
    senderOf(address) {
      return async (url, { milliseconds, isReduced }) => {
        const now = time.now();
        figures.calls += 1;
        const minute = Math.min(1439, Math.max(0, Math.floor((now - DAY_START) / MINUTE)));
        figures.callsByMinute[minute] = (figures.callsByMinute[minute] ?? 0) + 1;
        if (isIn(outage, now)) return fail(milliseconds, isReduced);
        if (address === deadAddress.index && isIn(deadAddress, now)) {
          figures.failed += 1;
          await time.wait(milliseconds);
          return timedOut(isReduced);
        }
        if (!admit(address, now)) {
          figures.throttled += 1;
          await time.wait(20);
          return throttledFor(MINUTE - (now % MINUTE));
        }
        const { milliseconds: median, deviation } = PROVIDER_LATENCY;
        const latency = median * Math.exp(deviation * normal(random));
        if (latency >= milliseconds) {
          await time.wait(milliseconds);
          return timedOut(isReduced);
        }
        await time.wait(latency);
        const path = url.slice((baseUrls[address] ?? '').length);
        return {
          fetched: { kind: 'response', status: 200, json: bodyOf(path), isHtml: false },
          health: 'success',
          mayRetry: false,
        };
      };
    },
  };
};
