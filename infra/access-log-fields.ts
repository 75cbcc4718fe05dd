// Lists the fields of the access log of CloudFront, for the delivery and for the table of Athena.

/**
 * Says neither who read nor what was read: no address, network, country, edge location, path, query, host, referrer,
 * cookie or user agent. `cache-behavior-path-pattern` stands for the route. CloudFront allows these names, among others:
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logs-reference.html
 */
export const ACCESS_LOG_FIELDS = [
  'date',
  'time',
  /** The functions log it as `viewer_request_id`. */
  'x-edge-request-id',
  'cache-behavior-path-pattern',
  'cs-method',
  'sc-status',
  'sc-content-type',
  'sc-bytes',
  'time-taken',
  'time-to-first-byte',
  /** Seconds until the first byte of the origin; `-` if no origin answered. */
  'origin-fbl',
  'x-edge-result-type',
  'x-edge-detailed-result-type',
] as const;

/** The path of the objects below the prefix that CloudWatch adds: one folder per hour, in UTC. */
export const ACCESS_LOG_SUFFIX = '{yyyy}/{MM}/{dd}/{HH}';

/** The prefix that CloudWatch adds for a source of CloudFront. */
export const accessLogPrefix = (account: string): string => `AWSLogs/${account}/CloudFront`;
