// Tests the form of API keys and the reader of the Authorization field.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { generateApiKey, isWellFormedApiKey, parseBearer, sha256Hex } from '../../../shared/auth/api-key.ts';
import { apiKeys, authorizationFields, changed } from '../../generators/credentials.ts';
import { readRuns } from '../../generators/seed.ts';

const numRuns = readRuns(2000);
const BYTES = 32;

describe('generateApiKey', () => {
  // Computed independently: 62 digits, most significant first, and the CRC-32 of the first 48 characters.
  test.each([
    ['zeros', new Uint8Array(BYTES), 'pstn_00000000000000000000000000000000000000000002JBEro'],
    ['ones', new Uint8Array(BYTES).fill(255), 'pstn_yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp13uVTdQ'],
    [
      'ascending bytes',
      Uint8Array.from({ length: BYTES }, (_, i) => i),
      'pstn_003aUlTJC7tjlCTQj2uNU3MFagCXG9LRKRcwGkBIDlf1WJTRI',
    ],
  ])('of %s equals an independent encoding, and asks for 256 bits', (_, random, key) => {
    const counts: number[] = [];
    const written = generateApiKey((count) => {
      counts.push(count);
      return random;
    });
    expect([written, counts]).toEqual([key, [BYTES]]);
  });
});

describe('[keys 5] isWellFormedApiKey', () => {
  test('accepts every generated key, and no changed key', () => {
    const keys = apiKeys.chain((key) => fc.tuple(fc.constant(key), changed(key)));
    fc.assert(
      fc.property(keys, ([key, other]) => {
        expect([isWellFormedApiKey(key), isWellFormedApiKey(other)]).toEqual([true, false]);
      }),
      { numRuns },
    );
  });

  test('rejects a correct checksum of a longer text', () => {
    const longer = generateApiKey(() => new Uint8Array(40).fill(255));
    expect([longer.length > 54, isWellFormedApiKey(longer)]).toEqual([true, false]);
  });
});

test('[keys 12] sha256Hex returns the SHA-256 that is stored in place of a key', () => {
  // FIPS 180-4, example of one block.
  expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

describe('[keys 2] [keys 5] parseBearer', () => {
  interface Case {
    readonly value: string | null;
    readonly expect: 'anonymous' | 'key' | 'malformed';
    readonly token?: string;
  }
  const VECTORS = new URL('../../fixtures/vectors/bearer.json', import.meta.url);
  const { cases } = JSON.parse(readFileSync(VECTORS, 'utf8')) as { cases: readonly Case[] };

  test.each(cases)('$value is $expect', ({ value, expect: kind, token }) => {
    const other = { kind: kind === 'anonymous' ? 'none' : 'malformed' };
    expect(parseBearer(value ?? undefined)).toEqual(kind === 'key' ? { kind: 'token', token } : other);
  });

  test.each([
    ['Bearer a\n', 'malformed'],
    ['Bearer a\u00a0', 'malformed'],
    ['Basic a, Bearer b', 'none'],
  ])('%j is %s', (value, kind) => {
    expect(parseBearer(value)).toEqual({ kind });
  });

  test('returns the token with which the field was built', () => {
    fc.assert(
      fc.property(authorizationFields(), ({ value, bearer }) => {
        expect(parseBearer(value)).toEqual(
          typeof bearer === 'string' ? { kind: bearer } : { kind: 'token', token: bearer.token },
        );
      }),
      { numRuns },
    );
  });
});
