// Checks failing tool calls: their texts, their codes and their charges, which equal those of REST.
import { describe, expect, test } from 'vitest';
import { FAIR_USE } from '../../../shared/contract/allowances.ts';
import type { FailedOutcome } from '../../../shared/ports/upstream.ts';
import { createTestAccessControl } from '../../support/access-control.ts';
import { clocksOf } from '../../support/clocks.ts';
import { chargingUpstream, createTestKey, TINY_ALLOWANCES } from '../../support/limited-app.ts';
import { createTestRegistry, resultText } from '../../support/mcp-registry.ts';
import { NOW, upstreamFindingAll, upstreamReturning } from '../../support/test-app.ts';

const POST = ['x_get_post', { id: '20' }] as const;
const SEARCH = ['x_search_posts', { q: 'x' }] as const;
const PROFILE = ['x_get_profile', { handle: 'jack' }] as const;
const LISTS = [
  ['x_list_posts', { handle: 'jack' }],
  ['x_list_followers', { handle: 'jack' }],
  ['x_list_following', { handle: 'jack' }],
] as const;

const FAILURES: readonly (readonly [string, object, FailedOutcome, object])[] = [
  [...POST, { kind: 'gone', reason: 'deleted' }, { code: 'post_not_found', status: 404, reason: 'deleted' }],
  [...POST, { kind: 'gone', reason: 'protected' }, { code: 'post_protected', status: 403, reason: 'protected' }],
  [...POST, { kind: 'ambiguous' }, { code: 'upstream_unavailable', status: 503, retry_after: 30 }],
  [...POST, { kind: 'failed', why: 'SECRET html' }, { code: 'upstream_failed', status: 502, retry_after: 30 }],
  [...POST, { kind: 'down', why: 'SECRET' }, { code: 'upstream_unavailable', status: 503, retry_after: 30 }],
  [...PROFILE, { kind: 'absent' }, { code: 'profile_not_found', status: 404, reason: 'unknown' }],
  [...LISTS[1], { kind: 'gone', reason: 'protected' }, { code: 'profile_protected', status: 403, reason: 'protected' }],
  [...SEARCH, { kind: 'refused', why: 'SECRET' }, { code: 'invalid_query', status: 400 }],
];

describe('failing tool calls', () => {
  test.each(FAILURES)('[mcp 15] %s %j with the outcome %j returns %j', async (name, args, outcome, meta) => {
    const result = await createTestRegistry({ upstream: upstreamReturning(outcome) }).call(name, args);
    expect(result).toEqual({ content: [{ type: 'text', text: resultText(result) }], isError: true, _meta: meta });
    expect(resultText(result)).not.toContain('SECRET');
    const reason = 'reason' in meta && meta.reason !== 'unknown' ? [`Reason: ${meta.reason}.`] : [];
    expect(resultText(result).match(/^Reason: .*$/gm) ?? []).toEqual(reason);
    expect(resultText(result)).toMatch(/^[A-Z][^\n]+\.\n/);
    expect(/Retry after 30 s\.$/.test(resultText(result))).toBe('retry_after' in meta);
  });

  test('[mcp 8] the text of an error says what happened, what to do and when to retry', async () => {
    const down = await createTestRegistry({ upstream: upstreamReturning({ kind: 'down', why: 'x' }) }).call(...POST);
    expect(resultText(down)).toBe(
      'The source of the data does not answer.\nWait 30 seconds and send the same request again.\nRetry after 30 s.',
    );
    const unusable = await createTestRegistry({ upstream: upstreamReturning({ kind: 'failed', why: 'x' }) }).call(
      ...POST,
    );
    expect(resultText(unusable)).toBe(
      'The source of the data gave an unusable answer.\nSend the request again later.\nRetry after 30 s.',
    );
    // It names no header field and no format that a tool does not have.
    const invalidFormat = await createTestRegistry().call('x_get_post', { id: '20', format: 'rss' });
    expect(resultText(invalidFormat)).toBe(
      'The format is unknown.\nformat must be one of markdown, json.\nPass format as "markdown" or "json", or leave it out.',
    );
    const invalidLimit = await createTestRegistry().call('x_list_followers', { handle: 'jack', limit: 0 });
    expect(resultText(invalidLimit)).toBe(
      'A parameter has a value that is not accepted.\nlimit must be a whole number from 1 to 50.\nCorrect the named parameter and send the request again.',
    );
  });

  test('an unexpected exception returns internal_error without its message, and the cause is logged', async () => {
    const reject = () => Promise.reject(new Error('SECRET'));
    for (const [name, args] of [POST, SEARCH, PROFILE, ...LISTS]) {
      const { call, log } = createTestRegistry({
        upstream: { readPost: reject, readProfile: reject, listPosts: reject, listUsers: reject },
      });
      const result = await call(name, args);
      expect(result).toMatchObject({ isError: true, _meta: { code: 'internal_error', status: 500 } });
      expect(resultText(result)).not.toContain('SECRET');
      expect(log).toEqual([
        {
          level: 'error',
          event: 'problem',
          tool: name,
          code: 'internal_error',
          cause: expect.stringContaining('SECRET'),
        },
      ]);
    }
  });

  test("a provider's cause is logged", async () => {
    const refused = createTestRegistry({ upstream: upstreamReturning({ kind: 'refused', why: 'odd quotes' }) });
    await refused.call(...SEARCH);
    expect(refused.log).toMatchObject([
      { level: 'info', event: 'problem', code: 'invalid_query', cause: 'odd quotes' },
    ]);
  });
});

const now = () => NOW;

describe('allowances of tools', () => {
  const registryWithTinyAllowances = (
    upstream: Parameters<typeof chargingUpstream>[0] = {},
    presented = {},
    keys = createTestKey().keys,
  ) =>
    createTestRegistry({
      upstream: chargingUpstream(upstream),
      access: createTestAccessControl({ ...clocksOf(now), allowances: TINY_ALLOWANCES, keys }),
      presented,
    });

  const codes = async (count: number, call: () => Promise<{ readonly _meta?: Readonly<Record<string, unknown>> }>) => {
    const all: unknown[] = [];
    while (all.length < count) all.push((await call())._meta?.['code'] ?? 'ok');
    return all;
  };

  test('[mcp 8] a call over the allowance returns rate_limited with retry_after', async () => {
    const { call } = registryWithTinyAllowances();
    expect(await codes(4, () => call(...SEARCH))).toEqual(['ok', 'ok', 'ok', 'rate_limited']);
    const result = await call(...SEARCH);
    expect(result).toMatchObject({ isError: true, _meta: { code: 'rate_limited', status: 429 } });
    const seconds = result._meta?.['retry_after'];
    expect(seconds).toBeTypeOf('number');
    expect(resultText(result)).toMatch(new RegExp(`\nRetry after ${String(seconds)} s\\.$`));
    expect(resultText(result)).toContain('\nWait, then make the same call again.\n');
    expect((await call(...PROFILE)).isError).toBeUndefined();
  });

  test('an invalid argument spends nothing, and an internal error is refunded', async () => {
    let isBroken = true;
    const { call } = registryWithTinyAllowances({
      listPosts: async (...args) => {
        if (isBroken) throw new Error('broken');
        return upstreamFindingAll.listPosts(...args);
      },
    });
    await codes(5, () => call('x_search_posts', { q: 'x', limit: 0 }));
    expect(await codes(1, () => call(...SEARCH))).toEqual(['internal_error']);
    isBroken = false;
    expect(await codes(4, () => call(...SEARCH))).toEqual(['ok', 'ok', 'ok', 'rate_limited']);
  });

  test('[allowances 9] x_get_posts counts each post of a call as a read, and cached posts as none', async () => {
    const { call } = createTestRegistry({ upstream: chargingUpstream({}, clocksOf(now).clock, 60_000) });
    const idsFrom = (start: number) => Array.from({ length: 20 }, (_, index) => String(start + index));
    const batches = Array.from({ length: FAIR_USE.count / 20 }, (_, index) => idsFrom(100 + 20 * index));
    for (const ids of batches) expect((await call('x_get_posts', { ids })).isError).toBeUndefined();
    expect(await call('x_get_post', { id: '99' })).toMatchObject({ isError: true, _meta: { code: 'rate_limited' } });
    expect(await call('x_get_posts', { ids: ['99'] })).toMatchObject({
      isError: true,
      _meta: { code: 'rate_limited' },
    });
    for (const ids of batches.slice(-1)) expect((await call('x_get_posts', { ids })).isError).toBeUndefined();
  });

  test('replies, quotes and reposts charge the browse allowance of the address, also with an API key', async () => {
    const { headers, keys } = createTestKey();
    const { call } = registryWithTinyAllowances({}, headers, keys);
    const replies = () => call('x_list_replies', { id: '20' });
    const quotes = () => call('x_list_replies', { id: '20', kind: 'quotes' });
    const reposts = () => call('x_list_replies', { id: '20', kind: 'reposts' });
    const all = [...(await codes(2, replies)), ...(await codes(1, quotes)), ...(await codes(3, reposts))];
    expect(all).toEqual([...Array(4).fill('ok'), ...Array(2).fill('rate_limited')]);
    // The key has an allowance of its own for profiles.
    expect((await call(...PROFILE)).isError).toBeUndefined();
  });
});
