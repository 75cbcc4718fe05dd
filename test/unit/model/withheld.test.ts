import { expect, test } from 'vitest';
import {
  createWithheld,
  formatWithheld,
  MAX_WITHHELD,
  parseWithheld,
  parseWithheldText,
} from '../../../shared/model/withheld.ts';

const entriesOf = (...list: readonly object[]) => {
  const entries = parseWithheld(list);
  if ('problem' in entries) throw new Error(entries.problem);
  return entries;
};

test.each([
  '20',
  20,
  'https://x.com/jack/status/20',
  ' twitter.com/jack/status/20/photo/1?s=20 ',
  'https://xcancel.com/jack/status/20#m',
  'https://posts.example.org:8443/jack/status/20/quotes',
  'x.com/i/web/status/20',
  'https://x.com/jack/article/20',
])('[withheld 4] a post is listed by its id or its link: %j', (post) => {
  expect(entriesOf({ post, reason: 'court' })).toMatchObject([{ id: '20', reason: 'court' }]);
});

test.each<readonly [unknown, string]>([
  [{}, 'must be a JSON array of at most 1,000 objects'],
  [Array(MAX_WITHHELD + 1).fill({ post: '20', reason: 'court' }), 'must be a JSON array of at most 1,000 objects'],
  [['20'], 'entry 1, "20", is not an object'],
  [[{ post: '20', reason: 'court', untill: '2027-01-01' }], 'has the unknown member "untill"'],
  [[{ reason: 'court' }], 'must have either post or profile'],
  [[{ post: '20', profile: 'jack', reason: 'court' }], 'must have either post or profile'],
  [[{ post: 'https://x.com/jack', reason: 'court' }], 'has neither the id nor the link of a post as post'],
  [[{ post: 2 ** 60, reason: 'court' }], 'has neither the id nor the link of a post as post'],
  [[{ profile: 'https://x.com/jack', reason: 'court' }], 'has no handle as profile'],
  [[{ profile: 'i', reason: 'court' }], 'has no handle as profile'],
  ...['id:', 'id:0', 'id:12a', 'id: 12', 'id:-1', 'id:9223372036854775808', 'ID:12', 12].map(
    (profile) => [[{ profile, reason: 'court' }], 'has no handle as profile, nor an id such as id:12'] as const,
  ),
  [[{ profile: 'jack' }], 'must have one of copyright, court, privacy, terms, other as reason'],
  [[{ profile: 'jack', reason: 'court', until: 'soon' }], 'must have a day or an instant as until'],
])('[withheld 4] a wrong entry is named: %j', (list, sentence) => {
  const entries = parseWithheld(list);
  expect('problem' in entries ? entries.problem : '').toContain(sentence);
});

test('[withheld 7] a profile is listed by its id, which is not a handle of digits', () => {
  const entries = entriesOf({ profile: 'id:12', reason: 'court' }, { profile: '13', reason: 'other' });
  expect(parseWithheldText(formatWithheld(entries))).toEqual(entries);
  const withheld = createWithheld(entries, () => 0);
  const names = [{ id: '12', handle: 'any' }, { handle: '12' }, { id: '13' }, { handle: '13' }];
  expect(names.map((name) => withheld.account(name))).toEqual(['court', undefined, undefined, 'other']);
});

const ENTRY = '{"post": "20", "reason": "court"}';

test.each<readonly [string, string]>([
  ['[{', 'line 1, column 3: expected a name in quotation marks or }, found the end of the file'],
  [`[\n  ${ENTRY},\n]`, 'line 3, column 1: expected a value after the comma, found ]'],
  [`[\r\n  ${ENTRY}\r\n  ${ENTRY}\r\n]`, 'line 3, column 3: expected a comma or ], found {'],
  ['{"withheld": []}', 'line 1, column 1: must be a JSON array of at most 1,000 objects'],
  [
    `[\n  ${ENTRY},\n  {"profile": "a b", "reason": "court"}\n]`,
    'line 3, column 3: entry 2, {"profile":"a b","reason":"court"}, has no handle as profile, nor an id such as id:12',
  ],
  ['[{"post": "20", "post": "21"}]', 'line 1, column 17: the name "post" is there twice: remove one'],
])('[withheld 5] parseWithheldText says where %j is wrong', (text, problem) => {
  expect(parseWithheldText(text)).toEqual({ problem });
});

test('[withheld 5] parseWithheldText finds the list in a file of settings', () => {
  expect(parseWithheldText('\uFEFF[]', 'withheld')).toEqual([]);
  expect(parseWithheldText(`{"withheld": [${ENTRY}]}`, 'withheld')).toHaveLength(1);
  expect(parseWithheldText(`{\n"withheld": [${ENTRY}, 7]}`, 'withheld')).toEqual({
    problem: 'line 2, column 49: entry 2, 7, is not an object',
  });
  expect(parseWithheldText('{}', 'withheld')).toEqual({ problem: expect.stringMatching(/^line 1, column 1: must be/) });
});

test('[withheld 1] a day ends an entry at its start, and of two entries the later end counts', () => {
  let now = Date.parse('2027-01-30T23:59:59.999Z');
  const entry = { profile: 'Jack', reason: 'court', until: '2027-01-31' };
  const later = { ...entry, reason: 'other', until: '2027-01-31T00:00:01Z' };
  const one = createWithheld(entriesOf(entry), () => now);
  const two = createWithheld(entriesOf(later, entry), () => now);
  expect([one.account({ handle: 'JACK' }), two.account({ handle: 'jack' }), one.hasProfiles()]).toEqual([
    'court',
    'other',
    true,
  ]);
  now += 1;
  expect([one.account({ handle: 'jack' }), two.account({ handle: 'jack' }), one.hasProfiles()]).toEqual([
    undefined,
    'other',
    false,
  ]);
});
