// Tests that a failed conversation query does not hide the post, because X limits conversations more than single posts.
import { expect, test } from 'vitest';
import { monotonic } from '../../../shared/model/time.ts';
import type { PostRequest } from '../../../shared/ports/upstream.ts';
import { createFxTwitter } from '../../../shared/upstream/fxtwitter/provider.ts';
import type { CallBudget } from '../../../shared/upstream/json-client.ts';
import { type LaidOut, layoutOf } from '../../support/conversation-layout.ts';
import { chainOf, type Fault, rawPosts, threadReader } from '../../support/threads.ts';

const ID = '1001';
const layout = layoutOf(rawPosts(chainOf(3)));

const BARE: LaidOut = { status: 404, body: { status: null, thread: null, replies: null, author: null, code: 404 } };

type Said = LaidOut | 'down';

const reading = async (conversation: Said, thread: Said | undefined, rest: Partial<PostRequest> = {}) => {
  const fault: Fault = (route) => (route === 'thread' ? thread : conversation);
  const reader = threadReader(layout, fault);
  const outcome = await reader.read({ id: ID, thread: 'full', replies: 'top', ...rest });
  return { outcome, routes: reader.calls.map((path) => path.split('/')[2]) };
};

test('[outages 1] a refused conversation query is not followed by a thread query', async () => {
  const { outcome, routes } = await reading({ status: 400, body: { code: 400, message: 'id' } }, undefined);
  expect(outcome.kind).toBe('refused');
  expect(routes).toEqual(['conversation']);
});

test.each<readonly [string, LaidOut['body'], string]>([
  [
    'a tombstone',
    { code: 404, status: { type: 'tombstone', reason: 'deleted', id: '9' } },
    'tombstone of another post',
  ],
  ['a post', { code: 200, status: { id: '9', text: 'x', created_timestamp: 1, author: {} } }, 'wrong post'],
])('[outages 1] %s with another id is a failure with its own cause', async (_, body, why) => {
  const unusable = { status: 200, body: { code: 200 } };
  expect((await reading(unusable, { status: 200, body })).outcome).toEqual({ kind: 'failed', why });
});

test('[outages 1] a response with only the post gives the warning conversation_unavailable', async () => {
  const alone = layout.answer('status', ID, new URLSearchParams());
  const { outcome, routes } = await reading(alone, 'down');
  expect(outcome).toMatchObject({ kind: 'found', warnings: [{ code: 'conversation_unavailable' }] });
  expect(routes).toEqual(['conversation']);
});

test('[outages 1] a thread query that answers with the post alone is repeated once', async () => {
  const alone = layout.answer('status', ID, new URLSearchParams());
  const answers = [alone, undefined];
  const { calls, read } = threadReader(layout, (route) => (route === 'thread' ? answers.shift() : BARE));
  expect(await read({ id: ID, thread: 'full', replies: 'top' })).toMatchObject({
    kind: 'found',
    value: { thread: [{ id: '1002' }, { id: '1003' }] },
  });
  expect(calls.slice(0, 3).map((path) => path.split('/')[2])).toEqual(['conversation', 'thread', 'thread']);
});

test.each<readonly [string, Said]>([
  ['no answer', 'down'],
  ['the post alone', layout.answer('status', ID, new URLSearchParams())],
])('[outages 1] the post of the thread query is kept if its repetition has %s', async (_, repetition) => {
  const alone = layout.answer('status', ID, new URLSearchParams());
  const answers: Said[] = [alone, repetition];
  const { calls, read } = threadReader(layout, (route) => (route === 'thread' ? answers.shift() : BARE));
  expect(await read({ id: ID, thread: 'full', replies: 'top' })).toMatchObject({
    kind: 'found',
    value: { post: { id: ID }, thread: [] },
    warnings: [{ code: 'conversation_unavailable' }],
  });
  expect(calls).toHaveLength(3);
});

test('[outages 1] a thread of 25 is whole from each part while the conversation query fails', async () => {
  const whole = layoutOf(rawPosts(chainOf(25)));
  for (const id of ['1001', '1010', '1025']) {
    const reader = threadReader(whole, (route) => (route === 'conversation' ? BARE : undefined));
    const outcome = await reader.read({ id, thread: 'full', replies: 'top' });
    if (outcome.kind !== 'found') throw new Error(outcome.kind);
    const { ancestors, thread } = outcome.value;
    expect(ancestors.length + 1 + thread.length).toBe(25);
    expect(outcome.warnings).toMatchObject([{ code: 'conversation_unavailable' }]);
    expect(reader.calls.length).toBeLessThanOrEqual(5);
  }
});

test('[outages 1] the first attempt and the thread query leave time, unless no other provider can follow', async () => {
  const budgets: CallBudget[] = [];
  const provider = createFxTwitter({
    baseUrl: 'http://127.0.0.1',
    source: 'fxtwitter',
    clock: () => 0,
    http: {
      get: async (_, budget) => {
        budgets.push({ ...budget });
        return { kind: 'down', why: 'time-out' };
      },
    },
  });
  const request: PostRequest = { id: ID, thread: 'full', replies: 'top' };
  await provider.readPost(request, { deadline: monotonic(8000), calls: { retries: 1 }, isLast: false });
  await provider.readPost(request, { deadline: monotonic(8000), calls: { retries: 1 }, isLast: true });
  expect(budgets.map(({ deadline, isLast }) => [deadline, isLast])).toEqual([
    [8000, false],
    [6500, false],
    [8000, false],
    [8000, true],
  ]);
});
