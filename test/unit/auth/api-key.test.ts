import { createHash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { generateApiKey, isWellFormedApiKey, sha256Hex } from '../../../shared/auth/api-key.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BYTES = 32;

const keyOf = (bytes: Uint8Array): string => generateApiKey(() => bytes);

/** Keys that are the same in every run, of bytes that look random. */
const keys = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => keyOf(createHash('sha256').update(String(index)).digest()));

const bytes = fc.uint8Array({ minLength: BYTES, maxLength: BYTES });

describe('a key', () => {
  test('has one form, whatever its bytes are', () => {
    fc.assert(
      fc.property(bytes, (random) => {
        const key = keyOf(random);
        expect(key).toMatch(/^pstn_[0-9A-Za-z]{49}$/);
        expect(isWellFormedApiKey(key)).toBe(true);
      }),
    );
  });

  // Made by other means: 62 digits, the most significant first, and the CRC-32 of the first 48 characters.
  test.each([
    ['zeros', new Uint8Array(BYTES), 'pstn_00000000000000000000000000000000000000000002JBEro'],
    ['ones', new Uint8Array(BYTES).fill(255), 'pstn_yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp13uVTdQ'],
    [
      'ascending bytes',
      Uint8Array.from({ length: BYTES }, (_, i) => i),
      'pstn_003aUlTJC7tjlCTQj2uNU3MFagCXG9LRKRcwGkBIDlf1WJTRI',
    ],
  ])('of %s is as others would write it', (_, random, key) => {
    expect(keyOf(random)).toBe(key);
  });

  test('asks for 256 bits', () => {
    const asked: number[] = [];
    generateApiKey((count) => {
      asked.push(count);
      return randomBytes(count);
    });
    expect(asked).toEqual([32]);
  });

  test('is never another’s: different bytes make different keys', () => {
    fc.assert(
      fc.property(bytes, bytes, fc.nat(BYTES), (a, b, zeros) => {
        // Leading zeros are where such an encoding would lose something.
        const first = a.fill(0, 0, zeros);
        expect(keyOf(first) === keyOf(b)).toBe(Buffer.compare(first, b) === 0);
      }),
    );
    const many = Array.from({ length: 5000 }, () => generateApiKey(randomBytes));
    expect(new Set(many).size).toBe(many.length);
  });

  test('uses all characters alike', () => {
    const counts = new Map<string, number>();
    const all = keys(5000).flatMap((key) => [...key.slice('pstn_'.length + 1, -6)]);
    for (const character of all) counts.set(character, (counts.get(character) ?? 0) + 1);
    const expected = all.length / ALPHABET.length;
    expect([...counts.keys()].sort().join('')).toBe(ALPHABET);
    expect(Math.min(...counts.values())).toBeGreaterThan(expected * 0.93);
    expect(Math.max(...counts.values())).toBeLessThan(expected * 1.07);
  });
});

describe('[decision 6 #39] what is not a key is told without asking', () => {
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
    ['nothing', ''],
    ['its prefix alone', 'pstn_'],
    ['without its prefix', key.slice(5)],
    ['with another prefix', `PSTN_${key.slice(5)}`],
    ['cut short', key.slice(0, -1)],
    ['with one character more', `${key}0`],
    ['with one character before', `x${key}`],
    ['with a line break after', `${key}\n`],
    ['with another key after', `${key}${key}`],
    ['in capitals', key.toUpperCase()],
    ['its hash', sha256Hex(key)],
  ])('%s', (_, text) => {
    expect(isWellFormedApiKey(text)).toBe(false);
  });

  test('a right checksum of something else', () => {
    const longer = generateApiKey(() => new Uint8Array(40).fill(255));
    expect(longer.length).toBeGreaterThan(54);
    expect(isWellFormedApiKey(longer)).toBe(false);
  });

  test('two neighbours exchanged', () => {
    for (const whole of keys(20)) {
      for (let at = 5; at < whole.length - 1; at += 1) {
        const [first = '', second = ''] = whole.slice(at, at + 2);
        if (first === second) continue;
        expect(isWellFormedApiKey(`${whole.slice(0, at)}${second}${first}${whole.slice(at + 2)}`)).toBe(false);
      }
    }
  });
});

test('[spec 5.4 #46] what is stored of a key is its SHA-256', () => {
  // FIPS 180-4, the example of one block.
  expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
