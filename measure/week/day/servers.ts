// The servers of a provider in virtual time: latency, a limit of calls per minute for each base URL, an outage of all and of
// one. Every answer is true.
import { answerTruthfully, parseProviderPath } from '../../../test/support/truthful-provider.ts';
import type { VirtualTime } from '../virtual-time.ts';
import { connectionError, type Network, type NetworkAnswer } from '../virtual-undici.ts';
import { DAY_START, deadBaseUrl, isIn, outage, PROVIDER_LATENCY, THREAD_EVERY } from './day-assumptions.ts';

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

export interface ServersOptions {
  readonly time: VirtualTime;
  readonly random: () => number;
  readonly baseUrls: readonly string[];
  /** Calls per minute that a base URL admits. */
  readonly callsPerMinute: number;
}

const MINUTE = 60_000;

/** A conversation that another page continues costs a second call. */
const withThread = (body: string, id: string): string => {
  const answer = JSON.parse(body);
  const reply = { ...answer.status, id: String(BigInt(id) + 1n), replying_to: { screen_name: 'ada', status: id } };
  return JSON.stringify({ ...answer, replies: [reply], cursor: { bottom: 'more' } });
};

const bodyOf = (path: string): string => {
  const { body } = answerTruthfully(path);
  const { kind, subject } = parseProviderPath(path);
  const hasThread = kind === 'post' && path.includes('/conversation/') && BigInt(subject) % BigInt(THREAD_EVERY) === 0n;
  return hasThread ? withThread(body, subject) : body;
};

const answer = (statusCode: number, body: string, headers: NetworkAnswer['headers'] = {}): NetworkAnswer => ({
  statusCode,
  headers: { 'content-type': 'application/json', ...headers },
  body,
});

/** Box and Muller. */
const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** @returns milliseconds of a provider call, log-normal */
export const latency = (random: () => number): number =>
  PROVIDER_LATENCY.milliseconds * Math.exp(PROVIDER_LATENCY.deviation * normal(random));

const unanswered = (): Promise<never> => new Promise(() => undefined);

export const createServers = ({ time, random, baseUrls, callsPerMinute }: ServersOptions) => {
  const figures: ProviderFigures = {
    calls: 0,
    throttled: 0,
    failed: 0,
    busiestMinute: 0,
    callsByMinute: new Float64Array(1440),
  };
  const minutes = baseUrls.map(() => ({ minute: -1, calls: 0 }));

  /** @returns false: the base URL has no calls left in this minute of the clock */
  const admit = (index: number, now: number): boolean => {
    const current = minutes[index];
    if (current === undefined) return false;
    const minute = Math.floor(now / MINUTE);
    if (current.minute !== minute) Object.assign(current, { minute, calls: 0 });
    if (current.calls >= callsPerMinute) return false;
    current.calls += 1;
    figures.busiestMinute = Math.max(figures.busiestMinute, current.calls);
    return true;
  };

  const network: Network = async (url) => {
    const now = time.now();
    const index = baseUrls.findIndex((baseUrl) => url.startsWith(`${baseUrl}/`));
    const isDead = index === deadBaseUrl.index && isIn(deadBaseUrl, now);
    const minute = Math.min(1439, Math.max(0, Math.floor((now - DAY_START) / MINUTE)));
    figures.calls += 1;
    figures.callsByMinute[minute] = (figures.callsByMinute[minute] ?? 0) + 1;
    if (isIn(outage, now) || isDead) {
      figures.failed += 1;
      if (isDead || random() < 0.5) return unanswered();
      await time.sleep(5);
      throw connectionError('ECONNREFUSED');
    }
    if (!admit(index, now)) {
      figures.throttled += 1;
      await time.sleep(20);
      return answer(429, '{"code":429}', { 'retry-after': String(Math.ceil((MINUTE - (now % MINUTE)) / 1000)) });
    }
    await time.sleep(latency(random));
    return answer(200, bodyOf(url.slice((baseUrls[index] ?? '').length)));
  };
  return { network, figures };
};
