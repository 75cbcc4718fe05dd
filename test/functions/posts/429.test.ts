// Checks the fair-use bound of posts over HTTP.
import { expect, test } from 'vitest';
import { FAIR_USE } from '../../../shared/contract/allowances.ts';
import { chargingUpstream, viewerIp } from '../../support/limited-app.ts';
import { testClock } from '../../support/limiter.ts';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp, NOW } from '../../support/test-app.ts';

const serviceWithFairUse = () => {
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
  '[allowances 9] GET returns 429 with Retry-After beyond the fair-use bound, by %s',
  async (targetOf) => {
    const { get, clock } = serviceWithFairUse();
    for (let id = 1; id <= FAIR_USE.count; id += 1) expect((await get(targetOf(id))).status).toBe(200);
    const denied = await get(targetOf(1000));
    expectProblem(denied, 429, 'rate_limited');
    expect(denied.headers['cache-control']).toBe('no-store');
    expect(denied.headers).not.toHaveProperty('ratelimit');
    const seconds = Number(denied.headers['retry-after']);
    expect(denied.json()['retry_after']).toBe(seconds);
    expect((await get(targetOf(FAIR_USE.count))).status).toBe(200); // cached
    expect((await get(targetOf(1000), { headers: viewerIp('198.51.100.77') })).status).toBe(200);
    clock.wait(seconds * 1000);
    expect((await get(targetOf(1001))).status).toBe(200);
  },
);
