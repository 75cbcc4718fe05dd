import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ListKey, ListPosition } from '../../../shared/model/lists.ts';
import { createCursorCodec } from '../../../shared/reads/paging/signed-cursors.ts';
import { forgedCursors, positions } from '../../generators/cursors.ts';
import { readRuns } from '../../generators/seed.ts';

const FOLLOWERS: ListKey = ['followers', 'jack'];
const cursors = createCursorCodec(['first secret']);

const position: ListPosition = {
  provider: 'fxtwitter',
  size: 20,
  cursor: '1700000000020|WEMx+/=',
  isPartial: true,
  emptyPages: 3,
  recentFingerprints: [0, 1, 0xffffffff],
};

// Clients keep cursors over deployments, so their bytes stay the same.
test.each<readonly [string, ListPosition, string]>([
  [
    'every member',
    { ...position, firstPageFingerprint: 7 },
    'ARIkKONqN-InZVk4SHqNRWMAMVsiZnh0d2l0dGVyIiwyMCwiMTcwMDAwMDAwMDAyMHxXRU14Ky89Iix0cnVlLDMsN10AAAAAAAAAAf____8',
  ],
  [
    'the members of a first page',
    { provider: 'x_api', size: 1, isPartial: false, emptyPages: 0, recentFingerprints: [] },
    'ATsG9UTcPC45XNpLk_LHKfkAHVsieF9hcGkiLDEsbnVsbCxmYWxzZSwwLG51bGxd',
  ],
  [
    'the accounts of a merged timeline',
    {
      provider: '',
      size: 20,
      isPartial: false,
      emptyPages: 0,
      recentFingerprints: [],
      accounts: [
        'ended',
        { missing: 'suspended' },
        { idle: 0 },
        { idle: 2, before: '1700', isRestart: true },
        { idle: 3, after: '9', cursor: 'c' },
        { idle: 0, before: '1700', after: '9', cursor: 'c', provider: 'x_api', isRestart: true },
      ],
    },
    'ARDZWFVRcTaKNNjPwLi0W0oAlVsiIiwyMCxudWxsLGZhbHNlLDAsbnVsbCwiIixbMCwic3VzcGVuZGVkIixbIiIsMF0sWyJBQUFBQUFBQUJxUSIsMiwxXSxbIkFBQUFBQUFBQUFBQUFBQUFBQUFBQ1EiLDMsMCwiYyJdLFsiQUFBQUFBQUFCcVFBQUFBQUFBQUFDUSIsMCwxLCJjIiwieF9hcGkiXV1d',
  ],
])('[bounds 3] a cursor with %s has the same bytes as ever', (_, listPosition, text) => {
  expect(cursors.encode(FOLLOWERS, listPosition)).toBe(text);
  expect(cursors.decode(FOLLOWERS, text)).toEqual(listPosition);
});

test('after a rotation, cursors of the old secret are decoded, and new cursors have the new secret', () => {
  const [old, rotated] = [createCursorCodec(['old']), createCursorCodec(['new', 'old'])];
  expect(rotated.decode(FOLLOWERS, old.encode(FOLLOWERS, position))).toEqual(position);
  expect(createCursorCodec(['new']).decode(FOLLOWERS, rotated.encode(FOLLOWERS, position))).toEqual(position);
});

const LISTS: readonly ListKey[] = [
  ['followers', 'jack'],
  ['followers', 'jac', 'k'],
  ['followers'],
  ['following', 'jack'],
  ['search', 'a', 'latest'],
  [''],
  ['a', 'b'],
  ['ab', ''],
  ['a,b'],
];

test('[bounds 3] a list decodes its own cursor and no forged one', () => {
  const cases = fc
    .tuple(positions, fc.constantFrom(...LISTS))
    .chain(([position, list]) =>
      fc.tuple(fc.constant(position), fc.constant(list), forgedCursors(cursors.encode(list, position), list)),
    );
  fc.assert(
    fc.property(cases, ([position, list, forged]) => {
      const cursor = cursors.encode(list, position);
      expect(cursors.decode(list, cursor)).toEqual(position);
      expect(cursors.decode(list, forged)).toBeUndefined();
      for (const other of LISTS) if (other !== list) expect(cursors.decode(other, cursor)).toBeUndefined();
    }),
    { numRuns: readRuns(1000) },
  );
});
