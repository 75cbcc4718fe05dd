// Computes the values that the alarms compare with their thresholds, as metric math. A share is in percent.
//
// Each share subtracts the requests of one caller in the period, so that one caller who only gets errors does not raise
// the alarm. Without a request there is no value, because CloudWatch drops a division by zero.
import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import {
  type AlarmName,
  type AlarmRow,
  ONE_CALLER_PER_MINUTE,
  SLOW_MILLISECONDS,
  TOTAL_FAILURE_FLOOR,
} from '../../shared/contract/alarms.ts';
import { type LambdaName, lambdaNames, lambdas } from '../../shared/contract/lambdas.ts';
import type { OperatorEvent } from '../../shared/contract/metrics.ts';
import { CANARY_REQUESTS_PER_FUNCTION } from '../../shared/contract/other-functions.ts';
import { tableOf } from '../../shared/model/json.ts';
import { cloudFrontMetric, type ServiceMetrics } from './service-metrics.ts';

/** The name of the metric of 501 answers: they mean that a format is not available, and are no failure. */
export const NOT_IMPLEMENTED = 'not-implemented';

/** A request calls a provider at most twice. */
const CALLS_PER_REQUEST = 2;

const samples = ({ minutes }: AlarmRow) => ({ statistic: Stats.SAMPLE_COUNT, minutes });

const math = ({ minutes }: AlarmRow, expression: string, usingMetrics: Record<string, IMetric>): IMetric =>
  new MathExpression({ expression, usingMetrics, period: Duration.minutes(minutes), label: 'value' });

/** The requests of one caller in a period. */
const oneCaller = ({ minutes }: AlarmRow): number => ONE_CALLER_PER_MINUTE * minutes;

/** The share of failures beyond one caller; 100 if nothing succeeds. @param others requests that need not fail */
const shareOrAll = (row: AlarmRow, failures: string, all: string, others = 0): string =>
  `IF(${failures} >= ${TOTAL_FAILURE_FLOOR} AND ${failures} >= ${all} - ${others}, 100, 100 * (${failures} - ${oneCaller(row)}) / ${all})`;

/**
 * The requests of the canary to one function in a period. 0 if it runs so seldom that two of three periods are without
 * them: then the condition stays exact.
 */
const canaryRequests = ({ canaryMinutes }: ServiceMetrics, { minutes }: AlarmRow): number =>
  canaryMinutes === 0 || canaryMinutes >= 2 * minutes
    ? 0
    : CANARY_REQUESTS_PER_FUNCTION * Math.ceil(minutes / canaryMinutes);

const invocationsOf = (metrics: ServiceMetrics, names: readonly LambdaName[], row: AlarmRow) =>
  tableOf(names, (name) => metrics.ofLambda(name, 'Invocations', row));

/** Requests that reach the HTTP API or the function URL: all that can reach a function. */
const REQUESTS = '(requests + FILL(calls, 0))';
const requestsOf = (metrics: ServiceMetrics, row: AlarmRow) => ({
  requests: metrics.ofApi('Count', samples(row)),
  calls: metrics.ofLambda('mcp', 'UrlRequestCount', row),
});

const eventsOf =
  (event: OperatorEvent): Condition =>
  (metrics, { minutes }) =>
    metrics.events(event, minutes);

/** @param row the row of the alarm */
type Condition = (metrics: ServiceMetrics, row: AlarmRow) => IMetric;

/** Where only the metrics of CloudFront are: an alarm reads those of its own region. A 501 is then a failure, too. */
export const edgeFailingAlone = (distributionId: string, row: AlarmRow): IMetric =>
  math(row, shareOrAll(row, '(rate * requests / 100)', 'requests'), {
    rate: cloudFrontMetric(distributionId, '5xxErrorRate', { statistic: Stats.AVERAGE, minutes: row.minutes }),
    requests: cloudFrontMetric(distributionId, 'Requests', row),
  });

/** Conditions of the service, in the order in which the alarms are created. */
export const serviceConditions = {
  /** If no request leaves CloudFront, its 5xx answers are its own, and answers of its cache do not count against them. */
  'edge-failing': (metrics, row) => {
    const failures = 'rate * requests / 100';
    const share = `100 * (${failures} - FILL(declined, 0) - ${oneCaller(row)}) / requests`;
    const isCutOff = `${failures} >= ${TOTAL_FAILURE_FLOOR} AND FILL(api, 0) + FILL(url, 0) < 1`;
    return math(row, `IF(${isCutOff}, 100, ${share})`, {
      rate: metrics.ofCloudFront('5xxErrorRate', { statistic: Stats.AVERAGE, minutes: row.minutes }),
      requests: metrics.ofCloudFront('Requests', row),
      declined: metrics.ofLogs(NOT_IMPLEMENTED, row),
      api: metrics.ofApi('Count', samples(row)),
      url: metrics.ofLambda('mcp', 'UrlRequestCount', row),
    });
  },
  /** The function URL of `mcp` and the HTTP API together are all ways to the functions. */
  'api-failing': (metrics, row) =>
    math(row, shareOrAll(row, '(api + FILL(url, 0) - FILL(declined, 0))', REQUESTS), {
      api: metrics.ofApi('5xx', row),
      url: metrics.ofLambda('mcp', 'Url5xxCount', row),
      declined: metrics.ofLogs(NOT_IMPLEMENTED, row),
      ...requestsOf(metrics, row),
    }),
  /** A function that rejects a request is invoked, so one caller cannot cause it. Throttles are no invocations. */
  'functions-unreached': (metrics, row) => {
    const names = lambdaNames.filter((name) => name !== 'mcp');
    const reached = names.map((name) => `FILL(${name}, 0)`).join(' + ');
    const unreached = `(requests - (${reached}))`;
    return math(row, `IF(${unreached} >= ${TOTAL_FAILURE_FLOOR}, 100 * ${unreached} / requests, 0)`, {
      requests: metrics.ofApi('Count', samples(row)),
      ...invocationsOf(metrics, names, row),
    });
  },
  'gateway-failing': (metrics, row) => {
    const none = `requests >= ${TOTAL_FAILURE_FLOOR} AND rejected + failures >= requests`;
    return math(row, `IF(failures >= ${TOTAL_FAILURE_FLOOR} OR (${none}), 1, 0)`, {
      requests: metrics.ofApi('Count', samples(row)),
      rejected: metrics.ofApi('4xx', row),
      failures: metrics.ofApi('5xx', row),
    });
  },
  /**
   * One caller with requests of one kind does not raise it, nor do bots, which try unknown paths. A caller of a small service
   * can, if all their requests are wrong and answers of the cache serve everybody else.
   */
  'all-rejected': (metrics, row) => {
    const names = lambdaNames.filter((name) => lambdas[name].readsProviders && name !== 'mcp');
    const sum = (termOf: (name: LambdaName) => string): string => names.map(termOf).join(' + ');
    const isReached = `${sum((name) => `FILL(${name}, 0)`)} >= ${TOTAL_FAILURE_FLOOR}`;
    const areTwo = `${sum((name) => `(FILL(${name}, 0) > 0)`)} >= 2`;
    return math(row, `IF(rejected >= requests AND ${isReached} AND ${areTwo}, 1, 0)`, {
      requests: metrics.ofApi('Count', samples(row)),
      rejected: metrics.ofApi('4xx', row),
      ...invocationsOf(metrics, names, row),
    });
  },
  'mcp-unreached': (metrics, row) =>
    math(row, `IF(calls >= ${TOTAL_FAILURE_FLOOR} AND FILL(invocations, 0) < 1, 1, 0)`, {
      calls: metrics.ofLambda('mcp', 'UrlRequestCount', row),
      invocations: metrics.ofLambda('mcp', 'Invocations', row),
    }),
  /**
   * A client that calls the functions without CloudFront is refused as well, but then CloudFront does not answer 4xx. One
   * caller can do both, so the share counts only what exceeds one caller, unless every request is refused.
   * Without the metrics of CloudFront, the share counts only what exceeds one caller.
   */
  'origin-refused': (metrics, row) => {
    const own = { refused: metrics.ofService('service', 'forbidden_origins', row), ...requestsOf(metrics, row) };
    if (!metrics.hasCloudFront) return math(row, `100 * (refused - ${oneCaller(row)}) / ${REQUESTS}`, own);
    const isSeen = `refused >= ${TOTAL_FAILURE_FLOOR} AND rate * viewers / 50 >= refused`;
    return math(row, `IF(${isSeen}, ${shareOrAll(row, 'refused', REQUESTS)}, 0)`, {
      ...own,
      rate: metrics.ofCloudFront('4xxErrorRate', { statistic: Stats.AVERAGE, minutes: row.minutes }),
      viewers: metrics.ofCloudFront('Requests', row),
    });
  },
  'tools-failing': (metrics, row) =>
    math(row, `100 * (failures - ${oneCaller(row)}) / calls`, {
      failures: metrics.ofService('tools', 'tool_failures', row),
      calls: metrics.ofService('tools', 'tool_duration_ms', samples(row)),
    }),
  degraded: (metrics, row) =>
    math(row, `100 * (degraded - ${oneCaller(row)}) / ${REQUESTS}`, {
      degraded: metrics.ofService('service', 'degraded', row),
      ...requestsOf(metrics, row),
    }),
  /** One rejection as invalid is enough, because it repeats with every request. */
  'store-trouble': (metrics, row) =>
    math(row, `FILL(failed, 0) + ${row.threshold} * FILL(misused, 0)`, {
      failed: metrics.events('store_failed' satisfies OperatorEvent, row.minutes),
      misused: metrics.events('store_misused' satisfies OperatorEvent, row.minutes),
    }),
  /** A caller cannot cause it: the metric does not count keys that were not read because of too many unknown keys. */
  'keys-unverified': (metrics, row) =>
    math(row, `IF(keyed >= ${TOTAL_FAILURE_FLOOR}, 100 * unverified / keyed, 0)`, {
      unverified: metrics.ofService('service', 'unverified', row),
      keyed: metrics.ofService('service', 'keyed', row),
    }),
  'wrong-tokens': eventsOf('operator_refused'),
  'repeated-invalid-keys': eventsOf('repeated_invalid_key'),
  'edge-error': eventsOf('edge_error'),
  'paid-ceiling': eventsOf('paid_rows_spent'),
} as const satisfies Partial<Record<AlarmName, Condition>>;

export const functionConditions = {
  'function-failing': (metrics, row, lambda) =>
    math(row, shareOrAll(row, 'failures', 'requests', canaryRequests(metrics, row)), {
      failures: metrics.of('surface', 'failures', lambda, row),
      requests: metrics.ofLambda(lambda, 'Invocations', row),
    }),
  'function-crashing': (metrics, row, lambda) =>
    math(row, shareOrAll(row, 'errors', 'invocations', canaryRequests(metrics, row)), {
      errors: metrics.ofLambda(lambda, 'Errors', row),
      invocations: metrics.ofLambda(lambda, 'Invocations', row),
    }),
  /** One caller alone cannot prevent every invocation: the requests that take the concurrency are invocations. */
  throttled: (metrics, row, lambda) => {
    const share = `100 * (throttles - ${oneCaller(row)}) / (throttles + FILL(invocations, 0))`;
    return math(row, `IF(throttles >= ${TOTAL_FAILURE_FLOOR} AND FILL(invocations, 0) < 1, 100, ${share})`, {
      throttles: metrics.ofLambda(lambda, 'Throttles', row),
      invocations: metrics.ofLambda(lambda, 'Invocations', row),
    });
  },
  /** `PR(:5000)` is the percentage of requests of at most 5000 ms, so p99 is above it if more than 1 % are slower. */
  slow: (metrics, row, lambda) => {
    const share = `100 - fast - ${100 * oneCaller(row)} / requests`;
    const others = canaryRequests(metrics, row);
    const isSlow = `requests - fast * requests / 100 >= ${TOTAL_FAILURE_FLOOR} AND fast * requests / 100 <= ${others}`;
    const fast = { statistic: Stats.percentileRank(SLOW_MILLISECONDS), minutes: row.minutes };
    return math(row, `IF(${isSlow}, 100, ${share})`, {
      fast: metrics.ofLambda(lambda, 'Duration', fast),
      requests: metrics.ofLambda(lambda, 'Invocations', row),
    });
  },
} as const satisfies Partial<Record<AlarmName, ConditionOf<LambdaName>>>;

type ConditionOf<Subject> = (metrics: ServiceMetrics, row: AlarmRow, subject: Subject) => IMetric;

export const hostConditions = {
  'provider-failing': (metrics, row, address) =>
    math(row, `100 * (failures - ${CALLS_PER_REQUEST * oneCaller(row)}) / calls`, {
      failures: metrics.of('provider', 'call_failures', address, row),
      calls: metrics.of('provider', 'call_ms', address, samples(row)),
    }),
  /** A breaker opens only if the canary or several subjects fail, so one caller cannot open it. */
  'circuit-open': (metrics, row, address) => metrics.of('circuit', 'circuits_opened', address, row),
} as const satisfies Partial<Record<AlarmName, ConditionOf<string>>>;
