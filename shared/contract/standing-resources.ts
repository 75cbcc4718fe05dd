// Lists what a deployment with default settings pays for without a request, except for the canary (publish/costs/bill.ts). A
// test compares the numbers with the template.
import { type AlarmName, alarmEntries } from './alarms.ts';
import { lambdaNames } from './lambdas.ts';
import { defaultProviders } from './providers.ts';

/** Alarms that a setting creates. */
const OPTIONAL: readonly string[] = ['paid-ceiling'] satisfies AlarmName[];

/** The number of metrics that the alarms of a deployment read, without those that a setting creates. */
export const countAlarmMetrics = ({
  functions,
  addresses,
}: Readonly<Record<'functions' | 'addresses', number>>): number => {
  const copies = { service: 1, function: functions, address: addresses } as const;
  return alarmEntries
    .filter(([name]) => !OPTIONAL.includes(name))
    .reduce((sum, [, { reads, per }]) => sum + reads * copies[per], 0);
};

export const standingResources = {
  /** Every metric of an alarm is billed; a metric of an expression, too. */
  alarmMetrics: countAlarmMetrics({ functions: lambdaNames.length, addresses: defaultProviders.length }),
  compositeAlarms: 1,
  dashboards: 1,
  /** The origin secret and the secret of cursors. */
  secrets: 2,
} as const;
