// Tests what the status of a response says about the provider, over loopback.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PRODUCTION_LIMITS } from '../../../shared/upstream/client-limits.ts';
import { createRequestSender } from '../../../shared/upstream/http-request.ts';
import { clocksOf } from '../../support/clocks.ts';

const server = createServer(({ url = '' }, response) => {
  const [, status = '', retryAfter] = url.split('/');
  response.writeHead(Number(status), {
    'content-type': 'application/json',
    ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
  });
  response.end('{}');
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const sender = createRequestSender({
  userAgent: 'test',
  limits: { ...PRODUCTION_LIMITS, maxBodyBytes: 1000, attemptMilliseconds: 3000 },
  ...clocksOf(Date.now),
});

const send = (path: string) => {
  const { port } = server.address() as AddressInfo;
  return sender(`http://127.0.0.1:${port}/${path}`, { milliseconds: 5000, isReduced: false });
};

test.each([200, 299, 400, 404, 428, 430, 499])('%i is a response', async (status) => {
  expect(await send(String(status))).toEqual({
    fetched: { kind: 'response', status, json: {}, isHtml: false },
    health: 'success',
    mayRetry: false,
  });
});

test.each([300, 301, 308, 399])('%i is a redirect, which is not followed', async (status) => {
  expect(await send(String(status))).toMatchObject({ fetched: { kind: 'failed', why: `redirect ${status}` } });
});

test.each([
  [429, 'throttled', false],
  [500, 'suspect', false],
  [501, 'suspect', false],
  [502, 'suspect', true],
  [503, 'suspect', true],
  [504, 'suspect', true],
  [505, 'suspect', false],
  [599, 'suspect', false],
])('%i is an overload: the health is %s, and a repetition is allowed: %s', async (status, health, mayRetry) => {
  const fetched = { kind: 'down', why: `status ${status}` };
  expect(await send(String(status))).toEqual({ fetched, health, mayRetry, status, retryAfter: undefined });
  expect(await send(`${status}/7`)).toEqual({ fetched, health, mayRetry: false, status, retryAfter: 7000 });
});
