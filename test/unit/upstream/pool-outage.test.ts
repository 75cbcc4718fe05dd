// Tests in virtual time what a pool of addresses costs the provider and its callers while no address answers.
import { describe, expect, test } from 'vitest';
import { createAddressPool } from '../../../shared/upstream/address-pool.ts';
import type { AttemptResult } from '../../../shared/upstream/http-request.ts';
import {
  type AddressClient,
  createJsonClient,
  type RejectedCall,
  type SentCall,
} from '../../../shared/upstream/json-client.ts';
import { createVirtualTime } from '../../load/day/virtual-time.ts';
import { seededRandom } from '../../support/random.ts';

type Behaviour = 'answers' | 'hangs' | 'refuses' | 'answers 503';

const START = Date.parse('2026-11-21T12:00:00Z');
const BASE_URL = 'https://fx0.example';
/** The time for the calls of one request, as in the use cases. */
const REQUEST_MILLISECONDS = 8000;
/** The time of one call. */
const ATTEMPT_MILLISECONDS = 4500;
const kindOf = (): string => 'posts';

interface Read {
  /** Milliseconds since the start. */
  readonly at: number;
  readonly milliseconds: number;
  readonly isAnswered: boolean;
}

const createBench = (addresses: number, seed = 1) => {
  const time = createVirtualTime(START);
  const random = seededRandom(seed);
  const behaviours: Behaviour[] = Array.from({ length: addresses }, () => 'answers');
  const calls = { reads: 0, all: 0 };
  const reads: Read[] = [];

  const attempt = async (index: number, milliseconds: number, isReduced: boolean): Promise<AttemptResult> => {
    switch (behaviours[index]) {
      case 'hangs':
        await time.wait(milliseconds);
        return {
          fetched: { kind: 'down', why: 'time-out' },
          health: isReduced ? 'inconclusive' : 'suspect',
          mayRetry: false,
        };
      case 'refuses':
        await time.wait(5);
        return { fetched: { kind: 'down', why: 'ECONNREFUSED' }, health: 'failure', mayRetry: true };
      case 'answers 503':
        await time.wait(50);
        return { fetched: { kind: 'down', why: 'status 503' }, health: 'suspect', mayRetry: true, status: 503 };
      default:
        await time.wait(250);
        return {
          fetched: { kind: 'response', status: 200, json: { code: 200 }, isHtml: false },
          health: 'success',
          mayRetry: false,
        };
    }
  };

  const members = behaviours.map((_, index) => {
    const baseUrl = `https://fx${index}.example`;
    const client = createJsonClient({
      source: 'fxtwitter',
      userAgent: 'test',
      queryKinds: { kindOf, canaryUrlOf: () => `${baseUrl}/2/status/20` },
      clock: time.now,
      log: ({ event, role }) => {
        if (event !== 'upstream') return;
        calls.all += 1;
        if (role === undefined) calls.reads += 1;
      },
      random,
      wrapSender:
        () =>
        (_url, { milliseconds, isReduced }) =>
          attempt(index, milliseconds, isReduced),
    });
    return { baseUrl, weight: 1, client };
  });
  const pool = createAddressPool({
    addresses: members,
    baseUrl: BASE_URL,
    kindOf,
    onCircuitChange: () => undefined,
    clock: time.now,
    random,
  });

  let number = 1000;
  const read = async (): Promise<void> => {
    number += 1;
    const startedAt = time.now();
    const budget = { deadline: startedAt + REQUEST_MILLISECONDS, retries: 0, caller: `caller${number}` };
    const { kind } = await pool.get(`${BASE_URL}/2/status/${number}`, budget);
    reads.push({ at: startedAt - START, milliseconds: time.now() - startedAt, isAnswered: kind === 'response' });
  };

  return {
    time,
    behave: (behaviour: Behaviour, ...indices: readonly number[]) => {
      for (const index of indices.length === 0 ? members.keys() : indices) behaviours[index] = behaviour;
    },
    /** Starts this number of requests, one each `pause` milliseconds. @returns them, in the order of their ends */
    async readEach(pause: number, count: number): Promise<readonly Read[]> {
      const from = time.now();
      reads.length = 0;
      for (let index = 0; index < count; index += 1) {
        time.at(from + index * pause, () => {
          void read();
          return true;
        });
      }
      await time.runUntil(from + count * pause);
      const ended = [...reads];
      // The requests that still run end.
      await time.runUntil(time.now() + REQUEST_MILLISECONDS + 1);
      return [...ended, ...reads.slice(ended.length)];
    },
    /** The calls of all addresses since the last question, without canaries and with them. */
    newCalls(): { readonly reads: number; readonly all: number } {
      const counted = { ...calls };
      Object.assign(calls, { reads: 0, all: 0 });
      return counted;
    },
  };
};

const outages: readonly Behaviour[] = ['hangs', 'refuses', 'answers 503'];

/** Two requests per second for 20 s, in which the pool learns of the outage, and 200 requests after them. */
const playOutage = async (addresses: number, behaviour: Behaviour) => {
  const bench = createBench(addresses);
  await bench.readEach(1000, 60);
  bench.behave(behaviour);
  bench.newCalls();
  await bench.readEach(500, 40);
  const first = bench.newCalls();
  const reads = await bench.readEach(500, 200);
  return { first, later: bench.newCalls(), reads };
};

const meanMilliseconds = (reads: readonly Read[]): number =>
  reads.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / reads.length;

/** Milliseconds since the first of them. */
const startsOf = (reads: readonly Read[], isAnswered: boolean): readonly number[] => {
  const from = Math.min(...reads.map(({ at }) => at));
  return reads.filter((read) => read.isAnswered === isAnswered).map(({ at }) => at - from);
};

describe.each(outages)('an outage in which each of ten addresses %s', (behaviour) => {
  test('gets as many calls as with one address, and callers wait no longer', async () => {
    const one = await playOutage(1, behaviour);
    const ten = await playOutage(10, behaviour);
    expect(ten.reads.length).toBe(200);
    expect(ten.later.reads).toBeLessThanOrEqual(one.later.reads + 10);
    // The canaries of an address are asked at that address, so no result of another one saves them.
    expect(ten.later.all).toBeLessThanOrEqual(2 * one.later.all + 10);
    expect(meanMilliseconds(ten.reads)).toBeLessThanOrEqual(meanMilliseconds(one.reads) + 100);
  });

  test('lets one request at a time wait, for one probe, and the next one 2.5 s after it', async () => {
    const { reads } = await playOutage(10, behaviour);
    const waiting = reads.filter(({ milliseconds }) => milliseconds > 0);
    expect(waiting.length).toBeGreaterThan(10);
    for (const [index, { at, milliseconds }] of waiting.entries()) {
      expect(milliseconds).toBeLessThanOrEqual(ATTEMPT_MILLISECONDS);
      const next = waiting[index + 1];
      if (next !== undefined) expect(next.at).toBeGreaterThanOrEqual(at + milliseconds + 2500);
    }
  });

  test.each([1, 2, 3])('ends within 5 s after the provider came back (seed %i)', async (seed) => {
    const bench = createBench(10, seed);
    bench.behave(behaviour);
    await bench.readEach(500, 120);
    bench.behave('answers');
    const failed = startsOf(await bench.readEach(100, 200), false);
    expect(Math.max(0, ...failed)).toBeLessThanOrEqual(5000);
  });

  test.each([0, 4, 9])('ends within one round of probes if only address %i came back', async (index) => {
    const bench = createBench(10);
    bench.behave(behaviour);
    await bench.readEach(500, 120);
    bench.behave('answers', index);
    const reads = await bench.readEach(200, 600);
    expect(Math.min(...startsOf(reads, true))).toBeLessThanOrEqual(10 * (5000 + ATTEMPT_MILLISECONDS));
    const late = startsOf(reads, false).filter((at) => at > 110_000);
    expect(late).toEqual([]);
  });
});

describe.each(outages)('nine of ten addresses fail, and each %s', (behaviour) => {
  test('the healthy one answers all requests as soon as the others are closed', async () => {
    const bench = createBench(10);
    bench.behave(behaviour, 0, 1, 2, 3, 4, 5, 6, 7, 8);
    const first = await bench.readEach(500, 120);
    const later = await bench.readEach(500, 120);
    // Those that start before the first attempt has ended.
    expect(first.filter(({ isAnswered }) => !isAnswered).length).toBeLessThanOrEqual(ATTEMPT_MILLISECONDS / 500);
    expect(later.every(({ isAnswered }) => isAnswered)).toBe(true);
  });
});

describe('while no address answers', () => {
  /** Two calls of a pool whose only address is closed, and what its client was asked to send. */
  const readTwice = async (result: SentCall | RejectedCall): Promise<number> => {
    let sends = 0;
    const client: AddressClient = {
      get: async () => ({ kind: 'down', why: 'not used' }),
      send: async () => {
        sends += 1;
        return result;
      },
      mayAsk: () => true,
      hasRoom: () => true,
      failures: () => Number.POSITIVE_INFINITY,
    };
    const pool = createAddressPool({
      addresses: [{ baseUrl: BASE_URL, weight: 1, client }],
      baseUrl: BASE_URL,
      kindOf,
      onCircuitChange: () => undefined,
      clock: () => START,
      random: seededRandom(1),
    });
    for (const caller of ['one', 'other'])
      await pool.get(`${BASE_URL}/2/status/20`, { deadline: START + REQUEST_MILLISECONDS, retries: 0, caller });
    return sends;
  };

  test('a call that its address gets is a probe, and the next one waits', async () => {
    const attempt: AttemptResult = {
      fetched: { kind: 'down', why: 'status 503' },
      health: 'suspect',
      mayRetry: true,
      status: 503,
    };
    const nothing = (): void => undefined;
    expect(await readTwice({ attempt, settle: nothing, blame: nothing, supersede: nothing })).toBe(1);
  });

  test('a call that is not sent is no probe', async () => {
    expect(await readTwice({ why: 'the circuit is open' })).toBe(2);
  });
});
