// Reads all replies to a post with many through v1, the tool and the export, from a provider that answers as the real one:
// the conversation shows its first page and a cursor that leads nowhere, and only a search has the other replies.
import { expect, test } from 'vitest';
import { isRecord } from '../../shared/model/json.ts';
import { AMPLE_ALLOWANCES } from '../support/ample-allowances.ts';
import { layoutOf } from '../support/conversation-layout.ts';
import { idsIn } from '../support/export-service.ts';
import { startTestService } from '../support/local-service.ts';
import { runProgram } from '../support/programs.ts';
import { startTestServer } from '../support/test-server.ts';
import { idsOf, rawPosts, type WrittenPost } from '../support/threads.ts';

const ROOT = '1000';
const REPLIES = 300;

/** A thread of 25 parts, whose first part has 300 replies of others, and other posts of its conversation. */
const talk: readonly WrittenPost[] = [
  ...Array.from({ length: 25 }, (_, index) => ({
    id: String(1000 + index),
    by: 'ada',
    to: index === 0 ? undefined : String(999 + index),
  })),
  ...Array.from({ length: REPLIES }, (_, index) => ({
    id: String(2000 + index),
    by: 'bob',
    to: ROOT,
    likes: index % 7,
  })),
  ...Array.from({ length: 50 }, (_, index) => ({ id: String(3000 + index), by: 'eve', to: '1012' })),
];
const REPLY_IDS = talk.filter(({ by }) => by === 'bob').map(({ id }) => id);

const startProvider = async (lost: readonly string[] = []) => {
  const posts = rawPosts(talk);
  const layout = layoutOf(posts.filter(({ id }) => !lost.includes(String(id))));
  const origin = await startTestServer(({ url = '' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://provider');
    const [, , route = '', id = ''] = pathname.split('/');
    const { status, body } = layout.search(searchParams) ?? layout.answer(route, id, searchParams);
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  });
  return { UPSTREAM: 'live', PROVIDERS: 'fxtwitter', FXTWITTER_BASE_URL: origin, ...AMPLE_ALLOWANCES };
};

const recordsOf = (value: unknown): { id: string }[] =>
  Array.isArray(value) ? value.filter(isRecord).map(({ id }) => ({ id: String(id) })) : [];

test('[pages 3] all 300 replies to a post are listed once each by v1, by the tool and by the export', async () => {
  const environment = await startProvider();
  const service = await startTestService(environment);
  const listed: string[] = [];
  for (let path: string | undefined = `/api/v1/posts/${ROOT}/replies?format=json&limit=17`; path !== undefined; ) {
    const body = (await service.get(path)).json();
    expect(body).toMatchObject({ warnings: [] });
    listed.push(...idsOf(recordsOf(body['posts'])));
    const cursor: unknown = body['next_cursor'];
    path =
      typeof cursor === 'string' ? `/api/v1/posts/${ROOT}/replies?format=json&limit=17&cursor=${cursor}` : undefined;
  }
  expect(listed.toSorted()).toEqual(REPLY_IDS);

  const called: string[] = [];
  for (let cursor: unknown = ''; typeof cursor === 'string'; ) {
    const args = { id: ROOT, limit: 50, format: 'json', max_tokens: 200_000, ...(cursor !== '' && { cursor }) };
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'x_list_replies', arguments: args },
    };
    const answer = await service.get('/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(message),
    });
    const result = answer.json()['result'];
    const content = isRecord(result) && isRecord(result['structuredContent']) ? result['structuredContent'] : {};
    called.push(...idsOf(recordsOf(content['posts'])));
    cursor = content['next_cursor'];
  }
  expect(called.toSorted()).toEqual(REPLY_IDS);

  const url = `https://x.com/ada/status/${ROOT}`;
  const { output, errors, code } = await runProgram('client/commands/export.ts', ['--replies', url], {
    DATA_DIR: 'memory',
    ...environment,
  });
  expect({ errors, code }).toEqual({ errors: '300 items, done\n', code: 0 });
  expect(idsIn(output).toSorted()).toEqual(REPLY_IDS);
});

test('[threads 2] a list of replies that ends with fewer than the post counts says so', async () => {
  const environment = await startProvider(['2100', '2200']);
  const { output, errors, code } = await runProgram(
    'client/commands/export.ts',
    ['--replies', `https://x.com/ada/status/${ROOT}`],
    {
      DATA_DIR: 'memory',
      ...environment,
    },
  );
  expect(idsIn(output)).toHaveLength(298);
  expect({ errors, code }).toEqual({ errors: expect.stringMatching(/^warning: .+\n298 items, done\n$/), code: 0 });
});
