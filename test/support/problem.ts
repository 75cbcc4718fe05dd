// Checks that an answer is a problem document, or the page for people in its place (requirements: problems and pages).
import { expect } from 'vitest';
import { isProblem } from './problem-schema.ts';
import { BASE_URL, type TestResponse } from './test-app.ts';

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

const PAGE_POLICY =
  "default-src 'none'; img-src 'self' https://pbs.twimg.com https://video.twimg.com https://abs.twimg.com; media-src https://video.twimg.com; style-src 'unsafe-inline'; style-src-attr 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** @returns the status, the code and the reason that the page of an error names, such as `404 · post_not_found · deleted` */
export const codesIn = (html: string): string =>
  [...html.matchAll(/<span><code>([\w]+)<\/code><\/span>/g)].map(([, code]) => code).join(' · ');

/** @returns the HTML */
export const expectErrorPage = (answer: TestResponse, status: number, code: string): string => {
  const { body, headers } = answer;
  expect(answer.status).toBe(status);
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': PAGE_POLICY,
    'referrer-policy': 'no-referrer',
    'access-control-allow-origin': '*',
    'x-request-id': expect.stringMatching(/./),
    'cache-control': expect.stringMatching(/./),
  });
  expect(headers).not.toHaveProperty('www-authenticate');
  expect(headers).not.toHaveProperty('etag');
  expect(body).toMatch(/^<!doctype html>/);
  expect(codesIn(body)).toMatch(new RegExp(`^${status} · ${code}(?: · |$)`));
  expect(body).toContain(`<a href="/docs/errors#${code}">What this code means</a>`);
  expect(body).toContain('<meta name="robots" content="noindex">');
  expect(body.match(/<h1>/g)).toHaveLength(1);
  expect(body).not.toMatch(/<script|\bat [^\n]*\.[cm]?[jt]s:\d+:\d+|node:internal|fxtwitter/i);
  expect(body.replaceAll(/"[^"]*"/g, '""')).not.toMatch(/<[^>]*\s(?:on\w+|style)=/i);
  return body;
};
