import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codingFor } from '../../../shared/http/middleware/compression.ts';

describe('Accept-Encoding (RFC 9110 section 12.5.3)', () => {
  test.each([
    [undefined, 'identity', false],
    ['', 'identity', false],
    ['gzip, deflate, br, zstd', 'br', false],
    ['GZIP', 'gzip', false],
    ['x-gzip', 'gzip', false],
    ['gzipped, deflate', 'identity', false],
    ['gzip;q=1.0, br;q=0.9', 'gzip', false],
    ['gzip;q=0.5, br;q=0.5', 'br', false],
    ['gzip; q=0.001', 'gzip', false],
    ['gzip;q=0.000, br;q=0', 'identity', false],
    ['br;q=0, *', 'gzip', false],
    ['*;q=0.1', 'br', false],
    ['*;q=0', 'identity', false],
    ['br, *;q=0', 'br', true],
    ['gzip, identity;q=0', 'gzip', true],
    ['gzip, *;q=0, identity;q=0.1', 'gzip', false],
    ['identity;q=0', 'identity', false],
    ['identity, gzip', 'gzip', false],
    ['identity;q=1, gzip;q=0.5', 'identity', false],
    ['identity;q=0.5, gzip;q=1', 'gzip', false],
    ['identity;q=0.5, *;q=0.1', 'identity', false],
    ['gzip;q=1, gzip;q=0', 'gzip', false],
    ['nonsense/;;;, gzip', 'gzip', false],
    ['__proto__, constructor', 'identity', false],
  ])('%o chooses %s, and refuses what is not encoded: %s', (field, coding, isRequired) => {
    expect(codingFor(field)).toEqual({ coding: coding === 'identity' ? undefined : coding, isRequired });
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
