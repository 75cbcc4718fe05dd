// Tests the facts of the specification and of the decisions in /openapi.json as literals.
import { expect, test } from 'vitest';
import { operationRows, pathsOf } from '../../../shared/contract/operations.ts';
import { createTestApp } from '../../support/test-app.ts';

interface Operation {
  readonly operationId: string;
  readonly deprecated?: boolean;
  readonly security: readonly object[];
  readonly parameters: readonly { readonly name?: string; readonly $ref?: string }[];
  readonly responses: Readonly<Record<string, Response>>;
}

interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly examples?: object }>>;
  readonly headers?: Readonly<Record<string, unknown>>;
}

interface Description {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, { readonly get?: Operation; readonly post?: Operation }>>;
  readonly components: {
    readonly responses: Readonly<Record<string, Response>>;
    readonly schemas: Readonly<Record<string, { readonly properties?: Readonly<Record<string, object>> }>>;
    readonly securitySchemes: object;
  };
}

const served = async (): Promise<Description & Record<string, unknown>> =>
  JSON.parse((await createTestApp().get('/openapi.json')).body);

const operationsOf = ({ paths }: Description): readonly Operation[] =>
  Object.values(paths).flatMap((item) => item.get ?? []);

const responseOf = (description: Description, { $ref, ...own }: Response): Response =>
  $ref === undefined ? own : (description.components.responses[$ref.split('/').at(-1) ?? ''] ?? {});

test('[discovery 4] /openapi.json is OpenAPI 3.1 in JSON with the base URL of the deployment', async () => {
  const answer = await createTestApp().get('/openapi.json');
  expect(answer.headers['content-type']).toBe('application/json');
  const { openapi, servers } = await served();
  expect([openapi, servers]).toEqual(['3.1.1', [{ url: 'https://api.example.test' }]]);
});

test('[discovery 4] /openapi.json has every route of the tables and of the specification', async () => {
  const paths = Object.keys((await served()).paths);
  expect(paths).toEqual(expect.arrayContaining(operationRows.flatMap(([, operation]) => [...pathsOf(operation)])));
  expect(paths).toEqual(expect.arrayContaining(['/api', '/openapi.json', '/.well-known/ard.json', '/mcp']));
});

test('[discovery 4] /openapi.json has exactly two deprecated operations, and each names its successor', async () => {
  const { paths } = await served();
  const deprecated = Object.entries(paths).filter(([, { get }]) => get?.deprecated);
  expect(deprecated.map(([path]) => path)).toEqual(['/api/convert', '/api/browse']);
  expect(paths['/api/convert']?.get).toMatchObject({ 'x-successor-version': '/api/v1/posts' });
  expect(paths['/api/convert']?.get).not.toHaveProperty('x-successor-version-map');
  expect(paths['/api/browse']?.get).toMatchObject({
    'x-successor-version-map': {
      profile: '/api/v1/profiles/{handle}',
      followers: '/api/v1/profiles/{handle}/followers',
      following: '/api/v1/profiles/{handle}/following',
      search: '/api/v1/search',
    },
  });
  expect(paths['/api/browse']?.get).not.toHaveProperty('x-successor-version');
});

test('[discovery 4] /openapi.json declares every error as a problem document with its codes, and the headers of every answer', async () => {
  const description = await served();
  for (const { operationId, responses } of operationsOf(description)) {
    for (const [status, declared] of Object.entries(responses)) {
      const response = responseOf(description, declared);
      expect(response.headers, `${operationId} ${status}`).toMatchObject({
        'X-Request-Id': {},
        'Cache-Control': {},
        'Access-Control-Allow-Origin': {},
      });
      if (Number(status) < 400) continue;
      expect(response.content, `${operationId} ${status}`).toHaveProperty(['application/problem+json']);
      expect(response).toHaveProperty(['x-problem-codes', 0]);
    }
    expect(Object.keys(responses)).not.toContain('504');
  }
});

test('[discovery 4] /openapi.json has examples for the answers of use cases', async () => {
  for (const { operationId, responses } of operationsOf(await served())) {
    const json = responses['200']?.content?.['application/json'];
    if (operationId.startsWith('get') || operationId.endsWith('Feed')) continue;
    expect(Object.keys(json?.examples ?? {}), operationId).not.toEqual([]);
  }
});

test('[discovery 4] /openapi.json leaves source open-ended and allows new members in every answer', async () => {
  const { body } = await createTestApp().get('/openapi.json');
  expect(body).not.toMatch(/"(?:additional|unevaluated)Properties":false/);
  const { schemas } = (await served()).components;
  for (const name of ['PostBody', 'ProfileBody', 'UserListBody', 'SearchBody']) {
    const source = schemas[name]?.properties?.['source'];
    expect(source, name).toMatchObject({ type: 'string' });
    expect(source, name).not.toHaveProperty('enum');
    expect(source, name).not.toHaveProperty('const');
  }
});

/** Documents, and what reads one post or is about one. */
const OPEN = /^(?:get|readPost|lookupPosts|list(?:Replies(?!Timeline)|Quotes|Reposts)|readOembed|convert)/;

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

test('[discovery 6] the dates are the same in headers, /openapi.json, /api and the documentation', async () => {
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
  const page = await get('/docs/versioning', { headers: { accept: 'text/markdown' } });
  expect(page.body).toMatch(/\/api\/convert.*2026-09-15.*2027-09-15/);
  expect(page.body).toMatch(/\/api\/browse.*2026-09-15.*2027-09-15/);
});
