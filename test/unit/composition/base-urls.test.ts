import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../infra/config/read-config.ts';
import { readBaseUrls } from '../../../shared/composition/provider-settings.ts';
import { upstreamFromEnvironment } from '../../../shared/composition/upstream.ts';
import { later } from '../../../shared/model/time.ts';
import { baseUrlsOf, formatBaseUrls, weightWarnings } from '../../../shared/settings/feature-parsers.ts';
import { faultServer, recorded } from '../../support/fault-server.ts';

const ID = '2028036267832246272';
const { parse } = baseUrlsOf('fxtwitter');
const TEN = Array.from({ length: 10 }, (_, index) => `https://a${index}.example`);

describe('the base URLs of a provider', () => {
  test('are read in order', () => {
    expect(parse('https://One.example/')).toEqual(['https://one.example']);
    expect(readBaseUrls({}, 'fxtwitter')).toEqual(['https://api.fxtwitter.com']);
    expect(parse('https://one.example, https://two.example/x/')).toEqual([
      'https://one.example',
      'https://two.example/x',
    ]);
    expect(parse(TEN.join(','))).toHaveLength(10);
  });

  test('[outages 9] are read without their weights, and a warning names the setting', () => {
    const text = 'https://one.example, https://two.example/x/; weight=3,http://three.example:81;weight=100';
    const baseUrls = ['https://one.example', 'https://two.example/x', 'http://three.example:81'];
    expect(parse(text)).toEqual(baseUrls);
    expect(readConfig({ fxTwitterBaseUrl: text }).fxTwitterBaseUrl).toBe(baseUrls.join(','));
    const warnings = weightWarnings({ FXTWITTER_BASE_URL: text }, ({ variable }) => variable);
    expect(warnings).toEqual([expect.stringMatching(/^FXTWITTER_BASE_URL: weights of base URLs are ignored/)]);
    expect(warnings.join()).not.toContain('example');
    expect(weightWarnings({ fxTwitterBaseUrl: text }, ({ setting }) => setting)).toHaveLength(1);
    expect(weightWarnings({ FXTWITTER_BASE_URL: baseUrls.join(',') }, ({ variable }) => variable)).toEqual([]);
  });

  test.each([
    [[...TEN, 'https://b.example'].join(',')],
    ['https://one.example,https://one.example/'],
    ['https://one.example,https://ONE.example;weight=2'],
    ['https://one.example,'],
    ['https://one.example,two.example'],
    ['https://one.example;weight=1.5'],
    ['https://one.example;weight'],
    ['https://one.example;weight=1;weight=2'],
    ['x;https://one.example;weight=2'],
    ['https://one.example;rate=500'],
    ['https://user:secret@one.example,https://two.example'],
  ])('%s is refused', (text) => {
    expect(parse(text)).toBeUndefined();
    expect(() => readBaseUrls({ FXTWITTER_BASE_URL: text }, 'fxtwitter')).toThrow(
      /^FXTWITTER_BASE_URL must be [^@]*There is no rate: [^@]*$/,
    );
  });

  test.each(['https://one.example', 'https://one.example,https://two.example'])(
    'the setting %s reaches the functions as it is',
    (text) => {
      expect(formatBaseUrls(parse(text) ?? [])).toBe(text);
      expect(readConfig({ fxTwitterBaseUrl: text }).fxTwitterBaseUrl).toBe(text);
    },
  );
});

const HOUR = 3_600_000;

describe('the ceiling of paid rows', () => {
  const post = recorded('x_api/post.json');
  const readWith = async (environment: Record<string, string>) => {
    const server = await faultServer({
      official: post,
      syndication: recorded('syndication/text_plain.json'),
      fxtwitter: recorded('fxtwitter/profile/ada_larsson.json'),
    });
    const ports = upstreamFromEnvironment(
      {
        PROVIDERS: 'x_api,syndication',
        X_API_BASE_URL: server.official,
        X_API_BEARER_TOKEN: 'AAAA',
        SYNDICATION_BASE_URL: server.syndication,
        FXTWITTER_BASE_URL: server.fxtwitter,
        CACHE_TTL_SECONDS: '0',
        ...environment,
      },
      () => undefined,
    );
    const read = () => ports.upstream.readPost({ id: ID, thread: 'off', replies: 'off' }, later(ports.clock(), HOUR));
    return { server, ports, read };
  };

  test('skips the provider, and the next one answers with a warning', async () => {
    const { server, read } = await readWith({ X_API_DAILY_ROWS: '2' });
    expect(await read()).toMatchObject({ kind: 'found', source: 'x_api' });
    expect(await read()).toMatchObject({ kind: 'found', source: 'x_api' });
    for (let turn = 0; turn < 3; turn += 1) {
      const outcome = await read();
      expect(outcome).toMatchObject({ kind: 'found', source: 'syndication' });
      expect(outcome).toMatchObject({
        warnings: expect.arrayContaining([expect.objectContaining({ code: 'provider_skipped' })]),
      });
    }
    expect(server.calls('official')).toHaveLength(2);
  });

  test('is 503 if no other provider is configured', async () => {
    const { server, read } = await readWith({ X_API_DAILY_ROWS: '1', PROVIDERS: 'x_api' });
    expect(await read()).toMatchObject({ kind: 'found' });
    expect(await read()).toMatchObject({ kind: 'down' });
    expect(server.calls('official')).toHaveLength(1);
  });

  test('is 2000 by default, and 0 removes it', async () => {
    const { read } = await readWith({ X_API_DAILY_ROWS: '0' });
    for (let turn = 0; turn < 3; turn += 1) expect(await read()).toMatchObject({ source: 'x_api' });
    await expect(readWith({ X_API_DAILY_ROWS: 'many' })).rejects.toThrow(/^X_API_DAILY_ROWS must be a whole number/);
  });

  test('counts the rows of a page, shown or not, and refuses a page that does not fit', async () => {
    const { server, ports } = await readWith({ X_API_DAILY_ROWS: '40', PROVIDERS: 'x_api' });
    const rows = Array.from({ length: 15 }, (_, index) => ({ id: `${2_000 + index}`, text: 'a', author_id: '7' }));
    server.script({
      official: (_, response) =>
        void response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ data: rows, meta: { result_count: 15 } })),
    });
    const search = (query: string, size: number) =>
      ports.upstream.listPosts({ list: 'search', query, feed: 'latest' }, { size }, later(ports.clock(), HOUR));
    expect(await search('a', 20)).toMatchObject({ kind: 'found' });
    expect(await search('b', 20)).toMatchObject({ kind: 'found' });
    // 30 rows are billed, so a page of 20 does not fit, and one of 10 does.
    expect(await search('c', 20)).toMatchObject({ kind: 'down' });
    expect(await search('d', 10)).toMatchObject({ kind: 'found' });
    expect(server.calls('official')).toHaveLength(3);
  });
});
