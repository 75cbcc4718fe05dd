// Verifies a service whose edge function fails: every answer is right, and only the cache shows the fault.
import { expect, test } from 'vitest';
import { buildEdge } from '../../infra/build/bundle-edge.ts';
import { createCloudFront } from '../../infra/local/cloudfront.ts';
import { createEdgeFunction } from '../../infra/local/edge-sandbox.ts';
import { createSharedCache } from '../../infra/local/shared-cache.ts';
import { edgeChecks } from '../../shared/verification/checks/transport.ts';
import { clocksOf } from '../support/clocks.ts';
import { BASE_URL, createTestApp } from '../support/test-app.ts';
import { startTestServer } from '../support/test-server.ts';
import { faultsOf, namesOf, verify } from './support.ts';

const built = await buildEdge();

/** @param fault a script that runs before the edge function */
const verifyWith = async (fault: string, cacheTtlSeconds = 300) => {
  const app = createTestApp({ settings: { cacheTtlSeconds } });
  const cloudFront = createCloudFront({
    baseUrl: BASE_URL,
    edge: createEdgeFunction(`${fault}\n${built}`),
    api: async ({ path, query, headers }) => {
      const { status, headers: fields, bytes } = await app.get(`${path}?${query}`, { headers });
      return { status, headers: fields, body: bytes };
    },
    mcp: () => Promise.reject(new Error('the function URL was called')),
    cache: createSharedCache(clocksOf(Date.now).clock),
    originSecret: 'local',
  });
  return verify(await startTestServer(cloudFront), {}, edgeChecks);
};

test('[caching 7] [caching 11] the verification demands that another unknown parameter is a hit', async () => {
  expect(faultsOf(await verifyWith(''))).toBe('');
  // An engine without a method that the script calls.
  expect(faultsOf(await verifyWith('Object.keys = undefined;'))).toMatch(
    /^edge-normalizes: none of 6 requests .* is a hit/,
  );
  expect(namesOf(await verifyWith('', 0), 'skip')).toEqual(['edge-normalizes']);
});
