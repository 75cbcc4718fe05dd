// Reads the options of `npm run costs`: a workload other than those of the tables.
import type { ParseArgsOptionsConfig } from 'node:util';
import { createWorkload, type Workload } from '../../shared/publish/costs/workload.ts';
import { mixNames, SHOWN_HIT_RATIO } from '../../shared/publish/pages/cost-tables.ts';
import { SetupError } from '../config.ts';

export const options = {
  requests: { type: 'string' },
  hits: { type: 'string', default: String(SHOWN_HIT_RATIO * 100) },
  mix: { type: 'string', default: 'reading' },
  keyed: { type: 'string' },
  peak: { type: 'string' },
  addresses: { type: 'string' },
  concurrency: { type: 'string' },
  metrics: { type: 'string' },
  'log-days': { type: 'string' },
  pool: { type: 'boolean', default: false },
} as const satisfies ParseArgsOptionsConfig;

type Values = Readonly<Partial<Record<keyof typeof options, string | boolean>>>;

const SUFFIXES: Readonly<Record<string, number>> = { '': 1, k: 1e3, M: 1e6, B: 1e9 };

const NUMBER = /^(\d+(?:\.\d+)?)([kMB]?)$/;

/** @throws SetupError with the name of the option */
const read = (values: Values, name: keyof typeof options, [least, most]: readonly [number, number]): number => {
  const [, digits = '', suffix = ''] = NUMBER.exec(String(values[name])) ?? [];
  const value = Number(digits) * (SUFFIXES[suffix] ?? 1);
  if (digits !== '' && value >= least && value <= most) return value;
  throw new SetupError(`--${name} must be a number from ${least} to ${most}, such as 50M or 1.5B`);
};

const choice = <Name extends string>(values: Values, name: keyof typeof options, names: readonly Name[]): Name => {
  const found = names.find((one) => one === values[name]);
  if (found === undefined) throw new SetupError(`--${name} must be one of ${names.join(', ')}`);
  return found;
};

const MOST_REQUESTS = 1e13;

/** @throws SetupError if an option is wrong */
export const readWorkload = (values: Values): Workload => ({
  ...createWorkload({
    requests: read(values, 'requests', [0, MOST_REQUESTS]),
    hitRatio: read(values, 'hits', [0, 100]) / 100,
    mix: choice(values, 'mix', mixNames),
    hasPool: values.pool === true,
  }),
  ...(values.keyed !== undefined && { keyedShare: read(values, 'keyed', [0, 100]) / 100 }),
  ...(values.peak !== undefined && { peakFactor: read(values, 'peak', [1, 1000]) }),
  ...(values.addresses !== undefined && { addresses: read(values, 'addresses', [1, 1e6]) }),
  ...(values.concurrency !== undefined && { concurrency: read(values, 'concurrency', [1, 1e7]) }),
  ...(values.metrics !== undefined && { metrics: choice(values, 'metrics', ['none', 'service']) }),
  ...(values['log-days'] !== undefined && { logRetentionDays: read(values, 'log-days', [1, 3653]) }),
});
