// Compares the served documents with golden files. Review the diff of a golden file before you commit it.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { InvalidValue, parameters } from '../../shared/contract/parameters.ts';
import { pageNames } from '../../shared/publish/document.ts';
import { expandPlaceholders, pageFile } from '../../shared/publish/pages/read-page.ts';
import { createTestApp } from '../support/test-app.ts';

const DOCUMENTS = [
  ['/api', 'api.json'],
  ['/.well-known/api-catalog', 'api-catalog.json'],
  ['/.well-known/ard.json', 'ard.json'],
  ['/mcp/server-card', 'server-card.json'],
  ['/server.json', 'server.json'],
  ['/.well-known/security.txt', 'security.txt'],
  ['/robots.txt', 'robots.txt'],
  ['/sitemap.xml', 'sitemap.xml'],
  ['/llms.txt', 'llms.txt'],
] as const;

test.each(DOCUMENTS)('%s is equal to its golden file', async (target, file) => {
  const { status, body } = await createTestApp().get(target);
  expect(status).toBe(200);
  await expect(body).toMatchFileSnapshot(`../golden/published/${file}`);
});

test('[discovery 7] /openapi.json is equal to its golden file', async () => {
  const served = (await createTestApp().get('/openapi.json')).json();
  await expect(`${JSON.stringify(served, null, 2)}\n`).toMatchFileSnapshot('../golden/published/openapi.json');
});

test('[discovery 10] the pattern of thread in the description matches what the service accepts', async () => {
  const { paths } = JSON.parse((await createTestApp().get('/openapi.json')).body);
  const thread = paths['/api/v1/posts'].get.parameters.find(({ name }: { name: string }) => name === 'thread');
  const pattern = new RegExp(thread.schema.pattern, 'u');
  const context = { now: 0 } as never; // the parser of thread reads none of it
  const numbers = Array.from({ length: 120 }, (_, number) => String(number));
  for (const text of ['', 'full', 'off', 'FULL', 'on', '-2', '02', '2.0', '5 ', '1e1', ...numbers])
    expect([text, pattern.test(text)]).toEqual([
      text,
      !(parameters.thread.parse(text, context) instanceof InvalidValue),
    ]);
});

const GENERATED = /\{\{.*?\}\}/g;

test('what the documentation pages show of the contract is equal to its golden file', async () => {
  const folder = new URL('../../shared/publish/pages/', import.meta.url);
  const placeholders = pageNames.flatMap((name) =>
    [...readFileSync(new URL(pageFile(name), folder), 'utf8').matchAll(GENERATED)].map(([placeholder]) => placeholder),
  );
  const blocks = [...new Set(placeholders)]
    .toSorted()
    .map((placeholder) => `## ${placeholder}\n\n${expandPlaceholders('placeholder', placeholder)}\n`);
  expect(blocks.length).toBeGreaterThan(100);
  await expect(blocks.join('\n')).toMatchFileSnapshot('../golden/published/placeholders.md');
});

const landed = JSON.parse(readFileSync(new URL('../../.ci/landed-openapi.json', import.meta.url), 'utf8'));
const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');

test('[discovery 7] the OpenAPI description for the comparison belongs to this release or to the previous release', () => {
  const released = [...changelog.matchAll(/^## (\d\S+) - /gm)].map(([, version]) => version);
  expect(released.slice(0, 2)).toContain(landed.info.version);
  expect(released[0]).toBe(packageJson.version);
});
