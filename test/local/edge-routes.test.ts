// Sends a request of every route with every parameter through the edge function, the cache behaviors and the gateway, and
// compares what the function gets with what was sent.
import { describe, expect, test } from 'vitest';
import { buildEdge } from '../../infra/build/bundle-edge.ts';
import { type OriginRequest, type OriginResponse, routeRequest } from '../../infra/local/api-gateway.ts';
import { createEdgeFunction } from '../../infra/local/edge-sandbox.ts';
import { adminOperations } from '../../shared/contract/admin-operations.ts';
import { documentRows } from '../../shared/contract/documents.ts';
import { TOOLS_PARAMETER } from '../../shared/contract/mcp.ts';
import { queryNames } from '../../shared/contract/operations.ts';
import { MCP_PATH } from '../../shared/contract/paths.ts';
import { routedXPages } from '../../shared/contract/x-pages.ts';
import { RESERVED_SEGMENTS } from '../../shared/model/handle.ts';
import { startCloudFront } from '../support/local-cloudfront.ts';
import { routes, routesAbout } from '../support/routes.ts';

const edge = createEdgeFunction(await buildEdge());

/** An emulated CloudFront that keeps the requests that reach the gateway and the function URL. */
const setUp = async () => {
  const seen: OriginRequest[] = [];
  const answer = async (request: OriginRequest): Promise<OriginResponse> => {
    seen.push(request);
    return { status: 200, headers: { 'Cache-Control': 'public, max-age=60' }, body: Buffer.from('answer') };
  };
  return { seen, ...(await startCloudFront(edge, { api: answer, mcp: answer })) };
};

const eventOf = (request: OriginRequest) => routeRequest(request, new Date(0)).event;

const parametersOf = (query: string): Readonly<Record<string, readonly string[]>> => {
  const all = new URLSearchParams(query);
  return Object.fromEntries([...new Set(all.keys())].toSorted().map((name) => [name, all.getAll(name)]));
};

/** Letters, separators and escapes; a list of handles takes only its own characters. */
const sentValue = (name: string): string => (/^(?:handles?|lang)$/.test(name) ? 'de' : `1&${name}=%2B+a é/`);

/** The parameters by path. */
const publicRoutes = new Map<string, readonly string[]>([
  ...routes.map(({ target, operation }): [string, readonly string[]] => [
    target.split('?')[0] ?? '',
    queryNames(operation),
  ]),
  ...documentRows.map(([, { path, query = [] }]): [string, readonly string[]] => [path, query]),
  ...routedXPages.map((path): [string, readonly string[]] => [path.replaceAll(/\{[^}]+\}/g, 'zz'), ['f']]),
]);

test('[caching 21] every parameter of every public route arrives with its value, and no other one', async () => {
  const { seen, get } = await setUp();
  let count = 0;
  for (const [path, names] of publicRoutes) {
    const sent = names.map((name): [string, string] => [name, sentValue(name)]);
    for (const pairs of [...sent.map((pair) => [pair]), [...sent, ...sent]]) {
      await get(`${path}?${new URLSearchParams([['utm_source', 'a'], ...pairs])}`);
      const [arrived] = seen.slice(-1).map((request) => parametersOf(eventOf(request).rawQueryString));
      expect(arrived, path).toEqual(parametersOf(String(new URLSearchParams(pairs))));
      count += pairs.length;
    }
  }
  expect(count).toBeGreaterThan(600);
});

test('[caching 21] the variables of every path arrive with their values', async () => {
  const { seen, get } = await setUp();
  for (const { target, operation } of routesAbout({ handle: 'jack_1', id: '1789' })) {
    const [path = ''] = target.split('?');
    await get(path);
    const [event] = seen.slice(-1).map(eventOf);
    // X has two prefixes for a post without its author.
    expect(event?.rawPath, path).toBe(path.replace(/^\/i\/web\//, '/i/'));
    if (/\{handle\}(?!,)/.test(operation.path)) expect(event?.pathParameters?.['handle'], path).toBe('jack_1');
    if (operation.path.includes('{id}')) expect(event?.pathParameters?.['id'], path).toBe('1789');
  }
});

test('[caching 21] the request of every private route arrives as it was sent, each time', async () => {
  const { seen, get } = await setUp();
  const query = 'cursor=1795867200000&cursor=2&a=%41&b=+%20&B=';
  const headers = {
    Accept: 'application/json;q=0.5, text/html',
    Authorization: 'Bearer a',
    Cookie: 'a=b',
    'X-Csrf': '1',
  };
  for (const { method, path } of Object.values(adminOperations)) {
    const filled = path.replace('{id}', 'k_1');
    for (const _ of ['first', 'again']) {
      await get(`${filled}?${query}`, { method, headers });
      const [event] = seen.slice(-1).map(eventOf);
      expect([event?.routeKey.startsWith('ANY /a'), event?.rawPath]).toEqual([true, filled]);
      expect(event?.rawQueryString).toBe(query);
      expect(event?.cookies).toEqual(['a=b']);
      expect(event?.headers).toMatchObject({
        accept: headers.Accept,
        authorization: headers.Authorization,
        'x-csrf': '1',
      });
    }
  }
  expect(seen).toHaveLength(2 * Object.keys(adminOperations).length);
});

test('[caching 21] the parameter of the MCP server arrives with its value', async () => {
  const { seen, get } = await setUp();
  await get(`${MCP_PATH}?${TOOLS_PARAMETER}=research&a=1`, { method: 'POST', body: '{}' });
  expect(seen[0]).toMatchObject({ path: MCP_PATH, query: `${TOOLS_PARAMETER}=research` });
});

describe('a handle that begins with a reserved word', () => {
  test.each([...RESERVED_SEGMENTS, 'mcp_', 'i'].map((word) => `${word}ray`))(
    '[caching 20] %s is cached on every route, and gives its function no header of the viewer',
    async (handle) => {
      const { seen, get } = await setUp();
      const viewer = { headers: { Cookie: 'a=b', 'X-Anything': 'a', Origin: 'https://a.test' } };
      const targets = [
        ...routesAbout({ handle, id: '20' }).map(({ target }) => target),
        ...[`/@${handle}`, `/${handle},jack`, `/${handle.toUpperCase()}/rss`],
      ].filter((target) => target.toLowerCase().includes(handle));
      expect(targets.length).toBeGreaterThan(25);
      for (const target of new Set(targets)) {
        const before = seen.length;
        await get(target, viewer);
        if (seen.length === before) continue; // the path of an earlier one
        expect((await get(target, viewer)).cache, target).toBe('Hit');
        expect(seen, target).toHaveLength(before + 1);
        expect(Object.keys(seen[before]?.headers ?? {}), target).not.toContain('cookie');
        expect(Object.keys(seen[before]?.headers ?? {}), target).not.toContain('x-anything');
      }
    },
  );
});
