// Tests that a result that a caller's own calls held up is not shared with other callers.
import { expect, test } from 'vitest';
import type { Requester } from '../../../shared/ports/upstream.ts';
import { clocksOf, readingAt } from '../../support/clocks.ts';
import { type Behaviour, faultServer, json, neverResponds } from '../../support/fault-server.ts';
import { isFullForm } from '../../support/full-form.ts';
import { fxTwitterAt } from '../../support/fxtwitter.ts';

const author = { type: 'profile', screen_name: 'ada', id: '7', name: 'Ada' };
const status = (id: string) => ({ type: 'status', id, text: `post ${id}`, author, created_timestamp: 1_774_000_800 });

/** Responds to all requests except for ids that start with 9 and handles that start with h. */
const partly: Behaviour = (incoming, response) => {
  const [, id = '21'] = /\/(?:conversation|thread|status)\/(\d+)/.exec(incoming.url ?? '') ?? [];
  if (id.startsWith('9')) return neverResponds(incoming, response);
  return json({ code: 200, status: status(id), thread: [status(id)], replies: [], cursor: null })(incoming, response);
};

const requester = (caller: string): Requester => ({
  caller,
  admit: () => Promise.resolve(),
});

test.runIf(isFullForm)(
  '[outages 2] other callers get a complete post that a flooding caller requested too',
  async () => {
    const server = await faultServer({ fxtwitter: partly });
    // The limits leave a busy machine the time to answer a post that is not held up.
    const upstream = fxTwitterAt(server, { ...clocksOf(Date.now), limits: { attemptMilliseconds: 4000 } });
    const read = (id: string, caller: string, milliseconds = 20_000) =>
      upstream.readPost(
        { id, thread: 'full', replies: 'top' },
        readingAt(Date.now() + milliseconds),
        requester(caller),
      );
    const flood = Array.from({ length: 40 }, (_, index) => read(`9${100 + index}`, 'ada', 8000));
    const ownPost = read('777', 'ada');
    const joined = read('777', 'bob');
    expect(await joined).toMatchObject({ kind: 'found', warnings: [] });
    expect(await read('777', 'eve')).toMatchObject({ kind: 'found', warnings: [] });
    await Promise.all([ownPost, ...flood]);
    expect(await read('777', 'eve')).toMatchObject({ kind: 'found', warnings: [] });
  },
);
