// Declares the alarms: the threshold and the text of each.
import type { LambdaRow } from './lambdas.ts';

/** The alarm is raised if the event occurs this many times within the period. */
export interface Threshold {
  readonly times: number;
  readonly minutes: number;
}

export interface AlarmRow extends Threshold {
  readonly meaning: string;
}

/** The alarms of each function. The `impact` in lambdas.ts says which callers are affected. */
export const functionAlarms = {
  crashed: { meaning: 'The function crashes or times out.', times: 5, minutes: 5 },
  failed: { meaning: 'The function logged 5xx answers, 501 excepted.', times: 5, minutes: 5 },
  throttled: {
    meaning: 'Lambda throttles requests: the account has reached its limit of concurrent executions.',
    times: 5,
    minutes: 5,
  },
} as const satisfies Readonly<Record<string, AlarmRow>>;

/** The alarms of the whole service. */
export const serviceAlarms = {
  forbidden_origin: {
    meaning:
      'At least half of all requests lack the origin secret: CloudFront and the functions have different secrets, or clients call the API directly.',
    times: 5,
    minutes: 15,
  },
  gateway_failed: {
    meaning: 'API Gateway answers 5xx, 501 excepted. The answers are its own or those of a function.',
    times: 5,
    minutes: 5,
  },
  edge_failed: {
    meaning:
      'CloudFront answers 5xx to at least 5 % of requests. The answers are its own or those of API Gateway or a function. The alarm exists only in us-east-1, where CloudFront writes its metrics.',
    times: 5,
    minutes: 5,
  },
} as const satisfies Readonly<Record<string, AlarmRow>>;

/** An alarm that a log event of one function raises. */
export interface LogAlarmRow extends AlarmRow {
  /** The functions that can log the event, by their use of tables. */
  readonly tables: readonly LambdaRow['tables'][];
}

export const logAlarms = {
  store_failed: {
    meaning: 'DynamoDB does not answer: API keys are not verified, and each instance counts allowances in memory.',
    times: 5,
    minutes: 5,
    tables: ['count', 'read-and-count', 'admin'],
  },
  store_misused: {
    meaning: 'DynamoDB rejects the requests: the deployment is faulty, and the effects are those of an outage.',
    times: 1,
    minutes: 5,
    tables: ['count', 'read-and-count', 'admin'],
  },
  repeated_invalid_key: {
    meaning: 'One client network repeatedly sends invalid API keys.',
    times: 1,
    minutes: 15,
    tables: ['read-and-count'],
  },
  operator_refused: {
    meaning: 'Sign-ins to the dashboard repeatedly use wrong tokens.',
    times: 100,
    minutes: 60,
    tables: ['admin'],
  },
} as const satisfies Readonly<Record<string, LogAlarmRow>>;

export type LogAlarmName = keyof typeof logAlarms;

export const logAlarmRows: readonly (readonly [string, LogAlarmRow])[] = Object.entries<LogAlarmRow>(logAlarms);
