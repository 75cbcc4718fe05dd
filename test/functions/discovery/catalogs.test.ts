// Catalogs for agents: the link set of RFC 9727, ARD and the AI Catalog, the MCP papers.
import { readFileSync } from 'node:fs';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import LinkHeader from 'http-link-header';
import { expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../support/test-app.ts';

const vector = (file: string) =>
  JSON.parse(readFileSync(new URL(`../../fixtures/vectors/${file}`, import.meta.url), 'utf8'));

const ajv = new Ajv2020.default({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(vector('linkset.schema.json'));
const isApiCatalog = ajv.compile(vector('api-catalog.schema.json'));
ajv.addSchema(vector('ard-entry.schema.json'), 'ard');
const isArd = ajv.compile({ $ref: 'ard#/$defs/ArdManifest' });
const isAiCatalog = ajv.compile(vector('ai-catalog.schema.json'));

const expectValid = (validate: ValidateFunction, document: unknown): void => {
  expect(validate(document), ajv.errorsText(validate.errors)).toBe(true);
};

const BASE = 'https://api.example.test';

/** What a catalog points to answers, with the type that the catalog says. */
const expectServed = async ({ get }: TestApp, href: string, type: string): Promise<void> => {
  expect(href.startsWith(`${BASE}/`), href).toBe(true);
  const answer = await get(href.slice(BASE.length), { headers: { accept: type.split(';')[0] ?? type } });
  expect([answer.status, answer.headers['content-type']?.split('; charset')[0]], href).toEqual([
    200,
    type.split('; charset')[0],
  ]);
};

test('[spec 4.4 #75] the API catalog is a link set, by GET and by HEAD, whose links are what they say', async () => {
  const { get, log } = createTestApp();
  const answer = await get('/.well-known/api-catalog');
  const head = await get('/.well-known/api-catalog', { method: 'HEAD' });
  expect([answer.status, head.status, head.body]).toEqual([200, 200, '']);
  for (const { headers } of [answer, head]) {
    expect(headers['content-type']).toBe('application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"');
    const links = LinkHeader.parse(headers['link'] ?? '');
    expect(links.rel('api-catalog').map(({ uri }) => uri)).toEqual([`${BASE}/.well-known/api-catalog`]);
  }
  const document = answer.json();
  expectValid(isApiCatalog, document);
  const contexts = document['linkset'] as readonly Record<string, unknown>[];
  expect(contexts[0]).toMatchObject({ 'service-desc': [{ href: `${BASE}/openapi.json` }], 'service-doc': [{}] });
  for (const { anchor, ...relations } of contexts) {
    expect(String(anchor).startsWith(`${BASE}/`)).toBe(true);
    for (const targets of Object.values(relations)) {
      for (const { href, type } of targets as readonly { href: string; type: string }[])
        await expectServed({ get, log }, href, type);
    }
  }
});

test('[spec 4.4 #76] ard.json passes both schemas, and the AI Catalog is the same bytes under its own type', async () => {
  const { get } = createTestApp();
  const ard = await get('/.well-known/ard.json');
  const catalog = await get('/.well-known/ai-catalog.json');
  expectValid(isArd, ard.json());
  expectValid(isAiCatalog, ard.json());
  expect(catalog.body).toBe(ard.body);
  expect([ard.headers['content-type'], catalog.headers['content-type']]).toEqual([
    'application/json',
    'application/ai-catalog+json',
  ]);
});

interface Entry {
  readonly identifier: string;
  readonly type: string;
  readonly url?: string;
  readonly data?: object;
  readonly representativeQueries: readonly string[];
}

const entriesOf = async (get: TestApp['get']): Promise<readonly Entry[]> => {
  const { entries } = (await get('/.well-known/ard.json')).json();
  return entries as readonly Entry[];
};

test('[spec 4.4 #76] every machine surface has an entry, and every entry is served as it says', async () => {
  const one = createTestApp();
  const entries = await entriesOf(one.get);
  const urls = entries.flatMap(({ url }) => url ?? []);
  expect(urls).toEqual(
    expect.arrayContaining(
      ['/mcp/server-card', '/openapi.json', '/api', '/.well-known/api-catalog', '/llms.txt'].map(
        (path) => `${BASE}${path}`,
      ),
    ),
  );
  expect(JSON.stringify(entries.find(({ identifier }) => identifier.endsWith(':oembed')))).toContain(
    `${BASE}/api/v1/oembed`,
  );
  for (const { url, type, representativeQueries } of entries) {
    expect(representativeQueries.length).toBeGreaterThanOrEqual(2);
    expect(representativeQueries.length).toBeLessThanOrEqual(5);
    if (url !== undefined) await expectServed(one, url, type);
  }
});

test('[spec 4.4 #76] what is named where people get lost is in the catalog as well', async () => {
  const { get } = createTestApp();
  const lost = (await get('/api/nowhere')).json();
  const links = lost['links'] as readonly { readonly href: string; readonly rel: string }[];
  const listed = new Set((await entriesOf(get)).map(({ url }) => url));
  const machines = links.filter(({ rel }) => rel !== 'ard' && rel !== 'service-doc');
  expect(machines.filter(({ href }) => !listed.has(href))).toEqual([]);
});

test.each([
  ['https://posts.example.org', 'posts.example.org'],
  ['https://d111111abcdef8.cloudfront.net', 'd111111abcdef8.cloudfront.net'],
  ['http://127.0.0.1:3000', 'agent.localhost'],
  ['http://localhost:3000', 'agent.localhost'],
])('[spec 4.4 #77] %s publishes its own addresses, as %s', async (baseUrl, domain) => {
  const { get } = createTestApp({ settings: { baseUrl } });
  const { body } = await get('/.well-known/ard.json');
  expectValid(isArd, JSON.parse(body));
  for (const { identifier, url } of await entriesOf(get)) {
    expect(identifier.startsWith(`urn:air:${domain}:`), identifier).toBe(true);
    expect(url === undefined || url.startsWith(`${baseUrl}/`), url).toBe(true);
  }
  expect(body).not.toContain('example.test');
});

test('the MCP papers have what their schemas require, under a name of the deployment', async () => {
  const { get } = createTestApp();
  for (const path of ['/mcp/server-card', '/server.json']) {
    const paper = (await get(path)).json();
    expect(paper).toMatchObject({
      name: 'test.example.api/postern',
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    });
    expect(String(paper['description']).length).toBeLessThanOrEqual(100);
    expect(paper).not.toHaveProperty('tools');
  }
});
