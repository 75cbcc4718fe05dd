// Tests whose X-Forwarded-For and X-Forwarded-Proto are believed.
import { describe, expect, test } from 'vitest';
import { startLocalService } from '../../infra/local/service.ts';
import { trustedProxies, viewerOf } from '../../infra/local/trusted-proxies.ts';
import { localOptions, startTestService } from '../support/local-service.ts';

const proxies = trustedProxies.parse('10.0.0.0/8, 192.0.2.7,fd00::/8,2001:db8::1');

const fields = (...pairs: readonly (readonly [string, string])[]): readonly string[] => pairs.flat();
const forwardedFor = (...values: readonly string[]) =>
  fields(...values.map((value) => ['X-Forwarded-For', value] as const));

describe('[platform 6] the viewer of a request', () => {
  test.each([
    ['10.1.2.3', ['203.0.113.9'], '203.0.113.9'],
    ['::ffff:10.1.2.3', ['203.0.113.9'], '203.0.113.9'],
    ['fd00::5', ['2001:db8:1::9'], '2001:db8:1::9'],
    ['10.1.2.3', ['198.51.100.1, 203.0.113.9'], '203.0.113.9'],
    ['10.1.2.3', ['198.51.100.1, 203.0.113.9, 10.9.9.9'], '203.0.113.9'],
    ['10.1.2.3', ['198.51.100.1', '203.0.113.9', '192.0.2.7'], '203.0.113.9'],
    ['10.1.2.3', ['203.0.113.9, ::ffff:10.9.9.9'], '203.0.113.9'],
    ['10.1.2.3', ['::ffff:203.0.113.9'], '203.0.113.9'],
    ['10.1.2.3', ['203.0.113.9:4711'], '203.0.113.9'],
    ['10.1.2.3', ['[2001:db8:1::9]:4711'], '2001:db8:1::9'],
    ['10.1.2.3', ['"[2001:db8:1::9]"'], '2001:db8:1::9'],
    ['10.1.2.3', ['fe80::1%eth0'], 'fe80::1'],
    ['10.1.2.3', ['10.4.4.4, 10.5.5.5'], '10.4.4.4'],
    ['10.1.2.3', [], '10.1.2.3'],
  ])('of the trusted proxy %s with %j is %s', (peer, values, ip) => {
    expect(viewerOf(peer, forwardedFor(...values), proxies).ip).toBe(ip);
  });

  test.each([
    ['unknown'],
    ['_hidden'],
    ['0x0a000001'],
    ['203.0.113'],
    ['203.0.113.9 x'],
    ['203.0.113.09'],
    [''],
    [',,'],
  ])('is the proxy that wrote %j in place of an address', (value) => {
    expect(viewerOf('10.1.2.3', forwardedFor(`203.0.113.9, ${value}`), proxies).ip).toBe('10.1.2.3');
    expect(viewerOf('10.1.2.3', forwardedFor(`${value}, 10.8.8.8`), proxies).ip).toBe('10.8.8.8');
  });

  test.each([
    ['203.0.113.50', proxies],
    ['192.0.2.8', proxies],
    ['2001:db8::2', proxies],
    ['10.1.2.3', undefined],
    ['10.1.2.3', []],
  ])('is the connection %s itself if it is not trusted', (peer, trusted) => {
    const forged = fields(['X-Forwarded-For', '10.0.0.1'], ['X-Forwarded-Proto', 'https'], ['Host', 'evil.example']);
    expect(viewerOf(peer, forged, trusted)).toEqual({ ip: peer, isHttps: false, origin: undefined });
  });

  test('is found among ten thousand forged entries', () => {
    const forged = `${'10.0.0.1, '.repeat(10_000)}203.0.113.9`;
    expect(viewerOf('10.1.2.3', forwardedFor(forged), proxies).ip).toBe('203.0.113.9');
  });

  test.each([
    ['https', '203.0.113.9', true],
    ['HTTPS', '203.0.113.9', true],
    ['http', '203.0.113.9', false],
    ['https, http', '203.0.113.9', false],
    ['https, http', '203.0.113.9, 10.9.9.9', true],
    ['https', '203.0.113.9, 10.9.9.9', true],
    ['javascript', '203.0.113.9', false],
  ])('used the scheme of %s, by X-Forwarded-For %s', (scheme, hops, isHttps) => {
    const given = fields(['x-forwarded-proto', scheme], ['x-forwarded-for', hops], ['host', 'posts.example']);
    expect(viewerOf('10.1.2.3', given, proxies).isHttps).toBe(isHttps);
  });

  test.each([
    ['posts.example', 'https://posts.example'],
    ['posts.example:8443', 'https://posts.example:8443'],
    ['POSTS.example', 'https://posts.example'],
    ['posts_1.example', 'https://posts_1.example'],
    ['[::1]:8443', 'https://[::1]:8443'],
    ['[2001:DB8::1]', 'https://[2001:db8::1]'],
    ['[::1', undefined],
    ['[evil.example]', undefined],
    ['[::x]', undefined],
    ['[:::1]', undefined],
    ['a"><script>', undefined],
    ['evil.example/path', undefined],
    ['user@evil.example', undefined],
    ['', undefined],
  ])('requested the host %j: %s', (host, origin) => {
    expect(viewerOf('10.1.2.3', fields(['x-forwarded-proto', 'https'], ['host', host]), proxies).origin).toBe(origin);
  });
});

describe('[platform 6] TRUSTED_PROXIES', () => {
  test.each(['10.0.0.0/8', '::1', 'fd00::/8 , 10.0.0.1', '0.0.0.0/0', '::ffff:10.0.0.0/104'])('accepts %s', (text) => {
    expect(trustedProxies.parse(text)).toBeDefined();
  });

  test.each([
    '10.0.0.0/33',
    '::1/129',
    '10.0.0',
    '10.0.0.0/',
    'proxy',
    '10.0.0.1,',
    '0x0a.0.0.1',
    '::ffff:10.0.0.0/90',
  ])('stops the start with a sentence if it is %s', async (text) => {
    await expect(startLocalService(localOptions({ TRUSTED_PROXIES: text }))).rejects.toThrow(
      'TRUSTED_PROXIES must be IP addresses or networks such as 10.0.0.0/8,fd00::/8, separated by commas',
    );
  });

  const headers = { 'X-Forwarded-For': '203.0.113.9', 'X-Forwarded-Proto': 'https', Host: 'posts.example' };

  test('makes links of the origin that the proxy names, and HSTS', async () => {
    const { get, origin } = await startTestService({ TRUSTED_PROXIES: '127.0.0.1' });
    const proxied = await get('/jack/status/20?format=json', { headers, isForeign: true });
    expect(proxied.headers['strict-transport-security']).toBe('max-age=31536000');
    expect((await get('/openapi.json', { headers, isForeign: true })).json()['servers']).toEqual([
      { url: 'https://posts.example' },
    ]);
    const direct = await get('/openapi.json');
    expect(direct.json()['servers']).toEqual([{ url: origin }]);
    expect(direct.headers).not.toHaveProperty('strict-transport-security');
    const unreadable = await get('/nope/%zz', { headers, isForeign: true });
    expect(unreadable.json()['type']).toMatch(/^https:\/\/posts\.example\//);
    const picture = await get('/assets/pbs//x', { headers, isForeign: true });
    expect(picture.json()['type']).toBe('https://posts.example/docs/errors#route_not_found');
  });

  test('does not replace BASE_URL', async () => {
    const { get } = await startTestService({ TRUSTED_PROXIES: '127.0.0.1', BASE_URL: 'https://set.example' });
    expect((await get('/openapi.json', { headers, isForeign: true })).json()['servers']).toEqual([
      { url: 'https://set.example' },
    ]);
  });

  test('counts the requests of each viewer, and only its proxies name a viewer', async () => {
    const statuses = async (trusted: string) => {
      const { get } = await startTestService({ TRUSTED_PROXIES: trusted, ALLOWANCE_SEARCH_ANONYMOUS: '1/3600' });
      const search = async (ip: string, q: string) =>
        (await get(`/search?q=${q}`, { headers: { 'X-Forwarded-For': ip } })).status;
      return [
        await search('203.0.113.1', 'tide'),
        await search('203.0.113.1', 'sea'),
        await search('203.0.113.2', 'sun'),
      ];
    };
    expect(await statuses('127.0.0.1')).toEqual([200, 429, 200]);
    expect(await statuses('192.0.2.1')).toEqual([200, 429, 429]);
  });
});
