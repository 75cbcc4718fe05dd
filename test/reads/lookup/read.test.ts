// Tests the result of a lookup for each outcome of its posts, and which posts stay if all are too large for one answer.
import { expect, test } from 'vitest';
import type { Conversation } from '../../../shared/model/resources.ts';
import type { Outcome, Requester, Upstream } from '../../../shared/ports/upstream.ts';
import { lookupPosts } from '../../../shared/reads/lookup/read.ts';
import { clocksOf } from '../../support/clocks.ts';
import { conversation, found, NOW } from '../../support/test-app.ts';

type Found = Extract<Outcome<Conversation>, { kind: 'found' }>;

const foundBy = (id: string, members: Partial<Found> = {}): Outcome<Conversation> => ({
  kind: 'found',
  value: conversation(id),
  source: 'fxtwitter',
  fetchedAt: NOW - Number(id),
  warnings: [],
  ...members,
});

const note = { code: 'fallback_answered', message: 'another one' };

const OUTCOMES = new Map<string, Outcome<Conversation>>([
  ['20', foundBy('20')],
  ['21', foundBy('21', { source: 'syndication', warnings: [note] })],
  ['22', foundBy('22', { warnings: [note] })],
  ['30', { kind: 'gone', reason: 'deleted' }],
  ['31', { kind: 'absent' }],
  ['40', { kind: 'ambiguous' }],
  ['41', { kind: 'down', why: 'time-out' }],
  ['42', { kind: 'refused', why: '400' }],
  ['43', { kind: 'failed', why: 'no JSON' }],
]);

const FUTURE = '9223372036854775807';

type Call = Parameters<Upstream['readPost']>;

const lookup = async (ids: readonly string[], calls: Call[] = [], requester?: Requester) => {
  const upstream: Pick<Upstream, 'readPost'> = {
    readPost: async (...call) => {
      calls.push(call);
      return OUTCOMES.get(call[0].id) ?? found(conversation(call[0].id));
    },
  };
  return lookupPosts({ ids: [...ids] }, { upstream, ...clocksOf(() => NOW) }, requester);
};

test('each post is read for its own part of the requester', async () => {
  const of = (name: string): Requester => ({ name }) as unknown as Requester;
  const calls: Call[] = [];
  let reads = 0;
  await lookup(['20', FUTURE, '21'], calls, {
    ...of('all'),
    forAnotherRead: () => {
      reads += 1;
      return of(`read ${reads}`);
    },
  });
  expect(calls.map(([, , requester]) => requester)).toEqual([of('read 1'), of('read 2')]);
  calls.length = 0;
  await lookup(['20'], calls, of('one'));
  expect(calls.map(([, , requester]) => requester)).toEqual([of('one')]);
});

test('[threads 6] a lookup warns when a quoted article is a preview', async () => {
  const value = conversation('23');
  const quote = { ...value.post, id: '10', article: { title: 'Fjords', blocks: [] } };
  OUTCOMES.set('23', foundBy('23', { value: { ...value, post: { ...value.post, quote } } }));
  expect((await lookup(['20', '23'])).warnings.map(({ code }) => code)).toEqual(['article_previews']);
});

test('a lookup that is too large leaves out its last posts, says how many, and can be reduced again', async () => {
  const { parts, ...whole } = await lookup(['21', '20', '30']);
  expect(parts).toMatchObject({ count: 3, minimum: 1 });
  const two = parts?.keep(2);
  const one = two?.parts?.keep(1);
  const told = (text: string) => ({
    code: 'truncated',
    message: `The answer would be too large: the last ${text} left out. Ask for them in another request.`,
  });
  const { parts: ofTwo, ...valueOfTwo } = two ?? {};
  expect(valueOfTwo).toEqual({
    ...whole,
    value: { posts: whole.value.posts.slice(0, 2) },
    warnings: [note, told('post')],
  });
  expect(ofTwo).toMatchObject({ count: 2, minimum: 1 });
  expect(one?.value.posts.map(({ id }) => id)).toEqual(['21']);
  expect(parts?.keep(1).warnings).toEqual([note, told('2 posts')]);
});
