import { createHash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { generateApiKey, isWellFormedApiKey, sha256Hex } from '../../../shared/auth/api-key.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BYTES = 32;

const keyOf = (bytes: Uint8Array): string => generateApiKey(() => bytes);

/** Keys of bytes that look random, equal in every run. */
const keys = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => keyOf(createHash('sha256').update(String(index)).digest()));

const bytes = fc.uint8Array({ minLength: BYTES, maxLength: BYTES });

describe('generateApiKey', () => {
  test('writes every random value in one form', () => {
    fc.assert(
      fc.property(bytes, (random) => {
        const key = keyOf(random);
        expect(key).toMatch(/^pstn_[0-9A-Za-z]{49}$/);
        expect(isWellFormedApiKey(key)).toBe(true);
      }),
    );
  });

  // Computed independently: 62 digits, most significant first, and the CRC-32 of the first 48 characters.
  test.each([
    ['zeros', new Uint8Array(BYTES), 'pstn_00000000000000000000000000000000000000000002JBEro'],
    ['ones', new Uint8Array(BYTES).fill(255), 'pstn_yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp13uVTdQ'],
    [
      'ascending bytes',
      Uint8Array.from({ length: BYTES }, (_, i) => i),
      'pstn_003aUlTJC7tjlCTQj2uNU3MFagCXG9LRKRcwGkBIDlf1WJTRI',
    ],
  ])('of %s equals an independent encoding', (_, random, key) => {
    expect(keyOf(random)).toBe(key);
  });

  test('asks for 256 bits', () => {
    const counts: number[] = [];
    generateApiKey((count) => {
      counts.push(count);
      return randomBytes(count);
    });
    expect(counts).toEqual([32]);
  });

  test('writes different keys for different bytes', () => {
    fc.assert(
      fc.property(bytes, bytes, fc.nat(BYTES), (a, b, zeros) => {
        // Leading zeros are the values that a positional encoding could lose.
        const first = a.fill(0, 0, zeros);
        expect(keyOf(first) === keyOf(b)).toBe(Buffer.compare(first, b) === 0);
      }),
    );
    const many = Array.from({ length: 5000 }, () => generateApiKey(randomBytes));
    expect(new Set(many).size).toBe(many.length);
  });
});

describe('[keys 5] isWellFormedApiKey rejects', () => {
  test('any change of one character', () => {
    const [character, position] = [fc.constantFrom(...ALPHABET, '-', '_', 'é', ' '), fc.nat(53)];
    const refused = fc.property(bytes, position, character, (random, at, other) => {
      const key = keyOf(random);
      fc.pre(key[at] !== other);
      return !isWellFormedApiKey(`${key.slice(0, at)}${other}${key.slice(at + 1)}`);
    });
    fc.assert(refused, { numRuns: 20_000 });
  });

  const [key = ''] = keys(1);
  test.each([
    ['an empty text', ''],
    ['only the prefix', 'pstn_'],
    ['a key without its prefix', key.slice(5)],
    ['a key with another prefix', `PSTN_${key.slice(5)}`],
    ['a key without its last character', key.slice(0, -1)],
    ['a key with one character more', `${key}0`],
    ['a key after another character', `x${key}`],
    ['a key before a line break', `${key}\n`],
    ['two keys', `${key}${key}`],
    ['a key in capitals', key.toUpperCase()],
    ['the hash of a key', sha256Hex(key)],
  ])('%s', (_, text) => {
    expect(isWellFormedApiKey(text)).toBe(false);
  });

  test('a correct checksum of another text', () => {
    const longer = generateApiKey(() => new Uint8Array(40).fill(255));
    expect(longer.length).toBeGreaterThan(54);
    expect(isWellFormedApiKey(longer)).toBe(false);
  });
});

test('[keys 12] sha256Hex returns the SHA-256 that is stored in place of a key', () => {
  // FIPS 180-4, example of one block.
  expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
