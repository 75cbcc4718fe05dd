// Tests which URLs name a post, a profile or a page of X, with all spellings that people paste and with hostile URLs.
import { describe, expect, test } from 'vitest';
import { parseInput } from '../../../shared/contract/inputs.ts';
import { parseHandle, parseId } from '../../../shared/model/handle.ts';
import {
  decodeSegment,
  isPageOfX,
  parsePostLink,
  parsePostUrl,
  parseProfileUrl,
} from '../../../shared/model/x-urls.ts';

const OWN = 'https://postern.example';

test.each([
  'https://x.com/Jack',
  'x.com/Jack',
  'https://x.com/Jack/',
  'https://x.com/@Jack',
  'https://x.com/%40Jack',
  'https://www.twitter.com/Jack?lang=en',
  'https://x.com/Jack/media',
  'https://x.com/Jack/status/20',
  'https://nitter.net/Jack#m',
  `${OWN}/Jack/followers`,
])('the profile of %s is that of Jack', (url) => {
  expect(parseProfileUrl(url, OWN)).toBe('Jack');
});

test.each([
  '',
  'no url',
  'https://a.example/Jack',
  'https://x.com.a.example/Jack',
  'https://x.com:8443/Jack',
  'https://user@x.com/Jack',
  'https://:secret@x.com/Jack',
  'https://user:secret@x.com/Jack',
  'https://x.com',
  'https://x.com//Jack',
  'https://x.com/i',
  'https://x.com/i/status/20',
  'https://x.com/search?q=Jack',
  'https://x.com/Home',
  'https://x.com/ja-ck',
  'https://x.com/a234567890123456',
  'https://x.com/@@Jack',
])('"%s" names no profile', (url) => {
  expect(parseProfileUrl(url, OWN)).toBeUndefined();
});

test('a link of the service names a profile only for the service', () => {
  expect(parseProfileUrl(`${OWN}/Jack`)).toBeUndefined();
});

// biome-ignore format: a list of names
const PAGES = [
  'about', 'account', 'bookmarks', 'communities', 'compose', 'download', 'explore', 'hashtag', 'home', 'i', 'intent', 'jobs', 'lists',
  'login', 'logout', 'messages', 'notifications', 'personalization', 'privacy', 'search', 'settings', 'share', 'signup', 'topics', 'tos',
  'who_to_follow',
];

test.each(PAGES)('/%s is a page of X in any letter case', (segment) => {
  expect([isPageOfX(segment), isPageOfX(segment.toUpperCase())]).toEqual([true, true]);
});

test.each(['', 'jack', 'homes', 'about login', 'who to follow'])('/%s is no page of X', (segment) => {
  expect(isPageOfX(segment)).toBe(false);
});

test.each([
  ['%C3%A5da', 'åda'],
  ['a+b', 'a+b'],
  ['%ff', undefined],
  ['%', undefined],
])('decodeSegment(%s) is %s', (segment, text) => {
  expect(decodeSegment(segment)).toBe(text);
});

const jack20 = { id: '20', handle: 'jack' };

test.each([
  ['[urls 4]', 'https://x.com./jack/status/20'],
  ['[urls 5]', 'https://mobile.x.com/jack/status/20'],
  ['[urls 5]', 'https://www.x.com/jack/status/20'],
  ['[urls 5]', 'https://mobile.twitter.com/jack/status/20'],
  ['[urls 5]', 'https://m.twitter.com/jack/status/20'],
  ['[urls 5]', 'http://twitter.com/jack/status/20'],
  ['[urls 3]', 'https://x.com:443/jack/status/20'],
  ['[urls 3]', 'http://x.com:80/jack/status/20'],
  ['[urls 6]', 'https://fxtwitter.com/jack/status/20'],
  ['[urls 6]', 'https://fixupx.com/jack/status/20'],
  ['[urls 6]', 'https://vxtwitter.com/jack/status/20'],
  ['[urls 6]', 'https://fixvx.com/jack/status/20'],
  ['[urls 6]', 'https://nitter.net/jack/status/20#m'],
  ['[urls 6]', 'https://twittpr.com/jack/status/20'],
  ['[urls 6]', 'https://xcancel.com/jack/status/20'],
  ['[urls 9]', 'https://x。com/jack/status/20'],
  ['[urls 9]', 'https://ｘ.com/jack/status/20'],
  ['[urls 9]', 'HTTPS://X.COM/jack/status/20'],
  ['[urls 10]', 'x.com/jack/status/20'],
  ['[urls 10]', '//x.com/jack/status/20'],
  ['[urls 10]', '  https://x.com/jack/status/20\n'],
  ['[urls 11]', 'https://x.com/jack/status/20/'],
  ['[urls 11]', 'https://x.com/jack/status/20/photo/1'],
  ['[urls 11]', 'https://x.com/jack/status/20/video/1'],
  ['[urls 11]', 'https://x.com/jack/status/20?s=20&t=abc'],
  ['[urls 11]', 'https://x.com/jack/status/20#m'],
  ['[urls 11]', 'https://twitter.com/#!/jack/status/20'],
  ['[urls 11] [urls 17]', 'https://x.com/jack/statuses/20'],
  ['[urls 11]', 'https://x.com/@jack/status/20'],
  ['[ids 7]', 'https://x.com/%40jack/status/20'],
  ['[urls 11]', 'https://x.com/jack/article/20'],
  ['[urls 11]', 'https://x.com/@jack/article/20/?s=20'],
  ['own permalink', `${OWN}/jack/status/20`],
  ['own permalink', `${OWN}/jack/statuses/20`],
  ['own permalink', `${OWN}/jack/article/20`],
])('%s parsePostUrl accepts %s', (_, address) => {
  expect(parsePostUrl(address, OWN)).toEqual(jack20);
});

test.each([
  ['[urls 1]', 'https://x.com.evil.tld/a/status/20', 'unsupported_host'],
  ['[urls 1]', 'https://x.com@evil.tld/a/status/20', 'unsupported_host'],
  ['[urls 2]', 'https://user:pw@x.com/a/status/20', 'invalid_url'],
  ['[urls 2]', 'https://user@x.com/a/status/20', 'invalid_url'],
  ['[urls 3]', 'https://x.com:8443/a/status/20', 'unsupported_host'],
  ['[urls 3]', 'http://x.com:443/a/status/20', 'unsupported_host'],
  ['[urls 7]', 'http://localhost/a/status/20', 'unsupported_host'],
  ['[urls 7]', 'http://127.0.0.1/a/status/20', 'unsupported_host'],
  ['[urls 7]', 'https://postern.vercel.app/a/status/20', 'unsupported_host'],
  ['[urls 7]', 'http://postern.example/a/status/20', 'unsupported_host'],
  ['[urls 8]', 'ftp://x.com/a/status/20', 'invalid_url'],
  ['[urls 8]', 'javascript://x.com/a/status/20', 'invalid_url'],
  ['[urls 8]', 'file:///a/status/20', 'invalid_url'],
  ['[urls 8]', 'javascript:x.com/a/status/20', 'invalid_url'],
  ['[urls 9]', 'https://х.com/a/status/20', 'unsupported_host'], // Cyrillic
  ['[urls 9]', 'https://xn--a/a/status/20', 'unsupported_host'],
  ['[urls 9]', 'https://xn--80a.com/a/status/20', 'unsupported_host'],
  ['[urls 12]', 'https://t.co/abc', 'unsupported_host'],
  ['[urls 13]', `https://x.com/a/status/20?${'x'.repeat(10_000)}`, 'invalid_url'],
  ['[urls 13]', 'https://x.com/a/sta\u0000tus/20', 'invalid_url'],
  ['[urls 13]', 'https://x.com/a/sta\ttus/20', 'invalid_url'],
  ['[urls 13]', 'https://x.com/a/sta\ntus/20', 'invalid_url'],
  ['[urls 13]', 'https://x.com/a\ud800/status/20', 'invalid_url'],
  ['[urls 13]', 'https://x.com/a%/status/20', 'invalid_handle'],
  ['[urls 13]', 'https://x.com\\a\\status\\20', 'invalid_url'],
  ['[urls 14]', 'http://169.254.169.254/', 'unsupported_host'],
  ['[urls 14]', 'http://[::1]/a/status/20', 'unsupported_host'],
  ['[urls 14]', 'http://2130706433/a/status/20', 'unsupported_host'],
  ['[urls 14]', 'http://0177.0.0.1/a/status/20', 'unsupported_host'],
  ['empty', '', 'invalid_url'],
  ['a path alone', '/a/status/20', 'unsupported_host'],
  ['no post', 'https://x.com/jack', 'invalid_path'],
  ['no post', 'https://x.com/', 'invalid_path'],
  ['no post', 'https://x.com/jack/status/', 'invalid_path'],
  ['no post', 'https://x.com/jack/status/20/likes', 'invalid_path'],
  ['no post', 'https://x.com/jack/Status/20', 'invalid_path'],
  ['an article under its own number', 'https://x.com/i/article/20', 'invalid_path'],
  ['an article under its own number', 'https://x.com/@I/article/20', 'invalid_path'],
  ['an article under its own number', `${OWN}/%40i/article/20`, 'invalid_path'],
  ['a list of a post', 'https://x.com/jack/status/20/quotes', 'invalid_path'],
  ['[ids 1]', 'https://x.com/jack/article/draft', 'invalid_id'],
  ['[ids 1]', 'https://x.com/jack/status/12abc34', 'invalid_id'],
  ['[ids 2]', 'https://x.com/jack/status/00020', 'invalid_id'],
  ['[ids 7]', 'https://x.com/a%2f/status/20', 'invalid_handle'],
  ['[ids 7]', 'https://x.com/@@jack/status/20', 'invalid_handle'],
  ['[ids 8]', 'https://x.com/a%0d%0a/status/20', 'invalid_handle'],
])('%s parsePostUrl rejects %s', (_, address, error) => {
  expect(parsePostUrl(address, OWN)).toEqual({ error });
});

describe('parseId', () => {
  test.each(['12abc34', '1e3', '-5', '0x14', ' 20', '20 ', '20\n', '٢٠', '2٠', '+20', '20.0', '1_000'])(
    '[ids 1] parseId rejects %j',
    (id) => {
      expect(parseId(id)).toBeUndefined();
    },
  );

  test.each(['0', '00020', '020', ''])('[ids 2] parseId rejects %j', (id) => {
    expect(parseId(id)).toBeUndefined();
  });

  test.each(['9223372036854775808', '10000000000000000000', '9'.repeat(60), '9'.repeat(10_000)])(
    '[ids 3] parseId rejects %s, which has more than 63 bits',
    (id) => {
      expect(parseId(id)).toBeUndefined();
    },
  );

  test.each(['1', '20', '4194303', '1000000000000000000', '9223372036854775807'])(
    '[ids 5] parseId accepts %s',
    (id) => {
      expect(parseId(id)).toBe(id);
    },
  );
});

describe('parseHandle', () => {
  test.each([
    '../../x',
    'a/status/9?x=',
    'a%2f',
    'a'.repeat(5000),
    'a'.repeat(16),
    '',
    '@',
    '@@jack',
    'jack ',
    'jäck',
    'jack\u0000',
  ])('[ids 7] parseHandle rejects %j', (handle) => {
    expect(parseHandle(handle)).toBeUndefined();
  });

  test.each(['jack\r\n', 'jack\n', '\r\njack', 'a\r\nSet-Cookie: x'])('[ids 8] parseHandle rejects %j', (handle) => {
    expect(parseHandle(handle)).toBeUndefined();
  });

  test.each([
    ['jack', 'jack'],
    ['@jack', 'jack'],
    ['A_1', 'A_1'],
    ['a'.repeat(15), 'a'.repeat(15)],
  ])('[ids 7] parseHandle parses %s to %s', (written, handle) => {
    expect(parseHandle(written)).toBe(handle);
  });
});

describe('[urls 15] parseInput with url, handle and id', () => {
  const read = (url: string, handle: string, id: string) =>
    parseInput(
      'post',
      new Map([
        ['url', [url]],
        ['handle', [handle]],
        ['id', [id]],
      ]),
      { baseUrl: OWN },
    );

  test('[urls 15] parseInput throws when url and id name different posts', () => {
    expect(() => read('https://x.com/jack/status/20', 'jack', '21')).toThrow(
      expect.objectContaining({ code: 'invalid_parameter' }),
    );
  });
});

describe('parsePostLink', () => {
  test.each([
    'https://x.com/jack/status/20',
    'https://x.com/jack/status/20/quotes',
    'x.com/jack/status/20/retweets/',
    'https://x.com/jack/status/20/retweets/with_comments?s=20',
    `${OWN}/jack/status/20/replies`,
    `${OWN}/jack/status/20/retweets?limit=5#top`,
  ])('[inputs 1] accepts %s', (text) => {
    expect(parsePostLink(text, OWN)).toEqual(jack20);
  });

  test('accepts the lists of a service on another port', () => {
    const local = 'http://127.0.0.1:3000';
    expect(parsePostLink(`${local}/jack/status/20/quotes`, local)).toEqual(jack20);
    expect(parsePostLink('http://127.0.0.1:3001/jack/status/20/quotes', local)).toEqual({ error: 'unsupported_host' });
  });

  test.each([
    'https://x.com/jack/status/20/likes',
    'https://x.com/jack/quotes',
    'https://x.com/jack/status/20/quotes/quotes',
    'https://x.com/i/article/20/quotes',
  ])('[inputs 1] rejects %s', (text) => {
    expect(parsePostLink(text, OWN)).toEqual({ error: 'invalid_path' });
  });

  test('rejects a wrong id below a list', () => {
    expect(parsePostLink('https://x.com/jack/status/020/quotes', OWN)).toEqual({ error: 'invalid_path' });
  });
});
