// Checks which URLs have a page of this service.
import { expect, test } from 'vitest';
import {
  belowPost,
  belowProfile,
  innerPath,
  postPath,
  profilePath,
  searchPath,
} from '../../../../shared/render/html/inner-links.ts';

// biome-ignore format: side by side they fit on a screen
test.each([
  ['/jack/status/20', [
    'https://x.com/jack/status/20', 'https://twitter.com/jack/status/20/photo/1', 'https://twitter.com/jack/statuses/20',
    'https://x.com/jack/article/20',
  ]],
  ['/i/status/20', ['https://x.com/i/web/status/20', 'https://x.com/search/status/20']],
  ['/jack', ['https://x.com/jack', 'https://mobile.twitter.com/jack/?lang=en']],
  ['/i/user/12', ['https://x.com/i/user/12', 'https://twitter.com/intent/user?user_id=12']],
  ['/i/lists/5', ['https://x.com/i/lists/5/']],
  ['/jack/followers', ['https://x.com/jack/followers']],
  ['/jack/following', ['https://x.com/jack/following/']],
  ['/jack/with_replies', ['https://x.com/jack/with_replies']],
  ['/jack/status/20/quotes', [
    'https://x.com/jack/status/20/quotes', 'https://twitter.com/jack/status/20/retweets/with_comments',
  ]],
  ['/i/status/20/retweets', ['https://x.com/i/web/status/20/retweets']],
  ['/search?q=tide%20table&feed=latest', ['https://x.com/search?q=tide%20table&f=live']],
  ['/search?q=tide&feed=top', ['https://x.com/search?q=tide&src=typed_query']],
  ['/search?q=%23%E6%B5%B7', ['https://x.com/hashtag/%E6%B5%B7?src=hash']],
  [undefined, [
    'https://a.example/jack', 'https://x.com.evil.example/jack', 'https://x.com@evil.example/jack', 'https://user@x.com/jack',
    'https://x.com/', 'https://x.com/tos', 'https://x.com/search', 'https://x.com/i/lists/05', 'https://x.com/jack/lists/tides',
    'https://x.com/hashtag/%E6', 'https://x.com/a_handle_longer_than_15', 'https://x.com/jack/status/notanid',
    'https://x.com/jack/status/notanid/quotes', 'https://x.com/jack/status/20/likes', 'https://x.com/i/article/20',
    'https://x.com/jack/likes', 'https://t.co/abc', 'javascript:alert(1)', '',
  ]],
])('the path %s within the service is that of %j', (path, urls) => {
  for (const url of urls) expect(innerPath(url), url).toBe(path);
});

test('a handle that the paths cannot hold has no path', () => {
  for (const handle of ['search', 'OEmbed', 'a_handle_longer_than_15', 'i', 'a/b', ''])
    expect(profilePath(handle), handle).toBeUndefined();
  expect(profilePath('Ada_L')).toBe('/Ada_L');
  expect(profilePath('Explore')).toBe('/@Explore');
  expect(belowProfile('docs', 'followers')).toBeUndefined();
  expect(postPath('20', 'docs')).toBe('/i/status/20');
  expect(postPath('0x20', 'ada')).toBeUndefined();
  expect(belowPost('20', 'docs', 'quotes')).toBe('/i/status/20/quotes');
  expect(belowPost('0x20', 'ada', 'quotes')).toBeUndefined();
});

test('a search path encodes every character that could end it', () => {
  expect(searchPath(`"a" & b'<#\ud800`, 'media')).toBe('/search?q=%22a%22%20%26%20b%27%3C%23%EF%BF%BD&feed=media');
});
