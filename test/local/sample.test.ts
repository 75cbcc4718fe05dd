// Tests that every answer of a service on sample data says so, and that none makes a statement about X.
import { createServer } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startLocalService } from '../../infra/local/service.ts';
import { MCP_PATH } from '../../shared/contract/paths.ts';
import { READ_SAMPLE, SAMPLE_SENTENCE } from '../../shared/contract/sample.ts';
import { BYTES_PER_TOKEN } from '../../shared/render/content/format.ts';
import { AMPLE_ALLOWANCES } from '../support/ample-allowances.ts';
import { freePort } from '../support/free-port.ts';
import { localOptions, sendRequest, shareService, startLiveService } from '../support/local-service.ts';
import { runProgram } from '../support/programs.ts';

const ADMIN_TOKEN = 'a-token-of-the-operator-for-tests';
const THREAD = '2034932961899447678';
const LINE = `*${SAMPLE_SENTENCE}*`;
const BAR = 'Sample data: X cannot be reached from this machine.';

const service = shareService(localOptions({ ADMIN_TOKEN, ...AMPLE_ALLOWANCES }));
const { get } = service;
/** The front page links to translations, each of which counts five of the fair-use bound of a service. */
const another = shareService(localOptions(AMPLE_ALLOWANCES));
const page = (target: string) => get(target, { headers: { accept: 'text/html' } });
const countOf = (text: string, part: string): number => text.split(part).length - 1;

test('a post is answered before the store has started, and a start without a store fails', async () => {
  const store = createServer(); // Answers nothing.
  await new Promise<void>((listening) => store.listen(0, '127.0.0.1', listening));
  const port = await freePort();
  const environment = { DYNAMODB_ENDPOINT: `http://127.0.0.1:${Object(store.address()).port}` };
  const starting = startLocalService({ ...localOptions(environment), port });
  const failed = expect(starting).rejects.toThrow();
  const answer = () => fetch(`http://127.0.0.1:${port}/jack/status/20`);
  await vi.waitFor(async () => expect((await answer()).status).toBe(200), { timeout: 10_000 });
  store.close();
  store.closeAllConnections();
  await failed;
  await expect(answer()).rejects.toThrow();
});

/** One read per resource. */
const READS = [
  '/jack/status/20?',
  `/api/v1/posts?url=https://x.com/i/status/${THREAD}&`,
  '/api/v1/posts/lookup?ids=20,21&',
  '/api/v1/posts/lookup?ids=21&',
  `/api/v1/posts/${THREAD}/replies?limit=2&`,
  '/api/v1/posts/2028036267832246272/quotes?limit=2&',
  '/api/v1/posts/2028036267832246272/reposts?limit=2&',
  '/ada_larsson?limit=2&',
  '/api/v1/profiles/ada_larsson/posts?kind=media&',
  '/ada_larsson/followers?limit=2&',
  '/search?q=tide&limit=2&',
  '/search?q=tide&feed=users&',
  '/search?q=nothing-has-these-words&',
];

describe('a read of sample data', () => {
  test.each(READS)('[sample 1] %s has the warning, and one line of Markdown', async (read) => {
    const { warnings, markdown } = (await get(`${read}format=json`)).json();
    expect(warnings).toContainEqual({ code: 'sample', message: SAMPLE_SENTENCE });
    const { body } = await get(`${read}format=markdown`);
    expect(body).toBe(markdown);
    expect(countOf(body, LINE)).toBe(1);
    expect(body.endsWith(`\n\n${LINE}\n`)).toBe(true);
  });

  test('[sample 1] a note for Obsidian has the line after its text', async () => {
    expect((await get('/jack/status/20?format=obsidian')).body).toMatch(/^---\n.*\n\n\*This service runs[^\n]*\n$/s);
  });

  test('[sample 1] NDJSON has the warning in its last line', async () => {
    const lines = (await get('/ada_larsson/followers?format=ndjson&limit=3')).body.trimEnd().split('\n');
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ warnings: [{ code: 'sample' }] });
  });

  test('[sample 1] a feed has no item about the sample', async () => {
    expect((await get('/search/rss?q=tide')).body).not.toContain('sample data');
  });

  test.each([
    '/ada_larsson?',
    `/i/status/${THREAD}?`,
    '/search?q=tide&',
    '/ada_larsson/followers?',
    '/i/status/2033845798302647530?',
  ])('[sample 1] the line of %s counts within max_tokens', async (read) => {
    for (const tokens of [100, 110, 125, 150, 300, 800]) {
      const { body } = await get(`${read}format=markdown&max_tokens=${tokens}`);
      expect(Buffer.byteLength(body), String(tokens)).toBeLessThanOrEqual(tokens * BYTES_PER_TOKEN);
      expect(countOf(body, LINE), String(tokens)).toBe(1);
    }
  });

  test.each([100, 110, 115, 119, 120, 125])(
    '[parts 1] the line does not change where max_tokens=%i divides an article',
    async (tokens) => {
      const counts = new Set<string | undefined>();
      let last = 2;
      for (let part = 1; part <= last; part += 1) {
        const { status, body } = await get(`/i/status/2033845798302647530?max_tokens=${tokens}&part=${part}`);
        expect(status).toBe(200);
        const [, count] = new RegExp(`\\*Part ${part} of (\\d+)`).exec(body) ?? [];
        counts.add(count);
        last = Number(count);
      }
      expect(counts.size).toBe(1);
    },
  );

  test('[sample 1] the cache keeps the answer as long as one without the warning', async () => {
    expect((await get('/jack/status/20?format=json')).headers['cache-control']).toContain('max-age=60, s-maxage=21600');
  });
});

const callTool = async (name: string, args: object, query = ''): Promise<{ readonly text: string }> => {
  const { json } = await get(`${MCP_PATH}${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  });
  const { content }: { readonly content: readonly { readonly text: string }[] } = JSON.parse(
    JSON.stringify(json()['result']),
  );
  return { text: content[0]?.text ?? '' };
};

describe('a tool on sample data', () => {
  test.each([
    ['x_get_post', { id: '20' }],
    ['x_get_profile', { handle: 'ada_larsson' }],
    ['x_search_posts', { q: 'tide', max_tokens: 400 }],
    ['x_search_posts', { q: 'nothing-has-these-words' }],
    ['x_get_post', { id: '20', format: 'json' }],
    ['x_get_post', { id: '21' }],
  ])('[sample 1] %s %j says once that it answers from sample data, outside of the quote', async (name, args) => {
    const { text } = await callTool(name, args);
    expect(countOf(text, SAMPLE_SENTENCE)).toBe(1);
    expect(text).not.toMatch(/^>.*sample data/m);
  });

  test('[sample 3] a tool names the sample in the title of a problem', async () => {
    expect((await callTool('x_get_post', { id: '21' })).text).toMatch(/^The sample has no such post\.\n/);
    const { text } = await callTool('x_get_post', { id: '1990000000000000001' });
    expect(text).toMatch(/^The sample does not show this post\.\n.*\nReason: deleted\.\n/);
  });

  test.each([
    ['search', { query: 'tide' }],
    ['fetch', { id: '20' }],
  ])('[sample 1] %s of tools=research says so once', async (name, args) => {
    expect(countOf((await callTool(name, args, '?tools=research')).text, SAMPLE_SENTENCE)).toBe(1);
  });

  test('fetch of a profile names the search for its further posts, and no tool of the other set', async () => {
    const { text } = await callTool('fetch', { id: '@ada_larsson' }, '?tools=research');
    expect(text).toContain('More: search \\"from:ada_larsson\\".');
    expect(text).not.toMatch(/x_get_/);
  });
});

const PAGES = [
  '/',
  '/docs',
  '/docs/mcp',
  '/search',
  '/search?q=tide',
  '/jack/status/20',
  '/ada_larsson',
  '/ada_larsson/media',
  '/ada_larsson/followers',
  `/i/status/${THREAD}/replies`,
  '/unknown_2',
  '/jack/status/21',
  '/ada_larsson?limit=0',
  '/no/such/page',
];

describe('a page', () => {
  test.each(PAGES)('[sample 2] %s has one bar on sample data, at the start of its text', async (target) => {
    const { body } = await page(target);
    expect(countOf(body, BAR)).toBe(1);
    expect(body).toMatch(/<main[^>]*>\s*<p class="note" data-part="sample">Sample data: /);
  });

  test('[sample 2] a page has no bar if the service reads from X', async () => {
    const live = await startLiveService();
    onTestFinished(live.close);
    for (const target of PAGES)
      expect((await sendRequest(live.origin, target, { headers: { accept: 'text/html' } })).body, target).not.toContain(
        BAR,
      );
  });

  test('[sample 2] the style sheet of the published pages has the bar', async () => {
    expect((await get('/assets/style.css')).body).toMatch(/\.note ?\{[^}]*var\(--amber\)/);
  });
});

/** The sentences of live pages, such as "X found no post". */
const STATEMENT = /\bX (?:answers|does|did|found|has|knows|lists|says|shows|suggests)\b/;

const PROBLEMS: readonly (readonly [string, number, string, string])[] = [
  ['/unknown_2', 404, 'profile_not_found', 'The sample has no account @unknown_2.'],
  ['/gone_gary', 404, 'profile_not_found', 'The sample does not show this account.'],
  ['/unknown_2/followers', 404, 'profile_not_found', 'The sample has no such page.'],
  ['/private_pia/followers', 403, 'profile_protected', 'The sample does not show this page.'],
  ['/i/user/999', 404, 'profile_not_found', 'The sample has no such account.'],
  ['/jack/status/21', 404, 'post_not_found', 'The sample has no such post.'],
  ['/i/status/1990000000000000001', 404, 'post_not_found', 'The sample does not show this post.'],
  ['/i/status/1990000000000000100', 403, 'post_protected', 'The sample does not show this post.'],
  ['/i/status/1990000000000000102', 404, 'post_not_found', 'The sample has no such post.'],
  ['/flaky_feed/media', 503, 'upstream_unavailable', 'The sample has no such page.'],
];

describe('a problem on sample data', () => {
  test.each(PROBLEMS)(
    '[sample 3] %s is %i %s, and names the sample in its title and detail',
    async (target, status, code) => {
      const answer = await get(target);
      expect(answer.status).toBe(status);
      expect(answer.json()).toMatchObject({ code, detail: SAMPLE_SENTENCE, resolution: READ_SAMPLE });
      expect(answer.json().title).toMatch(/^The sample (?:has no|does not) /);
    },
  );

  test.each(PROBLEMS)(
    '[sample 3] the page of %s (%i %s) is about the sample: %s',
    async (target, status, _, heading) => {
      const answer = await page(target);
      expect(answer.status).toBe(status);
      expect(answer.body).toContain(`<h1>${heading}</h1>`);
      expect(answer.body).toContain('<a href="/">What the sample has</a></li>');
      expect(answer.body).not.toMatch(STATEMENT);
    },
  );

  test('[sample 3] a problem about a parameter keeps its own words', async () => {
    const { detail } = (await get('/ada_larsson?limit=0')).json();
    expect(detail).toMatch(/^limit /);
  });

  test.each(['latest', 'top', 'media', 'users'])(
    '[sample 3] a search of %s without results says that the sample has none',
    async (feed) => {
      const { body } = await page(`/search?q=nothing-has-these-words&feed=${feed}`);
      expect(body).toMatch(/<h2>The sample has no such (?:post|account)\.<\/h2>/);
      expect(body).not.toMatch(STATEMENT);
    },
  );

  test.each(['/jack/status/20/replies', '/search?q=tide&feed=users'])(
    '[sample 3] the notes of %s make no statement about X',
    async (target) => expect((await page(target)).body).not.toMatch(STATEMENT),
  );
});

const ownPaths = (body: string): readonly string[] =>
  [...body.matchAll(/<a [^>]*href="(\/[^"#]*)"/g)].map(([, path = '']) => path.replaceAll('&amp;', '&'));

describe('the sample data', () => {
  test('[sample 4] every read of the front page can be read, among them a thread and an article', async () => {
    const { body } = await page('/');
    const paths = new Set(ownPaths(body).filter((path) => !/^\/(?:$|docs)/.test(path)));
    const texts = new Map<string, string>();
    for (const path of paths) {
      const answer = await another.get(path, { headers: { accept: 'text/html' } });
      expect(answer.status, path).toBe(200);
      texts.set(path, answer.body);
    }
    const isThread = (text: string): boolean => countOf(text, '<section class="part') > 1;
    expect([...texts.values()].some(isThread)).toBe(true);
    const translations = [...texts].filter(([path]) => path.includes('lang='));
    expect(translations.length).toBeGreaterThan(4);
    for (const [path, text] of translations) expect(text, path).toContain('translated from English');
    expect([...texts.values()].some((text) => text.includes('<h2 id="'))).toBe(true);
    expect((await get('/', { headers: { accept: 'text/markdown' } })).body).toContain('/ada_larsson/status/');
  });

  test('[sample 4] a thread is translated in each of its parts', async () => {
    const part = (start: string) => ({ translation: { text: expect.stringMatching(`^${start}`), target_lang: 'es' } });
    const { body } = await get(`/ada_larsson/status/${THREAD}?lang=es&format=json`);
    expect(JSON.parse(body)).toMatchObject({ thread: [part('2/ '), part('3/ '), part('4/4')] });
  });

  test('[sample 4] every listed account that is not protected has a profile with posts', async () => {
    const handles = new Set<string>();
    for (const list of ['/ada_larsson/followers', '/ada_larsson/following', '/i/status/2028036267832246272/retweets']) {
      const { users } = (await get(`${list}?format=json&limit=100`)).json();
      for (const { handle, protected: isProtected } of JSON.parse(JSON.stringify(users)))
        if (isProtected !== true) handles.add(handle);
    }
    expect(handles.size).toBeGreaterThan(50);
    for (const handle of handles) {
      const answer = await get(`/${handle}?format=json`);
      expect(answer.status, handle).toBe(200);
      expect(answer.json()['posts'], handle).not.toEqual([]);
    }
  });

  test('[sample 4] every post of the lists, every quoted post and every author can be read', async () => {
    const timelines = ['ada_larsson', 'kestrel_labs', 'slowtv_live'].flatMap((handle) =>
      ['posts', 'replies', 'media', 'articles'].map((kind) => `/api/v1/profiles/${handle}/posts?kind=${kind}`),
    );
    const quotes = '/api/v1/posts/2028036267832246272/quotes?sort=';
    const paths = new Set<string>();
    for (const list of [...timelines, `/api/v1/posts/${THREAD}/replies?sort=top`, quotes, '/api/v1/search?q=tide']) {
      const { posts } = (await get(`${list}&limit=100&format=json`)).json();
      for (const { id, quote, author } of JSON.parse(JSON.stringify(posts))) {
        for (const post of [id, ...(quote?.metrics ? [quote.id] : [])]) paths.add(`/i/status/${post}`);
        if (author?.handle) paths.add(`/${author.handle}`);
      }
    }
    expect(paths.size).toBeGreaterThan(60);
    for (const path of paths) expect((await get(`${path}?format=json`)).status, path).toBe(200);
  });

  test('[sample 4] the posts of a period are those of its days, and the reposts of a post each account once', async () => {
    const period = '/api/v1/profiles/ada_larsson/posts?since=2026-01-10&until=2026-02-01&format=json&limit=100';
    const days: readonly string[] = JSON.parse(JSON.stringify((await get(period)).json()['posts'])).map(
      (post: { created_at: string }) => post.created_at.slice(0, 10),
    );
    expect(days.length).toBeGreaterThan(3);
    expect(days.filter((day) => day < '2026-01-10' || day >= '2026-02-01')).toEqual([]);
    const reposts = '/api/v1/posts/2028036267832246272/reposts?format=json&limit=100';
    const users: readonly { handle: string }[] = JSON.parse(JSON.stringify((await get(reposts)).json()['users']));
    expect(new Set(users.map(({ handle }) => handle)).size).toBe(26);
  });

  test('[sample 4] the posts of a profile are newest first', async () => {
    const { posts } = (await get('/ada_larsson?format=json&limit=100')).json();
    const times: readonly string[] = JSON.parse(JSON.stringify(posts)).map(
      (post: { created_at: string }) => post.created_at,
    );
    expect(times).toEqual(times.toSorted().toReversed());
  });

  test('[sample 4] the styles of the article begin and end at words', async () => {
    const { body } = await get('/i/status/2033845798302647530?format=markdown');
    expect(body).toContain('This is a *field report* with code');
  });
});

test('[sample 5] the dashboard names the sample as the provider', async () => {
  const { providers } = (await get('/api/admin/usage', { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } })).json();
  expect(providers).toEqual([{ name: 'sample', state: 'up' }]);
});

test.each([
  [[], LINE],
  [['--json'], `"message":"${SAMPLE_SENTENCE}"`],
])('[sample 5] `npm run read` %j prints that the post is sample data', async (options, line) => {
  const { output } = await runProgram('client/commands/read.ts', ['https://x.com/jack/status/20', ...options], {
    UPSTREAM: 'sample',
  });
  expect(output).toContain(line);
});

test('[sample 5] `npm run read` prints that a missing post is missing in the sample data', async () => {
  const { errors } = await runProgram('client/commands/read.ts', ['https://x.com/jack/status/21'], {
    UPSTREAM: 'sample',
  });
  expect(errors).toContain('The sample has no such post');
  expect(errors).toContain(SAMPLE_SENTENCE);
});
