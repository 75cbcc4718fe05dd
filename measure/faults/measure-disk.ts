// Measures every surface of one service during one fault of its disk: the answer to a valid key, a change of a key, and the
// time until the service is whole again without a restart.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLocalService } from '../../infra/local/service.ts';
import { createKey } from '../../test/support/create-key.ts';
import { sendTimed } from '../../test/support/faults/client.ts';
import { startProviderProxy } from '../../test/support/faults/provider-proxy.ts';
import { type Asked, type ReadRoute, readAnswer } from '../../test/support/faults/surfaces.ts';
import { mountMemory } from '../../test/support/mount-memory.ts';
import type { DiskFault } from './disk-faults.ts';
import { commonErrors, isInTime } from './rules.ts';
import { SECRETS } from './service.ts';

const ADMIN_TOKEN = 'the-operator-token-of-the-measurement';
const DISK_BYTES = 4_194_304;
/** The first attempts to open the store are 1, 2 and 4 s apart, and a breaker is open for 1 to 2 s. */
export const DISK_RECOVERY_MILLISECONDS = 10_000;
const POLL_MILLISECONDS = 100;

export interface DiskCell {
  readonly fault: string;
  readonly surface: string;
  readonly status: number;
  /** X-Api-Key-Status; undefined: the route does not read keys. */
  readonly keyStatus: string | undefined;
  readonly milliseconds: number;
  /** The same for all surfaces of a fault. */
  readonly recoveryMilliseconds: number;
  readonly errors: readonly string[];
}

interface AskedWithKey extends Asked {
  readonly surface: ReadRoute;
  readonly keyStatus: string | undefined;
}

/** @returns undefined: the fault needs a disk of its own, and this user may not mount */
export const measureDiskFault = async (
  fault: DiskFault,
  surfaces: readonly ReadRoute[],
): Promise<readonly DiskCell[] | undefined> => {
  const folder = mkdtempSync(join(tmpdir(), 'postern-disk-'));
  const mounted = fault.needsMount ? mountMemory(folder, DISK_BYTES) : undefined;
  if (fault.needsMount && mounted === undefined) {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  const provider = await startProviderProxy(Math.random);
  const service = await startLocalService({
    host: '127.0.0.1',
    port: 0,
    environment: {
      ...SECRETS,
      UPSTREAM: 'live',
      FXTWITTER_BASE_URL: provider.fxtwitter,
      SYNDICATION_BASE_URL: provider.syndication,
      DATA_DIR: folder,
      ADMIN_TOKEN,
      ALLOWANCE_BROWSE: '1000000/60',
      ALLOWANCE_SEARCH_ANONYMOUS: '1000000/60',
    },
    writeLog: () => undefined,
  });
  let subjects = 0;
  const ask = async (surface: ReadRoute, key: string): Promise<AskedWithKey> => {
    subjects += 1;
    const subject = { id: `1${String(subjects).padStart(11, '0')}`, handle: `s${String(subjects).padStart(6, '0')}` };
    const { headers, ...rest } = surface.queryOf(subject);
    const query = { ...rest, headers: { ...headers, authorization: `Bearer ${key}` } };
    const answer = await sendTimed(service.origin, query, '127.0.0.1');
    return {
      surface,
      query,
      answer,
      reading: readAnswer(surface, subject, answer),
      keyStatus: answer.headers['x-api-key-status'],
    };
  };
  /** All surfaces that read keys say so. */
  const haveStatus = async (key: string, expected: string): Promise<boolean> => {
    for (const surface of surfaces)
      if (surface.honoursKey && (await ask(surface, key)).keyStatus !== expected) return false;
    return true;
  };
  try {
    const key = await createKey(service.origin, ADMIN_TOKEN);
    while (!(await haveStatus(key, 'valid'))) await sleep(POLL_MILLISECONDS);
    const endFault = await fault.plant({ folder, mounted });
    const asked: AskedWithKey[] = [];
    for (const surface of surfaces) asked.push(await ask(surface, key));
    const change = await createKey(service.origin, ADMIN_TOKEN).catch((error: unknown) => String(error));
    await endFault();
    const endedAt = performance.now();
    while (!(await haveStatus(key, 'valid')) && performance.now() - endedAt < 3 * DISK_RECOVERY_MILLISECONDS)
      await sleep(POLL_MILLISECONDS);
    const recoveryMilliseconds = performance.now() - endedAt;
    return asked.map(({ surface, query, answer, reading, keyStatus }) => ({
      fault: fault.name,
      surface: surface.name,
      status: reading.status,
      keyStatus,
      milliseconds: answer.milliseconds,
      recoveryMilliseconds,
      errors: [
        ...commonErrors(query, answer),
        ...(reading.isServed && reading.isTrue ? [] : [`${reading.status}`]),
        ...(surface.honoursKey && keyStatus !== 'unverified' ? [`the key is ${keyStatus}`] : []),
        ...(change.includes('503') ? [] : [`a new key: ${change.replace(/^pstn_.*/, 'acknowledged')}`]),
        ...(isInTime(recoveryMilliseconds, DISK_RECOVERY_MILLISECONDS)
          ? []
          : [`not recovered after ${Math.round(recoveryMilliseconds)} ms`]),
      ],
    }));
  } finally {
    await service.close();
    await provider.close();
    mounted?.unmount();
    rmSync(folder, { recursive: true, force: true });
  }
};
