// Tests which texts need no escaping. The slow path would write them alike, so only this function tells the two apart.
import { expect, test } from 'vitest';
import { isPlain, splitAtLink } from '../../../../shared/render/markdown/plain-text.ts';

test.each([
  '',
  'tide',
  'Tide, 9!',
  'a_b',
  'A_Z',
  'x0_9',
  'a\nb',
  'a\n\nb',
  'a-b',
  '(a) “b” 潮 🐋',
  'a #b',
  'a]',
  'a  b',
  '$a %b ^c',
])('isPlain: %j needs no escaping', (text) => {
  expect(isPlain(text)).toBe(true);
});

// biome-ignore format: a list of texts
test.each([
  '*', '`', '~', '[', '<', '&', '\\', 'a\tb', 'a\rb', 'a\u0085b', 'a\u2028b', 'a\u2029b', 'a\u200bb', 'a\u2800b', 'a\u034fb', '_', '_a', 'a_', 'a_ b', 'a_b_', 'å_b', '/_a', ':_a', '@_a', '[_a', '`_a', '{_a',
  ' a', 'a ', '\na', 'a\n', '# a', '#a', '> a', '+ a', '- a', '= a', '| a', ': a', '1. a', '9', 'a\n# b', 'a\n> b', 'a\n1', 'a\n b', 'a \nb', 'a\n\n\nb', '\ud800', 'a\udc00',
])('isPlain: %j may need escaping', (text) => {
  expect(isPlain(text)).toBe(false);
});

const URL = 'https://t.example/a';

test.each<[string, readonly [string, string] | undefined]>([
  [URL, ['', '']],
  [`see ${URL} now`, ['see ', ' now']],
  [`${URL}.`, ['', '.']],
  [`\n${URL}`, ['\n', '']],
  ['see', undefined],
  [`x${URL}`, undefined],
  [`(${URL}`, undefined],
  [`${URL}b`, undefined],
  [`${URL}/b`, undefined],
  [`${URL}?b`, undefined],
  [`${URL} ${URL}`, undefined],
])('splitAtLink(%j) is %j', (text, parts) => {
  expect(splitAtLink(text, URL)).toEqual(parts);
});
