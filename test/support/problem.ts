// Checks that an answer is a problem document, for every route (spec 7).
import { readFileSync } from 'node:fs';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import { BASE_URL, type TestResponse } from './test-app.ts';

const ajv = new Ajv2020.default({ strict: false });
addFormats.default(ajv);
/** Validates a problem document as RFC 9457 with the members of the service; `errors` names the differences. */
export const isProblem = ajv.compile(
  JSON.parse(readFileSync(new URL('../fixtures/vectors/problem.schema.json', import.meta.url), 'utf8')),
);

export const expectProblem = (answer: TestResponse, status: number, code: string): Record<string, unknown> => {
  expect(answer.status).toBe(status);
  expect(answer.headers['content-type']).toBe('application/problem+json');
  const document = answer.json();
  expect(isProblem(document), JSON.stringify(isProblem.errors)).toBe(true);
  expect(document).toMatchObject({ status, code, type: `${BASE_URL}/docs/errors#${code}` });
  expect(answer.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'x-request-id': expect.stringMatching(/./),
    'cache-control': expect.stringMatching(/./),
  });
  for (const name of ['www-authenticate', 'x-amzn-remapped-www-authenticate', 'proxy-authenticate'])
    expect(answer.headers).not.toHaveProperty(name);
  expect(answer.body).not.toMatch(/\bat .+:\d+:\d+|node:internal|twimg|fxtwitter/);
  return document;
};
