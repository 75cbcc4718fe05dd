// Declares the functions that serve no route of the API, so they are no rows of `lambdas`: the canary, which verifies the
// deployment from outside on a schedule, with no tables and no secret but that of the origin, and the function of pictures.
import type { MetricSet } from './metrics.ts';

/** The folder of its function and of its bundle. */
export const CANARY = 'canary';

/** The variables of the canary beside those of the subjects. */
export const canaryVariables = { address: 'CANARY_ADDRESS', minutes: 'CANARY_MINUTES' } as const;

/** A setting changes it. */
export const DEFAULT_CANARY_MINUTES = 15;

/** No function gets more requests in one run. */
export const CANARY_REQUESTS_PER_FUNCTION = 12;

/** More than the time after which no further check starts, and one request. */
export const CANARY_TIMEOUT_SECONDS = 60;

/** In the line of a run: 1 if it found one. */
export const canaryMetrics = {
  dimension: 'service',
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

/** The paths of large files that are asked for whole, which another function streams. The behavior comes first. */
export const MEDIA_STREAM_PATTERN = '/assets/whole/*';

const FOLDER = '/assets/';
const STREAM_FOLDER = MEDIA_STREAM_PATTERN.replace('*', '');

/** @param path of a picture or video @returns the path of its stream */
export const streamPath = (path: string): string => path.replace(FOLDER, STREAM_FOLDER);

export const withoutStreamPath = (path: string): string =>
  path.startsWith(STREAM_FOLDER) ? path.replace(STREAM_FOLDER, FOLDER) : path;

/** Everybody may ask for pictures without an allowance, so both functions together have a bound. A setting changes it. */
export const DEFAULT_MEDIA_CONCURRENCY = 100;

/** Of the bound, for streams. */
export const MEDIA_STREAM_SHARE = 0.25;

/** Lambda streams 2 MB a second after the first 6 MB, and the largest part of a video has 25 MB. */
export const MEDIA_TIMEOUT_SECONDS = 60;

/** By name, which is the anchor of its paragraph in the runbook: a metric of Lambda, for both functions in five minutes. */
export const mediaAlarms = {
  'media-failing': {
    metric: 'Errors',
    threshold: 1,
    meaning: 'Pages are shown without pictures: a function of pictures and videos crashes or runs out of time.',
  },
  'media-throttled': {
    metric: 'Throttles',
    threshold: 10,
    meaning: 'Pictures are missing: the functions of pictures and videos have all executions that they may have.',
  },
  'media-5xx': {
    metric: 'Url5xxCount',
    threshold: 50,
    meaning: 'Pictures are missing: the functions of pictures and videos answer 5xx, or X does not send the files.',
  },
  'media-4xx': {
    metric: 'Url4xxCount',
    threshold: 300,
    meaning: 'Somebody asks for files that no page has linked, or pages link files that X does not have.',
  },
} as const satisfies Readonly<
  Record<string, { readonly metric: string; readonly threshold: number; readonly meaning: string }>
>;
