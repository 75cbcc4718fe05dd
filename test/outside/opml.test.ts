// Checks the lists of subscriptions over HTTP and of the export, as a parser of XML reads them.
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import { parseExportArguments } from '../../client/commands/export/arguments.ts';
import { runExport } from '../../client/commands/export/run-export.ts';
import type { User } from '../../shared/model/user.ts';
import { ndjsonAnswer, recordingPorts, serviceOf } from '../support/export-service.ts';
import { expectProblem } from '../support/problem.ts';
import { BASE_URL, createTestApp, found, page, post, type TestApp, user } from '../support/test-app.ts';

const FOLLOWING = '/api/v1/profiles/jack/following?format=opml';
const TYPE = 'text/x-opml; charset=utf-8';

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  trimValues: false,
  parseAttributeValue: false,
  isArray: (name) => name === 'outline',
});

type Outline = Readonly<Record<string, string>>;

const outlinesOf = (xml: string): readonly Outline[] => {
  expect(XMLValidator.validate(xml)).toBe(true);
  const { opml } = parser.parse(xml);
  expect([opml.version, typeof opml.head.title]).toEqual(['2.0', 'string']);
  return opml.body.outline ?? [];
};

const appWith = (users: readonly User[], next?: string): TestApp =>
  createTestApp({ upstream: { listUsers: async () => found(page(users, next)) } });

test('[lists 10] the followed accounts of a page are outlines with the addresses of their feeds', async () => {
  const { get } = appWith([user('ada', { name: 'Ada Larsson' }), user('bo')], 'NEXT');
  const answer = await get(`${FOLLOWING}&limit=2`);
  expect([answer.status, answer.headers['content-type']]).toEqual([200, TYPE]);
  expect(outlinesOf(answer.body)).toEqual([
    {
      text: 'Ada Larsson (@ada)',
      title: 'Ada Larsson (@ada)',
      type: 'rss',
      xmlUrl: `${BASE_URL}/ada/rss`,
      htmlUrl: `${BASE_URL}/ada`,
    },
    expect.objectContaining({ xmlUrl: `${BASE_URL}/bo/rss` }),
  ]);
  expect(answer.headers['link']).toMatch(/^<https:\/\/api\.example\.test\/.*format=opml.*cursor=[^>]+>; rel="next"$/);
  expect((await get('/jack/following?format=opml&limit=2')).body).toBe(answer.body);
  const etag = String(answer.headers['etag']);
  expect((await get(`${FOLLOWING}&limit=2`, { headers: { 'if-none-match': etag } })).status).toBe(304);
});

const HOSTILE = [`"/><outline xmlUrl='http://evil.example'/>`, ']]>&#0;&lt;', '\u0000\u202e\ud800\ufffe', '<!--'];

test('[lists 10] a hostile name is only text', async () => {
  const { get } = appWith(HOSTILE.map((name, index) => user(`a${index}`, { name })));
  const outlines = outlinesOf((await get(FOLLOWING)).body);
  expect(outlines.map(({ xmlUrl }) => xmlUrl)).toEqual(HOSTILE.map((_, index) => `${BASE_URL}/a${index}/rss`));
  expect(outlines[0]?.['text']).toBe(`${HOSTILE[0]} (@a0)`);
  expect(outlines[1]?.['text']).toBe(`${HOSTILE[1]} (@a1)`);
  expect(outlines[2]?.['text']).toMatch(/^\ufffd? ?\(@a2\)$|^a2 \(@a2\)$/);
});

test.each<[string, User, Outline]>([
  ['a reserved name', user('docs'), { type: 'rss', xmlUrl: `${BASE_URL}/api/v1/profiles/docs/posts?format=rss` }],
  ['the name of a page of X', user('explore'), { type: 'rss', xmlUrl: `${BASE_URL}/@explore/rss` }],
  ['a protected account', user('bo', { protected: true }), { type: 'link', url: 'https://x.com/bo' }],
  ['an old long handle', user('a'.repeat(20)), { type: 'link', url: `https://x.com/${'a'.repeat(20)}` }],
])('[lists 10] the outline of %s leads to a feed that exists, or to X', async (_, account, outline) => {
  const [first = {}] = outlinesOf((await appWith([account]).get(FOLLOWING)).body);
  expect(first).toMatchObject(outline);
  const { xmlUrl } = first;
  if (xmlUrl !== undefined) {
    const feed = await createTestApp().get(xmlUrl.slice(BASE_URL.length));
    expect([feed.status, feed.headers['content-type']]).toEqual([200, 'application/rss+xml; charset=utf-8']);
  }
});

test('[lists 10] the accounts of a timeline that can be read are outlines of its only page', async () => {
  const { get } = createTestApp({
    upstream: {
      readProfile: async (handle) => (handle === 'cy' ? { kind: 'gone', reason: 'suspended' } : found(user(handle))),
      listPosts: async (request) => {
        if (request.list !== 'posts' || request.handle === 'cy') return { kind: 'ambiguous' };
        return request.handle === 'ed' ? { kind: 'down', why: '' } : found(page([post('9', 'ada'), post('8', 'ada')]));
      },
    },
  });
  const answer = await get('/api/v1/timeline?handles=ada,cy,ed&limit=1&format=opml');
  expect(answer.headers).not.toHaveProperty('link');
  expect(outlinesOf(answer.body).map(({ text }) => text)).toEqual(['ada (@ada)', '@ed']);
});

test.each(['/jack/followers', '/api/v1/profiles/jack/posts', '/jack', '/search?q=a', '/i/lists/1', '/i/status/20'])(
  '[lists 10] %s offers no subscriptions',
  async (target) => {
    const { get } = createTestApp();
    expectProblem(await get(`${target}${target.includes('?') ? '&' : '?'}format=opml`), 400, 'invalid_format');
  },
);

test('[lists 10] the export of followed accounts is one valid file, whatever the number of pages', async () => {
  const accounts = HOSTILE.map((name, index) => ({ handle: `a${index}`, name }));
  const { ports, output } = recordingPorts(
    serviceOf((target) => {
      const at = Number(new URL(target, BASE_URL).searchParams.get('cursor') ?? 0);
      return ndjsonAnswer(accounts.slice(at, at + 1), at + 1 < accounts.length ? String(at + 1) : null);
    }),
  );
  const given = parseExportArguments(['--following', '@ada', '--format', 'opml']);
  if (given === undefined) throw new Error('no export');
  await runExport(given, ports);
  expect(outlinesOf(output.join('')).map(({ xmlUrl }) => xmlUrl)).toEqual(
    accounts.map(({ handle }) => `${BASE_URL}/${handle}/rss`),
  );
});

test('[lists 10] the pages of several accounts and of followed accounts lead to their subscriptions', async () => {
  const { get } = createTestApp({
    upstream: { listUsers: async () => found(page([user('ada')])), listPosts: async () => found(page([post('1')])) },
  });
  const linksAt = async (path: string): Promise<readonly string[]> => {
    const { body } = await get(path, { headers: { accept: 'text/html' } });
    const [line = ''] = /For a feed reader:.*/.exec(body) ?? [];
    const links = [...line.matchAll(/ href="([^"]+)"/g)].map(([, link = '']) => link);
    const [, address] = /<code>([^<]+)/.exec(line) ?? [];
    expect(address).toBe(links.length === 2 ? `${BASE_URL}${links[0]}` : undefined);
    return links;
  };
  expect(await linksAt('/ada,bo?reposts=include')).toEqual([
    '/ada,bo?reposts=include&amp;format=rss',
    '/ada,bo?format=opml',
  ]);
  expect(await linksAt('/jack/following')).toEqual(['/jack/following?format=opml']);
  expect(await linksAt('/jack/followers')).toEqual([]);
  expect(outlinesOf((await get('/ada,bo?format=opml')).body)).toHaveLength(2);
});
