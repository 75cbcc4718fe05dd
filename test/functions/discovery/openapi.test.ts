// Tests facts of /openapi.json that its golden file does not judge. Each answer of a test is compared with the document.
import { expect, test } from 'vitest';
import { operationRows, pathsOf } from '../../../shared/contract/operations.ts';
import { createTestApp } from '../../support/test-app.ts';

interface Operation {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly responses: object;
}

interface Description {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, { readonly get?: Operation }>>;
  readonly components: { readonly securitySchemes: object };
}

const served = async (): Promise<Description & Record<string, unknown>> =>
  JSON.parse((await createTestApp().get('/openapi.json')).body);

const operationsOf = ({ paths }: Description): readonly Operation[] =>
  Object.values(paths).flatMap((item) => item.get ?? []);

test('[discovery 4] /openapi.json is JSON with the base URL of the deployment and every route of the tables', async () => {
  const answer = await createTestApp().get('/openapi.json');
  expect(answer.headers['content-type']).toBe('application/json');
  const description = await served();
  expect(description.servers).toEqual([{ url: 'https://api.example.test' }]);
  const paths = Object.keys(description.paths);
  expect(paths).toEqual(expect.arrayContaining(operationRows.flatMap(([, operation]) => [...pathsOf(operation)])));
  expect(paths).toEqual(expect.arrayContaining(['/api', '/openapi.json', '/.well-known/ard.json', '/mcp']));
});

/** Documents, and what reads one post or is about one. */
const OPEN =
  /^(?:get|readPost|lookupPosts|list(?:Replies(?!Timeline)|Quotes|Reposts)|readOembed|readConversation|convert)/;

test('[keys 15] /openapi.json has one optional Bearer scheme, and post routes have neither the scheme nor 401', async () => {
  const description = await served();
  expect(description.components.securitySchemes).toEqual({
    bearer: { type: 'http', scheme: 'bearer', description: expect.any(String) },
  });
  expect(description).not.toHaveProperty('security');
  const all = operationsOf(description).map(({ operationId, security, responses }) => ({
    operationId,
    security,
    has401: '401' in responses,
  }));
  expect(all).toEqual(
    all.map(({ operationId }) => {
      const isOpen = OPEN.test(operationId);
      return { operationId, security: isOpen ? [] : [{}, { bearer: [] }], has401: !isOpen };
    }),
  );
});

test('[discovery 5] x-api-lifecycle has the signals, and the versions and deprecated operations of /api', async () => {
  const { versioning } = (await createTestApp().get('/api')).json() as { versioning: Record<string, unknown> };
  const { deprecated_aliases: aliases, ...versions } = versioning;
  expect(aliases).toHaveLength(2);
  expect((await served())['x-api-lifecycle']).toMatchObject({
    current_major_version: versions['current_major_version'],
    supported_versions: versions['supported_versions'],
    minimum_support_window_months: versions['minimum_support_window_months'],
    deprecation_signals: [
      { header: 'Deprecation', standard: 'RFC 9745' },
      { header: 'Sunset', standard: 'RFC 8594' },
      { header: 'Link', standard: 'RFC 8288' },
    ],
    deprecated_operations: aliases,
  });
});

test('[discovery 6] [lifecycle 14] the dates are the same in headers, /openapi.json, /api and the documentation', async () => {
  const { get } = createTestApp();
  const alias = await get('/api/convert?url=x.com/jack/status/20');
  expect([alias.headers['deprecation'], alias.headers['sunset']]).toEqual([
    '@1789430400',
    'Wed, 15 Sep 2027 00:00:00 GMT',
  ]);
  for (const target of ['/openapi.json', '/api']) {
    const { body } = await get(target);
    expect(body.match(/2026-09-15T00:00:00Z/g), target).toHaveLength(2);
    expect(body.match(/2027-09-15T00:00:00Z/g), target).toHaveLength(2);
  }
  const page = await get('/docs/versioning', { headers: { accept: 'text/html' } });
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  for (const date of ['2026-09-15', '2027-09-15']) expect(page.body).toContain(date);
  const { body: markdown } = await get('/docs/versioning', { headers: { accept: 'text/markdown' } });
  expect(markdown).toMatch(/\/api\/convert.*2026-09-15.*2027-09-15/);
  expect(markdown).toMatch(/\/api\/browse.*2026-09-15.*2027-09-15/);
});
