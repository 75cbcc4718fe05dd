// Checks a thread of 25 parts at every entry point: real client, real mappers, and a provider on loopback that answers
// in the layout of X.
import { beforeEach, describe, expect, test } from 'vitest';
import type { Upstream } from '../../../shared/ports/upstream.ts';
import { type ConversationLayout, type LaidOut, layoutOf } from '../../support/conversation-layout.ts';
import {
  type Behaviour,
  CANARY_POST,
  type FaultServer,
  faultServer,
  html404,
  json as jsonReply,
} from '../../support/fault-server.ts';
import { fxTwitterAt } from '../../support/fxtwitter.ts';
import { createTestRegistry, resultText } from '../../support/mcp-registry.ts';
import { expectProblem } from '../../support/problem.ts';
import { conversation, createTestApp, found, post } from '../../support/test-app.ts';
import { idsOf, PARTS, partId, RECORDED_PARTS, tideLayout } from '../../support/threads.ts';

let layout: ConversationLayout = tideLayout();
let fault: (path: string) => LaidOut | undefined = () => undefined;

const laidOut: Behaviour = (incoming, response) => {
  const { pathname, searchParams } = new URL(incoming.url ?? '', 'http://fx');
  const path = pathname.replace('/fx', '');
  const [, , route = '', id = ''] = path.split('/');
  const { status, body } = fault(path) ?? layout.answer(route, id, searchParams);
  jsonReply(body, status)(incoming, response);
};

let server: FaultServer;
const calls = (): readonly string[] => server.calls();

beforeEach(async () => {
  layout = tideLayout();
  fault = () => undefined;
  server = await faultServer({ fxtwitter: laidOut, canary: laidOut, syndication: html404 });
});

const upstreamAt = (names: readonly ('fxtwitter' | 'syndication')[] = ['fxtwitter'], cacheMilliseconds = 0): Upstream =>
  fxTwitterAt(server, {
    providers: names.map((name) => ({ name, baseUrls: [server[name]], source: name })),
    cacheMilliseconds,
  });

interface Body {
  readonly post: { readonly id: string };
  readonly ancestors: readonly { readonly id: string }[];
  readonly thread: readonly { readonly id: string }[];
  readonly replies: readonly { readonly id: string }[];
  readonly warnings: readonly { readonly code: string }[];
}

/** Reads a thread and returns the ids of its parts in reading order. */
type ReadParts = (id: string, replies: string) => Promise<readonly string[]>;

const partsOf = (body: unknown): readonly string[] => {
  const { post, ancestors, thread, replies, warnings } = body as Body;
  expect(warnings.filter(({ code }) => code !== 'more_replies')).toEqual([]);
  expect(idsOf(replies).filter((id) => PARTS.includes(id))).toEqual([]);
  return [...idsOf(ancestors), post.id, ...idsOf(thread)];
};

/** Returns the ids of the parts by their text, one id per occurrence. */
const partsInText = (text: string): readonly string[] =>
  [...text.matchAll(/Tide notes (\d+)\/25/g)].map(([, part]) => partId(Number(part)));

const get = async (target: string, accept: string): Promise<string> => {
  const answer = await createTestApp({ upstream: upstreamAt() }).get(target, { headers: { accept } });
  expect(answer.status).toBe(200);
  return answer.body;
};

const json: (target: (id: string, replies: string) => string) => ReadParts = (target) => async (id, replies) =>
  partsOf(JSON.parse(await get(target(id, replies), 'application/json')));

const entryPoints: readonly (readonly [string, ReadParts])[] = [
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
      // The other forms of the page repeat the first words.
      return partsInText(page.slice(page.indexOf('<body')).replace(/<nav class="other-forms".*?<\/nav>/s, ''));
    },
  ],
  [
    'tool',
    async (id, replies) => {
      const { call } = createTestRegistry({ upstream: upstreamAt() });
      const result = await call('x_get_post', { id, replies });
      expect(result.isError).not.toBe(true);
      return partsInText(resultText(result));
    },
  ],
];

describe.each(entryPoints)('a thread of 25 parts by %s', (_, read) => {
  describe.each(['top', 'recent', 'off'])('with replies=%s', (replies) => {
    test.each(RECORDED_PARTS)(
      '[threads 1] [threads 2] the thread read from part %i is complete and in order, with at most 5 provider calls',
      async (part) => {
        expect(await read(partId(part), replies)).toEqual(PARTS);
        expect(calls().length).toBeLessThanOrEqual(5);
      },
    );
  });
});

test.each(RECORDED_PARTS)('[threads 2] the embed and the link preview of part %i show that part', async (part) => {
  const embed = await get(`/api/v1/oembed?url=https%3A%2F%2Fx.com%2Fi%2Fstatus%2F${partId(part)}`, '*/*');
  expect(JSON.parse(embed)).toMatchObject({ html: expect.stringContaining(`Tide notes ${part}/25`) });
  expect(calls()).toEqual([`/fx/2/status/${partId(part)}`]);
  const page = await get(`/lena_quay/status/${partId(part)}`, 'text/html');
  const place = part === 1 ? 'Thread of 25 posts' : `Post ${part} of a thread of 25 posts`;
  const [, lines] = /<meta property="og:description" content="([^"]*)">/.exec(page) ?? [];
  expect(lines?.split('\n')).toEqual([
    `Tide notes ${part}/25`,
    expect.stringMatching(/^.+ \(@lena_quay\) · \d+ likes/),
    place,
  ]);
});

describe('posts during an outage of conversations', () => {
  const ID = partId(1);
  const conversationsFail = (path: string): LaidOut | undefined =>
    path.startsWith('/2/conversation/') ? { status: 404, body: { code: 404, status: null, thread: null } } : undefined;

  test.each(['', '?replies=off', '?thread=off', '?replies=recent&thread=3'])(
    '[outages 1] GET of a post returns 200 with a warning: %s',
    async (query) => {
      fault = conversationsFail;
      const body = JSON.parse(await get(`/lena_quay/status/${ID}${query}`, 'application/json')) as Body;
      expect(body).toMatchObject({
        post: { id: ID },
        warnings: expect.arrayContaining([expect.objectContaining({ code: 'conversation_unavailable' })]),
      });
      expect(calls().length).toBeLessThanOrEqual(5);
    },
  );

  test.each([
    ['protected', { status: 401, body: { code: 401, status: null } }, 403, 'post_protected'],
    [
      'deleted',
      { status: 404, body: { code: 404, status: { type: 'tombstone', reason: 'deleted', id: ID } } },
      404,
      'post_not_found',
    ],
  ])('[outages 1] GET of a %s post keeps its reason', async (reason, answer, status, code) => {
    fault = (path) => (path.startsWith('/2/thread/') ? answer : conversationsFail(path));
    const { get } = createTestApp({ upstream: upstreamAt() });
    expect(expectProblem(await get(`/lena_quay/status/${ID}`), status, code)).toMatchObject({ reason });
  });

  test('[outages 1] GET returns 404 only when the thread query, the second provider and the canary of the same kind agree', async () => {
    layout = layoutOf([]);
    const getPost = () =>
      createTestApp({ upstream: upstreamAt(['fxtwitter', 'syndication']) }).get(`/lena_quay/status/${ID}`);
    expectProblem(await getPost(), 503, 'upstream_unavailable');
    layout = layoutOf([{ type: 'status', id: CANARY_POST, text: 'canary', author: { screen_name: 'jack' } }]);
    expectProblem(await getPost(), 404, 'post_not_found');
    // The canary counts only if the same kind of query finds it.
    fault = (path) => (path.startsWith('/2/status/') ? undefined : { status: 404, body: { code: 404, status: null } });
    expectProblem(await getPost(), 503, 'upstream_unavailable');
  });
});

test('[parts 2] the parts after the first need no provider call while the provider answers are cached', async () => {
  const upstream = upstreamAt(['fxtwitter'], 60_000);
  const { get: getFrom } = createTestApp({ upstream });
  const { call } = createTestRegistry({ upstream });
  const path = `/lena_quay/status/${partId(1)}?max_tokens=500&replies=top&part=`;
  expect((await getFrom(`${path}1`)).status).toBe(200);
  const { length } = calls();
  expect((await getFrom(`${path}2`)).body).toContain('*Part 2 of ');
  expectProblem(await getFrom(`${path}99`), 400, 'invalid_parameter');
  const result = await call('x_get_post', { id: partId(1), max_tokens: 500, replies: 'top', part: 2 });
  expect(resultText(result)).toContain('Part 2 of ');
  expect(calls()).toHaveLength(length);
});

test('[threads 2] the warning, Markdown and the page count the same replies, also without the thread', async () => {
  const focal = post('20', 'ada');
  const answers = (id: string, handle: string) => ({ ...post(id, handle), in_reply_to: { handle: 'ada', id: '20' } });
  const shown = {
    ...conversation('20', 'ada'),
    post: { ...focal, metrics: { ...focal.metrics, replies: 30 } },
    thread: [answers('21', 'ada')],
    replies: [answers('22', 'bo'), answers('23', 'cy')],
  };
  const { get } = createTestApp({ upstream: { readPost: async () => found(shown) } });
  const read = async (accept: string): Promise<string> =>
    (await get('/ada/status/20?thread=off', { headers: { accept } })).body;
  expect(await read('application/json')).toContain('2 of 30 replies are shown, 1 more in the thread.');
  expect(await read('text/markdown')).toContain('2 of 30 replies, 1 more in the thread.');
  expect(await read('text/html')).toContain('2 of 30, 1 more in the thread');
});
