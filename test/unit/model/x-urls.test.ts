// Tests which URLs name a post, a profile or a page of X, with all spellings that people paste and with hostile URLs.
// `FUZZ_SEED=… FUZZ_RUNS=…` chooses other generated cases and their number.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseHandle, parseId } from '../../../shared/model/handle.ts';
import { isPageOfX, parsePostLink, parsePostUrl, parseProfileUrl } from '../../../shared/model/x-urls.ts';
import { addressTexts, postUrls } from '../../generators/addresses.ts';
import { readRuns } from '../../generators/seed.ts';

const OWN = 'https://postern.example';
const numRuns = readRuns(2000);

// biome-ignore format: side by side they fit on a screen
test.each([
  'https://x.com/Jack', 'x.com/Jack', 'https://x.com/Jack/', 'https://x.com/@Jack', 'https://x.com/%40Jack',
  'https://www.twitter.com/Jack?lang=en', 'https://x.com/Jack/media', 'https://x.com/Jack/status/20',
  'https://nitter.net/Jack#m', `${OWN}/Jack/followers`,
])('the profile of %s is that of Jack', (url) => {
  expect(parseProfileUrl(url, OWN)).toBe('Jack');
});

// biome-ignore format: side by side they fit on a screen
test.each([
  '', 'no url', 'https://a.example/Jack', 'https://x.com.a.example/Jack', 'https://x.com:8443/Jack',
  'https://user@x.com/Jack', 'https://:secret@x.com/Jack', 'https://user:secret@x.com/Jack', 'https://x.com',
  'https://x.com//Jack', 'https://x.com/i', 'https://x.com/i/status/20', 'https://x.com/search?q=Jack',
  'https://x.com/Home', 'https://x.com/ja-ck', 'https://x.com/a234567890123456', 'https://x.com/@@Jack',
])('"%s" names no profile', (url) => {
  expect(parseProfileUrl(url, OWN)).toBeUndefined();
});

test('a link of the service names a profile only for the service', () => {
  expect(parseProfileUrl(`${OWN}/Jack`)).toBeUndefined();
});

test('a page of X is known in any letter case', () => {
  expect(['home', 'HOME', 'who_to_follow'].map(isPageOfX)).toEqual([true, true, true]);
  expect(['', 'jack', 'homes', 'about login'].map(isPageOfX)).toEqual([false, false, false, false]);
});

test('[urls 1] [urls 2] [urls 4] [urls 5] [urls 6] [urls 9] [urls 10] [urls 11] parsePostUrl returns the post from which each spelling of a URL was built', () => {
  fc.assert(
    fc.property(postUrls, ({ text, ref }) => {
      const result = parsePostUrl(text);
      expect([text, 'error' in result ? undefined : result]).toEqual([text, ref]);
    }),
    { numRuns },
  );
});

test('parsePostLink and parseProfileUrl read only URLs without credentials of known hosts', () => {
  const knownHost =
    /^(?:postern\.example|(?:(?:www\.|mobile\.|m\.)?(?:x|twitter)|(?:www\.)?(?:fxtwitter|vxtwitter|fixupx|fixvx|twittpr|xcancel))\.com|(?:www\.)?nitter\.net)\.?$/;
  fc.assert(
    fc.property(addressTexts, (text) => {
      const post = parsePostLink(text, OWN);
      const handle = 'error' in post ? parseProfileUrl(text, OWN) : post.handle;
      if (!('error' in post)) expect(post.id).toMatch(/^[1-9][0-9]{0,18}$/);
      else if (handle === undefined) return;
      expect(handle ?? '_').toMatch(/^[A-Za-z0-9_]{1,15}$/);
      const written = text.trim();
      const url = new URL(/^https?:\/\//i.test(written) ? written : `https://${written.replace(/^\/\//, '')}`);
      expect([url.username, url.password]).toEqual(['', '']);
      expect(url.hostname).toMatch(knownHost);
    }),
    { numRuns },
  );
});

const jack20 = { id: '20', handle: 'jack' };

// biome-ignore format: side by side they fit on a screen
test.each([
  ['[urls 3] a default port', ['https://x.com:443/jack/status/20', 'http://x.com:80/jack/status/20']],
  ['[urls 11] a line end behind it', ['  https://x.com/jack/status/20\n']],
  ['[urls 11] the fragment of old clients', ['https://twitter.com/#!/jack/status/20']],
  ['[urls 17] an article', ['https://x.com/jack/article/20', 'https://x.com/@jack/article/20/?s=20']],
  ['an own permalink', [`${OWN}/jack/status/20`, `${OWN}/jack/statuses/20`, `${OWN}/jack/article/20`]],
])('%s: parsePostUrl returns the post of %j', (_, urls) => {
  for (const url of urls) expect(parsePostUrl(url, OWN), url).toEqual(jack20);
});

// biome-ignore format: side by side they fit on a screen
test.each([
  ['[urls 1]', 'unsupported_host', ['https://x.com.evil.tld/a/status/20', 'https://x.com@evil.tld/a/status/20']],
  ['[urls 2]', 'invalid_url', ['https://user:pw@x.com/a/status/20', 'https://user@x.com/a/status/20']],
  ['[urls 3]', 'unsupported_host', ['https://x.com:8443/a/status/20', 'http://x.com:443/a/status/20']],
  ['[urls 7]', 'unsupported_host', [
    'http://localhost/a/status/20', 'http://127.0.0.1/a/status/20', 'https://postern.vercel.app/a/status/20',
    'http://postern.example/a/status/20', '/a/status/20',
  ]],
  ['[urls 8]', 'invalid_url', [
    'ftp://x.com/a/status/20', 'javascript://x.com/a/status/20', 'file:///a/status/20', 'javascript:x.com/a/status/20', '',
  ]],
  ['[urls 9]', 'unsupported_host', [
    'https://х.com/a/status/20', 'https://xn--a/a/status/20', 'https://xn--80a.com/a/status/20', // Cyrillic
  ]],
  ['[urls 12]', 'unsupported_host', ['https://t.co/abc']],
  ['[urls 13]', 'invalid_url', [
    `https://x.com/a/status/20?${'x'.repeat(10_000)}`, 'https://x.com/a/sta\u0000tus/20', 'https://x.com/a/sta\ttus/20',
    'https://x.com/a/sta\ntus/20', 'https://x.com/a\ud800/status/20', 'https://x.com\\a\\status\\20',
  ]],
  ['[urls 14]', 'unsupported_host', [
    'http://169.254.169.254/', 'http://[::1]/a/status/20', 'http://2130706433/a/status/20', 'http://0177.0.0.1/a/status/20',
  ]],
  ['no post', 'invalid_path', [
    'https://x.com/jack', 'https://x.com/', 'https://x.com/jack/status/', 'https://x.com/jack/status/20/likes',
    'https://x.com/jack/Status/20', 'https://x.com/jack/status/20/quotes',
  ]],
  ['[urls 17]', 'invalid_path', [
    'https://x.com/i/article/20', 'https://x.com/@I/article/20', `${OWN}/%40i/article/20`,
  ]],
  ['[ids 1] [ids 2]', 'invalid_id', [
    'https://x.com/jack/article/draft', 'https://x.com/jack/status/12abc34', 'https://x.com/jack/status/00020',
  ]],
  ['[ids 7] [ids 8]', 'invalid_handle', [
    'https://x.com/a%2f/status/20', 'https://x.com/@@jack/status/20', 'https://x.com/a%0d%0a/status/20',
    'https://x.com/a%/status/20',
  ]],
] as const)('%s parsePostUrl returns %s for %j', (_, error, urls) => {
  for (const url of urls) expect(parsePostUrl(url, OWN), url).toEqual({ error });
});

// biome-ignore format: side by side they fit on a screen
test.each([
  ['[inputs 1] accepts', jack20, [
    'https://x.com/jack/status/20', 'https://x.com/jack/status/20/quotes', 'x.com/jack/status/20/retweets/',
    'https://x.com/jack/status/20/retweets/with_comments?s=20', `${OWN}/jack/status/20/replies`,
    `${OWN}/jack/status/20/retweets?limit=5#top`,
  ]],
  ['[inputs 1] rejects', { error: 'invalid_path' }, [
    'https://x.com/jack/status/20/likes', 'https://x.com/jack/quotes', 'https://x.com/jack/status/20/quotes/quotes',
    'https://x.com/i/article/20/quotes', 'https://x.com/jack/status/020/quotes',
  ]],
] as const)('%s: parsePostLink returns %j for the lists of a post', (_, result, texts) => {
  for (const text of texts) expect(parsePostLink(text, OWN), text).toEqual(result);
});

test('parsePostLink accepts the lists of a service on another port', () => {
  const local = 'http://127.0.0.1:3000';
  expect(parsePostLink(`${local}/jack/status/20/quotes`, local)).toEqual(jack20);
  expect(parsePostLink('http://127.0.0.1:3001/jack/status/20/quotes', local)).toEqual({ error: 'unsupported_host' });
});

// biome-ignore format: side by side they fit on a screen
test.each([
  ['[ids 1]', ['12abc34', '1e3', '-5', '0x14', ' 20', '20 ', '20\n', '٢٠', '2٠', '+20', '20.0', '1_000']],
  ['[ids 2]', ['0', '00020', '020', '']],
  ['[ids 3]', ['9223372036854775808', '10000000000000000000', '9'.repeat(10_000)]],
])('%s parseId rejects %j', (_, ids) => {
  for (const id of ids) expect(parseId(id), id).toBeUndefined();
});

test('[ids 5] parseId accepts the ids of every year', () => {
  for (const id of ['1', '20', '4194303', '1000000000000000000', '9223372036854775807']) expect(parseId(id)).toBe(id);
});

// biome-ignore format: side by side they fit on a screen
test.each([
  ['[ids 7]', ['../../x', 'a/status/9?x=', 'a%2f', 'a'.repeat(16), '', '@', '@@jack', 'jack ', 'jäck', 'jack\u0000']],
  ['[ids 8]', ['jack\r\n', 'jack\n', '\r\njack', 'a\r\nSet-Cookie: x']],
])('%s parseHandle rejects %j', (_, handles) => {
  for (const handle of handles) expect(parseHandle(handle), handle).toBeUndefined();
});

test('[ids 7] parseHandle removes the @ of a handle of up to 15 characters', () => {
  expect(['jack', '@jack', 'A_1', 'a'.repeat(15)].map(parseHandle)).toEqual(['jack', 'jack', 'A_1', 'a'.repeat(15)]);
});
