// Tests the parser of the box with what people paste into the box: links of all kinds, words, and hostile text.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parameters } from '../../../shared/contract/parameters.ts';
import { queryString } from '../../../shared/contract/query-string.ts';
import { boxTarget, parseBox } from '../../../shared/model/box.ts';
import { addressTexts } from '../../generators/addresses.ts';
import { readRuns } from '../../generators/seed.ts';

const OWN = 'https://postern.example';

/** The path and query to which a text leads, or the code of the problem. */
const leadsTo = (text: string, origin = OWN): string | undefined => {
  const meaning = parseBox(text, origin);
  if (meaning === undefined) return undefined;
  if (meaning.kind === 'error') return meaning.code;
  const { path, query } = boxTarget(meaning);
  return query === undefined ? path : `${path}?${queryString({ ...query })}`;
};

/** The paths and the codes of problems, each with the texts that lead there. */
// biome-ignore format: side by side they fit on a screen
const LEADS_TO: Readonly<Record<string, readonly string[]>> = {
  '/jack/status/20': [
    'https://x.com/jack/status/20', '  x.com/jack/status/20?s=46&t=abc#m \n', '//x.com/jack/status/20',
    'HTTPS://MOBILE.TWITTER.COM/jack/statuses/20/photo/1', 'https://twitter.com/#!/jack/status/20',
    'https://x.com/@jack/status/20', 'https://x.com/jack/status/20/quotes/more',
    'https://fxtwitter.com/jack/status/20/de', 'https://nitter.net/jack/status/20#m', 'xcancel.com/jack/status/20',
    `${OWN}/jack/status/20?format=json`, 'https://twitter.com/jack/statuses/20', `${OWN}/jack/article/20?format=json`,
    'x.com/jack/status/20?s=46&t=abc', 'http://mobile.twitter.com/jack/statuses/20/photo/1',
    'https://x.com/jack/status/20/likes', 'https:/x.com/jack/status/20',
    'look at this https://x.com/jack/status/20 wow', 'look at this x.com/jack/status/20, wow',
    '<https://x.com/jack/status/20>', '<https://x.com/jack/status/20|the first post>', '(https://x.com/jack/status/20)',
    '[a](https://x.com/jack/status/20)', '*https://x.com/jack/status/20*', '“https://x.com/jack/status/20”',
    'https://x.com/jack/status/20.', 'https://x.com/jack/status/20?s=46).', 'https://x.com/jack/status/20!!!',
    '见https://x.com/jack/status/20。谢谢', 'Link:x.com/jack/status/20', 'Quelle: HTTPS://TWITTER.COM/jack/status/20',
    'just setting up my twttr\nhttps://x.com/jack/status/20',
    '"text" / X https://x.com/jack/status/20 https://t.co/abc', 'https://x.com/jack and https://x.com/jack/status/20',
    'https://x.com/jack/status/20 https://x.com/ada/status/21',
    '<a href="https://twitter.com/jack/status/20?ref_src=twsrc">March 21, 2006</a>',
    '{"url":"https:\\/\\/x.com\\/jack\\/status\\/20"}', `${'word '.repeat(300)}https://x.com/jack/status/20`,
    'https://web.archive.org/web/20060321/https://x.com/jack/status/20',
    'https://web.archive.org/web/2006/http://twitter.com:80/jack/status/20',
    'https://web.archive.org/web/2006/twitter.com/jack/status/20',
    'https://archive.ph/2023.01.01-000000/https://twitter.com/jack/status/20', 'https://d.fxtwitter.com/jack/status/20',
    'https://g.fixupx.com/jack/status/20', 'https://vxtwitter.com/jack/status/20.mp4',
    'https://nitter.example.org/jack/status/20#m', 'https://xcancel.com/jack/status/20',
    'https://farside.link/nitter/jack/status/20', 'https://twstalker.com/jack/status/20',
    'https://publish.twitter.com/?query=https%3A%2F%2Ftwitter.com%2Fjack%2Fstatus%2F20',
    'https://www.google.com/url?q=https%3A%2F%2Fx.com%2Fjack%2Fstatus%2F20&sa=D', 'https://pro.x.com/jack/status/20',
    'jack/status/20', '/jack/status/20?s=46', '@jack/statuses/20/photo/1', 'https://jack/status/20',
    'hxxps://x[.]com/jack/status/20', 'x[.]com/jack/status/20', 'HXXP://twitter(dot)com/jack/status/20',
    'look: hxxps[://]x[dot]com/jack/status/20 wow', 'hxxps://x[.]com/ada and hxxps://x[.]com/jack/status/20',
  ],
  '/i/status/20': [
    'https://x.com/i/web/status/20', 'https://x.com/i/status/20/likes/', 'https://x.com/jack%2f/status/20',
    'https://x.com/home/status/20', 'https://x.com/an_old_handle_of_28_letters_/status/20',
    'https://x.com/an_old_handle_of_28_letters_/article/20', `${OWN}/i/web/status/20`,
    'https://x.com/intent/like?tweet_id=20', 'see threadreaderapp.com/thread/20', 'https://unrollnow.com/status/20',
    'https://platform.twitter.com/embed/Tweet.html?dnt=true&id=20', 'https://x.com/intent/tweet?in_reply_to=20',
    'i/web/status/20', 'docs/status/20',
  ],
  '/ada_larsson/status/2034932961899447678': ['https://x.com/ada_larsson/article/2034932961899447678'],
  '/i/user/12': [
    'https://x.com/i/user/12', 'x.com/i/user/12/?s=20', 'https://twitter.com/intent/user?user_id=12',
    'https://x.com/intent/follow?user_id=12',
    `${OWN}/i/user/12?limit=3`,
  ],
  '/i/lists/12': [
    'https://x.com/i/lists/12', 'twitter.com/i/lists/12/?s=20', `${OWN}/i/lists/12/`,
    'good list: https://x.com/i/lists/12 https://example.org/',
  ],
  invalid_path: [
    'https://x.com/i/user/012', 'https://x.com/i/user/', 'https://x.com/i/user/12/media', 'https://x.com/intent/user',
    'https://x.com/intent/follow?screen_name=a-b', 'https://x.com/intent/tweet?text=tide', 'https://x.com/explore/search?q=tide',
    'https://x.com/i/lists/012', 'https://x.com/i/lists/1234/members', 'https://x.com/jack/lists/tide', 'https://x.com/i/spaces/1abc',
    'https://x.com/i/communities/1234', 'https://x.com/i/article/1234567890123456789', 'https://x.com/I/article/20',
    `${OWN}/i/article/20`, 'https://x.com/jack/media/grid', 'https://x.com/jack/status/abc/quotes',
    'https://x.com/i/bookmarks', 'https://x.com/Explore', 'https://x.com/search', 'https://x.com/hashtag/%ff', 'https://x.com/hashtag/tide/live',
    'https://x.com', 'https://x.com/jack/status/', `${OWN}/docs`, `${OWN}/api/v1/posts?url=x`,
    'good list: https://x.com/i/lists/x https://example.org/', 'https://x.com/messages',
    'https://x.com/i/article/20', 'https://x.com/ja@ck',
  ],
  '/jack/status/20/quotes': [
    'https://x.com/jack/status/20/quotes', 'https://twitter.com/jack/status/20/retweets/with_comments',
    'https://twitter.com/#!/jack/status/20/quotes',
  ],
  '/jack/status/20/retweets': [
    'https://x.com/jack/status/20/retweets/?s=20', 'https://x.com/jack/status/20/reposts',
    `${OWN}/jack/status/20/retweets`,
  ],
  '/i/status/20/quotes': [
    'https://x.com/i/web/status/20/quotes', 'https://x.com/home/status/20/quotes',
    'https://x.com/an_old_handle_of_28_letters_/status/20/quotes',
  ],
  '/jack/status/20/replies': [`${OWN}/jack/status/20/replies?sort=recent`],
  '/i/status/2034932961899447678': [
    '2034932961899447678', 'https://threadreaderapp.com/thread/2034932961899447678.html',
  ],
  '/i/status/123456789012345': ['123456789012345'],
  '/search?q=12345678901234': ['12345678901234'],
  '/search?q=9223372036854775808': ['9223372036854775808'],
  '/search?q=0123456789012345': ['0123456789012345'],
  '/search?q=20': ['20'],
  '/jack': [
    'https://x.com/jack', 'x.com/jack/', 'https://x.com/%40jack?lang=en', 'https://x.com/jack/likes',
    'https://x.com/jack/highlights/', 'https://xcancel.com/jack/rss', '@jack', '＠jack', 'x.com/jack.', '<x.com/jack>',
    'Look at Jack (@jack): https://x.com/jack?s=21', '[Jack](https://x.com/jack)',
    'https://web.archive.org/web/2006/https://twitter.com/jack', 'https://x.com/intent/follow?screen_name=jack',
    'https://x.com/intent/user?screen_name=%40jack', 'https://jack', 'HTTP://@jack/', '@jack@x.com', '@jack@nitter.net',
    'x.com/@jack', 'hxxps://x[.]com/jack',
  ],
  '/jack/with_replies': [
    'https://x.com/jack/with_replies', 'https://nitter.net/jack/with_replies/rss', `${OWN}/jack/with_replies`,
  ],
  '/jack/media': ['https://x.com/jack/media/', 'https://nitter.net/jack/media/rss', 'https://x.com/jack/media'],
  '/jack/articles': ['https://x.com/jack/articles'],
  '/search?q=from%3Astatic': ['https://x.com/static/media', 'https://x.com/static/followers'],
  '/jack/followers': ['https://x.com/jack/followers', 'https://x.com/jack/verified_followers'],
  '/jack/following': ['https://x.com/jack/following?x=1', `${OWN}/jack/following`],
  '/search?q=from%3AABCDEFGHIJ_12345': ['@ABCDEFGHIJ_12345'],
  '/search?q=from%3ADocs': ['@Docs'],
  '/@Explore': ['@Explore'],
  '/@i': ['@i'],
  '/@explore': [`${OWN}/@explore`],
  '/@hashtag/media': [`${OWN}/@hashtag/media`],
  '/search?q=from%3Aan_old_handle_of_28_letters_': ['https://x.com/an_old_handle_of_28_letters_'],
  '/search?q=tide&feed=top': ['https://x.com/search?q=tide', 'https://x.com/search?q=tide&f=top'],
  '/search?q=tide&feed=latest': [
    'https://x.com/search?q=tide&src=typed_query&f=live', 'https://nitter.net/search?f=tweets&q=tide',
    'https://x.com/search?q=tide&f=live', 'all of https://x.com/search?q=tide&f=live please',
  ],
  '/search?q=tide&feed=media': ['https://x.com/search?q=tide&f=media'],
  '/search?q=tide&feed=users': ['https://x.com/search?q=tide&f=user', `${OWN}/search?q=tide&feed=users&cursor=x`],
  '/search?q=%23tide%20since%3A2026-01-01&feed=latest': ['https://x.com/search?q=%23tide%20since%3A2026-01-01&f=live'],
  '/search?q=%23fj%C3%B8rd&feed=latest': ['https://x.com/hashtag/fj%C3%B8rd?f=live'],
  '/search?q=%23tide&feed=top': ['https://x.com/hashtag/tide', 'https://x.com/hashtag/tide?src=hash'],
  '/search?q=tide': [`${OWN}/search?q=tide&feed=nonsense`, 'tide'],
  '/search?q=%23tide': ['#tide'],
  '/search?q=%E6%BD%AE%20%F0%9F%8C%8A%20%26%20%22a%2Bb%22%20100%25': ['潮 🌊 & "a+b" 100%'],
  '/search?q=%EF%BF%BDtide%EF%BF%BD': ['\ud800tide\udfff'],
  '/search?q=node.js': ['node.js'],
  '/search?q=from%3Ajack%20tide': ['from:jack tide', 'https://nitter.net/jack/search?q=tide', 'x.com/@jack/search/?q=%20tide'],
  '/search?q=from%3Ajack%20tide&feed=latest': ['https://nitter.net/jack/search?f=tweets&q=tide'],
  '/search?q=from%3Ajack': ['https://nitter.net/jack/search', `${OWN}/jack/search/rss?f=users`],
  '/search?q=hxxps%3A%2F%2Fevil%5B.%5Dexample': ['hxxps://evil[.]example'],
  '/search?q=jack%2Fstatus': ['jack/status'],
  '/search?q=%40jack%40mastodon.example': ['@jack@mastodon.example'],
  '/search?q=user%40x.com': ['user@x.com'],
  '/search?q=%2F%2Fevil.example': ['//evil.example'],
  '/search?q=javascript%3Aalert%281%29': ['javascript:alert(1)'],
  '/search?q=Set-Cookie%3A%20a%3Db': ['\r\nSet-Cookie: a=b'],
  '/search?q=a%0D%0ALocation%3A%20%2F%2Fevil.example': ['a\r\nLocation: //evil.example'],
  '/search?q=x.com%2Fjack%20and%20more': ['x.com/jack and more'],
  unsupported_host: [
    'https://t.co/abc', 't.co/abc', 'https://pic.x.com/abc', 'https://2130706433/', 'https://help.twitter.com/en', 'https://x.com:8443/jack',
    'https://example.org/jack/status/20', 'https://x.com.evil.example/jack',
    'https://mastodon.example/users/jack/statuses/20', 'https://nitter.example.org:8443/jack/status/20',
    'look at https://example.org/tide', 'www.example.org', 'https://x.com.evil.example/jack/status/20',
    'https://threadreaderapp.com/user/jack',
  ],
  invalid_id: ['https://x.com/jack/status/abc'],
  invalid_handle: ['https://x.com/jack%2f/article/20'],
  invalid_url: ['https://user:pw@x.com/jack', 'https://jack:secret@x.com/jack/status/20'],
  invalid_query: [
    'x'.repeat(513), `https://x.com/search?q=${'x'.repeat(513)}`, 'x'.repeat(100_000), 'word '.repeat(200),
  ],
  '/JACK/status/20': ['HTTPS://X.COM/JACK/STATUS/20'],
  '/search?q=x.com%2Fjack%2Fstatus%2F20&feed=top': ['https://x.com/search?q=x.com%2Fjack%2Fstatus%2F20'],
  '/search?q=low%20tide': ['low tide'],
  '/search?q=from%3Ajack%20since%3A2026-01-01': ['from:jack since:2026-01-01'],
  '/search?q=jack': ['jack'],
  '/search?q=%40jack%20and%20%40ada': ['@jack and @ada'],
  '/search?q=example.org%2Fjack': ['example.org/jack'],
  '/search?q=url%3Aexample.org%2Ftide': ['url:example.org/tide'],
  '/search?q=jack%40x.com': ['jack@x.com'],
  '/search?q=%2F%2Fevil.example%2F': ['//evil.example/'],
};

test.each(
  Object.entries(LEADS_TO).flatMap(([target, texts]) => texts.map((text) => [text.slice(0, 90), target, text])),
)('[pages 3] [pages 5] [urls 17] %j leads to %s', (_, target, text = '') => {
  expect(leadsTo(text)).toBe(target);
});

test.each([
  ['https://t.co/abc', true],
  ['see t.co/abc and https://t.co/abc', true],
  ['pic.twitter.com/abc', true],
  ['https://help.twitter.com/en', undefined],
  ['https://t.co:8443/abc', undefined],
])('[pages 5] of links that are not read, only short links of X are named as such: %s', (text, isShort) => {
  expect(parseBox(text, OWN)).toEqual({ kind: 'error', code: 'unsupported_host', ...(isShort && { isShort }) });
});

test.each(['', ' ', '\n\t', '\u00a0'])('%j is an empty box', (text) => {
  expect(leadsTo(text)).toBeUndefined();
});

test('a word may have up to 512 UTF-16 units, the bound of a search', () => {
  expect(parameters.q.schema).toMatchObject({ maxLength: 512 });
  expect(leadsTo('x'.repeat(512))).toBe(`/search?q=${'x'.repeat(512)}`);
});

test('every text without a host is searched exactly as it was typed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (input) => {
      const words = `say ${input} again`;
      expect(new URLSearchParams(leadsTo(words)?.split('?')[1]).get('q')).toBe(words.toWellFormed());
    }),
  );
});

/** A longer text is no URL for the box. */
const MAX_URL_CHARACTERS = 2048;

test('every URL in the box leads to a path of the service that has the same meaning', () => {
  fc.assert(
    fc.property(addressTexts, (text) => {
      const meaning = parseBox(text, OWN);
      if (meaning === undefined || meaning.kind === 'error') return;
      const { path, query } = boxTarget(meaning);
      const url = new URL(path, OWN);
      for (const [name, value] of Object.entries(query ?? {}))
        if (value !== undefined) url.searchParams.set(name, value);
      expect([url.origin, url.username, url.hash]).toEqual([OWN, '', '']);
      expect(path).toMatch(/^\/[A-Za-z0-9_]+(?:\/[a-z_0-9]+)*$/);
      if (url.href.length > MAX_URL_CHARACTERS) return;
      const again = parseBox(url.href, OWN);
      expect(again).toBeDefined();
      if (meaning.kind === 'search') expect(again).toMatchObject({ kind: 'search', query: meaning.query.trim() });
      else expect(again?.kind).toBe(meaning.kind);
    }),
    { numRuns: readRuns(2000) },
  );
});

test.each([
  ['https://x.com/jack/likes', '/jack/likes'],
  ['https://x.com/jack/verified_followers', '/jack/verified_followers'],
  ['https://x.com/jack/status/20/likes', '/jack/status/20/likes'],
  ['https://x.com/i/bookmarks', '/i/bookmarks'],
  ['https://x.com/jack/media/', undefined],
  ['https://x.com/jack/status/20/quotes', undefined],
  ['https://x.com/jack/status/20', undefined],
  [`${OWN}/jack/likes`, undefined],
])('the meaning of %s has the path of a page that only X has: %s', (link, path) => {
  expect(parseBox(link, OWN)).toHaveProperty('kind');
  expect(Object(parseBox(link, OWN))['path']).toBe(path);
});
