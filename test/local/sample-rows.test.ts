// Tests that the rows of the sample agree with each other, and that what is counted is what is listed.
import { expect, test } from 'vitest';
import accounts from '../../infra/local/sample/accounts.json' with { type: 'json' };
import rows from '../../infra/local/sample/posts.json' with { type: 'json' };
import { createSampleProvider } from '../../infra/local/sample-provider.ts';
import { asRecord, isRecord, type JsonRecord } from '../../shared/model/json.ts';

/** Their posts and counts are those of X at some time. The sample has not all of their lists. */
const REAL = ['X', 'jack', 'rtwlz', 'SpaceX', 'DivineDropbear', 'Vyseroy'];
/** Their lists cannot be read. */
const WITHOUT_LISTS = accounts.flatMap(({ screen_name: handle, protected: isProtected }) =>
  isProtected === true || handle === 'flaky_feed' ? [handle] : [],
);

const provider = createSampleProvider();
const read = (path: string): JsonRecord => provider.answer(new URL(path, 'http://sample')).body;

/** @returns the records of all pages */
const readAll = (path: string, member: string): readonly JsonRecord[] => {
  const records: JsonRecord[] = [];
  for (let cursor: unknown = ''; typeof cursor === 'string'; ) {
    const body = read(`${path}${path.includes('?') ? '&' : '?'}cursor=${cursor}`);
    const page: unknown = body[member];
    if (Array.isArray(page)) records.push(...page.filter(isRecord));
    cursor = asRecord(body['cursor'])?.['bottom'];
  }
  return records;
};

const postRows = rows.filter((row) => !('tombstone' in row) && !('repost' in row));
const readable = rows.filter((row) => !('tombstone' in row));

/** X counts milliseconds from here, above 22 bits of an id. */
const SNOWFLAKE_EPOCH = 1_288_834_974_657n;

test('[sample 4] the id of each post carries the time of the post to the second', () => {
  // The first post is older than these ids.
  const wrong = readable.filter(({ id, created_at: time = '' }) => {
    const seconds = Number(((BigInt(id) >> 22n) + SNOWFLAKE_EPOCH) / 1000n);
    return id !== '20' && seconds !== Date.parse(time) / 1000;
  });
  expect(wrong).toEqual([]);
});

test('[sample 4] the posts are newest first, and each id is once', () => {
  const ids = rows.map(({ id }) => BigInt(id));
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => (a < b ? 1 : -1)));
});

test.each([
  '/2/profile/ada_larsson/statuses',
  '/2/profile/kestrel_labs/statuses',
  '/2/profile/lena_quay/statuses?with_replies=1',
  '/2/profile/ada_larsson/media',
  '/2/search?q=tide',
  '/2/search?q=%23ferries',
  '/2/search?q=list:2026',
  '/2/search?q=conversation_id:2100000000000000401',
  '/2/status/2028036267832246272/quotes',
])('[sample 4] %s is newest first across accounts', (path) => {
  const ids = readAll(path, 'results').flatMap(({ id, reposted_by: isRepost }) => (isRepost ? [] : [String(id)]));
  expect(ids.length).toBeGreaterThan(3);
  expect(ids).toEqual(ids.toSorted((a, b) => (BigInt(a) < BigInt(b) ? 1 : -1)));
});

test('[sample 4] each account, post and repost that a row names has a row', () => {
  const handles = new Set(accounts.map(({ screen_name: handle }) => handle));
  const ids = new Set(rows.map(({ id }) => id));
  const originals = new Set(postRows.map(({ id }) => id));
  expect(new Set([...handles].map((handle) => handle.toLowerCase())).size).toBe(accounts.length);
  expect(readable.filter(({ author = '' }) => !handles.has(author))).toEqual([]);
  expect(accounts.flatMap(({ follows = [] }) => follows).filter((handle) => !handles.has(handle))).toEqual([]);
  const named = postRows.flatMap((row) => [row.replying_to, row.quote].filter((id) => id !== undefined));
  expect(named.length).toBeGreaterThan(60);
  expect(named.filter((id) => !ids.has(id))).toEqual([]);
  expect(rows.filter(({ repost }) => repost !== undefined && !originals.has(repost))).toEqual([]);
});

test('[sample 4] the counts of an invented post are those of its lists', () => {
  for (const { id, author = '' } of postRows) {
    if (REAL.includes(author)) continue;
    const isDirect = (entry: JsonRecord): boolean => asRecord(entry['replying_to'])?.['status'] === id;
    const replies = readAll(`/2/conversation/${id}`, 'replies').filter(isDirect);
    const lists = {
      replies: replies.length,
      quotes: readAll(`/2/status/${id}/quotes`, 'results').length,
      reposts: readAll(`/2/status/${id}/reposts`, 'results').length,
    };
    expect(read(`/2/status/${id}`)['status'], id).toMatchObject(lists);
  }
});

test('[sample 4] the counts of an invented account are those of its lists', () => {
  for (const { screen_name: handle } of accounts) {
    if ([...REAL, ...WITHOUT_LISTS].includes(handle)) continue;
    const countOf = (list: string): number => readAll(`/2/profile/${handle}/${list}`, 'results').length;
    expect(read(`/2/profile/${handle}`)['user'], handle).toMatchObject({
      followers: countOf('followers'),
      following: countOf('following'),
      statuses: countOf('statuses?with_replies=1'),
      media_count: countOf('media'),
    });
  }
});

test.each([
  ['any word of a post', 'TRANSCRIPT hearing', ['2031671471109046790']],
  ['a phrase', '"just setting up"', ['20']],
  ['an account and a period', 'from:JACK since:2006-03-21 until:2006-03-22', ['20']],
  ['words that no post has', 'hearing zzzqqq', []],
  ['an operator that the sample does not know', 'twttr lang:en', []],
])('[sample 4] a search for %s finds the posts', (_, query, ids) => {
  expect(readAll(`/2/search?q=${encodeURIComponent(query)}`, 'results').map(({ id }) => id)).toEqual(ids);
});
