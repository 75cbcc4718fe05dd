import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ListKey, Position } from '../../../shared/model/position.ts';
import { createCursors } from '../../../shared/reads/cursors.ts';

const FOLLOWERS: ListKey = ['followers', 'jack'];
const cursors = createCursors(['first secret']);

const position: Position = {
  provider: 'fxtwitter',
  size: 20,
  cursor: '1700000000020|WEMx+/=',
  begun: true,
  barren: 3,
  seen: [0, 1, 0xffffffff],
};

const positions: fc.Arbitrary<Position> = fc
  .record(
    {
      provider: fc.constantFrom('fxtwitter', 'x_api'),
      size: fc.integer({ min: 1, max: 100 }),
      cursor: fc.string({ unit: 'binary', maxLength: 300 }).map((text) => text.toWellFormed()),
      begun: fc.boolean(),
      barren: fc.integer({ min: 0, max: 20 }),
      origin: fc.nat(0xffffffff),
      seen: fc.array(fc.nat(0xffffffff), { maxLength: 100 }),
    },
    { requiredKeys: ['provider', 'size', 'begun', 'barren', 'seen'] },
  )
  .map((made) => made as Position); // optional members are left out, never undefined

const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

describe('a cursor', () => {
  test('[D4] opens as what was sealed, and needs no escape in an address', () => {
    fc.assert(
      fc.property(positions, fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), (sealed, list) => {
        const text = cursors.seal(list, sealed);
        expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(cursors.open(list, text)).toEqual(sealed);
      }),
    );
  });

  test('[D4] with one character changed, added or taken away is nobody’s', () => {
    const text = cursors.seal(FOLLOWERS, position);
    for (let at = 0; at < text.length; at += 1) {
      for (const other of CHARACTERS) {
        if (other === text[at]) continue;
        expect(cursors.open(FOLLOWERS, `${text.slice(0, at)}${other}${text.slice(at + 1)}`)).toBeUndefined();
      }
      expect(cursors.open(FOLLOWERS, text.slice(0, at))).toBeUndefined();
      expect(cursors.open(FOLLOWERS, text.slice(0, at) + text.slice(at + 1))).toBeUndefined();
    }
    for (const more of ['A', '=', '==', ' ', '.', '\n', '%3D'])
      expect(cursors.open(FOLLOWERS, text + more)).toBeUndefined();
    expect(cursors.open(FOLLOWERS, ` ${text}`)).toBeUndefined();
    expect(cursors.open(FOLLOWERS, text.replaceAll('-', '+').replaceAll('_', '/'))).toBe(
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
  ])('[D4] of another list is refused: %s %s %s', (...list) => {
    expect(cursors.open(list, cursors.seal(FOLLOWERS, position))).toBeUndefined();
  });

  test('[D4] of arguments that only look alike when run together is refused', () => {
    const text = cursors.seal(['search', 'top', 'a b'], position);
    for (const list of [
      ['search', 'top a', 'b'],
      ['search', 'topa b'],
      ['search', 'top', 'a', 'b'],
      ['search', 'top","a b'],
    ])
      expect(cursors.open(list, text)).toBeUndefined();
  });

  test('[D4] that anybody could make up is refused', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String(), fc.string({ unit: 'binary' })), (text) => {
        expect(cursors.open(FOLLOWERS, text)).toBeUndefined();
      }),
    );
    for (const text of ['', 'AQ', 'A'.repeat(6000), '__proto__', 'null', '{}']) {
      expect(cursors.open(FOLLOWERS, text)).toBeUndefined();
    }
  });
});

describe('secrets', () => {
  const old = createCursors(['old']);
  const rotated = createCursors(['new', 'old']);

  test('after a rotation what the old one sealed still opens, and new ones are sealed with the new one', () => {
    expect(rotated.open(FOLLOWERS, old.seal(FOLLOWERS, position))).toEqual(position);
    expect(createCursors(['new']).open(FOLLOWERS, rotated.seal(FOLLOWERS, position))).toEqual(position);
    expect(old.open(FOLLOWERS, rotated.seal(FOLLOWERS, position))).toBeUndefined();
  });

  test('that are unknown open nothing', () => {
    expect(createCursors(['other']).open(FOLLOWERS, old.seal(FOLLOWERS, position))).toBeUndefined();
  });
});
