// Checks every promise with an instant once against a service that has just started: its monotonic clock begins at its start,
// and the time of day does not. Time passes only if the test says so.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { LocalServiceOptions } from '../../infra/local/service.ts';
import { json } from '../support/fault-server.ts';
import { startProviderProxy } from '../support/faults/provider-proxy.ts';
import { localOptions, sendRequest, startLiveService, startSlowService } from '../support/local-service.ts';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const ADMIN_TOKEN = 'a-token-of-the-operator-for-tests-only';

/** @param start the time of day, at which the monotonic clock reads 0 */
const standStill = (start: number): void => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: start });
  onTestFinished(() => void vi.useRealTimers());
  expect(performance.now()).toBe(0);
};

const startAt = async (
  start: number,
  environment: LocalServiceOptions['environment'] = {},
  startService: typeof startLiveService = (more) => startSlowService(localOptions(more)),
) => {
  standStill(start);
  const service = await startService(environment);
  onTestFinished(() => service.close());
  return service.origin;
};

/** The ids of the first posts have no time: they count as posts of the first day whose ids have one. */
const FIRST_ID_WITH_A_TIME = Date.parse('2010-11-04T01:42:54.657Z');

test.each([
  [HOUR, 300],
  [DAY, 300],
  [DAY + 1000, 3600],
  [30 * DAY, 3600],
  [30 * DAY + 1000, 21_600],
  [16 * 365 * DAY, 21_600],
])(
  '[caching 19] [bounds 7] a post that is %i ms old is kept for %i s by a service that has just started',
  async (age, seconds) => {
    const origin = await startAt(FIRST_ID_WITH_A_TIME + age, {}, startLiveService);
    for (const target of [
      '/jack/status/20?format=json',
      '/jack/status/20?format=markdown',
      '/jack/status/20?format=epub',
      '/api/v1/posts?url=x.com/jack/status/20&format=obsidian',
      '/api/v1/posts/lookup?ids=20&format=json',
      '/oembed?url=x.com/jack/status/20',
    ]) {
      const { status, headers } = await sendRequest(origin, target);
      const control = `public, max-age=60, s-maxage=${seconds}, stale-while-revalidate=3600, stale-if-error=86400`;
      expect([target, status, headers['cache-control']]).toEqual([target, 200, control]);
    }
  },
);

const NOVEMBER = Date.parse('2026-11-24T00:00:00Z');

test('[bounds 7] an answer says when it was sent and read by the time of day, and its age by the time that has passed', async () => {
  const origin = await startAt(NOVEMBER, {}, startLiveService);
  const read = () => sendRequest(origin, '/jack/status/20?format=json');
  const first = await read();
  expect(first.json()).toMatchObject({ fetched_at: '2026-11-24T00:00:00.000Z' });
  vi.advanceTimersByTime(7000);
  const again = await read();
  expect(again.json()).toMatchObject({ fetched_at: '2026-11-24T00:00:00.000Z' });
  expect([again.cache, again.headers['age']]).toEqual(['Hit', '7']);
  const etag = String(first.headers['etag']);
  const { status } = await sendRequest(origin, '/jack/status/20?format=json', { headers: { 'If-None-Match': etag } });
  expect(status).toBe(304);
});

test('[bounds 7] a session ends after 8 hours of the time of day', async () => {
  const origin = await startAt(NOVEMBER, { ADMIN_TOKEN });
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ token: ADMIN_TOKEN });
  const signedIn = await sendRequest(origin, '/admin/session', { method: 'POST', headers, body });
  expect(signedIn.json()).toMatchObject({ expires_at: '2026-11-24T08:00:00.000Z' });
  const cookie = String(signedIn.headers['set-cookie']).replace(/;.*/, '');
  const isOpen = async () => (await sendRequest(origin, '/admin/session', { headers: { cookie } })).status;
  // A session that is not used for half an hour ends, too.
  for (let uses = 0; uses < 16; uses += 1) {
    vi.advanceTimersByTime(29 * MINUTE);
    expect(await isOpen()).toBe(200);
  }
  vi.advanceTimersByTime(16 * MINUTE - 1);
  expect(await isOpen()).toBe(200);
  vi.advanceTimersByTime(1);
  expect(await isOpen()).toBe(401);
});

test('[bounds 7] an allowance and fair use admit the next request after exactly the seconds of Retry-After', async () => {
  const origin = await startAt(NOVEMBER, {
    ALLOWANCE_SEARCH_ANONYMOUS: '2/60',
    CURSOR_SECRETS: 'the-secret-of-this-test-which-decides-when-windows-end',
  });
  const search = (word: string) => sendRequest(origin, `/api/v1/search?q=${word}&format=json`);
  const statuses = [await search('one'), await search('two'), await search('three')];
  expect(statuses.map(({ status }) => status)).toEqual([200, 200, 429]);
  const wait = Number(statuses[2]?.headers['retry-after']);
  expect(wait).toBeGreaterThan(2);
  expect(wait).toBeLessThanOrEqual(61);
  vi.advanceTimersByTime((wait - 2) * 1000);
  expect((await search('four')).status).toBe(429);
  vi.advanceTimersByTime(2000);
  expect((await search('five')).status).toBe(200);

  const lookUp = (first: number) => {
    const ids = Array.from({ length: 20 }, (_, index) => 1_000_000_000_000_000_000n + BigInt(first + index));
    return sendRequest(origin, `/api/v1/posts/lookup?ids=${ids.join(',')}&format=json`);
  };
  let refused = await lookUp(0);
  for (let first = 20; refused.status !== 429 && first < 400; first += 20) refused = await lookUp(first);
  const fairWait = Number(refused.headers['retry-after']);
  expect(fairWait).toBeLessThanOrEqual(61);
  vi.advanceTimersByTime(fairWait * 1000);
  expect((await lookUp(1000)).status).toBe(200);
});

test('[bounds 7] a post is withheld until its day begins, and not longer', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'postern-times-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'withheld.json');
  writeFileSync(file, JSON.stringify([{ post: '20', reason: 'court', until: '2026-11-25' }]));
  const origin = await startAt(NOVEMBER + DAY - 2000, { WITHHELD_FILE: file });
  const read = (format: string) => sendRequest(origin, `/jack/status/20?format=${format}`);
  expect((await read('json')).status).toBe(451);
  vi.advanceTimersByTime(2000);
  expect((await read('markdown')).status).toBe(200);
});

test('[bounds 7] an alias says when it ends, and the documents are valid by the time of day', async () => {
  const origin = await startAt(NOVEMBER);
  const { headers } = await sendRequest(origin, '/api/convert?url=x.com/jack/status/20');
  expect(Date.parse(String(headers['sunset']))).toBeGreaterThan(NOVEMBER + 200 * DAY);
  expect(headers['deprecation']).toMatch(/^@1[78]\d{8}$/);
  const { body } = await sendRequest(origin, '/.well-known/security.txt');
  expect(body).toMatch(/^Expires: 20\d\d-/m);
});

test('[bounds 7] the id of a post that cannot exist yet is not found without a call, and found once it can', async () => {
  standStill(NOVEMBER);
  const provider = await startProviderProxy(Math.random);
  onTestFinished(provider.close);
  await provider.plant({
    concerns: () => false,
    fault: { name: 'none', plant: ({ incoming, response }) => json({}, 500)(incoming, response) },
  });
  const service = await startSlowService(
    localOptions({
      UPSTREAM: 'live',
      FXTWITTER_BASE_URL: provider.fxtwitter,
      SYNDICATION_BASE_URL: provider.syndication,
    }),
  );
  onTestFinished(() => service.close());
  const id = String(BigInt(NOVEMBER + 10 * MINUTE - 1288834974657) << 22n);
  const read = (format: string) => sendRequest(service.origin, `/ada/status/${id}?format=${format}`);
  expect((await read('json')).status).toBe(404);
  const asked = () => provider.calls.filter((path) => path.includes(id)).length;
  expect(asked()).toBe(0);
  vi.advanceTimersByTime(10 * MINUTE);
  await read('markdown');
  expect(asked()).toBeGreaterThan(0);
});
