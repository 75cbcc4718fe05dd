// Checks the headers of every answer of a deprecated alias with real parsers. The dates are literals so that a change
// fails.
import LinkHeader from 'http-link-header';
import { parseItem } from 'structured-headers';
import { expect } from 'vitest';
import { BASE_URL, type TestResponse } from './test-app.ts';

const DEPRECATION = '@1789430400';
const SUNSET = 'Wed, 15 Sep 2027 00:00:00 GMT';

export const linksOf = (answer: TestResponse): LinkHeader => LinkHeader.parse(answer.headers['link'] ?? '');

export const expectLifecycle = (answer: TestResponse, successor: string | undefined): void => {
  expect(answer.headers['deprecation']).toBe(DEPRECATION);
  expect(answer.headers['sunset']).toBe(SUNSET);
  const [deprecated] = parseItem(answer.headers['deprecation'] ?? '');
  expect(deprecated).toBeInstanceOf(Date);
  expect(Date.parse(SUNSET)).toBeGreaterThanOrEqual(Number(deprecated));
  const links = linksOf(answer);
  for (const rel of ['deprecation', 'sunset']) {
    expect(links.rel(rel)).toEqual([
      expect.objectContaining({ uri: `${BASE_URL}/docs/versioning`, type: 'text/html' }),
    ]);
  }
  expect(links.rel('successor-version').map(({ uri }) => uri)).toEqual(
    successor === undefined ? [] : [`${BASE_URL}${successor}`],
  );
};

export const expectNoLifecycle = (answer: TestResponse): void => {
  expect(answer.headers).not.toHaveProperty('deprecation');
  expect(answer.headers).not.toHaveProperty('sunset');
  expect(answer.headers['link'] ?? '').not.toMatch(/successor-version|deprecation|sunset/);
};
