import { expect, test } from 'vitest';
import { sha256Hex } from '../../../shared/auth/api-key.ts';
import type { KeyResult } from '../../../shared/ports/access-control.ts';
import type { ApiKeyRecord } from '../../../shared/ports/stores.ts';
import { createMemoryCounterStore } from '../../../shared/stores/memory-counter-store.ts';
import { createTestAccessControl, keyRecord, newApiKey } from '../../support/access-control.ts';
import { readingAt } from '../../support/clocks.ts';
import { TINY_ALLOWANCES } from '../../support/limited-app.ts';
import { recordingStore, START, testClock } from '../../support/limiter.ts';

const ADA = '198.51.100.7';
const anonymous = (ip = ADA) => ({ authorization: undefined, ip });

/** Access control whose key store has one key. */
const bench = () => {
  const clock = testClock();
  const store = recordingStore(createMemoryCounterStore(clock.now));
  const key = newApiKey();
  const delay = { milliseconds: 0 };
  const read = async (hash: string): Promise<ApiKeyRecord | undefined> => {
    await undefined;
    clock.wait(delay.milliseconds);
    return hash === sha256Hex(key) ? keyRecord() : undefined;
  };
  const access = createTestAccessControl({
    ...clock,
    keys: { read },
    counters: store,
    allowances: TINY_ALLOWANCES,
  });
  return {
    access,
    clock,
    store,
    delay,
    /** Runs one request with the key from its identification to its settlement, as the pipeline does. */
    ask: async (): Promise<KeyResult> => {
      const caller = access.identify({ authorization: `Bearer ${key}`, ip: ADA });
      await caller.chargeAllowance('search', 'tide');
      await caller.settle('answered');
      return caller.status;
    },
  };
};

test('a charge that is denied after the request ended causes no unhandled rejection', async () => {
  const { access } = bench();
  for (let charge = 0; charge < TINY_ALLOWANCES.search.anonymous.count; charge += 1)
    await access.identify(anonymous()).chargeAllowance('search', 'tide');
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  access.identify(anonymous()).chargeAllowance('search', 'tide');
  await new Promise((done) => setImmediate(done));
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

test('[allowances 5] a failed request is refunded once, also if it is settled before its charge is decided', async () => {
  const { access, store } = bench();
  const caller = access.identify(anonymous());
  void caller.chargeAllowance('search', 'tide');
  await Promise.all([caller.settle('failed'), caller.settle('failed')]);
  expect(store.calls).toMatchObject([{ verb: 'charge', isAdmitted: true }, { verb: 'refund' }]);
});

test('[allowances 5] a rejected request leaves a later failure of the same search its refund', async () => {
  const { access, store } = bench();
  for (const outcome of ['rejected', 'failed', 'failed'] as const) {
    const caller = access.identify(anonymous());
    await caller.chargeAllowance('search', 'tide');
    await caller.settle(outcome);
  }
  expect(store.calls.filter(({ verb }) => verb === 'refund')).toHaveLength(2);
});

test('[allowances 5] a tool call that fails after its request was answered is refunded', async () => {
  const { access, store } = bench();
  const caller = access.identify(anonymous());
  await caller.chargeAllowance('search', 'tide');
  await caller.settle('answered');
  await caller.settle('failed');
  expect(store.calls.filter(({ verb }) => verb === 'refund')).toHaveLength(1);
});

test('[allowances 5] a denied request takes no refund from a charged one of the same search', async () => {
  const { access, store } = bench();
  const charged = access.identify(anonymous());
  await charged.chargeAllowance('search', 'tide');
  for (let charge = 1; charge < TINY_ALLOWANCES.search.anonymous.count; charge += 1)
    await access.identify(anonymous()).chargeAllowance('search', 'ferries');
  const denied = access.identify(anonymous());
  await expect(denied.chargeAllowance('search', 'tide')).rejects.toMatchObject({ code: 'rate_limited' });
  await denied.settle('failed');
  await charged.settle('failed');
  expect(store.calls.filter(({ verb }) => verb === 'refund')).toHaveLength(1);
});

test.each([
  [349, 1],
  [350, 0],
])(
  '[keys 6] the key store and the counter store share 350 ms: after %s ms of reading the charge is tried %s times',
  async (milliseconds, charges) => {
    const { ask, store, delay, clock } = bench();
    // The first calls of an instance have 1 s more, while connections are set up.
    delay.milliseconds = 400;
    await ask();
    expect(store.calls).toHaveLength(1);
    delay.milliseconds = 0;
    clock.wait(1000);
    await ask();
    const { length } = store.calls;
    delay.milliseconds = milliseconds;
    expect(await ask()).toBe('valid');
    expect(store.calls).toHaveLength(length + charges);
  },
);

test('[limiter 6] access control sends every charge after its process was busy, and counts none in memory', async () => {
  const clock = testClock();
  const counters = recordingStore(createMemoryCounterStore(clock.now));
  const access = createTestAccessControl({ ...clock, waitingClock: () => readingAt(START), counters });
  const callers = Array.from({ length: 40 }, (_, index) => access.identify(anonymous(`198.51.100.${index}`)));
  clock.wait(5000);
  await Promise.all(callers.map((caller) => caller.chargeAllowance('search', 'tide')));
  expect(new Set(callers.map((caller) => caller.chargeResult()?.decision))).toEqual(new Set(['admitted']));
  expect(counters.calls).toHaveLength(40);
});
