// Tests that the excerpts of the tree of a conversation displace no posts from the cache.
import { expect, test } from 'vitest';
import { monotonic } from '../../../shared/model/time.ts';
import type { PostRequest } from '../../../shared/ports/upstream.ts';
import { type Behaviour, faultServer, json } from '../../support/fault-server.ts';
import { fxTwitterAt } from '../../support/fxtwitter.ts';
import { author, status } from '../../support/long-conversation.ts';
import { NOW } from '../../support/test-app.ts';

const anyPost: Behaviour = (incoming, response) => {
  const [, id] = /\/([0-9]+)(?:\?|$)/.exec(incoming.url ?? '') ?? [];
  const post = { ...status(1, false), id };
  json({ code: 200, status: post, thread: [post], replies: [], author: author(0), cursor: null })(incoming, response);
};

const idOf = (index: number): string => String(2_000_000_000_000_000_000n + BigInt(index));

test('[lists 19] 120 excerpts of conversations are cached, and no post is displaced by them', async () => {
  const server = await faultServer({ fxtwitter: anyPost });
  const upstream = fxTwitterAt(server);
  const read = async (request: PostRequest): Promise<number> => {
    const before = server.calls().length;
    expect(await upstream.readPost(request, monotonic(NOW + 8000))).toMatchObject({ kind: 'found' });
    return server.calls().length - before;
  };
  const post: PostRequest = { id: idOf(0), thread: 'off', replies: 'top' };
  expect(await read(post)).toBe(1);
  const excerptOf = (index: number): PostRequest => ({ ...post, id: idOf(index), isExcerpt: true });
  // The same id, which is another answer.
  for (let index = 0; index < 120; index += 1) expect(await read(excerptOf(index))).toBe(1);
  expect(await read(post)).toBe(0);
  expect(await read(excerptOf(119))).toBe(0);
  expect(await read({ ...excerptOf(119), replies: 'recent' })).toBe(1);
  expect(await read({ ...excerptOf(119), lang: 'de' })).toBe(1);
});
