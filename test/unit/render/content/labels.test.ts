// Tests the labels at their edges: facts that are unknown leave no trace.
import { expect, test } from 'vitest';
import { type Poll, TombstoneReason } from '../../../../shared/model/post.ts';
import {
  choiceResult,
  choiceShare,
  goneSentence,
  mediaLabel,
  nameAndHandle,
  pollFacts,
  pollState,
  postCounts,
  tombstoneSentence,
  userCounts,
  userTitle,
  verifiedLabel,
} from '../../../../shared/render/content/labels.ts';
import { userOf } from '../../../support/post-models.ts';

const ENDS = '2027-08-21T10:00:00Z';

test.each<readonly [Omit<Poll, 'choices'>, string]>([
  [{ total_votes: null }, ''],
  [{ total_votes: null, closed: true }, ' (closed)'],
  [{ total_votes: null, closed: false }, ' (open until later)'],
  [{ total_votes: 0 }, ' (0 votes)'],
  [{ total_votes: 1, closed: false, ends_at: ENDS }, ' (1 vote, open until 2027-08-21 10:00 UTC)'],
  [{ total_votes: 1611, closed: true, ends_at: ENDS }, ' (1,611 votes, closed)'],
])('pollState(%j) is %j', (poll, state) => {
  expect(pollState({ choices: [], ...poll })).toBe(state);
});

test.each([
  [{ votes: null, percentage: null }, ''],
  [{ votes: 0, percentage: null }, ': (0)'],
  [{ votes: null, percentage: 74.549 }, ': 74.5 %'],
  [{ votes: 1201, percentage: 74.55 }, ': 74.6 % (1,201)'],
])('choiceResult(%j) is %j', (choice, result) => {
  expect(choiceResult({ label: 'Yes', ...choice })).toBe(result);
});

test.each<readonly [Omit<Poll, 'choices'>, string]>([
  [{ total_votes: null }, ''],
  [{ total_votes: null, closed: true, ends_at: ENDS }, 'closed'],
  [{ total_votes: 1, closed: false }, '1 vote, open'],
  [{ total_votes: 1611, closed: false, ends_at: ENDS }, '1,611 votes, open until 21 August 2027'],
])('pollFacts(%j) is %j', (poll, facts) => {
  expect(pollFacts({ choices: [], ...poll })).toBe(facts);
});

test.each([
  [{ votes: null, percentage: null }, ''],
  [{ votes: 1, percentage: null }, '1 vote'],
  [{ votes: 1201, percentage: null }, '1,201 votes'],
  [{ votes: 1201, percentage: 0 }, '0 %'],
  [{ votes: null, percentage: 74.55 }, '74.6 %'],
])('choiceShare(%j) is %j', (choice, share) => {
  expect(choiceShare({ label: 'Yes', ...choice })).toBe(share);
});

test.each([
  [0, ' · 0 likes · 0 reposts · 0 quotes · 0 replies · 0 bookmarks · 0 views'],
  [1, ' · 1 like · 1 repost · 1 quote · 1 reply · 1 bookmark · 1 view'],
  [null, ''],
])('postCounts writes %s of each count', (count, text) => {
  const metrics = { likes: count, reposts: count, quotes: count, replies: count, bookmarks: count, views: count };
  expect(postCounts(metrics)).toBe(text);
});

test.each([
  [0, ['0 followers', '0 following', '0 posts', '0 likes']],
  [1, ['1 follower', '1 following', '1 post', '1 like']],
  [null, []],
])('userCounts writes %s of each count', (count, texts) => {
  const metrics = { followers: count, following: count, posts: count, likes: count, media: count };
  expect(userCounts({ ...userOf(), metrics })).toEqual(texts);
});

test('userCounts of an account without counts is empty', () => {
  expect(userCounts(userOf())).toEqual([]);
});

test.each([
  [false, 'government', ''],
  [undefined, undefined, ''],
  [true, undefined, 'verified'],
  [true, 'individual', 'verified'],
  [true, 'organization', 'verified organization'],
  [true, 'government', 'verified government account'],
])('verifiedLabel of an account that is verified: %s as %s is %j', (verified, type, label) => {
  expect(
    verifiedLabel({ ...userOf(), ...(verified !== undefined && { verified }), ...(type && { verified_type: type }) }),
  ).toBe(label);
});

test('the name of an account stands before its handle', () => {
  expect(nameAndHandle(userOf(' Ada\n L ', 'ada'))).toBe('Ada L (@ada)');
  expect(nameAndHandle(userOf('\u200b', 'ada'))).toBe('ada (@ada)');
  expect(userTitle(userOf('\u200b', 'ada'))).toBe('\u200b (@ada)');
});

test('mediaLabel names what a link shows', () => {
  expect((['photo', 'video', 'gif'] as const).map(mediaLabel)).toEqual(['Photo', 'Play video', 'Play gif']);
});

test('each reason that a post is missing has its sentences', () => {
  const sentences = TombstoneReason.options.map((reason) => [
    tombstoneSentence(reason, 'This post'),
    goneSentence(reason, 'A reply'),
  ]);
  expect(sentences).toEqual([
    ['This post was deleted.', 'A reply was deleted.'],
    ['This post is not public.', 'A reply is protected: only followers of its author can read it.'],
    ['This post belongs to a suspended account.', 'A reply is by a suspended account.'],
    ['This post is withheld by the platform.', 'X does not show a reply to the public.'],
    ['This post is not available.', 'A reply is not available.'],
  ]);
});
