// The accounts that providers name beside the contract, on which it depends what is withheld.
import { expect, test } from 'vitest';
import { ANSWERED, BROADCASTER } from '../../../shared/model/account-names.ts';
import { createFxTwitterPostMapper } from '../../../shared/upstream/fxtwitter/map-post.ts';
import { mapPost as mapSyndicationPost } from '../../../shared/upstream/syndication/map-post.ts';
import { createXApiPostMapper } from '../../../shared/upstream/x-api/map-post.ts';

const broadcastBy = (broadcaster: unknown) =>
  createFxTwitterPostMapper(0).post({
    id: '20',
    media: { broadcast: { url: 'https://x.com/i/broadcasts/1abc', broadcaster } },
  })?.broadcast?.[BROADCASTER];

test('[withheld 6] the account that gives a broadcast is read by its handle and its id, as far as they are valid', () => {
  expect(broadcastBy({ username: 'ada_larsson', id: '2201001', display_name: 'Ada' })).toEqual({
    handle: 'ada_larsson',
    id: '2201001',
  });
  expect(broadcastBy({ username: 'a b', id: 7 })).toEqual({ handle: undefined, id: undefined });
  expect([undefined, null, 'ada', []].map(broadcastBy)).toEqual([undefined, undefined, undefined, undefined]);
});

test('[withheld 7] the account that wrote the answered post is read by its id', () => {
  const syndication = (id: unknown) => mapSyndicationPost({ id_str: '21', in_reply_to_user_id_str: id }, 0)?.[ANSWERED];
  const xApi = (id: unknown) => createXApiPostMapper({}, 0).post({ id: '21', in_reply_to_user_id: id })?.[ANSWERED];
  for (const read of [syndication, xApi]) {
    expect(read('7001')).toEqual({ id: '7001' });
    expect([undefined, null, '', 'u1', 7].map(read)).toEqual(Array(5).fill(undefined));
  }
});
