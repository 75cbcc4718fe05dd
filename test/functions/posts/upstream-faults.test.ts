// Checks the answers of post routes when providers fail: real client, real mappers, and a faulty server on loopback.
import { createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { clocksOf, readingAt } from '../../support/clocks.ts';
import {
  type Behaviour,
  type Behaviours,
  bare404,
  CANARY_POST,
  faultServer,
  html,
  html404,
  json,
  neverResponds,
  recorded,
  reply,
  resetInBody,
  trickle,
} from '../../support/fault-server.ts';
import { fxTwitterAt } from '../../support/fxtwitter.ts';
import { expectProblem } from '../../support/problem.ts';
import {
  createFaultyService,
  expectCalls,
  expectFault,
  faults,
  type Setup,
  SHORT_TIMEOUT,
} from '../../support/provider-faults.ts';

const ID = '2028036267832246272';
const TARGET = `/ada_larsson/status/${ID}?format=json&thread=off&replies=off`;

const foundAtFx = recorded('fxtwitter/status/text_plain.json');

const atSyndication = (name: string): Behaviour => recorded(`syndication/${name}.json`);
const otherAtFx = recorded('fxtwitter/status/text_entities_amp.json');
const protectedAtFx = recorded('fxtwitter/status/unavailable_100.json', 401);
const retryLater = reply(503, '', { 'retry-after': '9' });
const limitedByX = recorded('fxtwitter/errors/backend_429_status.json', 404);
const foundAtSyndication = atSyndication('text_plain');
const tombstone = (reason: string, id = ID): Behaviour =>
  json({ code: 404, status: { type: 'tombstone', reason, id } }, 404);

/** FxTwitter alone answers so. */
const only = (fxtwitter: Behaviours): Setup => ({ providers: ['fxtwitter'], fxtwitter });
const onlySyndication = (syndication: Behaviours): Setup => ({ providers: ['syndication'], syndication });
const both = (fxtwitter: Behaviours, syndication: Behaviours): Setup => ({ fxtwitter, syndication });
/** FxTwitter answers a 404 without a tombstone, and the second provider answers so. */
const afterMiss = (syndication: Behaviours, canary?: Behaviour): Setup => ({
  ...both(bare404, syndication),
  ...(canary && { canary }),
});

describe('provider that', () => {
  test.each(faults)(
    '%s and has no alternative: GET returns 502 or 503',
    async (_, behaviour, status, { isRetried, limits = {} }) => {
      const { get, calls } = await createFaultyService({ ...only(behaviour), limits });
      expectFault(await get(TARGET), status);
      expectCalls({ calls }, [isRetried ? 2 : 1, 0, 0]);
    },
  );

  test.each(faults)(
    '%s while the other provider has the post: GET returns 200',
    async (_, behaviour, __, { limits }) => {
      // The second provider has the rest of the time, which a busy machine needs.
      const { get, calls } = await createFaultyService({
        fxtwitter: behaviour,
        syndication: foundAtSyndication,
        ...(limits && { limits: { ...limits, lastAttemptMilliseconds: 8000 } }),
      });
      const answer = await get(TARGET);
      expect(answer.status).toBe(200);
      expect(answer.json()).toMatchObject({ source: 'syndication', post: { id: ID } });
      expect(calls()[1]).toBe(1);
    },
  );
});

test('[provider-faults 1] GET returns 503 within the timeout when the provider does not complete the TLS handshake', async () => {
  const silentServer = createServer((socket) => onTestFinished(() => void socket.destroy()));
  await new Promise<void>((done) => void silentServer.listen(0, '127.0.0.1', done));
  onTestFinished(() => void silentServer.close());
  const address = silentServer.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const { get } = await createFaultyService({
    providers: ['fxtwitter'],
    fxtwitterBaseUrl: `https://127.0.0.1:${port}`,
    limits: SHORT_TIMEOUT,
  });
  expectFault(await get(TARGET), 503);
});

test('[provider-faults 2] readPost keeps its deadline, whatever each call may take', async () => {
  const server = await faultServer({ fxtwitter: neverResponds, syndication: trickle(), canary: neverResponds });
  const upstream = fxTwitterAt(server, {
    providers: [
      { name: 'fxtwitter', baseUrls: [server.fxtwitter], source: 'fxtwitter' },
      { name: 'syndication', baseUrls: [server.syndication], source: 'syndication' },
    ],
    ...clocksOf(Date.now),
    limits: { attemptMilliseconds: 200, lastAttemptMilliseconds: 200, minMilliseconds: 1 },
  });
  const outcome = await upstream.readPost({ id: ID, thread: 'off', replies: 'off' }, readingAt(Date.now() + 250));
  expect(outcome).toMatchObject({ kind: 'down' });
  await expect.poll(() => server.open()).toBe(0);
});

describe('[provider-faults 12] answers about another post', () => {
  const OTHER = '2028409980318646309';

  test.each<readonly [string, Setup]>([
    ['another post from the only provider', only(otherAtFx)],
    ['another post from both providers', both(otherAtFx, atSyndication('text_entities_amp'))],
    ['the tombstone of another, deleted post', only(tombstone('deleted', OTHER))],
    ['another post of a suspended author', onlySyndication(atSyndication('no_user_suspended'))],
  ])('GET returns 502 for %s', async (_, setup) => {
    const { get } = await createFaultyService(setup);
    expectFault(await get(TARGET), 502);
  });

  test('GET returns 200 with the original post for the id of a repost', async () => {
    const { get } = await createFaultyService({ fxtwitter: recorded('fxtwitter/status/repost.json') });
    const answer = await get('/someone/status/2034570574033847604?format=json&thread=off&replies=off');
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({
      post: { id: '2028742169195446346', reposted_by: { handle: expect.stringMatching(/./) } },
    });
  });
});

const leaky = {
  'set-cookie': 'LEAKY=1',
  etag: '"LEAKY"',
  'cache-control': 'public, max-age=31536000, LEAKY',
  'retry-after': '7',
  'x-leaky': 'LEAKY',
  location: 'https://leaky.example/',
  'www-authenticate': 'Bearer realm="LEAKY"',
  'access-control-allow-origin': 'https://leaky.example',
};

test.each<readonly [string, Behaviour, number]>([
  ['found', json({ code: 200, status: { id: ID, text: 'words' } }, 200, leaky), 200],
  ['tombstone', json({ code: 404, status: { type: 'tombstone', reason: 'deleted', id: ID } }, 404, leaky), 404],
  ['500', json({}, 500, leaky), 503],
  ['401', json({}, 401, leaky), 502],
])('[headers 5] no provider header of the answer %s is forwarded', async (_, fxtwitter, status) => {
  const { get } = await createFaultyService({ providers: ['fxtwitter'], fxtwitter });
  const answer = await get(TARGET);
  expect(answer.status).toBe(status);
  expect(JSON.stringify(answer.headers)).not.toMatch(/leaky|31536000/i);
  expect(answer.headers['retry-after']).toBe(status === 503 ? '30' : undefined);
  expect(answer.headers['access-control-allow-origin']).toBe('*');
  expect(answer.headers).not.toHaveProperty('www-authenticate');
});

const deletedCanary = tombstone('deleted', CANARY_POST);

describe('[problems 6] outages and missing posts', () => {
  test.each<readonly [string, Setup, 502 | 503, readonly number[]]>([
    ['a bare 404 from the only provider', only(bare404), 503, [1, 0, 0]],
    ['[provider-faults 10] a bare 404 during an outage of X', both(limitedByX, html(503)), 503, [1, 2, 0]],
    ['[provider-faults 11] a bare 404, a 404 page and no canary', afterMiss(html404, bare404), 503, [1, 1, 1]],
    ['[provider-faults 11] ... and a deleted canary', afterMiss(html404, deletedCanary), 503, [1, 1, 1]],
    ['[provider-faults 11] ... and a canary with 500', afterMiss(html404, html(500)), 503, [1, 1, 1]],
    ['[provider-faults 11] ... and a canary of another post', afterMiss(html404, foundAtFx), 503, [1, 1, 1]],
    ['a bare 404 and an outage', afterMiss(html(500)), 503, [1, 1, 0]],
    ['a bare 404 and a 404 with JSON', afterMiss(json({}, 404)), 503, [1, 1, 0]],
    ['a bare 404 and an empty object', afterMiss(atSyndication('empty_object_no_token')), 503, [1, 1, 0]],
    ['an unusable answer and an outage', both(html(200), html(500)), 503, [1, 1, 0]],
    ['an outage and an unusable answer', both(html(500), html(200)), 503, [1, 1, 0]],
    ['two unusable answers', both(html(200), json({})), 502, [1, 1, 0]],
    ['an outage and a 404 page', both(html(500), html404), 503, [1, 1, 0]],
    ['[provider-faults 11] a 404 page from the first provider', both(html(404), html404), 503, [1, 1, 0]],
    ['a 404 page from the second as only provider', onlySyndication(html404), 503, [0, 1, 0]],
    ['a 401 for a missing user agent', only(json({ error: 'You must identify yourself LEAKY' }, 401)), 502, [1, 0, 0]],
    ['a rejected request', only(json({ code: 400, message: 'LEAKY' }, 400)), 502, [1, 0, 0]],
    ['200 with another code in the body', only(json({ code: 500, status: null })), 503, [1, 0, 0]],
    ['200 with the code 404 in the body', only(json({ code: 404, status: null })), 503, [1, 0, 0]],
  ])('GET returns 502 or 503 for %s', async (_, setup, status, calls) => {
    const service = await createFaultyService(setup);
    expectFault(await service.get(TARGET), status);
    expectCalls(service, calls);
  });

  const reversed: Setup = { ...afterMiss(html404), providers: ['syndication', 'fxtwitter'] };
  const withoutUser = json({ __typename: 'Tweet', id_str: ID, text: 'LEAKY' });

  test.each<readonly [string, Setup, string, readonly number[]]>([
    ['a bare 404, a 404 page, and the canary is found', afterMiss(html404), 'unknown', [1, 1, 1]],
    ['the same with the providers in reverse order', reversed, 'unknown', [1, 1, 1]],
    ['a tombstone: deleted', { fxtwitter: tombstone('deleted') }, 'deleted', [1, 0, 0]],
    ['a tombstone: suspended', { fxtwitter: tombstone('suspended') }, 'suspended', [1, 0, 0]],
    ['a tombstone: private', { fxtwitter: tombstone('private') }, 'protected', [1, 0, 0]],
    ['a tombstone: blocked', { fxtwitter: tombstone('blocked') }, 'withheld', [1, 0, 0]],
    ['a tombstone: unavailable', { fxtwitter: tombstone('unavailable') }, 'unknown', [1, 0, 0]],
    ['a tombstone: withheld', { fxtwitter: tombstone('withheld') }, 'withheld', [1, 0, 0]],
    ['a tombstone with an unknown reason', { fxtwitter: tombstone('eclipsed') }, 'unknown', [1, 0, 0]],
    ['a protected account', { fxtwitter: protectedAtFx }, 'protected', [1, 0, 0]],
    ['a 500 and a tombstone', both(html(500), atSyndication('tombstone_deleted')), 'deleted', [1, 1, 0]],
    ['a 500 and a protected account', both(html(500), atSyndication('tombstone_protected')), 'protected', [1, 1, 0]],
    ['a bare 404 and a suspended account', afterMiss(atSyndication('tombstone_suspended')), 'suspended', [1, 1, 0]],
    ['a bare 404 and a post without its user', afterMiss(withoutUser), 'suspended', [1, 1, 0]],
    ['an empty tombstone', afterMiss(atSyndication('tombstone_empty')), 'withheld', [1, 1, 0]],
    ['a tombstone without text', afterMiss(atSyndication('tombstone_bare')), 'withheld', [1, 1, 0]],
    ['an age limit', afterMiss(atSyndication('tombstone_age_restricted')), 'withheld', [1, 1, 0]],
  ])('[threads 7] GET returns 403 or 404 with the reason for %s', async (_, setup, reason, calls) => {
    const service = await createFaultyService(setup);
    const answer = await service.get(TARGET);
    const status = reason === 'protected' ? 403 : 404;
    expect(expectProblem(answer, status, status === 403 ? 'post_protected' : 'post_not_found')).toMatchObject({
      reason,
    });
    expect(answer.headers['cache-control']).toBe('public, max-age=30, s-maxage=30');
    expect(answer.body).not.toMatch(/leaky|eclipsed|learn more|syndication/i);
    expectCalls(service, calls);
  });

  test('[caching 13] GET returns 200 with warnings and a short lifetime when only the second provider has the post', async () => {
    const { get, calls } = await createFaultyService(afterMiss(foundAtSyndication));
    const answer = await get(`/ada_larsson/status/${ID}?format=json`);
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({
      source: 'syndication',
      warnings: [{ code: 'conversation_unavailable' }, { code: 'counts_unavailable' }, { code: 'more_replies' }],
    });
    expect(answer.headers['cache-control']).toBe('public, max-age=30, s-maxage=60');
    // The first call is the conversation query, the second the thread query.
    expect(calls()).toEqual([2, 1, 0]);
  });
});

test.each<readonly [string, Setup, number, readonly number[]]>([
  ['a retry, both providers and the canary', both([html(503), bare404], html404), 404, [2, 1, 1]],
  ['a retry at the second provider', both(bare404, [resetInBody, html404]), 404, [1, 2, 1]],
  ['only one retry per request', { ...both([resetInBody, bare404], html(502)), canary: html(502) }, 503, [2, 1, 0]],
  ['no retry at a provider that sends Retry-After', both(retryLater, resetInBody), 503, [1, 2, 0]],
  ['the canary has no retry', afterMiss(html404, html(502)), 503, [1, 1, 1]],
])('[bounds 4] a request makes at most 4 provider calls: %s', async (_, setup, status, expected) => {
  const { get, calls } = await createFaultyService(setup);
  expect((await get(TARGET)).status).toBe(status);
  expectCalls({ calls }, expected);
  expect(expected.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(4);
});

test('[ids 9] [ids 10] the cache key contains no handle, and the URL of the post names its author', async () => {
  const { get, calls } = await createFaultyService({ fxtwitter: foundAtFx });
  const bodies = new Set<string>();
  for (const handle of ['attacker_says', 'ada_larsson', 'ADA_LARSSON']) {
    const answer = await get(TARGET.replace('ada_larsson', handle));
    expect(answer.json()).toMatchObject({
      post: { url: `https://x.com/ada_larsson/status/${ID}`, author: { handle: 'ada_larsson' } },
    });
    bodies.add(answer.body);
  }
  expect(bodies.size).toBe(1);
  expect(calls()).toEqual([1, 0, 0]);
});
