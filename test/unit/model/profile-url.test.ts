// Checks which URLs name a profile.
import { expect, test } from 'vitest';
import { parseProfileUrl } from '../../../shared/model/x-urls.ts';

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
