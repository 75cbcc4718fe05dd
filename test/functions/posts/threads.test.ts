// A thread of 25 parts at every entry point: real client, real mappers, a provider on loopback in the layout of X.
import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ConversationLayout, type LaidOut, layoutOf } from '../../../infra/local/conversation-layout.ts';
import type { Upstream } from '../../../shared/ports/upstream.ts';
import { createUpstream } from '../../../shared/upstream/create-upstream.ts';
import { CANARY_POST, faultServer, html, html404 } from '../../support/fault-server.ts';
import { createTestRegistry, resultText } from '../../support/mcp-registry.ts';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp, NOW } from '../../support/test-app.ts';
import { idsOf, PARTS, partId, RECORDED_PARTS, tideLayout } from '../../support/threads.ts';

const calls: string[] = [];
let layout: ConversationLayout = tideLayout();
let fault: (path: string) => LaidOut | undefined = () => undefined;
let baseUrl = '';

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://fx');
  const [, , route = '', id = ''] = pathname.split('/');
  calls.push(pathname);
  const { status, body } = fault(pathname) ?? layout.answer(route, id, searchParams);
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
});

beforeAll(async () => {
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const address = server.address();
  baseUrl = address !== null && typeof address === 'object' ? `http://127.0.0.1:${address.port}` : '';
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  calls.length = 0;
  layout = tideLayout();
  fault = () => undefined;
});

const upstreamAt = (fxtwitter: string, syndication?: string): Upstream =>
  createUpstream({
    providers: [
      { name: 'fxtwitter', baseUrl: fxtwitter, source: 'fxtwitter' },
      ...(syndication === undefined
        ? []
        : ([{ name: 'syndication', baseUrl: syndication, source: 'syndication' }] as const)),
    ],
    canaryPost: CANARY_POST,
    canaryProfile: 'X',
    userAgent: 'Postern/test',
    cacheMilliseconds: 0,
    clock: () => NOW,
    log: () => undefined,
    random: () => 0,
  });

interface Body {
  readonly post: { readonly id: string };
  readonly ancestors: readonly { readonly id: string }[];
  readonly thread: readonly { readonly id: string }[];
  readonly replies: readonly { readonly id: string }[];
  readonly warnings: readonly { readonly code: string }[];
}

/** Ids of the parts in reading order. */
type Read = (id: string, replies: string) => Promise<readonly string[]>;

const partsOf = (body: unknown): readonly string[] => {
  const { post, ancestors, thread, replies, warnings } = body as Body;
  expect(warnings).toEqual([]);
  expect(idsOf(replies).filter((id) => PARTS.includes(id))).toEqual([]);
  return [...idsOf(ancestors), post.id, ...idsOf(thread)];
};

/** Parts by their words, each as often as it stands there. */
const partsInText = (text: string): readonly string[] =>
  [...text.matchAll(/Tide notes (\d+)\/25/g)].map(([, part]) => partId(Number(part)));

const get = async (target: string, accept: string): Promise<string> => {
  const answer = await createTestApp({ upstream: upstreamAt(baseUrl) }).get(target, { headers: { accept } });
  expect(answer.status).toBe(200);
  return answer.body;
};

const json: (target: (id: string, replies: string) => string) => Read = (target) => async (id, replies) =>
  partsOf(JSON.parse(await get(target(id, replies), 'application/json')));

const entryPoints: readonly (readonly [string, Read])[] = [
  ['v1', json((id, replies) => `/api/v1/posts?handle=lena_quay&id=${id}&replies=${replies}`)],
  ['permalink', json((id, replies) => `/lena_quay/status/${id}?replies=${replies}`)],
  [
    'alias',
    json((id, replies) => `/api/convert?url=https%3A%2F%2Fx.com%2Flena_quay%2Fstatus%2F${id}&replies=${replies}`),
  ],
  [
    'Markdown',
    async (id, replies) => partsInText(await get(`/lena_quay/status/${id}?replies=${replies}`, 'text/markdown')),
  ],
  [
    'page',
    async (id, replies) => {
      const page = await get(`/lena_quay/status/${id}?replies=${replies}`, 'text/html');
      return partsInText(page.slice(page.indexOf('<body')));
    },
  ],
  [
    'tool',
    async (id, replies) => {
      const { call } = createTestRegistry({ upstream: upstreamAt(baseUrl) });
      const result = await call('x_get_post', { id, replies });
      expect(result.isError).not.toBe(true);
      return partsInText(resultText(result));
    },
  ],
];

describe.each(entryPoints)('a thread of 25 parts by %s', (_, read) => {
  describe.each(['top', 'recent', 'off'])('with replies=%s', (replies) => {
    test.each(RECORDED_PARTS)(
      '[decision 2 #95][decision 2 #96] is whole, in order, from part %i, with at most 5 calls',
      async (part) => {
        expect(await read(partId(part), replies)).toEqual(PARTS);
        expect(calls.length).toBeLessThanOrEqual(5);
      },
    );
  });
});

test.each(RECORDED_PARTS)('[decision 2 #96] an embed and the link preview of part %i show that part', async (part) => {
  const embed = await get(`/api/v1/oembed?url=https%3A%2F%2Fx.com%2Fi%2Fstatus%2F${partId(part)}`, '*/*');
  expect(JSON.parse(embed)).toMatchObject({ html: expect.stringContaining(`Tide notes ${part}/25`) });
  expect(calls).toEqual([`/2/status/${partId(part)}`]);
  const page = await get(`/lena_quay/status/${partId(part)}`, 'text/html');
  expect(page).toContain(`<meta property="og:description" content="Tide notes ${part}/25">`);
});

describe('thread=', () => {
  const read = async (thread: string) =>
    JSON.parse(await get(`/lena_quay/status/${partId(11)}?thread=${thread}`, 'application/json')) as Body;

  test('[decision 2 #95] a number bounds what comes after the post', async () => {
    const { ancestors, thread, warnings } = await read('3');
    expect([ancestors.length, idsOf(thread), warnings]).toEqual([10, PARTS.slice(11, 14), []]);
  });

  test('[decision 2 #95] a number that is reached is no loss where the source has no more', async () => {
    fault = (path) => (path.endsWith(partId(21)) ? { status: 404, body: { code: 404, status: null } } : undefined);
    expect((await read('10')).warnings).toEqual([]);
    expect((await read('11')).warnings).toMatchObject([{ code: 'thread_incomplete' }]);
    expect((await read('full')).warnings).toMatchObject([{ code: 'thread_incomplete' }]);
  });

  test('off shows neither ancestors nor thread', async () => {
    const { ancestors, thread, warnings } = await read('off');
    expect([ancestors, thread, warnings]).toEqual([[], [], []]);
    expect(calls).toHaveLength(1);
  });
});

test('[decision 2 #95] the Markdown of a thread that is not whole says so', async () => {
  fault = (path) => (path.endsWith(partId(11)) ? { status: 404, body: { code: 404, status: null } } : undefined);
  const text = await get(`/lena_quay/status/${partId(1)}?replies=off`, 'text/markdown');
  expect(partsInText(text)).toEqual(PARTS.slice(0, 11));
  expect(text).toContain('The thread may lack posts');
});

describe('while X answers no conversation', () => {
  const ID = partId(1);
  const conversationsFail = (path: string): LaidOut | undefined =>
    path.startsWith('/2/status/') ? undefined : { status: 404, body: { code: 404, status: null, thread: null } };

  test.each(['', '?replies=off', '?thread=off', '?replies=recent&thread=3'])(
    '[decision 5 #97] a post is readable: %s',
    async (query) => {
      fault = conversationsFail;
      const body = JSON.parse(await get(`/lena_quay/status/${ID}${query}`, 'application/json')) as Body;
      expect(body).toMatchObject({ post: { id: ID }, warnings: [{ code: 'conversation_unavailable' }] });
      expect(calls).toHaveLength(2);
    },
  );

  const told: readonly (readonly [string, LaidOut, 403 | 404, string])[] = [
    ['protected', { status: 401, body: { code: 401, status: null } }, 403, 'protected'],
    ...(
      [
        ['suspended', 'suspended'],
        ['deleted', 'deleted'],
        ['unavailable', 'withheld'],
      ] as const
    ).map(
      ([reason, ours]) =>
        [
          reason,
          { status: 404, body: { code: 404, status: { type: 'tombstone', reason, id: ID }, thread: null } },
          404,
          ours,
        ] as const,
    ),
  ];

  test.each(told)('[decision 5 #97] a post that is %s keeps its reason', async (_, answer, status, reason) => {
    fault = (path) => (path.startsWith('/2/status/') ? answer : conversationsFail(path));
    const { get } = createTestApp({ upstream: upstreamAt(baseUrl) });
    const problem = await get(`/lena_quay/status/${ID}`);
    expect(expectProblem(problem, status, status === 403 ? 'post_protected' : 'post_not_found')).toMatchObject({
      reason,
    });
  });

  test('[decision 5 #97] a post is 404 only when the single-post query, the second source and the canary agree', async () => {
    layout = layoutOf([]);
    const { syndication } = await faultServer({ syndication: html404 });
    const ask = () => createTestApp({ upstream: upstreamAt(baseUrl, syndication) }).get(`/lena_quay/status/${ID}`);
    expectProblem(await ask(), 503, 'upstream_unavailable');
    layout = layoutOf([{ type: 'status', id: CANARY_POST, text: 'canary', author: { screen_name: 'jack' } }]);
    expectProblem(await ask(), 404, 'post_not_found');
  });

  test('[decision 5 #97] an outage of everything is an outage', async () => {
    const { fxtwitter, syndication } = await faultServer({ fxtwitter: html(500), syndication: html(503) });
    const { get } = createTestApp({ upstream: upstreamAt(fxtwitter, syndication) });
    expectProblem(await get(`/lena_quay/status/${ID}`), 503, 'upstream_unavailable');
  });
});
