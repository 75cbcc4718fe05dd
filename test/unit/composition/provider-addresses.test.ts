import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../infra/config.ts';
import { readAddresses } from '../../../shared/composition/provider-settings.ts';
import { upstreamFromEnvironment } from '../../../shared/composition/upstream.ts';
import { formatAddresses, providerAddresses } from '../../../shared/settings/provider-addresses.ts';
import { faultServer, recorded } from '../../support/fault-server.ts';

const ID = '2028036267832246272';
const { parse } = providerAddresses('fxtwitter');
const TEN = Array.from({ length: 10 }, (_, index) => `https://a${index}.example`);

describe('the addresses of a provider', () => {
  test('one base URL is one address without a rate', () => {
    expect(parse('https://One.example/')).toEqual([{ baseUrl: 'https://one.example', weight: 1 }]);
    expect(readAddresses({}, 'fxtwitter')).toEqual([{ baseUrl: 'https://api.fxtwitter.com', weight: 1 }]);
  });

  test('several have a weight and a rate each', () => {
    expect(
      parse('https://one.example, https://two.example/x/;weight=3,http://three.example:81;rate=50;weight=2'),
    ).toEqual([
      { baseUrl: 'https://one.example', weight: 1, callsPerMinute: 1000 },
      { baseUrl: 'https://two.example/x', weight: 3, callsPerMinute: 1000 },
      { baseUrl: 'http://three.example:81', weight: 2, callsPerMinute: 50 },
    ]);
    expect(parse('https://one.example;rate=0,https://two.example')?.[0]).toEqual({
      baseUrl: 'https://one.example',
      weight: 1,
    });
    expect(parse(TEN.join(','))).toHaveLength(10);
  });

  test.each([
    [[...TEN, 'https://b.example'].join(',')],
    ['https://one.example,https://one.example/'],
    ['https://one.example,https://ONE.example;weight=2'],
    ['https://one.example,'],
    ['https://one.example,two.example'],
    ['https://one.example;weight=0'],
    ['https://one.example;weight=101'],
    ['https://one.example;weight=1.5'],
    ['https://one.example;weight'],
    ['https://one.example;weight=1=2'],
    ['https://one.example;weight=1;weight=2'],
    ['https://one.example;rate=-1'],
    ['https://one.example;rate=10001'],
    ['https://one.example;wieght=2'],
    ['https://one.example;constructor=2'],
    ['https://user:secret@one.example,https://two.example'],
  ])('%s is refused', (text) => {
    expect(parse(text)).toBeUndefined();
    expect(() => readAddresses({ FXTWITTER_BASE_URL: text }, 'fxtwitter')).toThrow(
      /^FXTWITTER_BASE_URL must be [^@]*$/,
    );
  });

  test('a provider with a token has one', () => {
    expect(providerAddresses('x_api').parse('https://one.example')).toHaveLength(1);
    expect(providerAddresses('x_api').parse('https://one.example,https://two.example')).toBeUndefined();
  });

  test.each([
    'https://one.example',
    'https://one.example;rate=5',
    'https://one.example,https://two.example;weight=3;rate=500',
    'https://one.example;rate=0,https://two.example',
  ])('the setting %s reaches the functions as it is', (text) => {
    expect(formatAddresses(parse(text) ?? [])).toBe(text);
    expect(readConfig({ fxTwitterBaseUrl: text }).fxTwitterBaseUrl).toBe(text);
  });
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
    const read = () => ports.upstream.readPost({ id: ID, thread: 'off', replies: 'off' }, ports.clock() + HOUR);
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
    const rows = Array.from({ length: 15 }, (_, index) => ({ id: `${2_000 + index}`, text: 'a' }));
    server.script({
      official: (_, response) =>
        void response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ data: rows, meta: { result_count: 15 } })),
    });
    const search = (query: string, size: number) =>
      ports.upstream.listPosts({ list: 'search', query, feed: 'latest' }, { size }, ports.clock() + HOUR);
    expect(await search('a', 20)).toMatchObject({ kind: 'found' });
    expect(await search('b', 20)).toMatchObject({ kind: 'found' });
    // 30 rows are billed, so a page of 20 does not fit, and one of 10 does.
    expect(await search('c', 20)).toMatchObject({ kind: 'down' });
    expect(await search('d', 10)).toMatchObject({ kind: 'found' });
    expect(server.calls('official')).toHaveLength(3);
  });
});
