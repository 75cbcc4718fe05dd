// Sends requests that are generated from /openapi.json to the handlers, and judges every answer. `FUZZ_SEED=… FUZZ_RUNS=…`
// chooses other cases and their number. `npm run measure -- hostile` sends 100,000 to the whole service.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hostileRequests } from '../generators/requests.ts';
import { readRuns } from '../generators/seed.ts';
import { answerErrors } from '../support/answer-oracle.ts';
import { description } from '../support/conformance.ts';
import { createTestApp, upstreamFindingAll } from '../support/test-app.ts';

const calls: string[] = [];

/** Counts the provider calls of a request. */
const counted = Object.fromEntries(
  Object.entries(upstreamFindingAll).map(([name, method]) => [
    name,
    (...args: readonly unknown[]) => {
      calls.push(name);
      return Reflect.apply(method, undefined, args);
    },
  ]),
);

const KNOWN = { handles: ['jack', 'Ada_Larsson', 'x'], ids: ['20', '2034932961899447678'], cursors: [], apiKeys: [] };

/** A page of a list may need several pages of the provider. */
const MAX_CALLS = 20;

test('[discovery 8] no generated request gets a fault, an undeclared answer or a text of the inside', async () => {
  const { get, log } = createTestApp({ upstream: counted });
  const read = hostileRequests(description, KNOWN).filter(
    ({ operation, target }) => operation !== 'POST /mcp' && !/^\/(?:api\/)?admin/.test(target),
  );
  await fc.assert(
    fc.asyncProperty(read, async ({ method, target, headers }) => {
      calls.length = 0;
      const answer = await get(target, { method, headers });
      expect(answerErrors({ method, target, headers }, answer, { secrets: ['a secret of the tests'] })).toEqual([]);
      expect(calls.length).toBeLessThanOrEqual(MAX_CALLS);
      expect(log.splice(0).filter(({ level }) => level === 'error')).toEqual([]);
    }),
    { numRuns: readRuns(600) },
  );
});
