// Adds metrics to log lines in CloudWatch's embedded metric format: CloudWatch extracts them from the log, so a function
// needs no call, no permission and no library for them. The member `_aws` names the metrics and their dimensions
// (shared/contract/metrics.ts); their values are members of the line itself.
//
// The text of `_aws` is the same for all lines of an event, but for its timestamp, so it is made once per instance.
import { EVENT_METRIC, type MetricSet, metricSets, operatorEvents, SERVICE_DIMENSION } from '../contract/metrics.ts';
import { isFailure } from '../contract/problems.ts';
import type { LogFields } from '../ports/system.ts';

type Numbers = Readonly<Record<string, number>>;

const oneIf = (condition: boolean): number => (condition ? 1 : 0);

/** The metrics that other members of the line decide. */
const derivedNumbers: ReadonlyMap<string, (fields: LogFields) => Numbers> = new Map([
  [
    'request',
    ({ status, code, key, cache, cold_start: isCold }: LogFields): Numbers => ({
      failures: oneIf(isFailure(Number(status))),
      refusals: oneIf(status === 429),
      forbidden_origins: oneIf(code === 'forbidden_origin'),
      keyed: oneIf(key === 'valid' || key === 'unverified'),
      unverified: oneIf(key === 'unverified'),
      cache_hits: oneIf(cache === 'hit'),
      cold_starts: oneIf(isCold === true),
    }),
  ],
  ['tool', ({ status }: LogFields): Numbers => ({ tool_failures: oneIf(isFailure(Number(status))) })],
  [
    'upstream',
    ({ outcome }: LogFields): Numbers => ({
      failures: oneIf(outcome === 'failed' || outcome === 'down'),
      throttled: oneIf(outcome === 'throttled'),
    }),
  ],
  ['circuit', ({ state }: LogFields): Numbers => ({ circuits_opened: oneIf(state === 'open') })],
  ...operatorEvents.map((event) => [event, (): Numbers => ({ [EVENT_METRIC]: 1 })] as const),
]);

const eventSet = (event: string): MetricSet => ({
  event,
  dimensions: [['event']],
  metrics: { [EVENT_METRIC]: 'Count' },
});

const ALL_SETS: readonly MetricSet[] = [...Object.values<MetricSet>(metricSets), ...operatorEvents.map(eventSet)];

/** Sets with the same metrics share a directive. */
const directivesOf = (sets: readonly MetricSet[], namespace: string) => {
  const dimensionsByMetrics = new Map<string, MetricSet['dimensions'][number][]>();
  for (const { metrics, dimensions } of sets) {
    const definitions = JSON.stringify(Object.entries(metrics).map(([name, unit]) => ({ Name: name, Unit: unit })));
    dimensionsByMetrics.set(definitions, [...(dimensionsByMetrics.get(definitions) ?? []), ...dimensions]);
  }
  return [...dimensionsByMetrics].map(([definitions, dimensions]) => ({
    Namespace: namespace,
    Dimensions: dimensions,
    Metrics: JSON.parse(definitions),
  }));
};

export interface EmbeddedMetrics {
  /** Members of the line. */
  readonly members: Readonly<Record<string, string | number>>;
  /** The member `CloudWatchMetrics` of `_aws`, as JSON. */
  readonly directives: string;
}

/** @returns undefined: the line has no metrics */
export type EmbedMetrics = (fields: LogFields) => EmbeddedMetrics | undefined;

/** @param namespace the name of the stack */
export const createMetricEmbedder = (namespace: string): EmbedMetrics => {
  const setsByEvent = Map.groupBy(ALL_SETS, ({ event }) => event);
  const directivesByEvent = new Map(
    [...setsByEvent].map(([event, sets]) => [event, JSON.stringify(directivesOf(sets, namespace))]),
  );
  return (fields) => {
    const directives = directivesByEvent.get(fields.event);
    // A canary is not a call of a caller.
    if (directives === undefined || fields['role'] !== undefined) return undefined;
    const numbers = derivedNumbers.get(fields.event)?.(fields);
    return { members: { service: SERVICE_DIMENSION, ...numbers }, directives };
  };
};
