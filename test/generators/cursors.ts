// Generates cursors that the service did not write: changed ones, ones of another list, another secret or another kind.
import fc from 'fast-check';
import type { ListKey, ListPosition } from '../../shared/model/lists.ts';
import { createCursorCodec } from '../../shared/reads/paging/signed-cursors.ts';
import { changed } from './credentials.ts';
import { nastyString } from './nasty-strings.ts';
import { weighted } from './seed.ts';

/** Positions in a list, with every member at its bounds. */
export const positions: fc.Arbitrary<ListPosition> = fc
  .record(
    {
      provider: fc.constantFrom('fxtwitter', 'x_api'),
      size: fc.integer({ min: 1, max: 100 }),
      cursor: fc.string({ unit: 'binary', maxLength: 300 }).map((text) => text.toWellFormed()),
      isPartial: fc.boolean(),
      emptyPages: fc.integer({ min: 0, max: 20 }),
      searchPages: fc.integer({ min: 0, max: 30 }),
      firstPageFingerprint: fc.nat(0xffffff),
      lastPageFingerprint: fc.nat(0xffffff),
      recentFingerprints: fc.array(fc.nat(0xffffff), { maxLength: 12 }),
      earlyIds: fc.array(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String), { minLength: 1, maxLength: 3 }),
    },
    { requiredKeys: ['provider', 'size', 'isPartial', 'emptyPages', 'recentFingerprints'] },
  )
  .map((position) => position as ListPosition); // absent members are left out and never undefined

/** Flips one bit of the bytes and encodes them again, so that only the signature can tell. */
const flipped = (cursor: string): fc.Arbitrary<string> => {
  const bytes = Buffer.from(cursor, 'base64url');
  return fc.nat(bytes.length * 8 - 1).map((bit) => {
    const copy = Buffer.from(bytes);
    copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    return copy.toString('base64url');
  });
};

/** Cursors of a service with another secret. */
const foreign = (list: ListKey): fc.Arbitrary<string> =>
  positions.map((position) => createCursorCodec(['the secret of another service']).encode(list, position));

/** @returns cursors that no list of the service wrote, made of one that it wrote */
export const forgedCursors = (cursor: string, list: ListKey): fc.Arbitrary<string> =>
  weighted(
    [4, flipped(cursor)],
    [3, changed(cursor)],
    [2, foreign(list)],
    [1, fc.constantFrom(`${cursor}=`, `${cursor}==`, ` ${cursor}`, `${cursor}\n`, cursor + cursor)],
    [1, fc.constantFrom(cursor.toLowerCase(), Buffer.from(cursor).toString('base64url'))],
    [1, nastyString],
  ).filter((forged) => forged !== cursor);
