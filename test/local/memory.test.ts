// Tests how the memory of the process is divided between its caches.
import { expect, test } from 'vitest';
import { cacheShares, usableMemory } from '../../infra/local/memory.ts';
import { lambdas } from '../../shared/contract/lambdas.ts';

const MEBIBYTE = 1024 * 1024;
const MACHINE = 8192 * MEBIBYTE;

test.each([
  ['of its container', 256 * MEBIBYTE, 256 * MEBIBYTE],
  ['of the machine without a limit', 0, MACHINE],
  ['of the machine if Node does not know', undefined, MACHINE],
  ['of the machine if a cgroup of version 1 has no limit', 2 ** 64, MACHINE],
  ['of the machine if the limit is larger', 2 * MACHINE, MACHINE],
])('[running 3] the process may use the memory %s', (_, limit, expected) => {
  expect(usableMemory(limit, MACHINE)).toBe(expected);
});

const readers = Object.values(lambdas).filter(({ readsProviders }) => readsProviders).length;

test.each([256, 512, 1024, 24_576])('[running 3] with %i MiB, all caches have at most a quarter', (mebibytes) => {
  const { shared, requestsMebibytes } = cacheShares(mebibytes * MEBIBYTE);
  const documents = 8 * MEBIBYTE;
  const total = shared + requestsMebibytes * readers * MEBIBYTE + documents;
  expect(total).toBeLessThanOrEqual((mebibytes * MEBIBYTE) / 4);
  expect(shared).toBeGreaterThanOrEqual(27 * MEBIBYTE);
  expect(shared).toBeLessThanOrEqual(256 * MEBIBYTE);
  expect(requestsMebibytes).toBeGreaterThanOrEqual(3);
});
