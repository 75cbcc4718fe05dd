// Declares the canary: a function that verifies the deployment from outside on a schedule, with no tables and no secrets.
import type { MetricSet } from './metrics.ts';

/** The folder of its function and of its bundle. It serves no route, so it is no row of `lambdas`. */
export const CANARY = 'canary';

/** The variables of the canary beside those of the subjects. */
export const canaryVariables = { address: 'CANARY_ADDRESS', minutes: 'CANARY_MINUTES' } as const;

/** A setting changes it. */
export const DEFAULT_CANARY_MINUTES = 15;

/** No function gets more requests that call no provider in one run. */
export const CANARY_REQUESTS_PER_FUNCTION = 12;

/** More than the time after which no further check starts, and one request. */
export const CANARY_TIMEOUT_SECONDS = 60;

/** One line per run. The members are 0 or 1. */
export const canaryMetrics = {
  event: 'canary',
  dimensions: [['service']],
  metrics: {
    /** A promise of the service is broken. */
    canary_failures: 'Count',
    /** The provider does not answer, and the service says so. This is no failure of the service. */
    canary_outages: 'Count',
  },
} as const satisfies MetricSet;

export const canaryAlarm = {
  /** The anchor of its paragraph in the runbook. */
  name: 'canary-failing',
  meaning:
    'The canary sees from outside that the service breaks a promise, in two of three runs. Its log names the checks. An outage of the provider does not raise this alarm.',
} as const;

/**
 * The service warns its operator of the tenth invalid key of one network within 15 minutes, so a canary that runs more
 * often than this sends none.
 */
export const LEAST_MINUTES_WITH_KEYS = 2;
