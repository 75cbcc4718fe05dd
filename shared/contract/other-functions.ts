// Declares the functions that serve no route of the API, so they are no rows of `lambdas`: the canary, which verifies the
// deployment from outside on a schedule, with no tables and no secrets, and the function of pictures.
import type { MetricSet } from './metrics.ts';

/** The folder of its function and of its bundle. */
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

// Declares the function that passes pictures and videos on, which a deployment has only if its pictures are proxied.

/** The folder of its function and of its bundle. */
export const MEDIA = 'media';

/** The paths of its behavior. The files of the service itself have one segment less. */
export const MEDIA_PATTERN = '/assets/*/*';

/** Lambda streams 2 MB a second after the first 6 MB, and the largest part of a video has 25 MB. */
export const MEDIA_TIMEOUT_SECONDS = 60;

export const mediaAlarm = {
  /** The anchor of its paragraph in the runbook. */
  name: 'media-failing',
  meaning: 'Pages are shown without pictures: the function of pictures and videos crashes or runs out of time.',
} as const;
