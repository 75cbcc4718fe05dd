// Checks the parameter `part` on the routes of a post: every route leads to the same URLs, and the parts join to the whole.
import { describe, expect, test } from 'vitest';
import type { Upstream } from '../../../shared/ports/upstream.ts';
import { expectProblem } from '../../support/problem.ts';
import { BASE_URL, conversation, createTestApp, found, post } from '../../support/test-app.ts';

const THREAD = Array.from({ length: 100 }, (_, index) =>
  post(String(101 + index), 'jack', `Part ${index + 2}. ${'word '.repeat(30).trim()}`),
);

const upstream: Partial<Upstream> = {
  readPost: async ({ id }) => found({ ...conversation(id), thread: THREAD, replies: [post('300', 'ada', 'A reply.')] }),
};

const LAST_LINE = /\n\n\*Part \d+ of \d+(?:\. Next: <([^>]+)>|, the last\.)\*\n$/;

/** Follows the last lines from the path on. @returns the texts of the parts */
const readAll = async (get: ReturnType<typeof createTestApp>['get'], path: string): Promise<readonly string[]> => {
  const texts: string[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const { status, body }: { readonly status: number; readonly body: string } = await get(next);
    expect(status).toBe(200);
    const [line, url]: readonly (string | undefined)[] = LAST_LINE.exec(body) ?? [];
    texts.push(body.slice(0, body.length - (line ?? '\n').length));
    next = url?.slice(BASE_URL.length);
  }
  return texts;
};

test.each(['', '&replies=off', '&layout=unrolled'])(
  '[parts 1] the parts of a thread of 100 posts join to the whole text with ?%s',
  async (query) => {
    const { get } = createTestApp({ upstream });
    const whole = (await get(`/jack/status/20?thread=full${query}`)).body;
    for (const tokens of [100, 500, 6000]) {
      const texts = await readAll(get, `/jack/status/20?max_tokens=${tokens}${query}`);
      expect(texts.length).toBeGreaterThanOrEqual(whole.length / (4 * tokens));
      expect(`${texts.join('')}\n`).toBe(whole);
      for (const text of texts) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4 * tokens);
    }
  },
);

describe('[parts 3] the last line of a part', () => {
  const url = (part: number, more = ''): string =>
    `${BASE_URL}/api/v1/posts?handle=i&id=20${more}&replies=top&max_tokens=500&part=${part}`;

  test.each([
    '/api/v1/posts?url=x.com/jack/status/20',
    '/jack/status/20?',
    '/api/convert?handle=jack&id=20',
    '/i/web/status/20?',
  ])('is the same at %s and names the next part', async (path) => {
    const { get } = createTestApp({ upstream });
    const { body } = await get(`${path}&max_tokens=500`);
    expect(body.endsWith(`\n\n*Part 1 of 17. Next: <${url(2)}>*\n`)).toBe(true);
    expect(body).toBe((await get(`${path}&max_tokens=500&part=1&replies=top`)).body);
    expect((await get(`${path}&max_tokens=500&part=17&replies=top`)).body).toMatch(/\*Part 17 of 17, the last\.\*\n$/);
  });

  test('is in the warning of JSON with the URL of JSON, and JSON has all other members', async () => {
    const { get } = createTestApp({ upstream });
    const markdown = (await get('/jack/status/20?max_tokens=500&part=2&replies=top')).body;
    const answer = await get('/jack/status/20?max_tokens=500&part=2&replies=top&format=json');
    expect(answer.headers['cache-control']).toBe('public, max-age=30, s-maxage=60');
    const body = answer.json();
    expect(body).toMatchObject({ markdown, post: { id: '20' }, replies: [{ id: '300' }] });
    expect(body['thread']).toHaveLength(100);
    const way = `Part 2 of 17. Next: ${url(3, '&format=json')}`;
    expect(body['warnings']).toEqual([
      { code: 'truncated', message: `The Markdown was cut to fit max_tokens. ${way}` },
    ]);
  });

  test('repeats the parameters that change the text', async () => {
    const { get } = createTestApp({ upstream });
    const query = 'thread=50&replies=off&layout=unrolled&max_tokens=200&metrics=off';
    const next = `${BASE_URL}/api/v1/posts?handle=i&id=20&${query}&part=2`;
    expect((await get(`/jack/status/20?${query}`)).body.endsWith(`Next: <${next}>*\n`)).toBe(true);
  });

  test('is not there if the text fits', async () => {
    const { get } = createTestApp();
    const { body } = await get('/jack/status/20?replies=off');
    expect((await get('/jack/status/20?part=1')).body).toBe(body);
    expect(body).not.toContain('Part 1');
  });
});

describe('[parts 2] part', () => {
  test('has 6,000 tokens and no replies unless the request says otherwise', async () => {
    const asked: string[] = [];
    const readPost: Upstream['readPost'] = async ({ id, replies }) => {
      asked.push(replies);
      return found({ ...conversation(id), thread: THREAD });
    };
    const { get } = createTestApp({ upstream: { readPost } });
    const { body } = await get('/jack/status/20?part=1');
    expect(body).toBe((await get('/jack/status/20?part=1&max_tokens=6000&replies=off')).body);
    for (const query of ['part=1&replies=recent', 'max_tokens=500']) await get(`/jack/status/20?${query}`);
    expect(asked).toEqual(['off', 'off', 'recent', 'top']);
  });

  test.each(['/api/v1/posts?url=x.com/jack/status/20', '/jack/status/20?', '/api/convert?handle=jack&id=20'])(
    'beyond the last returns 400 and the number of parts at %s',
    async (path) => {
      const { get } = createTestApp({ upstream });
      const message = 'must be at most 17: with this max_tokens the text has 17 parts';
      for (const format of ['markdown', 'json', 'obsidian']) {
        const answer = await get(`${path}&max_tokens=500&replies=top&part=99&format=${format}`);
        const problem = expectProblem(answer, 400, 'invalid_parameter');
        if (format !== 'obsidian') expect(problem['errors']).toEqual([{ parameter: 'part', message }]);
      }
      const single = expectProblem(await createTestApp().get(`${path}&part=2`), 400, 'invalid_parameter');
      expect(single['detail']).toBe('part must be at most 1: with this max_tokens the text has 1 part.');
    },
  );
});
