import { expect, test } from 'vitest';
import { createWithheld, MAX_WITHHELD, parseWithheld, parseWithheldText } from '../../../shared/model/withheld.ts';

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
  [[{ profile: 'jack' }], 'must have one of copyright, court, privacy, terms, other as reason'],
  [[{ profile: 'jack', reason: 'court', until: 'soon' }], 'must have a day or an instant as until'],
])('[withheld 4] a wrong entry is named: %j', (list, sentence) => {
  const entries = parseWithheld(list);
  expect('problem' in entries ? entries.problem : '').toContain(sentence);
});

test('[withheld 4] text that is not JSON is no list', () => {
  expect(parseWithheldText('[{')).toEqual({ problem: 'must be a JSON array of at most 1,000 objects' });
  expect(parseWithheldText('\uFEFF[]')).toEqual([]);
});

test('[withheld 1] a day ends an entry at its start, and of two entries the later end counts', () => {
  let now = Date.parse('2027-01-30T23:59:59.999Z');
  const entry = { profile: 'Jack', reason: 'court', until: '2027-01-31' };
  const later = { ...entry, reason: 'other', until: '2027-01-31T00:00:01Z' };
  const one = createWithheld(entriesOf(entry), () => now);
  const two = createWithheld(entriesOf(later, entry), () => now);
  expect([one.profile('JACK'), two.profile('jack'), one.hasProfiles()]).toEqual(['court', 'other', true]);
  now += 1;
  expect([one.profile('jack'), two.profile('jack'), one.hasProfiles()]).toEqual([undefined, 'other', false]);
});
