// Tests the catalogs for programs: the link set (RFC 9727), ARD, the AI Catalog and the MCP server card.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import LinkHeader from 'http-link-header';
import { describe, expect, test } from 'vitest';
import { createTestRegistry } from '../../support/mcp-registry.ts';
import { BASE_URL, createTestApp, type TestApp } from '../../support/test-app.ts';

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

/** The URL of a catalog entry returns 200 and the media type of the entry. */
const expectServed = async ({ get }: TestApp, href: string, type: string): Promise<void> => {
  expect(href.startsWith(`${BASE}/`), href).toBe(true);
  const answer = await get(href.slice(BASE.length), { headers: { accept: type.split(';')[0] ?? type } });
  expect([answer.status, answer.headers['content-type']?.split('; charset')[0]], href).toEqual([
    200,
    type.split('; charset')[0],
  ]);
};

test('[discovery 1] the API catalog is a link set for GET and HEAD, and its links have the named media types', async () => {
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

test('[discovery 2] ard.json matches both schemas, and the AI Catalog has the same bytes and its own media type', async () => {
  const { get } = createTestApp();
  const ard = await get('/.well-known/ard.json');
  const catalog = await get('/.well-known/ai-catalog.json');
  expectValid(isArd, ard.json());
  expectValid(isAiCatalog, ard.json());
  expect(catalog.body).toBe(ard.body);
  for (const path of ['/llms-full.txt', '/.well-known/agent-skills/index.json', '/server.json', '/docs/feeds'])
    expect(ard.body).toContain(`"url": "${BASE_URL}${path}"`);
  expect(ard.body).toContain('/assets/opensearch.xml');
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

test('[discovery 2] every entry of ard.json has queries and leads to its media type', async () => {
  const app = createTestApp();
  for (const { url, type, representativeQueries } of await entriesOf(app.get)) {
    expect(representativeQueries.length).toBeGreaterThanOrEqual(2);
    expect(representativeQueries.length).toBeLessThanOrEqual(5);
    if (url !== undefined) await expectServed(app, url, type);
  }
});

test.each([
  ['https://posts.example.org', 'posts.example.org'],
  ['https://d111111abcdef8.cloudfront.net', 'd111111abcdef8.cloudfront.net'],
  ['http://127.0.0.1:3000', 'agent.localhost'],
  ['http://localhost:3000', 'agent.localhost'],
])('[discovery 3] the catalog of %s contains only its own URLs and the domain %s', async (baseUrl, domain) => {
  const { get } = createTestApp({ settings: { baseUrl } });
  const { body } = await get('/.well-known/ard.json');
  expectValid(isArd, JSON.parse(body));
  for (const { identifier, url } of await entriesOf(get)) {
    expect(identifier.startsWith(`urn:air:${domain}:`), identifier).toBe(true);
    expect(url === undefined || url.startsWith(`${baseUrl}/`), url).toBe(true);
  }
  expect(body).not.toContain('example.test');
});

describe('the skill for agents', () => {
  const INDEX = '/.well-known/agent-skills/index.json';
  const read = async (baseUrl: string) => {
    const { get } = createTestApp({ settings: { baseUrl } });
    const [entry] = (await get(INDEX)).json()['skills'] as readonly Record<string, string>[];
    return { entry, skill: await get(entry?.['url'] ?? '') };
  };

  test.each([BASE, 'http://127.0.0.1:3000'])(
    '[discovery 9] of %s has its own URLs, and the index has the digest of the bytes',
    async (baseUrl) => {
      const { entry, skill } = await read(baseUrl);
      const [, frontMatter = '', body = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(skill.body) ?? [];
      expect([skill.status, skill.headers['content-type']]).toEqual([200, expect.stringMatching(/^text\/markdown;/)]);
      expect(entry).toEqual({
        name: 'read-x',
        type: 'skill-md',
        description: JSON.parse(frontMatter.replace(/^.*\ndescription: /s, '')),
        url: '/.well-known/agent-skills/read-x/SKILL.md',
        digest: `sha256:${createHash('sha256').update(skill.body).digest('hex')}`,
      });
      expect(frontMatter.split('\n')[0]).toBe('name: read-x');
      // Bounds of the format of skills.
      expect(entry?.['description']?.length).toBeLessThanOrEqual(1024);
      expect(body.split('\n').length).toBeLessThan(300);
      expect(body).toContain(`${baseUrl}/https://x.com/jack/status/20`);
      expect(body).not.toContain('{');
    },
  );

  test('[discovery 9] names only requests that the service answers', async () => {
    const { get } = createTestApp();
    const { skill } = await read(BASE);
    const paths = [...skill.body.matchAll(/(?:https:\/\/api\.example\.test|`)(\/[^\s`'),]*[^\s`'),.:])/g)].map(
      ([, path = '']) => path,
    );
    expect(paths.length).toBeGreaterThan(15);
    for (const path of new Set(paths)) {
      const target = /^\/(?:quotes|retweets)$/.test(path) ? `/jack/status/20${path}` : path;
      const below = /^\/(?:media|articles|following)$/.test(path) ? `/jack${path}` : target;
      if (path !== '/mcp') expect((await get(below)).status, below).toBeLessThan(400);
    }
  });

  test('[discovery 9] is the resource of the MCP server, and a file of the repository for the local service', async () => {
    const { registry, context } = createTestRegistry();
    const { contents } = await registry.readResource('skill://read-x/SKILL.md', context);
    expect(contents[0]?.text).toBe((await read(BASE)).skill.body);
    const file = readFileSync(new URL('../../../skills/read-x/SKILL.md', import.meta.url), 'utf8');
    expect(file, 'npm run update -- readme').toBe((await read('http://127.0.0.1:3000')).skill.body);
  });
});
