// The settings of observing and changing the service: metrics, logs and alarms.
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod';
import { DEFAULT_CANARY_MINUTES } from '../../shared/contract/canary.ts';
import { listPrice, oneOfNumbers, type SettingRow, toggle, wholeNumber } from './setting.ts';

const RETENTION_DAYS = Object.values(RetentionDays).filter((days) => typeof days === 'number');

const TOGGLE_RULE = 'must be true or false';

export const operationSettings = {
  alarmEmail: {
    schema: z.email().optional(),
    rule: 'must be an e-mail address',
    meaning: 'Email address that receives alarms, after its owner has confirmed the subscription.',
    loss: 'alarms are visible only in the console',
  },
  logRetentionDays: {
    schema: oneOfNumbers(RETENTION_DAYS).prefault(RetentionDays.ONE_MONTH),
    rule: `must be a number of days that CloudWatch Logs knows: ${RETENTION_DAYS.join(', ')}`,
    meaning: 'Days for which CloudWatch keeps logs.',
    price: `${listPrice('logStorage')} per GB and month.`,
  },
  metrics: {
    schema: z.enum(['none', 'service']).default('service'),
    rule: 'must be none or service; the lines of the log have each route, form and tool',
    meaning: 'Metrics of the functions: `none`, or those of the `service`, which alarms and the dashboard read.',
    price: `${listPrice('metrics')} a month per metric with data.`,
  },
  dashboard: {
    schema: toggle().prefault(true),
    rule: TOGGLE_RULE,
    meaning: 'A dashboard in CloudWatch.',
    price: `${listPrice('dashboards')} a month; three per account are free.`,
  },
  accessLogDays: {
    schema: wholeNumber().prefault(0),
    rule: 'must be a whole number of days, or 0 for no access log',
    meaning: 'Days for which the access log of CloudFront is kept in S3, without IP addresses; 0 for no access log.',
    price: `S3 stores it for ${listPrice('objectStorage')} per GB and month; the delivery is free.`,
  },
  canaryMinutes: {
    schema: wholeNumber(0, 1440).prefault(DEFAULT_CANARY_MINUTES),
    rule: 'must be a whole number of minutes from 0 to 1440',
    meaning: 'Minutes between two runs of the function that verifies the deployment from outside; 0 for none.',
    price: 'Its requests and its alarm are a line of the bill on the page Costs and scaling.',
  },
} as const satisfies Readonly<Record<string, SettingRow>>;
