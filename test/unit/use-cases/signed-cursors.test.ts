import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ListKey, ListPosition } from '../../../shared/model/list-position.ts';
import { createCursorCodec } from '../../../shared/use-cases/signed-cursors.ts';
import { positions } from '../../generators/cursors.ts';

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

const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

describe('a cursor', () => {
  test('[bounds 3] a cursor decodes to the encoded position and needs no escape in a URL', () => {
    fc.assert(
      fc.property(positions, fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), (sealed, list) => {
        const text = cursors.encode(list, sealed);
        expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(cursors.decode(list, text)).toEqual(sealed);
      }),
    );
  });

  test('[bounds 3] a cursor with one character changed, added or removed is not decoded', () => {
    const text = cursors.encode(FOLLOWERS, position);
    for (let at = 0; at < text.length; at += 1) {
      for (const other of CHARACTERS) {
        if (other === text[at]) continue;
        expect(cursors.decode(FOLLOWERS, `${text.slice(0, at)}${other}${text.slice(at + 1)}`)).toBeUndefined();
      }
      expect(cursors.decode(FOLLOWERS, text.slice(0, at))).toBeUndefined();
      expect(cursors.decode(FOLLOWERS, text.slice(0, at) + text.slice(at + 1))).toBeUndefined();
    }
    for (const more of ['A', '=', '==', ' ', '.', '\n', '%3D'])
      expect(cursors.decode(FOLLOWERS, text + more)).toBeUndefined();
    expect(cursors.decode(FOLLOWERS, ` ${text}`)).toBeUndefined();
    expect(cursors.decode(FOLLOWERS, text.replaceAll('-', '+').replaceAll('_', '/'))).toBe(
      /[-_]/.test(text) ? undefined : position,
    );
  });

  test.each<ListKey>([
    ['followers', 'jill'],
    ['following', 'jack'],
    ['posts', 'jack'],
    ['followersjack'],
    ['followers', 'jack', ''],
    ['search', 'latest', 'jack'],
  ])('[bounds 3] a cursor of another list is not decoded: %s %s %s', (...list) => {
    expect(cursors.decode(list, cursors.encode(FOLLOWERS, position))).toBeUndefined();
  });

  test('[bounds 3] a cursor is not decoded for arguments that are equal only after concatenation', () => {
    const text = cursors.encode(['search', 'top', 'a b'], position);
    for (const list of [
      ['search', 'top a', 'b'],
      ['search', 'topa b'],
      ['search', 'top', 'a', 'b'],
      ['search', 'top","a b'],
    ])
      expect(cursors.decode(list, text)).toBeUndefined();
  });

  test('[bounds 3] a cursor with an invalid signature is not decoded', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String(), fc.string({ unit: 'binary' })), (text) => {
        expect(cursors.decode(FOLLOWERS, text)).toBeUndefined();
      }),
    );
    for (const text of ['', 'AQ', 'A'.repeat(6000), '__proto__', 'null', '{}']) {
      expect(cursors.decode(FOLLOWERS, text)).toBeUndefined();
    }
  });
});

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
])('[bounds 3] a cursor with %s has the same bytes as ever', (_, listPosition, text) => {
  expect(cursors.encode(FOLLOWERS, listPosition)).toBe(text);
  expect(cursors.decode(FOLLOWERS, text)).toEqual(listPosition);
});

describe('cursor secrets', () => {
  const old = createCursorCodec(['old']);
  const rotated = createCursorCodec(['new', 'old']);

  test('after a rotation, cursors of the old secret are decoded, and new cursors have the new secret', () => {
    expect(rotated.decode(FOLLOWERS, old.encode(FOLLOWERS, position))).toEqual(position);
    expect(createCursorCodec(['new']).decode(FOLLOWERS, rotated.encode(FOLLOWERS, position))).toEqual(position);
    expect(old.decode(FOLLOWERS, rotated.encode(FOLLOWERS, position))).toBeUndefined();
  });

  test('a cursor is not decoded with an unknown secret', () => {
    expect(createCursorCodec(['other']).decode(FOLLOWERS, old.encode(FOLLOWERS, position))).toBeUndefined();
  });
});
