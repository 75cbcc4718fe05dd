// Checks that no answer is larger than 5.5 MB: a list ends its page early and continues there, a conversation leaves
// out posts, and a post or account that is too large by itself is truncated.
import { describe, expect, test } from 'vitest';
import type { Post } from '../../shared/model/post.ts';
import type { Conversation, Warning } from '../../shared/model/resources.ts';
import { csvRows } from '../support/csv.ts';
import { type Behaviour, faultServer, json } from '../support/fault-server.ts';
import { sampleOf } from '../support/full-form.ts';
import { fxTwitterAt } from '../support/fxtwitter.ts';
import { linksOf } from '../support/lifecycle-headers.ts';
import { mcpCalls, rpc } from '../support/mcp-calls.ts';
import { createTestRegistry } from '../support/mcp-registry.ts';
import { mcpHandler } from '../support/mcp-server.ts';
import { conversation, createTestApp, found, NOW, page, post, type TestResponse, user } from '../support/test-app.ts';

const FORMS = { json: 'application/json', markdown: 'text/markdown', html: 'text/html' } as const;

/** Counts the bytes of the response body as the function returns it to Lambda, without headers. */
const bytesOf = ({ body }: Pick<TestResponse, 'body'>): number => Buffer.byteLength(JSON.stringify(body));

const expectSmall = (answer: TestResponse): void => {
  expect(answer.status).toBe(200);
  expect(bytesOf(answer)).toBeLessThanOrEqual(5_500_000);
};

const codesOf = (answer: TestResponse): readonly string[] =>
  (answer.json()['warnings'] as readonly Warning[]).map(({ code }) => code);

const ITEMS = 100;
const ITEM_BYTES = 60_000;
const longText = 'the fjord is quiet tonight. '.repeat(ITEM_BYTES / 28);

const idAt = (index: number): string => String(2_000_000_000_000_000_000n - BigInt(index));

const account = (handle: string) => ({
  type: 'profile',
  screen_name: handle,
  id: `1${handle.replace(/\D/g, '')}`,
  name: handle,
});

const statusAt = (index: number) => ({
  type: 'status',
  id: idAt(index),
  text: `${index} ${longText}`,
  author: account('ada'),
  created_timestamp: 1_774_000_800,
});

/** Acts as a provider that has 100 large items in each list and sends as many as the call requests. */
const largeProvider: Behaviour = (incoming, response) => {
  const url = new URL(incoming.url ?? '', 'http://127.0.0.1');
  if (/\/2\/profile\/\w+$/.test(url.pathname)) return json({ code: 200, user: account('ada') })(incoming, response);
  const from = Number(url.searchParams.get('cursor')?.replace('at|', '') ?? '0');
  const to = Math.min(from + Number(url.searchParams.get('count')), ITEMS);
  const results = Array.from({ length: to - from }, (_, index) => statusAt(from + index));
  const cursor = { top: `top|${from}`, bottom: to < ITEMS ? `at|${to}` : null };
  return json({ code: 200, results, cursor })(incoming, response);
};

const throughProvider = async (behaviour: Behaviour) => {
  const server = await faultServer({ fxtwitter: behaviour });
  const upstream = fxTwitterAt(server);
  return { ...createTestApp({ upstream, now: NOW }), server, upstream };
};

const BASE = 'https://api.example.test';

/** Follows the next links to the last page. */
const collectAnswers = async (
  get: (target: string) => Promise<TestResponse>,
  first: string,
): Promise<readonly TestResponse[]> => {
  const answers: TestResponse[] = [];
  for (let target: string | undefined = first; target !== undefined && answers.length < ITEMS; ) {
    const answer = await get(target);
    expectSmall(answer);
    answers.push(answer);
    target = linksOf(answer).rel('next')[0]?.uri.slice(BASE.length);
  }
  return answers;
};

describe('[bounds 6] a list of 100 items of 60 kB', () => {
  const target = '/search?q=fjord&limit=100';
  const names = Array.from({ length: ITEMS }, (_, index) => idAt(index));

  test('the JSON pages contain every item exactly once and mark an early end', async () => {
    const { get, server } = await throughProvider(largeProvider);
    const answers = await collectAnswers((next) => get(next, { headers: { accept: FORMS.json } }), target);
    const items = answers.flatMap((answer) => answer.json()['posts'] as readonly { id: string }[]);
    expect(items.map((item) => item.id)).toEqual(names);
    expect(answers.length).toBeGreaterThan(1);
    for (const answer of answers.slice(0, -1)) {
      expect(codesOf(answer)).toContain('partial_page');
      expect(answer.json()['next_cursor']).toBeTypeOf('string');
      expect(bytesOf(answer)).toBeGreaterThan(3_000_000);
    }
    expect(codesOf(answers.at(-1) ?? expect.unreachable())).not.toContain('partial_page');
    // The provider pages of 100 and 50 items were too large, and the smaller size is cached.
    const counts = server.calls('fxtwitter').flatMap((path) => /[?&]count=(\d+)/.exec(path)?.[1] ?? []);
    expect(counts.slice(0, 3)).toEqual(['100', '50', '25']);
    expect(counts.length).toBeLessThanOrEqual(12);
  });

  test('the NDJSON pages contain every item exactly once', async () => {
    const { get } = await throughProvider(largeProvider);
    const answers = await collectAnswers(get, `${target}&format=ndjson`);
    const lines = answers.flatMap(({ body }) => body.trimEnd().split('\n').slice(0, -1));
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(names);
    expect(answers.length).toBeGreaterThan(1);
  });

  test('the CSV pages contain every item exactly once, and say that a page ends early', async () => {
    const { get } = await throughProvider(largeProvider);
    const answers = await collectAnswers(get, `${target}&format=csv`);
    expect(answers.flatMap(({ body }) => csvRows(body).map(({ id }) => id))).toEqual(names);
    expect(answers.length).toBeGreaterThan(1);
    expect(answers[0]?.headers['x-warnings']).toMatch(/\bpartial_page$/);
  });

  test('the Markdown has every item exactly once on one page, because long texts are cut', async () => {
    const { get } = await throughProvider(largeProvider);
    const answers = await collectAnswers((next) => get(next, { headers: { accept: FORMS.markdown } }), target);
    const text = answers.map(({ body }) => body).join('');
    const linkTo = (name: string) => `/status/${name}`;
    for (const name of names) expect(text.split(`${linkTo(name)})`).length - 1, name).toBe(1);
    expect(answers).toHaveLength(1);
  });

  test('the HTML page cuts long texts, so that it contains all items', async () => {
    const { get } = await throughProvider(largeProvider);
    const [answer, ...more] = await collectAnswers((next) => get(next, { headers: { accept: FORMS.html } }), target);
    expect(more).toEqual([]);
    const main = answer?.body.slice(answer.body.indexOf('<main')) ?? '';
    const links = main.matchAll(/href="\/ada\/status\/(\d+)"/g);
    expect([...new Set([...links].map(([, name]) => name))]).toEqual(names);
    expect(main).not.toContain('The page ends early');
    expect(Buffer.byteLength(main)).toBeLessThan(200_000);
  });
});

test('[bounds 6] GET returns 502 when a provider page is too large with any number of items', async () => {
  const endlessly: Behaviour = json({ code: 200, results: [{ ...statusAt(0), text: 'a'.repeat(2_200_000) }] });
  const { get, server } = await throughProvider(endlessly);
  expect((await get('/search?q=fjord&limit=100')).status).toBe(502);
  const counts = server.calls('fxtwitter').flatMap((path) => /[?&]count=(\d+)/.exec(path)?.[1] ?? []);
  expect(counts).toEqual(['100', '50', '25', '12']);
});

/** Characters that grow in JSON, in JSON within JSON, in Markdown or in HTML. */
const GROWING = ['"', '\\', '*', '<', '\n', '灯', '🐋', '\u0007', '`~`'];

const filled = (character: string, bytes: number): string =>
  character.repeat(Math.floor(bytes / Buffer.byteLength(character)));

/** Builds a post as a provider could send it, within the 2 MB that the client reads. */
const hugePost = (id: string, character: string, bytes = 1_300_000): Post => post(id, 'ada', filled(character, bytes));

const POST = '/api/v1/posts?handle=ada&id=20';
const PERMALINK = '/ada/status/20';

const REQUESTS = [
  [`${POST}&format=json`],
  [PERMALINK, FORMS.markdown],
  [PERMALINK, FORMS.html],
  [`${PERMALINK}?format=obsidian`],
  ['/search?q=x', FORMS.json],
  ['/search?q=x', FORMS.html],
  ['/ada', FORMS.json],
  ['/ada/followers', FORMS.json],
  ['/oembed?url=https://x.com/ada/status/20'],
] as const;

describe('[bounds 6] one item that is too large by itself', () => {
  test.each(sampleOf(GROWING))('an item full of %j is truncated in every format', async (character) => {
    const { get } = createTestApp({
      upstream: {
        readPost: async ({ id }) => found({ ...conversation(id), post: hugePost(id, character) }),
        readProfile: async (handle) =>
          found(user(handle, { bio: filled(character, 600_000), name: filled(character, 600_000) })),
        listPosts: async () => found(page([hugePost('20', character)])),
        listUsers: async () => found(page([user('ada', { bio: filled(character, 1_300_000) })])),
      },
    });
    for (const [target, accept = '*/*'] of REQUESTS) expectSmall(await get(target, { headers: { accept } }));
  });

  test('a truncated post has a warning and keeps its id, its author and the start of its text', async () => {
    const { get } = createTestApp({
      upstream: { readPost: async ({ id }) => found({ ...conversation(id), post: hugePost(id, '"') }) },
    });
    const answer = await get(`${POST}&format=json`);
    expectSmall(answer);
    expect(codesOf(answer)).toContain('truncated');
    const shown = answer.json()['post'] as Post;
    expect(shown).toMatchObject({ id: '20', author: { handle: 'ada' }, url: 'https://x.com/ada/status/20' });
    expect(shown.text).toMatch(/^"{100000,}…$/);
    expect(String(answer.json()['markdown'])).toContain('The answer would be too large');
    expect(answer.headers['cache-control']).toContain('s-maxage=60');
  });

  test('a post that fits is complete', async () => {
    const { get } = createTestApp({
      upstream: { readPost: async ({ id }) => found({ ...conversation(id), post: hugePost(id, 'a', 1_900_000) }) },
    });
    const answer = await get(`${POST}&format=json`);
    expectSmall(answer);
    expect(codesOf(answer)).toEqual([]);
    expect((answer.json()['post'] as Post).text).toHaveLength(1_900_000);
  });
});

describe('[bounds 6] a conversation of 100 posts of 60 kB', () => {
  const longConversation = (id: string): Conversation => ({
    post: post(id, 'ada'),
    ancestors: Array.from({ length: 20 }, (_, index) => post(String(1000 + index), 'bo', longText)),
    thread: Array.from({ length: 60 }, (_, index) => post(String(2000 + index), 'ada', longText)),
    replies: Array.from({ length: 20 }, (_, index) => post(String(3000 + index), 'cy', longText)),
  });
  const { get } = createTestApp({ upstream: { readPost: async ({ id }) => found(longConversation(id)) } });
  const idsIn = (items: unknown): readonly string[] => (items as readonly Post[]).map(({ id }) => id);

  test('the answer leaves out the replies first, then the farthest ancestors, then the end of the thread', async () => {
    const answer = await get(`${POST}&format=json`);
    expectSmall(answer);
    expect(bytesOf(answer)).toBeGreaterThan(3_000_000);
    expect(codesOf(answer)).toEqual(['truncated']);
    const { thread, ancestors, replies } = answer.json();
    expect(idsIn(replies)).toEqual([]);
    expect(idsIn(ancestors)).toEqual([]);
    expect(idsIn(thread)).toEqual(idsIn(longConversation('20').thread).slice(0, idsIn(thread).length));
    expect(idsIn(thread).length).toBeGreaterThan(30);
    const { message } = (answer.json()['warnings'] as readonly Warning[])[0] ?? expect.unreachable();
    expect(message).toContain(`${100 - idsIn(thread).length} posts of the conversation left out`);
  });

  test.each(Object.entries(FORMS))('the conversation stays within the limit as %s', async (_, accept) => {
    expectSmall(await get(PERMALINK, { headers: { accept } }));
    expectSmall(await get('/ada/status/20?format=obsidian'));
  });
});

test('[bounds 6] a batch of 20 searches by tool over 50 posts of 60 kB returns pages that end early', async () => {
  const { upstream } = await throughProvider(largeProvider);
  const { registry } = createTestRegistry({ upstream });
  // The work takes longer than a function has, if the machine is busy.
  const { call } = mcpCalls(mcpHandler(registry), 600_000);
  const search = { name: 'x_search_posts', arguments: { q: 'fjord', limit: 50, format: 'json' } };
  const answer = await call(Array.from({ length: 20 }, (_, id) => rpc('tools/call', search, id)));
  expect(bytesOf(answer)).toBeLessThanOrEqual(5_500_000);
  expect(answer.json).toHaveLength(20);
  for (const { result } of answer.json) {
    expect(result.isError).toBeUndefined();
    expect(result.structuredContent.warnings).toContainEqual(expect.objectContaining({ code: 'partial_page' }));
  }
});
