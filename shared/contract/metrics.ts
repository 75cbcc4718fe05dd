// Declares the metrics of the service, which CloudWatch extracts from log lines (embedded metric format). The functions
// write them, and the alarms and the dashboard read them, by the same names.
//
// A metric is a member of a log line. Its number of samples is the number of lines, so there is no metric that only counts
// lines: requests are the samples of `duration_ms`. CloudWatch bills every combination of a metric and the values of its
// dimensions, so no dimension has values that callers can choose.
import type { Format } from './media-types.ts';

/** CloudWatch's names of units. */
export type MetricUnit = 'Count' | 'Milliseconds' | 'Bytes';

/** The value of the dimension `service`, for metrics of the whole service. */
export const SERVICE_DIMENSION = 'postern';

export interface MetricSet {
  /** The log event whose lines contain the metrics. */
  readonly event: string;
  /** Every metric exists once for each of these sets of dimensions. */
  readonly dimensions: readonly (readonly string[])[];
  readonly metrics: Readonly<Record<string, MetricUnit>>;
}

export const metricSets = {
  /** One line per request. The members with the unit Count are 0 or 1. */
  service: {
    event: 'request',
    dimensions: [['service']],
    metrics: {
      duration_ms: 'Milliseconds',
      bytes: 'Bytes',
      /** 5xx, 501 excepted. */
      failures: 'Count',
      /** 429. */
      refusals: 'Count',
      /** Answers with the warning that something is missing or comes from a later provider. */
      degraded: 'Count',
      /** Requests without the origin secret. */
      forbidden_origins: 'Count',
      /** Requests with an API key. */
      keyed: 'Count',
      /** Requests with an API key that the store could not verify. */
      unverified: 'Count',
      /** Answers from the read cache of the instance. */
      cache_hits: 'Count',
      cold_starts: 'Count',
    },
  },
  surface: {
    event: 'request',
    dimensions: [['surface']],
    metrics: { duration_ms: 'Milliseconds', failures: 'Count', cold_starts: 'Count' },
  },
  /** One line per call of a tool, which HTTP answers with 200 even if the tool fails. */
  tools: {
    event: 'tool',
    dimensions: [['service']],
    metrics: { tool_duration_ms: 'Milliseconds', tool_failures: 'Count' },
  },
  /** One line per call of a provider. `address` is the host name of the base URL. */
  provider: {
    event: 'upstream',
    dimensions: [['provider', 'kind'], ['address']],
    metrics: { duration_ms: 'Milliseconds', failures: 'Count', throttled: 'Count' },
  },
  /** One line per circuit breaker that opens or closes. */
  circuit: { event: 'circuit', dimensions: [['provider', 'kind'], ['address']], metrics: { circuits_opened: 'Count' } },
} as const satisfies Readonly<Record<string, MetricSet>>;

/** A metric per kind of log event that an operator must know of; its dimension is the event. */
export const EVENT_METRIC = 'events';

/** The events that EVENT_METRIC counts. Each of their lines is a sample with the value 1. */
export const operatorEvents = [
  'store_failed',
  'store_misused',
  'repeated_invalid_key',
  'operator_refused',
  /** The ceiling of paid rows is reached. */
  'paid_rows_spent',
  /** An exception in the code that reads a provider's answer. */
  'upstream_bug',
  /** The edge function could not normalize a request. */
  'edge_error',
] as const;

export type OperatorEvent = (typeof operatorEvents)[number];

/** The values of `form` in the line of a request: the representation of an answer. `other` are files, `none` has no content. */
export type Form = Format | 'oembed' | 'problem' | 'other' | 'none';

export type StatusClass = '2xx' | '3xx' | '4xx' | '429' | '5xx';

/** The value of `operation` in the line of a request for all documents, and for a request without a route. */
export const DOCUMENT_OPERATION = 'document';
export const UNKNOWN_OPERATION = 'unknown';

/** Another spelling of a path, or a path of X. */
export const REDIRECT_OPERATION = 'redirect';

/** The value of `tool` in the line of a call for every name that is not a tool. */
export const UNKNOWN_TOOL = 'unknown';

/** The variable of a function that writes metrics. Without it, a function writes none. */
export const METRICS_NAMESPACE = 'METRICS_NAMESPACE';
