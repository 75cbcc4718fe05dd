// Compares the npm client with the description that the service serves.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createClient } from '../../client/src/index.ts';
import { openapiTypes } from '../../client/tools/openapi-types.ts';
import { createTestApp } from '../support/test-app.ts';

const read = (file: string): string => readFileSync(new URL(`../../client/${file}`, import.meta.url), 'utf8');
const { body } = await createTestApp().get('/openapi.json');
const description = JSON.parse(body);

test('[discovery 4] the types of the npm client are those of the served description', async () => {
  await expect(await openapiTypes(description)).toMatchFileSnapshot('../../client/src/openapi.ts');
});

test('the npm client has a method for each v1 route', () => {
  const routes = [...read('src/create-client.ts').matchAll(/'(\/api\/v1\/[^']+)'/g)].map(([, route]) => route);
  const described = Object.keys(description.paths).filter((path) => path.startsWith('/api/v1/'));
  expect(described.length).toBeGreaterThan(5);
  expect([...new Set(routes)].toSorted()).toEqual(described.toSorted());
});

test('the README of the npm client lists each method, and no other method', () => {
  const methods = Object.keys(createClient({ baseUrl: 'https://postern.example' }));
  const listed = [...read('README.md').matchAll(/^\| `(\w+)\(/gm)].map(([, name]) => name);
  expect(listed.toSorted()).toEqual(methods.toSorted());
});
