// Tests what a response of the syndication CDN means by its status, its media type and its kind of object.
import { expect, test } from 'vitest';
import type { FetchResult } from '../../../shared/upstream/http-request.ts';
import { createSyndication } from '../../../shared/upstream/syndication/provider.ts';

const NOW = Date.parse('2026-08-25T00:00:00Z');

const read = (fetched: FetchResult) =>
  createSyndication({
    baseUrl: 'http://127.0.0.1',
    source: 'syndication',
    clock: () => NOW,
    http: { get: async () => fetched },
  }).readPost({ id: '20', thread: 'off', replies: 'off' }, { deadline: NOW + 8000, retries: 0 });

const response = (status: number, json: unknown, isHtml = false): FetchResult => ({
  kind: 'response',
  status,
  json,
  isHtml,
});

const POST = { __typename: 'Tweet', id_str: '20', user: {} };
const TOMBSTONE = { __typename: 'TweetTombstone' };

test.each<readonly [string, FetchResult, object]>([
  ['an HTML page with 404', response(404, undefined, true), { kind: 'absent' }],
  ['JSON with 404', response(404, {}), { kind: 'failed', why: 'status 404' }],
  ['no known type with 404', response(404, undefined), { kind: 'failed', why: 'status 404' }],
  ['an HTML page with 200', response(200, undefined, true), { kind: 'failed', why: 'status 200' }],
  ['a list', response(200, [POST]), { kind: 'failed', why: 'status 200' }],
  ['a post with 403', response(403, POST), { kind: 'failed', why: 'status 403' }],
  ['an empty object', response(200, {}), { kind: 'failed', why: 'an object that is no post' }],
  ['another post', response(200, { ...POST, id_str: '21' }), { kind: 'failed', why: 'wrong post' }],
  ['a post without a user', response(200, { ...POST, user: null }), { kind: 'gone', reason: 'suspended' }],
  ['a tombstone without text', response(200, TOMBSTONE), { kind: 'gone', reason: 'withheld' }],
  ['no response', { kind: 'down', why: 'time-out' }, { kind: 'down', why: 'time-out' }],
])('%s', async (_, fetched, outcome) => {
  expect(await read(fetched)).toEqual(outcome);
});

test('a post without a conversation has the counts that the CDN has', async () => {
  expect(await read(response(200, POST))).toMatchObject({ kind: 'found', source: 'syndication', fetchedAt: NOW });
});
