// Checks which URLs have a page of this service.
import { describe, expect, test } from 'vitest';
import {
  belowPost,
  belowProfile,
  innerPath,
  postPath,
  profilePath,
  searchPath,
} from '../../../../shared/render/html/inner-links.ts';

describe('paths within the service', () => {
  test.each([
    ['https://x.com/jack/status/20', '/jack/status/20'],
    ['https://twitter.com/jack/status/20/photo/1', '/jack/status/20'],
    ['https://x.com/i/web/status/20', '/i/status/20'],
    ['https://x.com/search/status/20', '/i/status/20'],
    ['https://x.com/jack', '/jack'],
    ['https://mobile.twitter.com/jack/?lang=en', '/jack'],
    ['https://x.com/jack/followers', '/jack/followers'],
    ['https://x.com/jack/following/', '/jack/following'],
    ['https://x.com/jack/with_replies', '/jack/with_replies'],
    ['https://x.com/jack/media', '/jack/media'],
    ['https://x.com/jack/articles', '/jack/articles'],
    ['https://twitter.com/jack/statuses/20', '/jack/status/20'],
    ['https://x.com/jack/article/20', '/jack/status/20'],
    ['https://x.com/jack/status/20/quotes', '/jack/status/20/quotes'],
    ['https://x.com/i/web/status/20/retweets', '/i/status/20/retweets'],
    ['https://twitter.com/jack/status/20/retweets/with_comments', '/jack/status/20/quotes'],
    ['https://x.com/search?q=tide%20table&f=live', '/search?q=tide%20table&feed=latest'],
    ['https://x.com/search?q=tide&src=typed_query', '/search?q=tide&feed=top'],
    ['https://x.com/search?q=tide&f=user', '/search?q=tide&feed=users'],
    ['https://x.com/hashtag/%E6%B5%B7?src=hash', '/search?q=%23%E6%B5%B7'],
  ])('%s leads to %s', (url, path) => {
    expect(innerPath(url)).toBe(path);
  });

  test.each([
    'https://a.example/jack',
    'https://x.com.evil.example/jack',
    'https://x.com@evil.example/jack',
    'https://user@x.com/jack',
    'https://x.com/',
    'https://x.com/tos',
    'https://x.com/settings',
    'https://x.com/search',
    'https://x.com/i/lists/05',
    'https://x.com/jack/lists/tides',
    'https://x.com/hashtag/%E6',
    'https://x.com/a_handle_longer_than_15',
    'https://x.com/jack/status/notanid',
    'https://x.com/jack/status/notanid/quotes',
    'https://x.com/jack/status/20/likes',
    'https://x.com/i/article/20',
    'https://x.com/jack/likes',
    'https://t.co/abc',
    'javascript:alert(1)',
    '',
  ])('%s has no page here', (url) => {
    expect(innerPath(url)).toBeUndefined();
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
});
