// The fields are parsed as lists of Strings with integer parameters in functions/browse/allowances.test.ts.
import { expect, test } from 'vitest';
import type { Allowance } from '../../../shared/contract/allowances.ts';
import type { ChargeDecision } from '../../../shared/rate-limit/fixed-window-limiter.ts';
import { limitField, policyField } from '../../../shared/rate-limit/header-fields.ts';
import { START } from '../../support/limiter.ts';

const SEARCH = { count: 30, seconds: 60 };
const BURSTY: Allowance = { count: 60, seconds: 900, burst: { count: 5, seconds: 60 } };

const refund = async (): Promise<void> => undefined;
const endsAt = START + 41_900;
const inMemory: ChargeDecision = { admitted: true, endsAt, refund };
const admitted: ChargeDecision = { ...inMemory, remaining: { count: 29 } };
const withBurst: ChargeDecision = { ...inMemory, remaining: { count: 7, burst: { count: 0, endsAt: START + 900 } } };
const refused: ChargeDecision = { admitted: false, full: 'window', endsAt: START + 17_900, isCertain: true };

test.each([
  ['one limit', policyField('search', SEARCH), '"search";q=30;w=60'],
  ['a pool', policyField('browse', SEARCH, BURSTY), '"browse";q=30;w=60, "browse-pool";q=60;w=900'],
  [
    'a burst limit and a pool',
    policyField('search', BURSTY, SEARCH),
    '"search";q=60;w=900, "search-burst";q=5;w=60, "search-pool";q=30;w=60',
  ],
])('[allowances 2] RateLimit-Policy writes %s', (_, value, expected) => expect(value).toBe(expected));

test.each<[string, ChargeDecision, 'pool' | undefined, string | undefined]>([
  ['the units that are left', admitted, undefined, '"search";r=29;t=42'],
  ['the units that are left of a burst limit', withBurst, undefined, '"search";r=7;t=42, "search-burst";r=0;t=1'],
  ['0 units of the window', refused, undefined, '"search";r=0;t=18'],
  ['0 units of the burst part', { ...refused, full: 'burst' }, undefined, '"search-burst";r=0;t=18'],
  ['the pool, and no part of it', { ...refused, full: 'burst' }, 'pool', '"search-pool";r=0;t=18'],
  ['nothing if only memory admitted', inMemory, undefined, undefined],
  ['nothing if only memory refused', { ...refused, isCertain: false }, undefined, undefined],
])('[allowances 2] RateLimit writes %s', (_, decision, pool, expected) =>
  expect(limitField('search', decision, START, pool)).toBe(expected),
);
