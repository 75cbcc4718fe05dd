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
  recentFingerprints: [0, 1, 0xffffff],
};

const MERGED: ListPosition = {
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
};

const FIRST_PAGE: ListPosition = {
  provider: 'x_api',
  size: 1,
  isPartial: false,
  emptyPages: 0,
  recentFingerprints: [],
};

// Clients keep cursors over deployments, so their bytes stay the same.
test.each<readonly [string, ListPosition, string]>([
  [
    'every member',
    { ...position, firstPageFingerprint: 7, lastPageFingerprint: 8, earlyIds: ['1700'] },
    'AneqAyQ8_9gmeCA-p5RWXhEXFAMBABUxNzAwMDAwMDAwMDIwfFdFTXgrLz0AAAcAAAgBAAAAAAAABqQAAAAAAAH___8',
  ],
  [
    'a part of several pages of a search',
    { ...FIRST_PAGE, isPartial: true, searchPages: 26 },
    'AnkRN0TveBuKc_uak49bXSohAQACGgA',
  ],
  ['the members of a first page', FIRST_PAGE, 'Agft7FNBVX8Mq88ttCbuYZ8AAQACAA'],
  [
    'the accounts of a merged timeline',
    MERGED,
    'Apqp2FFOb02-YxjF6gUBkx0IFAAABgAEgKMAAAAAAAAGpAKsAAAAAAAAAAkAAWMDnwAAAAAAAAakAAAAAAAAAAkAAWMCAA',
  ],
])('[bounds 3] a cursor with %s has the same bytes as ever', (_, listPosition, text) => {
  expect(cursors.encode(FOLLOWERS, listPosition)).toBe(text);
  expect(cursors.decode(FOLLOWERS, text)).toEqual(listPosition);
});

// Their fingerprints had 32 bits.
test.each<readonly [string, ListPosition, string]>([
  [
    'every member',
    { ...position, recentFingerprints: [0, 0, 0xffffff], firstPageFingerprint: 0 },
    'ARIkKONqN-InZVk4SHqNRWMAMVsiZnh0d2l0dGVyIiwyMCwiMTcwMDAwMDAwMDAyMHxXRU14Ky89Iix0cnVlLDMsN10AAAAAAAAAAf____8',
  ],
  ['the members of a first page', FIRST_PAGE, 'ATsG9UTcPC45XNpLk_LHKfkAHVsieF9hcGkiLDEsbnVsbCxmYWxzZSwwLG51bGxd'],
  [
    'the accounts of a merged timeline',
    MERGED,
    'ARDZWFVRcTaKNNjPwLi0W0oAlVsiIiwyMCxudWxsLGZhbHNlLDAsbnVsbCwiIixbMCwic3VzcGVuZGVkIixbIiIsMF0sWyJBQUFBQUFBQUJxUSIsMiwxXSxbIkFBQUFBQUFBQUFBQUFBQUFBQUFBQ1EiLDMsMCwiYyJdLFsiQUFBQUFBQUFCcVFBQUFBQUFBQUFDUSIsMCwxLCJjIiwieF9hcGkiXV1d',
  ],
])('[bounds 3] a cursor of release 2.8 with %s is decoded', (_, listPosition, text) => {
  expect(cursors.decode(FOLLOWERS, text)).toEqual(listPosition);
});

/** Cursors as X writes them, and of other letters. */
const TIMELINE_CURSOR = 'DAAHCgABHEJR3hu___QLAAIAAAATMjAyODI4MTMxMzk2MzQ4MzM5NAgAAwAAAAIAAA';
const SEARCH_CURSOR = TIMELINE_CURSOR.repeat(4).slice(0, 259);
const FULL = {
  ...position,
  firstPageFingerprint: 7,
  lastPageFingerprint: 8,
  recentFingerprints: Array.from({ length: 60 }, (_, index) => index),
};
const EARLY = Array.from({ length: 64 }, (_, index) => String(2_000_000_000_000_000_000n + BigInt(index)));

test.each<readonly [string, ListPosition, number]>([
  ['posts of an account', { ...FULL, cursor: TIMELINE_CURSOR }, 240],
  ['posts of an account with early posts', { ...FULL, cursor: TIMELINE_CURSOR, earlyIds: EARLY }, 240],
  ['followers', { ...FULL, cursor: '1700000000000000020|1791234567890123456' }, 240],
  ['a search', { ...FULL, cursor: SEARCH_CURSOR }, 400],
])('[bounds 8] a cursor of %s is short and has at least 20 items', (_, whole, most) => {
  const text = cursors.encode(FOLLOWERS, whole);
  expect(text.length).toBeLessThanOrEqual(most);
  const { recentFingerprints, earlyIds = [], ...rest } = cursors.decode(FOLLOWERS, text) ?? position;
  const { earlyIds: allEarly = [] } = whole;
  expect({
    ...rest,
    recentFingerprints: whole.recentFingerprints,
    ...(allEarly.length > 0 && { earlyIds: allEarly }),
  }).toEqual(whole);
  // The latest items, and the early posts that come back first.
  expect(whole.recentFingerprints.slice(-recentFingerprints.length)).toEqual(recentFingerprints);
  expect(allEarly.slice(allEarly.length - earlyIds.length)).toEqual(earlyIds);
  if (allEarly.length === 0) expect(recentFingerprints.length).toBeGreaterThanOrEqual(20);
  else expect([earlyIds.length > 5, recentFingerprints.length > 5]).toEqual([true, true]);
});

test.each([1, 2, 5, 20])(
  '[bounds 8] a cursor of %i accounts has 300 characters beside those of its providers',
  (count) => {
    const account = { idle: 0, before: EARLY[0] ?? '', cursor: TIMELINE_CURSOR, provider: 'fxtwitter' };
    const held = [{ ids: EARLY.slice(0, 10), page: { provider: 'fxtwitter' } }];
    const whole: ListPosition = {
      ...MERGED,
      accounts: Array.from({ length: count }, (_, index) => (index === 0 ? { ...account, held } : account)),
    };
    const text = cursors.encode(FOLLOWERS, whole);
    const ofProviders = count * (TIMELINE_CURSOR.length + 8);
    expect(text.length).toBeLessThanOrEqual(300 + ofProviders + 11 * 10);
    expect(cursors.decode(FOLLOWERS, text)).toEqual(whole);
  },
);

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
