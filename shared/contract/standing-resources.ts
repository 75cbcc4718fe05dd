// Lists what a deployment with default settings pays for without a request. A test compares the numbers with the
// template.
import { countAlarmMetrics } from './alarms.ts';
import { lambdaNames } from './lambdas.ts';
import { defaultProviders } from './providers.ts';

export const standingResources = {
  /** Every metric of an alarm is billed; a metric of an expression, too. */
  alarmMetrics: countAlarmMetrics({ functions: lambdaNames.length, addresses: defaultProviders.length }),
  compositeAlarms: 1,
  dashboards: 1,
  /** The origin secret and the secret of cursors. */
  secrets: 2,
} as const;
