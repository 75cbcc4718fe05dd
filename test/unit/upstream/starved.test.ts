// What a caller's own calls hold up is that caller's alone: what others are told of the same thing is whole.
import { expect, test } from 'vitest';
import type { Requester } from '../../../shared/ports/upstream.ts';
import { type Behaviour, faultServer, json, neverResponds } from '../../support/fault-server.ts';
import { fxTwitterAt } from '../../support/fxtwitter.ts';

const author = { type: 'profile', screen_name: 'ada', id: '7', name: 'Ada' };
const status = (id: string) => ({ type: 'status', id, text: `post ${id}`, author, created_timestamp: 1_774_000_800 });

/** Answers but for ids and handles that begin with 9 and h. */
const partly: Behaviour = (incoming, response) => {
  const [, id = '21'] = /\/(?:conversation|thread|status)\/(\d+)/.exec(incoming.url ?? '') ?? [];
  if (id.startsWith('9')) return neverResponds(incoming, response);
  return json({ code: 200, status: status(id), thread: [status(id)], replies: [], cursor: null })(incoming, response);
};

const requester = (caller: string): Requester => ({
  caller,
  admit: () => ({ granted: Promise.resolve(), isLikelyGranted: true }),
});

test('[decision 5 #98] a post that a flooding caller asked for too is read whole for others, and not kept as that caller had it', async () => {
  const server = await faultServer({ fxtwitter: partly });
  const upstream = fxTwitterAt(server, { clock: Date.now, limits: { attemptMilliseconds: 800 } });
  const read = (id: string, caller: string) =>
    upstream.readPost({ id, thread: 'full', replies: 'top' }, Date.now() + 8000, requester(caller));
  const flood = Array.from({ length: 40 }, (_, index) => read(`9${100 + index}`, 'ada'));
  const own = read('777', 'ada');
  const joined = read('777', 'bob');
  expect(await joined).toMatchObject({ kind: 'found', warnings: [] });
  expect(await read('777', 'eve')).toMatchObject({ kind: 'found', warnings: [] });
  await Promise.all([own, ...flood]);
  expect(await read('777', 'eve')).toMatchObject({ kind: 'found', warnings: [] });
});
