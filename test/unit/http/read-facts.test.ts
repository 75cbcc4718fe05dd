// Tests what the log line says about the reads and the charges of a request.
import { expect, test } from 'vitest';
import {
  addFacts,
  factFields,
  type ReadFacts,
  recordCharge,
  recordingRequester,
  recordResult,
} from '../../../shared/http/request-log.ts';
import type { Caller, ChargeResult } from '../../../shared/ports/access-control.ts';
import type { CacheUse, Requester } from '../../../shared/ports/upstream.ts';

const callerWith = (result: ChargeResult | undefined): Caller => ({ chargeResult: () => result }) as unknown as Caller;

test.each<readonly [string, ReadFacts, object]>([
  ['nothing', {}, { provider: 'none', cache: 'none', allowance: 'none', degraded: 0 }],
  [
    'everything',
    { provider: 'fxtwitter', cache: 'hit', allowance: 'memory', isRefunded: true, isDegraded: true },
    { provider: 'fxtwitter', cache: 'hit', allowance: 'memory', refunded: true, degraded: 1 },
  ],
  [
    'no refund',
    { allowance: 'admitted', isRefunded: false, isDegraded: false },
    { provider: 'none', cache: 'none', allowance: 'admitted', degraded: 0 },
  ],
])('the log line of %s', (_, facts, fields) => {
  expect(factFields(facts)).toEqual(fields);
});

test.each<readonly [readonly CacheUse[], CacheUse]>([
  [['hit'], 'hit'],
  [['hit', 'joined'], 'joined'],
  [['joined', 'hit'], 'joined'],
  [['miss', 'hit', 'joined'], 'miss'],
  [['joined', 'miss'], 'miss'],
])('of the cache uses %j the longest way is kept', (uses, cache) => {
  const facts: ReadFacts = {};
  const requester = recordingRequester({ admit: async () => undefined } as unknown as Requester, facts, false);
  for (const use of uses) requester.recordCacheUse?.(use);
  expect(facts).toEqual({ cache });
});

const requesterThat = (admit: Requester['admit']): Requester => ({ admit }) as unknown as Requester;

test('only an admission of the fair-use bound is recorded, also of a further read', async () => {
  const charged: ReadFacts = {};
  await recordingRequester(
    requesterThat(async () => undefined),
    charged,
    false,
  ).admit();
  expect(charged).toEqual({});
  const facts: ReadFacts = {};
  const another = requesterThat(async () => {
    throw new Error('refused');
  });
  const requester = recordingRequester(
    { ...requesterThat(async () => undefined), forAnotherRead: () => another },
    facts,
    true,
  );
  await requester.admit();
  expect(facts).toEqual({ allowance: 'admitted' });
  await expect(requester.forAnotherRead?.().admit()).rejects.toThrow('refused');
  expect(facts).toEqual({ allowance: 'refused' });
  await requester.admit();
  expect(facts).toEqual({ allowance: 'refused' });
});

test.each([
  [[], false],
  [[{ code: 'fallback_answered', message: '' }], true],
  [[{ code: 'users_partial', message: '' }], false],
])('a result with the warnings %j is recorded with its source', (warnings, isDegraded) => {
  const facts: ReadFacts = {};
  recordResult(facts, { value: {}, source: 'fxtwitter', fetchedAt: 0, warnings });
  expect(facts).toEqual({ provider: 'fxtwitter', isDegraded });
});

test('the charge of a caller is recorded if there is one', () => {
  const facts: ReadFacts = {};
  recordCharge(facts, undefined);
  recordCharge(facts, callerWith(undefined));
  expect(facts).toEqual({});
  recordCharge(facts, callerWith({ decision: 'memory', isRefunded: true }));
  expect(facts).toEqual({ allowance: 'memory', isRefunded: true });
});

test('the facts of several calls are those of the latest source and of the longest way', () => {
  const facts: ReadFacts = {};
  addFacts(facts, {});
  expect(facts).toEqual({});
  addFacts(facts, { provider: 'a', cache: 'miss', allowance: 'refused', isRefunded: true, isDegraded: true });
  addFacts(facts, { provider: 'b', cache: 'hit', allowance: 'admitted', isRefunded: false, isDegraded: false });
  addFacts(facts, {});
  expect(facts).toEqual({ provider: 'b', cache: 'miss', allowance: 'refused', isRefunded: true, isDegraded: true });
});
