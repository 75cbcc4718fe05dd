// Simulates readers that poll a feed every quarter of an hour through the shared cache, in virtual time and with the default
// allowances, and counts what they cost.
import { expect, test } from 'vitest';
import { createSharedCache } from '../../infra/local/shared-cache.ts';
import {
  type Allowance,
  allowanceSettings,
  buildAllowances,
  parseAllowance,
} from '../../shared/contract/allowances.ts';
import { clocksOf } from '../support/clocks.ts';
import { createTestApp, found, NOW, page, post } from '../support/test-app.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const POLL = 15 * MINUTE;
const READERS = 100;
/** The account writes a post every two hours. */
const POST_EVERY = 120 * MINUTE;

const presetOf = (name: keyof typeof allowanceSettings): Allowance => {
  const allowance = parseAllowance(allowanceSettings[name].preset);
  if (allowance === undefined) throw new Error(`${name} has no preset`);
  return allowance;
};

const allowances = buildAllowances({
  searchAnonymous: presetOf('searchAnonymous'),
  searchKeyed: presetOf('searchKeyed'),
  browse: presetOf('browse'),
});

/** Waits until a background refresh has ended. */
const settle = () => new Promise((done) => setImmediate(done));

/** @param targetsOf the feeds that a reader polls at once @param duration milliseconds of virtual time */
const simulate = async (readers: number, targetsOf: () => readonly string[], duration = DAY) => {
  let now = NOW;
  let providerCalls = 0;
  const app = createTestApp({
    now: () => now,
    access: { allowances },
    upstream: {
      listPosts: async () => {
        providerCalls += 1;
        const newest = Math.floor((now - NOW) / POST_EVERY);
        const posts = Array.from({ length: 20 }, (_, index) => post(String(1000 + newest - index)));
        // The provider names the next page differently in each answer.
        return { ...found(page(posts, `next-${now}`)), fetchedAt: now };
      },
    },
  });
  const cache = createSharedCache(clocksOf(() => now).clock);
  const etags = new Map<string, string>();
  const statuses = new Map<number, number>();
  let originRequests = 0;
  const poll = async (reader: number, target: string): Promise<void> => {
    const headers = { 'x-viewer-ip': `198.51.100.${reader}` };
    const known = `${reader} ${target}`;
    const answer = await cache({ key: target, ifNoneMatch: etags.get(known) }, async (etag) => {
      originRequests += 1;
      const response = await app.get(target, {
        headers: { ...headers, ...(etag !== undefined && { 'if-none-match': etag }) },
      });
      return { status: response.status, headers: response.headers, body: Buffer.from(response.body) };
    });
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    const etag = answer.headers['etag'] ?? answer.headers['ETag'];
    if (typeof etag === 'string') etags.set(known, etag);
  };
  const end = NOW + duration;
  for (let round = NOW; round < end; round += POLL) {
    for (let reader = 0; reader < readers; reader += 1) {
      now = round + Math.floor((reader * POLL) / readers);
      for (const target of targetsOf()) await poll(reader, target);
      await settle();
    }
  }
  return { statuses: Object.fromEntries(statuses), originRequests, providerCalls };
};

test('[lists 9] 100 readers of a profile cost at most 288 provider calls a day and get 304 for seven of eight polls', async () => {
  const { statuses, originRequests, providerCalls } = await simulate(READERS, () => ['/jack/rss']);
  const polls = READERS * (DAY / POLL);
  expect(Object.keys(statuses).sort()).toEqual(['200', '304']);
  expect((statuses[200] ?? 0) + (statuses[304] ?? 0)).toBe(polls);
  // One answer is fresh for 5 minutes.
  expect(providerCalls).toBe(originRequests);
  expect(providerCalls).toBeLessThanOrEqual(DAY / (5 * MINUTE));
  expect((statuses[304] ?? 0) / polls).toBeGreaterThanOrEqual(0.87);
});

test('[lists 9] a reader that is alone gets every new post at the next poll', async () => {
  const { statuses, providerCalls } = await simulate(1, () => ['/search/rss?q=fjord']);
  expect(providerCalls).toBe(DAY / POLL);
  expect(statuses).toEqual({ 200: DAY / POST_EVERY, 304: DAY / POLL - DAY / POST_EVERY });
});

test('[lists 9] a reader that polls 60 profiles and 10 searches at once every 15 minutes meets no limit', async () => {
  const profiles = Array.from({ length: 60 }, (_, index) => `/user_${index}/rss`);
  const searches = Array.from({ length: 10 }, (_, index) => `/search/rss?q=word${index}`);
  const { statuses } = await simulate(1, () => [...profiles, ...searches], 2 * 60 * MINUTE);
  expect(Object.keys(statuses).sort()).toEqual(['200', '304']);
});
