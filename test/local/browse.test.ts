// Requests profiles, lists and searches from the local service: edge function, cache, API Gateway and the AWS bundles.
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import LinkHeader from 'http-link-header';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { LocalService } from '../../infra/local/service.ts';
import {
  type LocalRequestOptions,
  localOptions,
  sendRequest,
  startSlowService,
  startTestService,
} from '../support/local-service.ts';

let service: LocalService;
const get = (target: string, options?: LocalRequestOptions) => sendRequest(service.origin, target, options);

beforeAll(async () => {
  service = await startSlowService(localOptions());
});
afterAll(() => service.close());

const PERMALINKS: readonly string[] = [
  '/ada_larsson?limit=3',
  '/ada_larsson/followers?limit=3',
  '/ada_larsson/following?limit=3',
  '/search?q=tide&limit=3',
];

describe.each(PERMALINKS)('%s', (permalink) => {
  test('[caching 4] is stored by the shared cache, which also answers HEAD', async () => {
    await get(permalink);
    const { status, cache, body, headers } = await get(permalink, { method: 'HEAD' });
    expect({ status, cache, body }).toEqual({ status: 200, cache: 'Hit', body: '' });
    expect(headers['cache-control']).toBe(
      'public, max-age=30, s-maxage=60, stale-while-revalidate=300, stale-if-error=3600',
    );
    expect(headers['x-api-key-status']).toBe('anonymous');
  });
});

test('the Link fields of a list lead through all pages to its end', async () => {
  const handles: string[] = [];
  let target: string | undefined = '/ada_larsson/followers?limit=50&format=json';
  let pages = 0;
  while (target !== undefined) {
    const { status, headers, json } = await get(target);
    expect(status).toBe(200);
    const { users } = json() as { readonly users: readonly { readonly handle: string }[] };
    handles.push(...users.map(({ handle }) => handle));
    const [next] = LinkHeader.parse(headers.link?.toString() ?? '').rel('next');
    target = next?.uri.slice(service.origin.length);
    pages += 1;
  }
  expect(pages).toBe(3);
  expect(handles).toHaveLength(132);
  expect(new Set(handles).size).toBe(132);
});

test('a list ends after its last recorded page', async () => {
  const { json } = await get('/x?format=json');
  expect(json()).toMatchObject({ profile: { handle: 'X' }, warnings: [{ code: 'sample' }] });
  expect(json()).not.toHaveProperty('next_cursor');
});

test('the sample answers 404 for other accounts with every list of providers', async () => {
  const { get: fresh } = await startTestService({ PROVIDERS: 'fxtwitter,syndication,x_api' });
  for (const target of ['/unknown_2', '/unknown_2/followers', '/jack/status/21'])
    expect((await fresh(target)).status, target).toBe(404);
  expect((await fresh('/ada_larsson')).status).toBe(200);
});

describe('cursors of the local service', () => {
  const cursorOf = async (from: Awaited<ReturnType<typeof startTestService>>): Promise<string> =>
    String((await from.get('/ada_larsson/followers?limit=1&format=json')).json()['next_cursor']);
  const accepts = async (from: Awaited<ReturnType<typeof startTestService>>, cursor: string): Promise<number> =>
    (await from.get(`/ada_larsson/followers?cursor=${cursor}`)).status;

  test('stay valid after a restart, with a secret in DATA_DIR that only its owner can read', async () => {
    const DATA_DIR = mkdtempSync(join(tmpdir(), 'postern-data-'));
    onTestFinished(() => rmSync(DATA_DIR, { recursive: true }));
    const cursor = await cursorOf(await startTestService({ DATA_DIR }));
    const file = join(DATA_DIR, 'cursor-secret');
    expect(readFileSync(file, 'utf8')).toMatch(/^[A-Za-z0-9_-]{43}\n$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await accepts(await startTestService({ DATA_DIR }), cursor)).toBe(200);
  });

  test('become invalid at a restart when DATA_DIR is memory', async () => {
    const cursor = await cursorOf(await startTestService({ DATA_DIR: 'memory' }));
    expect(await accepts(await startTestService({ DATA_DIR: 'memory' }), cursor)).toBe(400);
  });

  test('are signed with CURSOR_SECRETS when it is set', async () => {
    const cursor = await cursorOf(await startTestService({ CURSOR_SECRETS: 'one' }));
    expect(await accepts(await startTestService({ CURSOR_SECRETS: 'two,one' }), cursor)).toBe(200);
    expect(await accepts(await startTestService({ CURSOR_SECRETS: 'two' }), cursor)).toBe(400);
  });
});
