// Runs a short form of `npm run measure -- week`, and plants defects that it must notice.
import { expect, test, vi } from 'vitest';
import { buildEdge } from '../../../infra/build/bundle-edge.ts';
import { createEdgeFunction } from '../../../infra/local/edge-sandbox.ts';
import { PROVIDERS } from '../../../measure/week/fleet.ts';
import { simulateWeek } from '../../../measure/week/simulate-week.ts';
import type { WeekOptions } from '../../../measure/week/stage.ts';
import type { ApiKeyRecord } from '../../../shared/ports/stores.ts';

vi.mock('undici', () => import('../../../measure/week/virtual-undici.ts'));

const edge = createEdgeFunction(await buildEdge());

const simulate = (options: Partial<WeekOptions>) =>
  simulateWeek({ seed: 1, edge, callers: 2, requestsPerCaller: 20, bursts: 3, days: 7, ...options });

test('nothing is false and nothing stays stuck in a week of faults', async () => {
  const { errors, counts } = await simulate({ seed: 2, callers: 8, requestsPerCaller: 30 });
  expect(errors).toEqual([]);
  expect(counts.episodes).toBeGreaterThan(20);
  expect(counts.failed).toBeGreaterThan(0);
  expect(counts.exactBursts + counts.revocations).toBeGreaterThan(0);
});

test('the week notices a cache of API keys', async () => {
  const cache = new Map<string, ApiKeyRecord | undefined>();
  const { errors } = await simulate({
    callers: 0,
    bursts: 0,
    days: 1,
    sabotage: (stores) => ({
      ...stores,
      keys: {
        async read(hash, signal) {
          if (!cache.has(hash)) cache.set(hash, await stores.keys.read(hash, signal));
          return cache.get(hash);
        },
      },
    }),
  });
  expect(errors.join('\n')).toContain('a revoked key is valid');
});

test('the week notices a counter that admits one request too many', async () => {
  const { errors } = await simulate({
    callers: 0,
    sabotage: (stores) => ({
      ...stores,
      counters: {
        ...stores.counters,
        charge: (counter, units) => stores.counters.charge({ ...counter, limit: counter.limit + 1 }, units),
      },
    }),
  });
  expect(errors.join('\n')).toMatch(/\d+ admitted of \d+/);
});

test('the week notices that the second provider is never asked', async () => {
  const { errors } = await simulate({ callers: 30, requestsPerCaller: 30, providers: PROVIDERS.slice(0, 1) });
  expect(errors.join('\n')).toContain('503 although synd can answer');
});
