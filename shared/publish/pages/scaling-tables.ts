// Builds the tables of limits and of what to turn on. The page and `npm run costs` show the same tables.
import { priceOf } from '../../contract/prices.ts';
import { dollars, large, number, percent, useOf } from '../costs/formats.ts';
import {
  addressesNeeded,
  concurrencyNeeded,
  limits,
  limitUses,
  NEW_ACCOUNT_CONCURRENCY,
  requestsAtLimit,
  slowConcurrency,
} from '../costs/limits.ts';
import { stepsFor } from '../costs/steps.ts';
import { createWorkload, volumeOf, type Workload } from '../costs/workload.ts';
import { hitRatios, levels, SHOWN_HIT_RATIO } from './cost-tables.ts';
import { table } from './markdown-blocks.ts';

/** The pool counts searches of all callers without a key, so only this workload has its limit. */
const withPool = (workload: Workload): Workload => ({ ...workload, hasPool: true });

const ofLimit = (name: string, hitRatio: number): Workload => {
  const workload = createWorkload({ requests: 1e6, hitRatio });
  return name === 'Allowance pool' ? withPool(workload) : workload;
};

const limitTable = (): string =>
  table(
    ['Limit', 'Value', ...hitRatios.map((ratio) => `${percent(ratio)} hits`), 'What helps'],
    limits
      .flatMap((limit) => (limit.name === 'Lambda concurrency' ? [limit, slowConcurrency] : [limit]))
      .map((limit) => {
        const value = limit.limit(createWorkload({ requests: 1, hitRatio: 0 }));
        return [
          `[${limit.name}](${limit.source})`,
          `${number(value)} ${limit.unit}`,
          ...hitRatios.map((hitRatio) => large(requestsAtLimit(limit, ofLimit(limit.name, hitRatio)))),
          limit.remedy,
        ];
      }),
  );

/** @returns the limits of a workload, the most used first */
export const limitUseTable = (workload: Workload): string =>
  table(
    ['Limit', 'In the busiest minute', 'Value', 'Use'],
    limitUses(workload).map(({ limit, use }) => [
      limit.name,
      `${number(limit.demand(volumeOf(workload), workload))} ${limit.unit}`,
      number(limit.limit(workload)),
      useOf(use),
    ]),
  );

const mostUsed = (adapt: (workload: Workload) => Workload): string =>
  table(
    ['Requests per month', ...hitRatios.map((ratio) => `${percent(ratio)} hits`)],
    levels.map((requests) => [
      large(requests),
      ...hitRatios.map((hitRatio) => {
        const [first] = limitUses(adapt(createWorkload({ requests, hitRatio })));
        return first === undefined ? '' : `${first.limit.name}, ${useOf(first.use)}`;
      }),
    ]),
  );

const firstLimits = (): string => mostUsed((workload) => workload);

/** So many base URLs that another limit is reached first. */
const nextLimits = (): string => mostUsed((workload) => ({ ...workload, addresses: 1000 * addressesNeeded(workload) }));

const stepTable = (): string =>
  table(
    [
      'Requests per month',
      'Provider calls in the busiest minute',
      'Servers of the provider',
      'Concurrent executions',
      'Turn on',
    ],
    levels.map((requests) => {
      const workload = createWorkload({ requests, hitRatio: SHOWN_HIT_RATIO });
      const calls = limits.find(({ name }) => name === 'FxTwitter')?.demand(volumeOf(workload), workload) ?? 0;
      return [
        large(requests),
        number(calls),
        number(addressesNeeded(workload)),
        number(concurrencyNeeded(workload)),
        stepsFor(workload).join('; '),
      ];
    }),
  );

const newAccount = (): string => {
  const concurrency = limits.find(({ name }) => name === 'Lambda concurrency');
  const at = (hitRatio: number): string =>
    concurrency === undefined
      ? ''
      : large(
          requestsAtLimit(
            concurrency,
            createWorkload({ requests: 1e6, hitRatio, concurrency: NEW_ACCOUNT_CONCURRENCY }),
          ),
        );
  return table(
    ['Concurrent executions', ...hitRatios.map((ratio) => `${percent(ratio)} hits`)],
    [[number(NEW_ACCOUNT_CONCURRENCY), ...hitRatios.map(at)]],
  );
};

/** One replicated write has about this size on its way to the other region. */
const REPLICATED_BYTES = 1000;

const regions = (): string =>
  table(
    ['What a second region adds', ...levels.map(large)],
    [
      [
        'replicated writes of the counters, if they are global tables',
        ...levels.map((requests) =>
          dollars(
            priceOf('replicatedWrites', volumeOf(createWorkload({ requests, hitRatio: SHOWN_HIT_RATIO })).writes),
          ),
        ),
      ],
      [
        'data between the regions',
        ...levels.map((requests) => {
          const { writes } = volumeOf(createWorkload({ requests, hitRatio: SHOWN_HIT_RATIO }));
          return dollars(priceOf('regionTransfer', (writes * REPLICATED_BYTES) / 1e9));
        }),
      ],
      [
        'a hosted zone and two health checks',
        ...levels.map(() => dollars(priceOf('hostedZones', 1) + priceOf('healthChecks', 2))),
      ],
    ],
  );

export const scalingTables = {
  scalingFirstLimits: firstLimits,
  scalingLimits: limitTable,
  scalingNewAccount: newAccount,
  scalingNextLimits: nextLimits,
  scalingRegions: regions,
  scalingSteps: stepTable,
} as const;
