import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codingFor } from '../../../shared/http/middleware/compression.ts';

describe('Accept-Encoding (RFC 9110 section 12.5.3)', () => {
  test.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br,gzip', 'br'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['deflate', 'identity'],
    ['zstd', 'identity'],
    ['gzip;q=1.0, br;q=0.9', 'gzip'],
    ['gzip;q=0.5, br;q=0.5', 'br'],
    ['gzip; q=0.001', 'gzip'],
    ['gzip;q=0', 'identity'],
    ['gzip;q=0.000, br;q=0', 'identity'],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'br'],
    ['*;q=0.1', 'br'],
    ['br;q=0, *', 'gzip'],
    ['gzip, *;q=0', 'gzip'],
    ['*;q=0', 'identity'],
    ['identity', 'identity'],
    ['identity, gzip', 'gzip'],
    ['identity;q=1, gzip;q=0.5', 'identity'],
    ['identity;q=0.5, gzip;q=1', 'gzip'],
    ['identity;q=0.5, *;q=0.1', 'identity'],
    ['gzip;q=1, gzip;q=0', 'gzip'],
    ['nonsense/;;;, gzip', 'gzip'],
    [',,,', 'identity'],
    ['gzipped', 'identity'],
    ['__proto__, constructor', 'identity'],
  ])('%o: %s', (field, coding) => {
    expect(codingFor(field).coding ?? 'identity').toBe(coding);
  });

  test.each([
    ['gzip', false],
    ['gzip, identity;q=0', true],
    ['br, *;q=0', true],
    ['gzip, *;q=0, identity;q=0.1', false],
    ['*;q=0', false],
    ['identity;q=0', false],
  ])('%o refuses what is not encoded, and takes what is: %s', (field, isRequired) => {
    expect(codingFor(field).isRequired).toBe(isRequired);
  });

  test('what is refused is never chosen, whatever else is there', () => {
    const member = fc.tuple(
      fc.constantFrom('gzip', 'br', 'identity', '*', 'deflate'),
      fc.constantFrom('', ';q=0', ';q=0.0', ';q=0.3', ';q=1'),
    );
    fc.assert(
      fc.property(fc.array(member, { maxLength: 6 }), (members) => {
        const { coding } = codingFor(members.map((each) => each.join('')).join(', '));
        const first = members.find(([name]) => name === coding) ?? members.find(([name]) => name === '*');
        if (coding !== undefined) expect(first?.[1]).not.toMatch(/q=0(?:\.0)?$/);
      }),
    );
  });
});
