// Tests each page of X that a link can name, and what the service shows for it.
import { expect, test } from 'vitest';
import { decodeSegment, isPageOfX } from '../../../shared/model/x-urls.ts';

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
