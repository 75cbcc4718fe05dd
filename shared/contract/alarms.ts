// What raises an alarm: how often it must happen, and what it means.
import type { LambdaRow } from './lambdas.ts';

/** So often within so many minutes. */
export interface Threshold {
  readonly times: number;
  readonly minutes: number;
}

export interface AlarmRow extends Threshold {
  readonly meaning: string;
}

/** Of each function by itself; what that is worth to whom is in its row of lambdas.ts. */
export const functionAlarms = {
  crashed: { meaning: 'The function crashes or times out.', times: 5, minutes: 5 },
  failed: { meaning: 'The function answers 500 and above, 501 excepted.', times: 5, minutes: 5 },
  throttled: {
    meaning: 'Lambda turns requests away: the account runs as many functions at a time as it may.',
    times: 5,
    minutes: 5,
  },
} as const satisfies Readonly<Record<string, AlarmRow>>;

/** Of the stack as a whole. */
export const serviceAlarms = {
  forbidden_origin: {
    meaning:
      'Half of all requests or more do not carry the secret of CloudFront: it and the functions hold different ones, or the API is called directly.',
    times: 5,
    minutes: 15,
  },
  gateway_failed: {
    meaning: 'API Gateway answers 5xx, 501 excepted: by itself, or what a function said.',
    times: 5,
    minutes: 5,
  },
  edge_failed: {
    meaning:
      'CloudFront answers 5xx to one of twenty requests or more, made by a function, the gateway or itself. Watched in us-east-1 alone, where CloudFront counts.',
    times: 5,
    minutes: 5,
  },
} as const satisfies Readonly<Record<string, AlarmRow>>;

/** Of the log of one function, beside its answers. */
export interface LogAlarmRow extends AlarmRow {
  /** Functions that can log it, by what they do with tables. */
  readonly tables: readonly LambdaRow['tables'][];
}

export const logAlarms = {
  store_failed: {
    meaning: 'DynamoDB does not answer: keys go unverified, and each instance counts allowances for itself.',
    times: 5,
    minutes: 5,
    tables: ['read-and-count', 'admin'],
  },
  store_misused: {
    meaning: 'DynamoDB refuses what we ask: a fault of the deployment, with the effects of an outage.',
    times: 1,
    minutes: 5,
    tables: ['read-and-count', 'admin'],
  },
  repeated_invalid_key: {
    meaning: 'One caller keeps presenting keys that are none.',
    times: 1,
    minutes: 15,
    tables: ['read-and-count'],
  },
  operator_refused: {
    meaning: 'Somebody tries to sign in to the dashboard with wrong tokens.',
    times: 100,
    minutes: 60,
    tables: ['admin'],
  },
} as const satisfies Readonly<Record<string, LogAlarmRow>>;

export type LogAlarmName = keyof typeof logAlarms;

export const logAlarmRows: readonly (readonly [string, LogAlarmRow])[] = Object.entries<LogAlarmRow>(logAlarms);
