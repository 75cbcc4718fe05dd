import { readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { userAgent } from '../../../shared/composition/provider-settings.ts';
import { upstreamFromEnvironment } from '../../../shared/composition/upstream.ts';
import { later } from '../../../shared/model/time.ts';
import { bare404, faultServer, html404, recorded } from '../../support/fault-server.ts';

const ID = '2028036267832246272';
const VERSION: string = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')).version;
const REQUEST = { id: ID, thread: 'off', replies: 'off' } as const;

const quiet = (from: Record<string, string>) => upstreamFromEnvironment(from, () => undefined);

describe('an invalid setting stops the start and is named', () => {
  test.each([
    [{ PROVIDERS: 'fxtwitter,nitter' }, /^PROVIDERS must be .*fxtwitter, syndication/],
    [{ PROVIDERS: 'constructor' }, /^PROVIDERS/],
    [{ FXTWITTER_BASE_URL: 'api.fxtwitter.com' }, /^FXTWITTER_BASE_URL/],
    [{ SYNDICATION_BASE_URL: 'https://cdn.example.test/?a' }, /^SYNDICATION_BASE_URL/],
    [{ CANARY_POST: 'abc' }, /^CANARY_POST must be the id of a post/],
    [{ CANARY_PROFILE: 'a b' }, /^CANARY_PROFILE must be a handle/],
    [{ PROVIDERS: 'x_api' }, /^PROVIDERS names x_api, which needs X_API_BEARER_TOKEN$/],
    [{ PROVIDERS: 'fxtwitter,x_api', X_API_BEARER_TOKEN: '' }, /^PROVIDERS names x_api/],
    [{ PROVIDERS: 'x_api', X_API_BEARER_TOKEN: 'a secret\r\nX: y' }, /^X_API_BEARER_TOKEN must be a token[^y]*$/],
    [{ X_API_BASE_URL: 'x', PROVIDERS: 'x_api', X_API_BEARER_TOKEN: 'a' }, /^X_API_BASE_URL/],
    [{ CACHE_TTL_SECONDS: 'x' }, /^CACHE_TTL_SECONDS/],
    [{ BASE_URL: 'x' }, /^BASE_URL/],
    [{ UPSTREAM: 'smaple' }, /^UPSTREAM must be one of live, sample, auto/],
  ])('%j', (from, message) => {
    expect(() => quiet(from)).toThrow(message);
  });

  test.each([
    {},
    { PROVIDERS: ' syndication , fxtwitter ' },
    { UPSTREAM: 'auto' },
    { PROVIDERS: 'x_api,fxtwitter', X_API_BEARER_TOKEN: 'AAAA%2Bbc=' },
    { X_API_BEARER_TOKEN: 'AAAA' },
    { PROVIDERS: 'x_api', UPSTREAM: 'sample' },
  ])('upstreamFromEnvironment accepts %j', (from) => {
    expect(() => quiet(from)).not.toThrow();
  });
});

describe('userAgent', () => {
  test.each([
    [undefined, `Postern/${VERSION}`],
    ['https://api.example.test', `Postern/${VERSION} (+https://api.example.test)`],
    ['https://pr-7.PREVIEW.example.test', `Postern/${VERSION}`],
    ['https://example.test/firefox/92', `Postern/${VERSION}`],
    ['https://my-telegrambot.example', `Postern/${VERSION}`],
  ])('userAgent for %s is %s', (baseUrl, expected) => {
    expect(userAgent(baseUrl)).toBe(expected);
  });

  test('every call has a User-Agent in ASCII', async () => {
    const server = await faultServer({ fxtwitter: recorded('fxtwitter/status/text_plain.json') });
    const { upstream, clock } = quiet({ BASE_URL: 'https://bücher.example/', FXTWITTER_BASE_URL: server.fxtwitter });
    expect(await upstream.readPost(REQUEST, later(clock(), 8000))).toMatchObject({ kind: 'found' });
    expect(server.userAgents).toEqual([`Postern/${VERSION} (+https://xn--bcher-kva.example)`]);
  });
});

describe('settings of the upstream', () => {
  const createTestUpstream = async (from: Record<string, string>) => {
    const server = await faultServer({
      fxtwitter: bare404,
      syndication: recorded('syndication/text_plain.json'),
      canary: recorded('fxtwitter/status/first_post_20.json'),
    });
    const lines: string[] = [];
    const ports = upstreamFromEnvironment(
      { FXTWITTER_BASE_URL: `${server.fxtwitter}/`, SYNDICATION_BASE_URL: server.syndication, ...from },
      (line) => void lines.push(line),
    );
    const read = () => ports.upstream.readPost(REQUEST, later(ports.clock(), 8000));
    return { server, lines, read };
  };

  test('providers are called in order, and the source is their name', async () => {
    const { server, lines, read } = await createTestUpstream({});
    expect(await read()).toMatchObject({ kind: 'found', source: 'syndication' });
    expect(server.calls()).toEqual([`/fx/2/status/${ID}`, expect.stringMatching(`^/synd/tweet-result\\?id=${ID}&`)]);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { event: 'upstream', calls: 'fxtwitter status 404' },
      { event: 'upstream', calls: 'syndication post 200' },
    ]);
  });

  test('the request cache keeps a post for a minute, even if shared caches keep it longer', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { server, read } = await createTestUpstream({ PROVIDERS: 'syndication', CACHE_TTL_SECONDS: '300' });
    const callsAfter = async (milliseconds: number) => {
      vi.advanceTimersByTime(milliseconds);
      expect(await read()).toMatchObject({ kind: 'found' });
      return server.calls('syndication').length;
    };
    expect([await callsAfter(0), await callsAfter(59_999), await callsAfter(1)]).toEqual([1, 1, 2]);
  });

  test('CANARY_POST is the canary of posts', async () => {
    const { server, read } = await createTestUpstream({ CANARY_POST: '1234567' });
    server.script({ syndication: html404 });
    expect(await read()).toMatchObject({ kind: 'down' });
    expect(server.calls('fxtwitter')).toEqual([`/fx/2/status/${ID}`, '/fx/2/status/1234567']);
  });

  test('CANARY_PROFILE is the canary of profiles', async () => {
    const server = await faultServer({ fxtwitter: recorded('fxtwitter/profile/missing.json', 404) });
    const ports = quiet({ FXTWITTER_BASE_URL: server.fxtwitter, CANARY_PROFILE: '@known' });
    expect(await ports.upstream.readProfile('unknown', later(ports.clock(), 8000))).toMatchObject({ kind: 'down' });
    expect(server.calls()).toEqual(['/fx/2/profile/unknown?about_account=1', '/fx/2/profile/known?about_account=1']);
  });

  test('the official API is called with its token and for its capabilities when PROVIDERS lists it', async () => {
    const server = await faultServer({
      official: recorded('x_api/user.json'),
      fxtwitter: recorded('fxtwitter/typeahead/generated_tide.json'),
    });
    const ports = quiet({
      PROVIDERS: 'x_api,fxtwitter',
      X_API_BASE_URL: server.official,
      X_API_BEARER_TOKEN: 'AAAA%2Bbc',
      FXTWITTER_BASE_URL: server.fxtwitter,
    });
    const profile = await ports.upstream.readProfile('ada_larsson', later(ports.clock(), 8000));
    expect(profile).toMatchObject({ kind: 'found', source: 'x_api', value: { handle: 'ada_larsson' } });
    const accounts = await ports.upstream.listUsers(
      { list: 'users', query: 'tide' },
      { size: 20 },
      later(ports.clock(), 8000),
    );
    expect(accounts).toMatchObject({ kind: 'found', source: 'fxtwitter', value: { isFallback: false } });
    // FxTwitter is asked for the search, and then for suggestions.
    expect(server.authorizations).toEqual(['Bearer AAAA%2Bbc', undefined, undefined]);
  });

  test('UPSTREAM=sample names the sample as its source', async () => {
    const { read } = await createTestUpstream({ UPSTREAM: 'sample' });
    expect(await read()).toMatchObject({ kind: 'found', source: 'sample' });
  });

  test('CACHE_TTL_SECONDS=0 turns request cache and coalescing off', async () => {
    const shared = await createTestUpstream({});
    await Promise.all([shared.read(), shared.read()]);
    await shared.read();
    expect(shared.server.calls('syndication')).toHaveLength(1);
    const apart = await createTestUpstream({ CACHE_TTL_SECONDS: '0' });
    await Promise.all([apart.read(), apart.read()]);
    await apart.read();
    expect(apart.server.calls('syndication')).toHaveLength(3);
  });
});
