// Divides the memory that the process may use between its caches, which have a quarter of it together.
import { totalmem } from 'node:os';
import { lambdas } from '../../shared/contract/lambdas.ts';
import { keysOf } from '../../shared/model/json.ts';

const MEBIBYTE = 1024 * 1024;

/** @returns bytes: the limit of the container or, without one, the memory of the machine */
export const usableMemory = (
  limit: number | undefined = process.constrainedMemory(),
  machine: number = totalmem(),
): number => {
  // Without a limit, Node says 0 or, in a cgroup of version 1, almost 2^64.
  return limit === undefined || limit <= 0 ? machine : Math.min(limit, machine);
};

export interface CacheShares {
  /** Bytes of the shared cache. */
  readonly shared: number;
  /** Whole MiB of the results that one function keeps of its providers. */
  readonly requestsMebibytes: number;
}

const CACHES_SHARE = 1 / 4;
/** The documents of one base URL take a tenth of it. */
const DOCUMENTS_BYTES = 8 * MEBIBYTE;
/** More does not answer more requests: the shared cache has a bound of entries, too. */
const MAX_SHARED_BYTES = 256 * MEBIBYTE;
const MAX_REQUESTS_MEBIBYTES = 100;

const READERS = keysOf(lambdas).filter((name) => lambdas[name].readsProviders).length;

export const cacheShares = (memory: number = usableMemory()): CacheShares => {
  const half = Math.max(0, memory * CACHES_SHARE - DOCUMENTS_BYTES) / 2;
  return {
    shared: Math.min(MAX_SHARED_BYTES, Math.floor(half)),
    requestsMebibytes: Math.min(MAX_REQUESTS_MEBIBYTES, Math.max(1, Math.floor(half / READERS / MEBIBYTE))),
  };
};
