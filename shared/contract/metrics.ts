// Declares the metrics of the service, which CloudWatch extracts from log lines (embedded metric format). The functions
// write them, and the alarms and the dashboard read them, by the same names.
//
// A line declares only what happened: a metric that would be 0 is left out, so the line of an ordinary request has none. The
// numbers and durations of requests are metrics of Lambda, API Gateway and CloudFront, which cost nothing. CloudWatch bills
// every combination of a metric and the values of its dimensions, so no dimension has values that callers can choose.
import type { Format } from './media-types.ts';

/** CloudWatch's names of units. */
export type MetricUnit = 'Count' | 'Milliseconds' | 'Bytes';

/** The value of the dimension `service`, for metrics of the whole service. */
export const SERVICE_DIMENSION = 'postern';

export interface MetricSet {
  /** The dimension of each metric. */
  readonly dimension: string;
  readonly metrics: Readonly<Record<string, MetricUnit>>;
}

export const metricSets = {
  /** Of requests: 1 in the line of a request to which it applies. */
  service: {
    dimension: 'service',
    metrics: {
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
    },
  },
  /** Of the requests of a function: 5xx, 501 excepted. */
  surface: { dimension: 'surface', metrics: { failures: 'Count' } },
  /** In the line of a call of a tool, which HTTP answers with 200 even if the tool fails. */
  tools: { dimension: 'service', metrics: { tool_duration_ms: 'Milliseconds', tool_failures: 'Count' } },
  /**
   * Of the calls of a base URL, whose host is `address`. An instance gathers them for some seconds, and writes the durations
   * of all calls, and how many failed or got 429, with the next line of a request.
   */
  provider: {
    dimension: 'address',
    metrics: { call_ms: 'Milliseconds', call_failures: 'Count', call_throttled: 'Count' },
  },
  /** In the line of a circuit breaker that opens. */
  circuit: { dimension: 'address', metrics: { circuits_opened: 'Count' } },
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

/** The value of `operation` in the line of a request for all documents, and for a request without a route. */
export const DOCUMENT_OPERATION = 'document';
export const UNKNOWN_OPERATION = 'unknown';

/** Another spelling of a path, or a path of X. */
export const REDIRECT_OPERATION = 'redirect';

/** The value of `tool` in the line of a call for every name that is not a tool. */
export const UNKNOWN_TOOL = 'unknown';

/** The variable of a function that writes metrics. Without it, a function writes none. */
export const METRICS_NAMESPACE = 'METRICS_NAMESPACE';
