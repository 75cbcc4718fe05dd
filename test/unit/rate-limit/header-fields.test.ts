import fc from 'fast-check';
import { parseList } from 'structured-headers';
import { describe, expect, test } from 'vitest';
import type { Allowance } from '../../../shared/contract/allowances.ts';
import { limitField, policyField } from '../../../shared/rate-limit/allowance-limiter.ts';
import type { ChargeDecision } from '../../../shared/rate-limit/fixed-window-limiter.ts';
import { START } from '../../support/limiter.ts';

type Field = 'RateLimit' | 'RateLimit-Policy';

interface Item {
  readonly name: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;

/** Parses the field as a client does (draft-ietf-httpapi-ratelimit-headers-10 sections 3 and 4). @throws if it is malformed */
const read = (field: Field, value: string): readonly Item[] =>
  parseList(value).map(([name, parameters]) => {
    if (typeof name !== 'string') throw new TypeError(`${field}: an item is not a String`);
    const integers = Object.fromEntries(parameters);
    const { q, w, r, t, pk } = integers;
    const isRight =
      field === 'RateLimit'
        ? isCount(r) && (t === undefined || isCount(t))
        : isCount(q) && (w === undefined || (isCount(w) && w !== 0));
    if (!isRight || (pk !== undefined && !(pk instanceof ArrayBuffer))) throw new TypeError(`${field}: ${value}`);
    return { name, parameters: integers };
  });

const SEARCH = { count: 30, seconds: 60 };
const BURSTY: Allowance = { count: 60, seconds: 900, burst: { count: 5, seconds: 60 } };

const admitted = (members: Partial<Extract<ChargeDecision, { admitted: true }>> = {}): ChargeDecision => ({
  admitted: true,
  endsAt: START + 41_900,
  remaining: { count: 29 },
  refund: async () => undefined,
  ...members,
});

const refused = (members: Partial<Extract<ChargeDecision, { admitted: false }>> = {}): ChargeDecision => ({
  admitted: false,
  full: 'window',
  endsAt: START + 17_900,
  isCertain: true,
  ...members,
});

test.each([
  ['one limit', policyField('search', SEARCH), '"search";q=30;w=60'],
  ['a burst limit', policyField('search', BURSTY), '"search";q=60;w=900, "search-burst";q=5;w=60'],
  ['a pool', policyField('browse', SEARCH, BURSTY), '"browse";q=30;w=60, "browse-pool";q=60;w=900'],
  [
    'both',
    policyField('search', BURSTY, SEARCH),
    '"search";q=60;w=900, "search-burst";q=5;w=60, "search-pool";q=30;w=60',
  ],
])('[allowances 2] RateLimit-Policy writes %s', (_, value, expected) => {
  expect(value).toBe(expected);
  expect(read('RateLimit-Policy', value)).toHaveLength(expected.split(', ').length);
});

describe('[allowances 2] RateLimit', () => {
  test.each([
    ['the units that are left', admitted(), '"search";r=29;t=42'],
    [
      'the units that are left of a burst limit',
      admitted({ remaining: { count: 7, burst: { count: 0, endsAt: START + 900 } } }),
      '"search";r=7;t=42, "search-burst";r=0;t=1',
    ],
    ['0 units of the window', refused(), '"search";r=0;t=18'],
    ['0 units of the burst part', refused({ full: 'burst' }), '"search-burst";r=0;t=18'],
  ])('writes %s', (_, decision, expected) => {
    const value = limitField('search', decision, START) ?? '';
    expect(value).toBe(expected);
    expect(read('RateLimit', value)).toHaveLength(expected.split(', ').length);
  });

  test('names the pool, and no part of it, when the pool is spent', () => {
    expect(limitField('search', refused({ full: 'burst' }), START, 'pool')).toBe('"search-pool";r=0;t=18');
  });

  test.each<[string, ChargeDecision]>([
    ['admitted', { admitted: true, endsAt: START, refund: async () => undefined }],
    ['refused', refused({ isCertain: false })],
  ])('is unset when only memory counted: %s', (_, decision) => {
    expect(limitField('search', decision, START)).toBeUndefined();
  });

  test('is a list of Strings with integer parameters for all units and durations', () => {
    const count = fc.nat(9_999_999);
    const endsAt = fc.integer({ min: START - 5000, max: START + 86_400_000 });
    fc.assert(
      fc.property(count, endsAt, fc.option(fc.record({ count, endsAt }), { nil: undefined }), (left, end, burst) => {
        const remaining = { count: left, ...(burst && { burst }) };
        const value = limitField('search', admitted({ endsAt: end, remaining }), START) ?? '';
        const items = read('RateLimit', value);
        expect(items.map(({ name }) => name)).toEqual(burst ? ['search', 'search-burst'] : ['search']);
        expect(items[0]?.parameters).toMatchObject({ r: left });
        expect(read('RateLimit', limitField('search', refused({ endsAt: end }), START) ?? '')[0]?.parameters).toEqual({
          r: 0,
          t: Math.max(1, Math.ceil((end - START + 100) / 1000)),
        });
      }),
    );
  });
});
