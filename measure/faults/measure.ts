// Measures every surface during every fault, each in an instance of its own.
import { withBundles } from '../../infra/build/kept-build.ts';
import { startDynamoDb } from '../../infra/local/dynamodb.ts';
import { dynamoDbOptions } from '../../shared/composition/access-control.ts';
import type { Environment } from '../../shared/composition/environment.ts';
import { createDynamoDbClient } from '../../shared/stores/dynamodb-client.ts';
import { AMPLE_ALLOWANCES } from '../../test/support/ample-allowances.ts';
import type { ProviderFault } from '../../test/support/faults/provider-faults.ts';
import { type ProviderProxy, startProviderProxy } from '../../test/support/faults/provider-proxy.ts';
import { meterStalls, stallsSince } from '../../test/support/faults/stalls.ts';
import type { ReadRoute } from '../../test/support/faults/surfaces.ts';
import { seededRandom } from '../../test/support/random.ts';
import { startProxy } from '../../test/support/store-proxy.ts';
import type { DiskFault } from './disk-faults.ts';
import { type DiskCell, measureDiskFault } from './measure-disk.ts';
import { measureProviderCell, type ProviderCell } from './measure-provider.ts';
import { measureStoreCell, STORE_ALLOWANCE, type StoreCell } from './measure-store.ts';
import { startInstance } from './service.ts';
import type { StoreFault } from './store-faults.ts';

export interface FaultOptions {
  readonly providerFaults: readonly ProviderFault[];
  readonly storeFaults: readonly StoreFault[];
  readonly diskFaults: readonly DiskFault[];
  readonly surfaces: readonly ReadRoute[];
  readonly seed: number;
  /** Measurements at the same time. */
  readonly concurrency: number;
  /** Requests of other callers in each measurement. */
  readonly victims: number;
  readonly report?: (cell: ProviderCell | StoreCell | DiskCell) => void;
  /** Called with the name of each fault that this user may not plant. */
  readonly reportSkipped?: (name: string) => void;
  /** Called with each result that does not count, because the machine was busy. */
  readonly reportRepeat?: (cell: ProviderCell | StoreCell) => void;
}

export interface FaultResults {
  readonly provider: readonly ProviderCell[];
  readonly store: readonly StoreCell[];
  readonly disk: readonly DiskCell[];
  /** Results that do not count, because they broke a rule while the machine was busy. */
  readonly repeats: number;
}

/** @returns the results in the order of the tasks */
const runAll = async <T>(tasks: readonly (() => Promise<T>)[], concurrency: number): Promise<readonly T[]> => {
  const results: T[] = [];
  const queue = tasks.entries();
  const work = async (): Promise<void> => {
    for (const [index, task] of queue) results[index] = await task();
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return results;
};

const MAX_STALL_MILLISECONDS = 500;
const MAX_REPEATS = 2;

/**
 * Repeats a measurement that broke a rule if the process waited for a processor once for long during it.
 *
 * @param onRepeat called with each result that does not count
 */
const repeatIfStalled = async <T extends ProviderCell | StoreCell>(
  measure: (turn: number) => Promise<T>,
  onRepeat: (cell: T) => void,
): Promise<T> => {
  for (let turn = 0; ; turn += 1) {
    const startedAt = performance.now();
    const cell = await measure(turn);
    const longest = Math.max(0, ...stallsSince(startedAt));
    if (cell.errors.length === 0 || longest < MAX_STALL_MILLISECONDS || turn === MAX_REPEATS) return cell;
    onRepeat(cell);
  }
};

export const measureFaults = (options: FaultOptions): Promise<FaultResults> =>
  withBundles(async (directory) => {
    const { surfaces, seed, concurrency, victims, report } = options;
    const store = await startDynamoDb({ DATA_DIR: 'memory' });
    const client = createDynamoDbClient(dynamoDbOptions(store.environment));
    const stopMeter = meterStalls();
    let repeats = 0;
    const onRepeat = (cell: ProviderCell | StoreCell): void => {
      repeats += 1;
      options.reportRepeat?.(cell);
    };
    /** @returns a task for each surface and fault, with providers of its own */
    const tasksOf = <F, C extends ProviderCell | StoreCell>(
      faults: readonly F[],
      measure: (planted: {
        readonly fault: F;
        readonly surface: ReadRoute;
        readonly provider: ProviderProxy;
        readonly environment: Environment;
        /** Another one in each turn. */
        readonly index: number;
      }) => Promise<C>,
    ) =>
      surfaces
        .flatMap((surface) => faults.map((fault) => ({ fault, surface })))
        .map(({ fault, surface }, index, all) => ({
          fault,
          async run(): Promise<C> {
            const provider = await startProviderProxy(seededRandom(seed + index));
            const environment = {
              ...store.environment,
              FXTWITTER_BASE_URL: provider.fxtwitter,
              SYNDICATION_BASE_URL: provider.syndication,
            };
            const cell = await repeatIfStalled(
              (turn) => measure({ fault, surface, provider, environment, index: index + turn * all.length }),
              onRepeat,
            );
            await provider.close();
            report?.(cell);
            return cell;
          },
        }));

    const providerTasks = tasksOf(options.providerFaults, ({ environment, ...planted }) =>
      measureProviderCell({
        ...planted,
        victims,
        start: (limits) =>
          startInstance(directory, planted.surface.lambda, {
            ...environment,
            ...(limits === 'ample' && AMPLE_ALLOWANCES),
          }),
      }),
    );

    const storeTasks = tasksOf(options.storeFaults, async ({ fault, surface, environment, index }) => {
      const proxy = await startProxy(environment['DYNAMODB_ENDPOINT'] ?? '');
      const instance = await startInstance(directory, surface.lambda, {
        ...environment,
        DYNAMODB_ENDPOINT: proxy.endpoint,
        ALLOWANCE_SEARCH_ANONYMOUS: STORE_ALLOWANCE,
        ALLOWANCE_SEARCH_KEYED: STORE_ALLOWANCE,
        ALLOWANCE_BROWSE: STORE_ALLOWANCE,
      });
      const keysTable = environment['KEYS_TABLE'] ?? '';
      const cell = await measureStoreCell({ fault, surface, instance, proxy, client, keysTable, index, victims });
      await Promise.all([instance.close(), proxy.close()]);
      return cell;
    });

    try {
      // Large answers fill the processor that all measurements share, so no other measurement runs beside them.
      const ofSize = (isLarge: boolean) =>
        providerTasks.filter(({ fault }) => (fault.isLarge ?? false) === isLarge).map(({ run }) => run);
      const provider = [...(await runAll(ofSize(false), concurrency)), ...(await runAll(ofSize(true), 1))];
      const store = await runAll(
        storeTasks.map(({ run }) => run),
        concurrency,
      );
      const disk: DiskCell[] = [];
      for (const fault of options.diskFaults) {
        const cells = await measureDiskFault(fault, surfaces);
        if (cells === undefined) options.reportSkipped?.(fault.name);
        for (const cell of cells ?? []) {
          report?.(cell);
          disk.push(cell);
        }
      }
      return { provider, store, disk, repeats };
    } finally {
      stopMeter();
      client.destroy();
      await store.close();
    }
  });
