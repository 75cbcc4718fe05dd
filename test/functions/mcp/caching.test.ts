// Checks the cacheScope of stateless answers with and without an API key.
import { expect, test } from 'vitest';
import { createTestAccessControl, UNLIMITED_ALLOWANCES } from '../../support/access-control.ts';
import { createTestKey } from '../../support/limited-app.ts';
import { mcpCalls } from '../../support/mcp-calls.ts';
import { createTestRegistry } from '../../support/mcp-registry.ts';
import { mcpHandler } from '../../support/mcp-server.ts';
import { NOW } from '../../support/test-app.ts';

const URI = 'postern://posts/20';

const call = () => {
  const key = createTestKey();
  const now = () => NOW;
  const accessControl = createTestAccessControl({ clock: now, keys: key.keys, allowances: UNLIMITED_ALLOWANCES });
  const { callStateless } = mcpCalls(mcpHandler(createTestRegistry({ now }).registry, undefined, accessControl));
  return { callStateless, key };
};

test('[caching 1] POST /mcp resources/read returns cacheScope private when the request has an API key', async () => {
  const { callStateless, key } = call();
  const { json } = await callStateless('resources/read', { uri: URI }, key.headers);
  expect(json.result).toMatchObject({ cacheScope: 'private' });
});

test('POST /mcp resources/read returns cacheScope public when the request has no API key', async () => {
  const { json } = await call().callStateless('resources/read', { uri: URI });
  expect(json.result).toMatchObject({ cacheScope: 'public' });
});

test('POST /mcp tools/list returns cacheScope public with an API key too, because the list is the same', async () => {
  const { callStateless, key } = call();
  const { json } = await callStateless('tools/list', {}, key.headers);
  expect(json.result).toMatchObject({ cacheScope: 'public' });
});
