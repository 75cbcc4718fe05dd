// Checks the parts of the export without a service: arguments, targets, remembered posts and progress.
import { describe, expect, test } from 'vitest';
import { parseExportArguments } from '../../../../client/commands/export/arguments.ts';
import { createOldestPosts } from '../../../../client/commands/export/walk-list.ts';
import { listKey } from '../../../../client/commands/list-target.ts';
import { createProgress, expectedTotal, type ProgressOptions } from '../../../../client/commands/progress.ts';
import { serviceOf } from '../../../support/export-service.ts';

const parse = (text: string) => parseExportArguments(text === '' ? [] : text.split(' '), 'https://posts.example.org');

test('a list has one key in every order of its parameters, and whatever the case of its handle', () => {
  const key = listKey('/api/v1/profiles/Ada/posts?since=2025-01-01&kind=media');
  expect(listKey('/api/v1/profiles/ada/posts?kind=media&since=2025-01-01&until=2025-02-01&cursor=AAAA')).toBe(key);
  expect(listKey('/api/v1/profiles/ada/posts?kind=media&since=2025-01-02')).not.toBe(key);
});

describe('the arguments of npm run export', () => {
  test.each([
    ['@ada', '/api/v1/profiles/ada/posts'],
    ['ada --kind media', '/api/v1/profiles/ada/posts?kind=media'],
    ['https://x.com/ada', '/api/v1/profiles/ada/posts'],
    ['@ada,bo,@cy --kind media', '/api/v1/timeline?handles=ada%2Cbo%2Ccy&kind=media'],
    [
      '@ada --since 2025-01-01 --until 2026-01-01T00:00:00Z',
      '/api/v1/profiles/ada/posts?since=2025-01-01&until=2026-01-01T00%3A00%3A00Z',
    ],
    ['--followers @ada', '/api/v1/profiles/ada/followers'],
    ['--following=ada', '/api/v1/profiles/ada/following'],
    ['--replies https://x.com/jack/status/20 --sort recent', '/api/v1/posts/20/replies?sort=recent'],
    ['--quotes 20', '/api/v1/posts/20/quotes'],
    ['--reposts x.com/jack/status/20/photo/1', '/api/v1/posts/20/reposts'],
    ['--list 2026', '/api/v1/lists/2026/posts'],
    ['--list https://x.com/i/lists/2026', '/api/v1/lists/2026/posts'],
    ['--search from:ada', '/api/v1/search?q=from%3Aada'],
    ['--search #tide --feed top', '/api/v1/search?q=%23tide&feed=top'],
    ['@home', '/api/v1/profiles/home/posts'],
  ])('%s names %s', (text, target) => {
    expect(parse(text)).toEqual({ target, limit: Number.POSITIVE_INFINITY, file: undefined });
  });

  test.each([
    ['https://x.com/ada/with_replies', '/api/v1/profiles/ada/posts?kind=replies'],
    ['https://x.com/ada/media --since 2025-01-01', '/api/v1/profiles/ada/posts?kind=media&since=2025-01-01'],
    ['https://x.com/ada/followers', '/api/v1/profiles/ada/followers'],
    ['nitter.net/ada/following', '/api/v1/profiles/ada/following'],
    ['https://x.com/jack/status/20 --sort recent', '/api/v1/posts/20/replies?sort=recent'],
    ['2028036267832246272', '/api/v1/posts/2028036267832246272/replies'],
    ['https://x.com/jack/status/20/quotes', '/api/v1/posts/20/quotes'],
    ['https://x.com/jack/status/20/retweets', '/api/v1/posts/20/reposts'],
    ['https://x.com/i/lists/2026', '/api/v1/lists/2026/posts'],
    ['https://x.com/search?q=tide&f=live', '/api/v1/search?q=tide&feed=latest'],
    ['https://x.com/search?q=tide --feed media', '/api/v1/search?q=tide&feed=media'],
    ['https://posts.example.org/ada/followers', '/api/v1/profiles/ada/followers'],
  ])('[commands 1] the text of the box %s names %s', (text, target) => {
    expect(parse(text)?.target).toBe(target);
  });

  test.each([
    ['--followers ../admin', 'is no link on X'],
    ['../../admin', 'is no link on X, no @handle and no id of a post.\nTo search for words'],
    ['#tide', 'is no link on X, no @handle and no id of a post.\nTo search for words'],
    ['20', 'is no link on X, no @handle and no id of a post.\nFor the account, pass @20.'],
    ['--list ada', 'ada is not the URL or the id of a list of X.'],
    ['https://x.com/i/spaces/3', 'The url does not name a post'],
    ['https://x.com/i/user/12', 'has no list. Pass the @handle of the account.'],
    ['@..', 'no @handle'],
    ['@', 'no @handle'],
  ])('[commands 1] %s is rejected', (text, message) => {
    expect(() => parse(text)).toThrow(message);
  });

  test.each(['--following ada', 'https://x.com/ada/following'])('[lists 10] %s has the format opml', (text) => {
    expect(parse(`${text} --format opml`)).toMatchObject({ target: '/api/v1/profiles/ada/following', format: 'opml' });
    expect(parse(`--followers ada --format opml`)).toBeUndefined();
    expect(parse(`${text} --format graphml`)).toBeUndefined();
    expect(() => parse(`${text} --format json`)).toThrow('--format must be one of csv, opml, graphml.');
    expect(() => parse(`${text} --format opml --resume a`)).toThrow('opml is written as a whole.');
  });

  test('[lists 20] a conversation is exported whole', () => {
    expect(parse('--conversation 20 --format graphml')).toMatchObject({ format: 'graphml' });
    expect(() => parse('--conversation 20 --limit 3')).toThrow('A conversation is exported whole.');
    for (const form of ['', ' --format csv', ' --format graphml'])
      expect(() => parse(`--conversation 20${form} --resume a`)).toThrow('A conversation is written as a whole.');
    expect(parse('--replies 20 --format graphml')).toBeUndefined();
  });

  test('--resume and --limit are read', () => {
    expect(parse('--resume posts.ndjson')).toEqual({
      target: undefined,
      limit: Number.POSITIVE_INFINITY,
      file: 'posts.ndjson',
    });
    expect(parse('@ada --resume=a --limit 7')).toEqual({ target: '/api/v1/profiles/ada/posts', limit: 7, file: 'a' });
  });

  test.each([
    '',
    '--limit 5',
    '@ada @bob',
    '@ada --followers @bob',
    '--search a --following b',
    '--followers @ada --kind media',
    '--search a --since 2025-01-01',
    '--quotes 20 --sort top',
    '@ada --feed top',
    '@ada --xml',
    '@ada --kind',
    'https://x.com/jack/status/20/quotes --sort recent',
    'https://x.com/ada/followers --kind media',
    'https://x.com/search?q=tide --kind media',
  ])('[commands 1] %j is not a command', (text) => {
    expect(parse(text)).toBeUndefined();
  });

  test.each(['https://example.com/a/status/20', 'ada', '020', ''])('--replies=%s is rejected', (url) => {
    expect(() => parse(`--replies=${url}`)).toThrow(/is not the URL or the id of a post/);
  });

  test.each(['0', '-1', '1.5', 'ten', '1e3', ''])('--limit=%s is rejected', (limit) => {
    expect(() => parse(`@ada --limit=${limit}`)).toThrow(/^--limit must be/);
  });
});

describe('createOldestPosts', () => {
  test('remembers the smallest ids, whatever their length and order', () => {
    const posts = createOldestPosts(3);
    for (const id of ['5', '30', '2000000000000000001', '2000000000000000000', '40', '10']) posts.add(id);
    expect(['5', '10', '30'].map((id) => posts.add(id))).toEqual([false, false, false]);
    expect(posts.add('2000000000000000001')).toBe(true);
  });
});

describe('createProgress', () => {
  const record = (options: Partial<ProgressOptions>) => {
    const texts: string[] = [];
    let now = 0;
    const advance = (milliseconds: number): void => {
      now += milliseconds;
    };
    const progress = createProgress({
      write: (text) => void texts.push(text),
      isTerminal: false,
      now: () => now,
      count: 0,
      ...options,
    });
    return { texts, progress, advance };
  };

  test('writes at most one line in 10 s with items, rate and rest', () => {
    const { texts, progress, advance } = record({ count: 1000, total: 3000 });
    for (let page = 0; page < 5; page += 1) {
      advance(5000);
      progress.add(100, undefined);
    }
    expect(texts).toEqual([
      '1,200 items, 20 per second, about 2 min left\n',
      '1,400 items, 20 per second, about 80 s left\n',
    ]);
  });

  test('estimates the rest of a timeline by its time', () => {
    const { texts, progress, advance } = record({ since: Date.parse('2026-01-01') });
    progress.add(100, Date.parse('2026-01-11'));
    advance(10_000);
    progress.add(100, Date.parse('2026-01-09'));
    expect(texts).toEqual(['200 items, 20 per second, about 40 s left\n']);
  });

  test('without an expected number there is no estimate', () => {
    const { texts, progress, advance } = record({ total: Number.POSITIVE_INFINITY });
    advance(10_000);
    progress.add(1, undefined);
    expect(texts).toEqual(['1 item, 0 per second\n']);
  });

  test('replaces its line on a terminal, and removes controls of foreign text', () => {
    const { texts, progress } = record({ isTerminal: true });
    progress.add(1, undefined);
    progress.wait(200, 'Busy\u001b[31m\n.');
    progress.say('1 item, done');
    expect(texts).toEqual([
      '\r\u001b[2K1 item',
      '\r\u001b[2K1 item; Busy[31m : waiting 4 min',
      '\r\u001b[2K1 item, done\n',
    ]);
  });
});

describe('expectedTotal', () => {
  const total = (target: string, body: object) => {
    const targets: string[] = [];
    const service = serviceOf((at) => {
      targets.push(at);
      return { status: 200, body: JSON.stringify(body) };
    });
    return expectedTotal(target, service, new AbortController().signal).then((count) => ({ count, targets }));
  };

  test('reads the count of the profile', async () => {
    const body = { profile: { metrics: { followers: 12, following: null, media: 3 } } };
    expect(await total('/api/v1/profiles/ada/followers', body)).toEqual({
      count: 12,
      targets: ['/api/v1/profiles/ada?limit=1&format=json'],
    });
    expect((await total('/api/v1/profiles/ada/posts?kind=media', body)).count).toBe(3);
    expect((await total('/api/v1/profiles/ada/following', body)).count).toBeUndefined();
  });

  test('reads the count of the post, without its conversation', async () => {
    const body = { post: { metrics: { replies: 3, quotes: 2, reposts: 1 } } };
    const url = 'https%3A%2F%2Fx.com%2Fi%2Fstatus%2F20';
    expect(await total('/api/v1/posts/20/quotes', body)).toEqual({
      count: 2,
      targets: [`/api/v1/posts?url=${url}&thread=off&replies=off&format=json`],
    });
    expect((await total('/api/v1/posts/20/replies', body)).count).toBe(3);
    expect((await total('/api/v1/posts/20/reposts', body)).count).toBe(1);
  });

  test.each(['/api/v1/search?q=a', '/api/v1/profiles/ada/posts'])('requests nothing for %s', async (target) => {
    expect(await total(target, {})).toEqual({ count: undefined, targets: [] });
  });
});
