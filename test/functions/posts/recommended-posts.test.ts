// Tests that no form of a conversation has what X recommends or advertises beside it: real client, real mappers, and a
// provider on loopback.
import { beforeEach, expect, test } from 'vitest';
import type { Upstream } from '../../../shared/ports/upstream.ts';
import { type Behaviour, type FaultServer, faultServer, html404, json } from '../../support/fault-server.ts';
import { fxTwitterAt } from '../../support/fxtwitter.ts';
import { withIntruders } from '../../support/intruders.ts';
import { createTestRegistry, resultText } from '../../support/mcp-registry.ts';
import { readZip } from '../../support/read-zip.ts';
import { createTestApp } from '../../support/test-app.ts';
import { rawPosts } from '../../support/threads.ts';

const ID = '2034932961899447678';
const UNSEEN = '2034999999999999000';

const [post, part, answer, , elsewhere] = rawPosts([
  { id: ID, by: 'ada' },
  { id: '2034932961899447700', by: 'ada', to: ID },
  { id: '2034932961899447800', by: 'bob', to: ID },
  { id: UNSEEN, by: 'ada' },
  { id: '2034999999999999999', by: 'ada', to: UNSEEN, likes: 5000 },
]).map((raw) => ({ ...raw, text: `Words of ${String(raw['id'])}` }));

const body = withIntruders({
  ...{ code: 200, status: { ...post, replies: 9 }, thread: [{ ...post, replies: 9 }], cursor: null },
  replies: [elsewhere, part, answer],
});

/** Only the conversation of the post can be read. */
const provider: Behaviour = (incoming, response) => {
  const url = incoming.url ?? '';
  const found = url.includes('/2/search') ? { code: 200, results: [], cursor: { bottom: null } } : undefined;
  const reply = url.includes(`/2/conversation/${ID}`) ? body : found;
  json(reply ?? { code: 404, status: null, thread: null }, reply === undefined ? 404 : 200)(incoming, response);
};

let server: FaultServer;
const upstream = (): Upstream => fxTwitterAt(server);

beforeEach(async () => {
  server = await faultServer({ fxtwitter: provider, canary: provider, syndication: html404 });
});

const get = async (target: string, accept = 'application/json'): Promise<Buffer> => {
  const { status, bytes } = await createTestApp({ upstream: upstream() }).get(target, {
    headers: { accept, 'accept-encoding': 'identity' },
  });
  expect(status).toBe(200);
  return bytes;
};

const callTool = async (name: string, args: object): Promise<string> =>
  resultText(await createTestRegistry({ upstream: upstream() }).call(name, args));

const forms: readonly (readonly [name: string, read: () => Promise<Buffer | string>])[] = [
  ['JSON', () => get(`/ada/status/${ID}`)],
  ['JSON by the alias', () => get(`/api/convert?handle=ada&id=${ID}`)],
  ['Markdown', () => get(`/ada/status/${ID}`, 'text/markdown')],
  ['one text', () => get(`/ada/status/${ID}?layout=unrolled`, 'text/markdown')],
  ['Obsidian', () => get(`/ada/status/${ID}?format=obsidian`)],
  ['the page', () => get(`/ada/status/${ID}`, 'text/html')],
  ['the saved page', () => get(`/ada/status/${ID}?download=1`, 'text/html')],
  [
    'the book',
    async () => Buffer.concat(readZip(await get(`/ada/status/${ID}?format=epub`)).map(({ bytes }) => bytes)),
  ],
  ['the list of replies', () => get(`/api/v1/posts/${ID}/replies?limit=100`)],
  ['the list of replies as NDJSON', () => get(`/api/v1/posts/${ID}/replies?format=ndjson`)],
  ['the tool for a post', () => callTool('x_get_post', { id: ID, replies: 'top' })],
  ['the tool for replies', () => callTool('x_list_replies', { id: ID })],
];

test.each(forms)(
  '[threads 5] %s has no post that is recommended or advertised when later calls fail',
  async (_, read) => {
    const text = String(await read());
    expect(text).toMatch(/Words of 20349329618994477|Words of 2034932961899447800/);
    expect(text).not.toContain('Not of this conversation');
    expect(text).not.toContain('2034999999999999999');
  },
);

test('[threads 5] the numbers of replies count those of the conversation', async () => {
  const read = JSON.parse(String(await get(`/ada/status/${ID}`)));
  expect(read.replies).toMatchObject([{ id: '2034932961899447800' }]);
  expect(read.warnings).toMatchObject([
    { code: 'thread_incomplete' },
    { code: 'more_replies', message: expect.stringContaining('1 of 9 replies are shown, 1 more in the thread.') },
  ]);
});
