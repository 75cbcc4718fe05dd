// The fair-use bound of posts, as callers meet it.
import { expect, test } from 'vitest';
import { FAIR_USE } from '../../../shared/contract/allowances.ts';
import { chargingUpstream, viewerIp } from '../../support/limited-app.ts';
import { testClock } from '../../support/limiter.ts';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp, NOW } from '../../support/test-app.ts';

const bench = () => {
  const clock = testClock(NOW);
  return { clock, ...createTestApp({ upstream: chargingUpstream({}, clock.now, 60_000), now: clock.now }) };
};

const targets = [
  (id: number) => `/api/v1/posts?handle=jack&id=${id}`,
  (id: number) => `/jack/status/${id}`,
  (id: number) => `/api/v1/oembed?url=https://x.com/jack/status/${id}`,
  (id: number) => `/api/convert?handle=jack&id=${id}`,
] as const;

test.each(targets)(
  '[decision 6 #101] more posts than fair use allows are 429 with the wait, by %s',
  async (targetOf) => {
    const { get, clock } = bench();
    for (let id = 1; id <= FAIR_USE.count; id += 1) expect((await get(targetOf(id))).status).toBe(200);
    const refused = await get(targetOf(1000));
    expectProblem(refused, 429, 'rate_limited');
    expect(refused.headers['cache-control']).toBe('no-store');
    expect(refused.headers).not.toHaveProperty('ratelimit');
    const seconds = Number(refused.headers['retry-after']);
    expect(refused.json()['retry_after']).toBe(seconds);
    expect((await get(targetOf(FAIR_USE.count))).status).toBe(200); // remembered
    expect((await get(targetOf(1000), { headers: viewerIp('198.51.100.77') })).status).toBe(200);
    clock.wait(seconds * 1000);
    expect((await get(targetOf(1001))).status).toBe(200);
  },
);
