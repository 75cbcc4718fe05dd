// Tests the parser of the box with links of all kinds, words, and hostile text.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parameters } from '../../../shared/contract/parameters.ts';
import { queryString } from '../../../shared/contract/query-string.ts';
import { boxTarget, parseBox } from '../../../shared/model/box.ts';

const OWN = 'https://postern.example';
const ID = '2034932961899447678';

/** The path and query to which a text leads, or the code of the problem. */
const leadsTo = (text: string, origin = OWN): string | undefined => {
  const meaning = parseBox(text, origin);
  if (meaning === undefined) return undefined;
  if (meaning.kind === 'error') return meaning.code;
  const { path, query } = boxTarget(meaning);
  return query === undefined ? path : `${path}?${queryString({ ...query })}`;
};

describe('parseBox understands', () => {
  test.each([
    ['https://x.com/jack/status/20', '/jack/status/20'],
    ['  x.com/jack/status/20?s=46&t=abc#m \n', '/jack/status/20'],
    ['//x.com/jack/status/20', '/jack/status/20'],
    ['HTTPS://MOBILE.TWITTER.COM/jack/statuses/20/photo/1', '/jack/status/20'],
    ['https://twitter.com/#!/jack/status/20', '/jack/status/20'],
    ['https://x.com/i/web/status/20', '/i/status/20'],
    ['https://x.com/@jack/status/20', '/jack/status/20'],
    ['https://x.com/i/status/20/likes/', '/i/status/20'],
    ['https://x.com/jack/status/20/quotes/more', '/jack/status/20'],
    ['https://x.com/jack%2f/status/20', '/i/status/20'],
    ['https://fxtwitter.com/jack/status/20/de', '/jack/status/20'],
    ['https://nitter.net/jack/status/20#m', '/jack/status/20'],
    ['xcancel.com/jack/status/20', '/jack/status/20'],
    [`https://x.com/ada_larsson/article/${ID}`, `/ada_larsson/status/${ID}`],
    [`${OWN}/jack/status/20?format=json`, '/jack/status/20'],
    ['https://x.com/home/status/20', '/i/status/20'],
    ['https://x.com/an_old_handle_of_28_letters_/status/20', '/i/status/20'],
    ['https://x.com/an_old_handle_of_28_letters_/article/20', '/i/status/20'],
    ['https://twitter.com/jack/statuses/20', '/jack/status/20'],
    [`${OWN}/i/web/status/20`, '/i/status/20'],
    [`${OWN}/jack/article/20?format=json`, '/jack/status/20'],
  ])('[urls 17] the link of a post: %s', (text, target) => {
    expect(leadsTo(text)).toBe(target);
  });

  test.each([
    ['https://x.com/i/user/12', '/i/user/12'],
    ['x.com/i/user/12/?s=20', '/i/user/12'],
    ['https://twitter.com/intent/user?user_id=12', '/i/user/12'],
    [`${OWN}/i/user/12?limit=3`, '/i/user/12'],
    ['https://x.com/i/user/012', 'invalid_path'],
    ['https://x.com/i/user/', 'invalid_path'],
    ['https://x.com/i/user/12/media', 'invalid_path'],
    ['https://x.com/intent/user', 'invalid_path'],
  ])('the link of an account by its id: %s', (text, target) => {
    expect(leadsTo(text)).toBe(target);
  });

  test.each([
    ['https://x.com/jack/status/20/quotes', '/jack/status/20/quotes'],
    ['https://twitter.com/jack/status/20/retweets/with_comments', '/jack/status/20/quotes'],
    ['https://x.com/jack/status/20/retweets/?s=20', '/jack/status/20/retweets'],
    ['https://x.com/jack/status/20/reposts', '/jack/status/20/retweets'],
    ['https://x.com/i/web/status/20/quotes', '/i/status/20/quotes'],
    ['https://twitter.com/#!/jack/status/20/quotes', '/jack/status/20/quotes'],
    ['https://x.com/home/status/20/quotes', '/i/status/20/quotes'],
    ['https://x.com/an_old_handle_of_28_letters_/status/20/quotes', '/i/status/20/quotes'],
    [`${OWN}/jack/status/20/replies?sort=recent`, '/jack/status/20/replies'],
    [`${OWN}/jack/status/20/retweets`, '/jack/status/20/retweets'],
  ])('[pages 3] the link of a page below a post: %s', (text, target) => {
    expect(leadsTo(text)).toBe(target);
  });

  test.each([
    [ID, `/i/status/${ID}`],
    ['123456789012345', '/i/status/123456789012345'],
    ['12345678901234', '/search?q=12345678901234'],
    ['9223372036854775808', '/search?q=9223372036854775808'],
    ['0123456789012345', '/search?q=0123456789012345'],
    ['20', '/search?q=20'],
  ])('an id only with 15 to 19 digits: %s', (text, target) => {
    expect(leadsTo(text)).toBe(target);
  });

  test.each([
    ['https://x.com/jack', '/jack'],
    ['x.com/jack/', '/jack'],
    ['https://x.com/%40jack?lang=en', '/jack'],
    ['https://x.com/jack/with_replies', '/jack/with_replies'],
    ['https://x.com/jack/media/', '/jack/media'],
    ['https://x.com/jack/articles', '/jack/articles'],
    ['https://x.com/jack/likes', '/jack'],
    ['https://x.com/jack/highlights/', '/jack'],
    ['https://xcancel.com/jack/rss', '/jack'],
    ['https://nitter.net/jack/with_replies/rss', '/jack/with_replies'],
    ['https://nitter.net/jack/media/rss', '/jack/media'],
    ['https://x.com/static/media', '/search?q=from%3Astatic'],
    [`${OWN}/jack/with_replies`, '/jack/with_replies'],
    ['https://x.com/jack/followers', '/jack/followers'],
    ['https://x.com/jack/verified_followers', '/jack/followers'],
    ['https://x.com/jack/following?x=1', '/jack/following'],
    [`${OWN}/jack/following`, '/jack/following'],
    ['@jack', '/jack'],
    ['＠jack', '/jack'],
    ['@ABCDEFGHIJ_12345', '/search?q=from%3AABCDEFGHIJ_12345'],
    ['@Docs', '/search?q=from%3ADocs'],
    ['@Explore', '/@Explore'],
    ['@i', '/@i'],
    [`${OWN}/@explore`, '/@explore'],
    [`${OWN}/@hashtag/media`, '/@hashtag/media'],
    ['https://x.com/static/followers', '/search?q=from%3Astatic'],
    ['https://x.com/an_old_handle_of_28_letters_', '/search?q=from%3Aan_old_handle_of_28_letters_'],
  ])('the name of a person: %s', (text, target) => {
    expect(leadsTo(text)).toBe(target);
  });

  test.each([
    ['https://x.com/search?q=tide', '/search?q=tide&feed=top'],
    ['https://x.com/search?q=tide&src=typed_query&f=live', '/search?q=tide&feed=latest'],
    ['https://x.com/search?q=tide&f=top', '/search?q=tide&feed=top'],
    ['https://x.com/search?q=tide&f=media', '/search?q=tide&feed=media'],
    ['https://x.com/search?q=tide&f=user', '/search?q=tide&feed=users'],
    ['https://nitter.net/search?f=tweets&q=tide', '/search?q=tide&feed=latest'],
    [
      'https://x.com/search?q=%23tide%20since%3A2026-01-01&f=live',
      '/search?q=%23tide%20since%3A2026-01-01&feed=latest',
    ],
    ['https://x.com/hashtag/fj%C3%B8rd?f=live', '/search?q=%23fj%C3%B8rd&feed=latest'],
    ['https://x.com/hashtag/tide', '/search?q=%23tide&feed=top'],
    [`${OWN}/search?q=tide&feed=users&cursor=x`, '/search?q=tide&feed=users'],
    [`${OWN}/search?q=tide&feed=nonsense`, '/search?q=tide'],
  ])('the link of a search: %s', (text, target) => {
    expect(leadsTo(text)).toBe(target);
  });

  test.each([
    ['tide', '/search?q=tide'],
    ['from:jack tide', '/search?q=from%3Ajack%20tide'],
    ['#tide', '/search?q=%23tide'],
    ['潮 🌊 & "a+b" 100%', '/search?q=%E6%BD%AE%20%F0%9F%8C%8A%20%26%20%22a%2Bb%22%20100%25'],
    ['\ud800tide\udfff', '/search?q=%EF%BF%BDtide%EF%BF%BD'],
    ['node.js', '/search?q=node.js'],
    ['@jack@mastodon.example', '/search?q=%40jack%40mastodon.example'],
    ['user@x.com', '/search?q=user%40x.com'],
    ['//evil.example', '/search?q=%2F%2Fevil.example'],
    ['javascript:alert(1)', '/search?q=javascript%3Aalert%281%29'],
    ['\r\nSet-Cookie: a=b', '/search?q=Set-Cookie%3A%20a%3Db'],
    ['a\r\nLocation: //evil.example', '/search?q=a%0D%0ALocation%3A%20%2F%2Fevil.example'],
    ['x.com/jack and more', '/search?q=x.com%2Fjack%20and%20more'],
  ])('words: %j', (text, target) => {
    expect(leadsTo(text)).toBe(target);
  });

  test.each(['', ' ', '\n\t', '\u00a0'])('an empty box: %j', (text) => {
    expect(leadsTo(text)).toBeUndefined();
  });
});

describe('parseBox rejects', () => {
  test.each(
    [
      ['https://t.co/abc', 'unsupported_host'],
      ['t.co/abc', 'unsupported_host'],
      ['https://pic.x.com/abc', 'unsupported_host'],
      ['https://help.twitter.com/en', 'unsupported_host'],
      ['https://x.com:8443/jack', 'unsupported_host'],
      ['https://x.com/i/lists/1234', 'invalid_path'],
      ['https://x.com/jack/lists/tide', 'invalid_path'],
      ['https://x.com/i/spaces/1abc', 'invalid_path'],
      ['https://x.com/i/communities/1234', 'invalid_path'],
      ['https://x.com/i/article/1234567890123456789', 'invalid_path'],
      ['https://x.com/I/article/20', 'invalid_path'],
      [`${OWN}/i/article/20`, 'invalid_path'],
      ['https://x.com/jack/media/grid', 'invalid_path'],
      ['https://x.com/jack/status/abc/quotes', 'invalid_path'],
      ['https://x.com/i/bookmarks', 'invalid_path'],
      ['https://x.com/Explore', 'invalid_path'],
      ['https://x.com/search', 'invalid_path'],
      ['https://x.com/hashtag/%ff', 'invalid_path'],
      ['https://x.com', 'invalid_path'],
      ['https://x.com/jack/status/', 'invalid_path'],
      [`${OWN}/docs`, 'invalid_path'],
      [`${OWN}/api/v1/posts?url=x`, 'invalid_path'],
      ['https://x.com/jack/status/abc', 'invalid_id'],
      ['https://x.com/jack%2f/article/20', 'invalid_handle'],
      ['https://example.org/jack/status/20', 'unsupported_host'],
      ['https://x.com.evil.example/jack', 'unsupported_host'],
      ['https://mastodon.example/users/jack/statuses/20', 'unsupported_host'],
      ['https://user:pw@x.com/jack', 'invalid_url'],
      ['x'.repeat(513), 'invalid_query'],
      [`https://x.com/search?q=${'x'.repeat(513)}`, 'invalid_query'],
      ['x'.repeat(100_000), 'invalid_query'],
    ].map(([text = '', code]) => [code, text.slice(0, 60), text]),
  )('as %s: %s', (code, _, text = '') => {
    expect(leadsTo(text)).toBe(code);
  });

  test('no word of up to 512 UTF-16 units, the bound of a search', () => {
    expect(parameters.q.schema).toMatchObject({ maxLength: 512 });
    expect(leadsTo('x'.repeat(512))).toBe(`/search?q=${'x'.repeat(512)}`);
  });
});

describe('parseBox, with any text', () => {
  test('searches every text without a host exactly as it was typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (input) => {
        const words = `say ${input} again`;
        expect(new URLSearchParams(leadsTo(words)?.split('?')[1]).get('q')).toBe(words.toWellFormed());
      }),
    );
  });
});
