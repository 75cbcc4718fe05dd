// Tests the first requests after a provider answers again: each is complete, although it takes several calls.
import { expect, onTestFinished, test } from 'vitest';
import { type Behaviour, faultServer, html, json, neverResponds } from '../../support/fault-server.ts';
import { sampleOf } from '../../support/full-form.ts';
import { fxTwitterAt } from '../../support/fxtwitter.ts';
import { testClock } from '../../support/limiter.ts';
import { slowDownTime } from '../../support/slow-time.ts';
import { createTestApp, NOW } from '../../support/test-app.ts';

const author = { type: 'profile', screen_name: 'ada', id: '7', name: 'Ada' };
const status = (id: string) => ({ type: 'status', id, text: `post ${id}`, author, created_timestamp: 1_774_000_800 });

const healthy: Behaviour = (incoming, response) => {
  const path = incoming.url ?? '';
  const [, handle = 'ada'] = /\/profile\/(\w+)/.exec(path) ?? [];
  const [, id = '21'] = /\/(?:conversation|thread|status)\/(\d+)/.exec(path) ?? [];
  const cursor = { top: null, bottom: null };
  const bodies = [
    [/\/followers|\/following/, { code: 200, results: [author], cursor }],
    [/\/statuses|\/search/, { code: 200, results: [status('21')], cursor }],
    [/\/profile\//, { code: 200, user: { ...author, screen_name: handle } }],
    [/./, { code: 200, status: status(id), thread: [status(id)], replies: [], cursor: null }],
  ] as const;
  json(bodies.find(([pattern]) => pattern.test(path))?.[1])(incoming, response);
};

const reads: readonly (readonly [string, (subject: number) => string])[] = [
  ['a profile', (subject) => `/api/v1/profiles/ada_${subject}?format=json`],
  ['followers', (subject) => `/api/v1/profiles/ada_${subject}/followers?format=json`],
  ['following', (subject) => `/api/v1/profiles/ada_${subject}/following?format=json`],
  ['a search', (subject) => `/api/v1/search?q=tide${subject}&format=json`],
  ['a post', (subject) => `/api/v1/posts?handle=ada&id=${1000 + subject}&format=json`],
];

const outages: readonly (readonly [string, Behaviour])[] = [
  ['that crashed', html(500)],
  ['that was overloaded', html(503)],
  ['that never answered', neverResponds],
];

test.each(
  sampleOf(
    outages.flatMap(([outage, behaviour]) =>
      reads.map(([read, targetOf]) => [outage, read, behaviour, targetOf] as const),
    ),
  ),
)('[outages 4] after a provider %s the first request of %s is complete', async (_, __, behaviour, targetOf) => {
  const server = await faultServer({ fxtwitter: behaviour, canary: behaviour });
  const clock = testClock(NOW);
  const upstream = fxTwitterAt(server, {
    clock: clock.now,
    limits: { attemptMilliseconds: 250, lastAttemptMilliseconds: 250 },
  });
  const { get } = createTestApp({ upstream, now: clock.now });
  for (let subject = 0; subject < 8; subject += 1) expect((await get(targetOf(subject))).status).toBe(503);
  const answer = await get(targetOf(99));
  expect(answer.headers['retry-after']).toBe('30');
  server.script({ fxtwitter: healthy, canary: healthy });
  // A busy machine needs more than 250 ms for an answer.
  onTestFinished(slowDownTime());
  clock.wait(30_000);
  const first = await get(targetOf(99));
  expect(first.status).toBe(200);
  expect(first.json()['warnings']).toEqual([]);
});
