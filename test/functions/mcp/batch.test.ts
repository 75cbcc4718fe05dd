// Checks what an API key changes, and that a batch of calls has one caller, whose key is read once, and separate charges for
// each call.
import { expect, test } from 'vitest';
import { FAIR_USE } from '../../../shared/contract/allowances.ts';
import { MAX_BATCH_MESSAGES } from '../../../shared/contract/mcp.ts';
import { createMemoryCounterStore } from '../../../shared/stores/memory-counter-store.ts';
import { createTestAccessControl, newApiKey, UNLIMITED_ALLOWANCES } from '../../support/access-control.ts';
import { clocksOf } from '../../support/clocks.ts';
import { chargingUpstream, countingUpstream, createTestKey, TINY_ALLOWANCES } from '../../support/limited-app.ts';
import { recordingStore } from '../../support/limiter.ts';
import { mcpCalls, rpc } from '../../support/mcp-calls.ts';
import { createTestRegistry } from '../../support/mcp-registry.ts';
import { mcpHandler } from '../../support/mcp-server.ts';
import { NOW } from '../../support/test-app.ts';

const now = () => NOW;

/** Sends batches of calls and records the calls to the stores. */
const createBatches = (allowances = TINY_ALLOWANCES) => {
  const testKey = createTestKey();
  const counters = recordingStore(createMemoryCounterStore(now));
  const access = createTestAccessControl({ ...clocksOf(now), keys: testKey.keys, counters, allowances });
  const { upstream, calls: providerCalls } = countingUpstream();
  const { registry } = createTestRegistry({ upstream: chargingUpstream(upstream), now });
  const { call, callStateless } = mcpCalls(mcpHandler(registry, undefined, access));
  return {
    testKey,
    call,
    callStateless,
    providerCalls,
    /** Counts the admitted charges. */
    charges: () => counters.calls.filter(({ verb, isAdmitted }) => verb === 'charge' && isAdmitted).length,
    send: (name: string, args: (index: number) => object, headers: Readonly<Record<string, string>> = {}) =>
      call(
        Array.from({ length: MAX_BATCH_MESSAGES }, (_, index) =>
          rpc('tools/call', { name, arguments: args(index) }, index),
        ),
        headers,
      ),
  };
};

const codesIn = (json: readonly { readonly result: { readonly isError?: true; readonly _meta: object } }[]) =>
  json.map(({ result }) => (result.isError && 'code' in result._meta ? result._meta.code : 'ok')).toSorted();

const search = (index: number) => ({ q: `tide ${index}` });
const postAt = (index: number) => ({ id: String(20 + index) });

test.each([
  ['x_search_posts', { q: 'tide' }, '"search";q=6;w=60', 5],
  ['x_get_profile', { handle: 'jack' }, '"browse";q=4;w=60', 3],
  ['x_list_posts', { handle: 'ada' }, '"browse";q=4;w=60', 3],
  ['x_list_posts', { handle: 'ada,bo' }, '"browse";q=4;w=60', 2],
  ['x_list_replies', { id: '20' }, '"browse";q=4;w=60', 3],
  ['x_get_post', { id: '20' }, undefined, undefined],
])('[allowances 2] the answer to %s %j has the allowance that it charged', async (name, args, policy, left) => {
  const { call, testKey } = createBatches();
  const { headers } = await call(rpc('tools/call', { name, arguments: args }), testKey.headers);
  expect(headers['ratelimit-policy']).toBe(policy);
  expect(/;r=(\d+)/.exec(headers['ratelimit'] ?? '')?.[1]).toBe(left?.toString());
});

test.each([
  ['resources/read', true, 'private'],
  ['resources/read', false, 'public'],
  // The list is the same for every caller.
  ['tools/list', true, 'public'],
])('[caching 1] the answer to %s, with an API key: %o, has the cacheScope %s', async (method, isKeyed, cacheScope) => {
  const { callStateless, testKey } = createBatches();
  const params = method === 'resources/read' ? { uri: 'postern://posts/20' } : {};
  const { json } = await callStateless(method, params, isKeyed ? testKey.headers : {});
  expect(json.result).toMatchObject({ cacheScope });
});

test.each([
  ['x_search_posts', search, MAX_BATCH_MESSAGES],
  ['x_get_post', postAt, 0],
])('a batch of %s reads the key once, and charges the allowance of each call', async (name, args, count) => {
  const { send, testKey, charges } = createBatches(UNLIMITED_ALLOWANCES);
  const { json, headers } = await send(name, args, testKey.headers);
  expect(codesIn(json)).toEqual(Array(MAX_BATCH_MESSAGES).fill('ok'));
  expect(headers['x-api-key-status']).toBe('valid');
  expect([testKey.reads(), charges()]).toEqual([1, count]);
});

test.each([
  ['with a key', true, TINY_ALLOWANCES.search.keyed.count],
  ['without a key', false, TINY_ALLOWANCES.search.anonymous.count],
])('a batch of searches %s is admitted up to the allowance', async (_, isKeyed, count) => {
  const { send, testKey, charges } = createBatches();
  const { json, headers } = await send('x_search_posts', search, isKeyed ? testKey.headers : {});
  expect(headers['ratelimit']).toMatch(/^"search";r=0;t=\d+$/);
  expect(codesIn(json)).toEqual([
    ...Array(count).fill('ok'),
    ...Array(MAX_BATCH_MESSAGES - count).fill('rate_limited'),
  ]);
  expect([testKey.reads(), charges()]).toEqual([isKeyed ? 1 : 0, count]);
});

test.each([
  ['x_search_posts', search],
  ['x_get_post', postAt],
  ['x_get_posts', (index: number) => ({ ids: [String(20 + index)] })],
  ['x_list_replies', postAt],
])(
  '[keys 10] a batch of %s with an unknown key reads it once, calls no provider and charges nothing',
  async (tool, args) => {
    const { send, testKey, charges, providerCalls } = createBatches();
    const { status, json } = await send(tool, args, { authorization: `Bearer ${newApiKey()}` });
    expect([status, json.code, testKey.reads(), charges(), providerCalls()]).toEqual([401, 'invalid_key', 1, 0, 0]);
    await send(tool, args);
    expect(providerCalls()).toBeGreaterThan(0);
  },
);

test('[allowances 9] each post of a batch counts for fair use, and a denied post has retry_after', async () => {
  const { send } = createBatches();
  const BATCHES = FAIR_USE.count / MAX_BATCH_MESSAGES;
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const { json } = await send('x_get_post', (index) => ({ id: String(1 + batch * MAX_BATCH_MESSAGES + index) }));
    expect(codesIn(json)).toEqual(Array(MAX_BATCH_MESSAGES).fill('ok'));
  }
  const { json } = await send('x_get_post', (index) => ({ id: String(1000 + index) }));
  expect(codesIn(json)).toEqual(Array(MAX_BATCH_MESSAGES).fill('rate_limited'));
  expect(json[0].result).toMatchObject({ isError: true, _meta: { retry_after: expect.any(Number) } });
  const other = await send('x_get_post', (index) => ({ id: String(1000 + index) }), { 'x-viewer-ip': '198.51.100.7' });
  expect(codesIn(other.json)).toEqual(Array(MAX_BATCH_MESSAGES).fill('ok'));
});

test('[outages 2] results of a batch that are ready at once are written in separate turns of the event loop', async () => {
  const { call } = createTestRegistry();
  let turn = 0;
  let isOver = false;
  const countTurns = (): void => {
    turn += 1;
    if (!isOver) setImmediate(countTurns);
  };
  countTurns();
  const turns = await Promise.all(
    Array.from({ length: MAX_BATCH_MESSAGES }, async () => {
      await call('x_get_post', { id: '20' });
      return turn;
    }),
  );
  isOver = true;
  expect(new Set(turns).size).toBe(MAX_BATCH_MESSAGES);
});
