// Runs a small part of `npm run measure -- faults`: one fault of the providers and one of the store.
import { expect, test } from 'vitest';
import { diskFaults } from '../../measure/faults/disk-faults.ts';
import { measureFaults } from '../../measure/faults/measure.ts';
import { storeFaults } from '../../measure/faults/store-faults.ts';
import { providerFaults } from '../support/faults/provider-faults.ts';
import { surfaces } from '../support/faults/surfaces.ts';

const only = <T extends { readonly name: string }>(rows: readonly T[], ...names: readonly string[]): readonly T[] =>
  rows.filter(({ name }) => names.includes(name));

test('there are 26 faults of providers, 14 of the store and 7 of its disk', () => {
  expect(new Set(providerFaults.map(({ name }) => name)).size).toBe(26);
  expect(new Set(storeFaults.map(({ name }) => name)).size).toBe(14);
  expect(new Set(diskFaults.map(({ name }) => name)).size).toBe(7);
});

test('[outages 2] [running 4] answers during a fault of the providers, the store or its disk break no rule', async () => {
  const { provider, store, disk } = await measureFaults({
    providerFaults: only(providerFaults, '200 with a login page'),
    storeFaults: only(storeFaults, 'wrong checksum'),
    diskFaults: only(diskFaults, 'disk gone'),
    surfaces: only(surfaces, 'posts', 'search'),
    seed: 1,
    concurrency: 2,
    victims: 4,
  });
  expect(provider.map(({ surface, status, errors }) => ({ surface, status, errors }))).toEqual([
    { surface: 'posts', status: 502, errors: [] },
    { surface: 'search', status: 502, errors: [] },
  ]);
  // On a busy machine the store answers late, and memory admits a part: the rules check both numbers.
  expect(store.map(({ surface, errors }) => ({ surface, errors }))).toEqual([
    { surface: 'posts', errors: [] },
    { surface: 'search', errors: [] },
  ]);
  expect(disk.map(({ surface, status, keyStatus, errors }) => ({ surface, status, keyStatus, errors }))).toEqual([
    { surface: 'posts', status: 200, keyStatus: undefined, errors: [] },
    { surface: 'search', status: 200, keyStatus: 'unverified', errors: [] },
  ]);
}, 240_000);
