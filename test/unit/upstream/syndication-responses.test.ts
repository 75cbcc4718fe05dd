// Tests what a response of the syndication CDN means by its status, its media type and its kind of object.
import { expect, test } from 'vitest';
import type { FetchResult } from '../../../shared/upstream/http-request.ts';
import { createSyndication } from '../../../shared/upstream/syndication/provider.ts';
import { json, providerCalling } from '../../support/provider-calls.ts';

const NOW = Date.parse('2026-08-25T00:00:00Z');

const read = (fetched: FetchResult) =>
  providerCalling(createSyndication, () => fetched, NOW).readPost(
    { id: '20', thread: 'off', replies: 'off' },
    { deadline: NOW + 8000, retries: 0 },
  );

const page = (status: number): FetchResult => ({ kind: 'response', status, json: undefined, isHtml: true });

const POST = { __typename: 'Tweet', id_str: '20', user: {} };
const TOMBSTONE = { __typename: 'TweetTombstone' };

test.each<readonly [string, FetchResult, object]>([
  ['an HTML page with 404', page(404), { kind: 'absent' }],
  ['JSON with 404', json({}, 404), { kind: 'failed', why: 'status 404' }],
  ['no known type with 404', json(undefined, 404), { kind: 'failed', why: 'status 404' }],
  ['an HTML page with 200', page(200), { kind: 'failed', why: 'status 200' }],
  ['a list', json([POST], 200), { kind: 'failed', why: 'status 200' }],
  ['a post with 403', json(POST, 403), { kind: 'failed', why: 'status 403' }],
  ['an empty object', json({}, 200), { kind: 'failed', why: 'an object that is no post' }],
  ['another post', json({ ...POST, id_str: '21' }, 200), { kind: 'failed', why: 'wrong post' }],
  ['a post without a user', json({ ...POST, user: null }, 200), { kind: 'gone', reason: 'suspended' }],
  ['a tombstone without text', json(TOMBSTONE, 200), { kind: 'gone', reason: 'withheld' }],
  ['no response', { kind: 'down', why: 'time-out' }, { kind: 'down', why: 'time-out' }],
])('%s', async (_, fetched, outcome) => {
  expect(await read(fetched)).toEqual(outcome);
});

test('a post without a conversation has the counts that the CDN has', async () => {
  expect(await read(json(POST))).toMatchObject({ kind: 'found', source: 'test', fetchedAt: NOW });
});
