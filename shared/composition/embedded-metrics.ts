// Adds metrics to log lines in CloudWatch's embedded metric format: CloudWatch extracts them from the log, so a function
// needs no call, no permission and no library for them. The member `_aws` names the metrics and their dimensions
// (shared/contract/metrics.ts); their values are members of the line itself.
//
// `_aws` is longer than what a line says, so a line without news has none. Calls of providers are no news, but their number
// and durations are metrics: an instance gathers them, and writes them with a later line.
import { EVENT_METRIC, type MetricSet, metricSets, operatorEvents, SERVICE_DIMENSION } from '../contract/metrics.ts';
import { isFailure } from '../contract/problems.ts';
import type { CallRecord, LogFields } from '../ports/system.ts';

type Values = Readonly<Record<string, number | readonly number[]>>;

/** Some metrics with a common dimension. */
interface Samples {
  readonly dimension: string;
  readonly value: string;
  /** A count of 0 is left out. */
  readonly values: Values;
}

type SetName = keyof typeof metricSets;

const samplesOf = <Name extends SetName>(
  set: Name,
  value: string,
  values: Readonly<Record<keyof (typeof metricSets)[Name]['metrics'] & string, number | readonly number[]>>,
): Samples => ({ dimension: metricSets[set].dimension, value, values: { ...values } });

const oneIf = (condition: boolean): number => (condition ? 1 : 0);

const requestSamples = ({ status, code, key, degraded, surface }: LogFields): readonly Samples[] => [
  samplesOf('service', SERVICE_DIMENSION, {
    refusals: oneIf(status === 429),
    degraded: oneIf(degraded === 1),
    forbidden_origins: oneIf(code === 'forbidden_origin'),
    keyed: oneIf(key === 'valid' || key === 'unverified'),
    unverified: oneIf(key === 'unverified'),
  }),
  samplesOf('surface', String(surface), { failures: oneIf(isFailure(Number(status))) }),
];

const samplesByEvent: ReadonlyMap<string, (fields: LogFields) => readonly Samples[]> = new Map([
  ['request', requestSamples],
  [
    'tool',
    ({ status, tool_duration_ms: duration }: LogFields) => [
      samplesOf('tools', SERVICE_DIMENSION, {
        tool_duration_ms: Number(duration),
        tool_failures: oneIf(isFailure(Number(status))),
      }),
    ],
  ],
  [
    'circuit',
    ({ address, state }: LogFields) => [
      samplesOf('circuit', String(address), { circuits_opened: oneIf(state === 'open') }),
    ],
  ],
  ...operatorEvents.map(
    (event) => [event, () => [{ dimension: 'event', value: event, values: { [EVENT_METRIC]: 1 } }]] as const,
  ),
]);

/** CloudWatch takes so many values of a metric in one line. */
const MAX_VALUES = 100;

/** An instance that has calls all the time writes their metrics this often. */
const GATHER_MILLISECONDS = 10_000;

interface Gathered {
  readonly durations: number[];
  failures: number;
  throttled: number;
  /** When the last metrics were written. */
  writtenAt: number;
}

/** Gathers the calls of each address. */
const createCallMetrics = () => {
  const byAddress = new Map<string, Gathered>();
  return {
    add({ address, outcome, milliseconds }: CallRecord): void {
      const calls = byAddress.get(address) ?? { durations: [], failures: 0, throttled: 0, writtenAt: 0 };
      byAddress.set(address, calls);
      calls.durations.push(milliseconds);
      calls.failures += oneIf(outcome === 'failed' || outcome === 'down');
      calls.throttled += oneIf(outcome === 'throttled');
    },
    /** @returns the metrics of one address, because a line has one value of a dimension */
    take(now: number): Samples | undefined {
      const due = [...byAddress].find(
        ([, { durations, writtenAt }]) =>
          durations.length >= MAX_VALUES || (durations.length > 0 && now - writtenAt >= GATHER_MILLISECONDS),
      );
      if (due === undefined) return undefined;
      const [address, calls] = due;
      const { failures, throttled } = calls;
      Object.assign(calls, { failures: 0, throttled: 0, writtenAt: now });
      return samplesOf('provider', address, {
        call_ms: calls.durations.splice(0, MAX_VALUES),
        call_failures: failures,
        call_throttled: throttled,
      });
    },
  };
};

const UNITS: ReadonlyMap<string, string> = new Map(
  Object.values<MetricSet>(metricSets).flatMap(({ metrics }) => Object.entries(metrics)),
);

export interface EmbeddedMetrics {
  /** Members of the line. */
  readonly members: Readonly<Record<string, string | number | readonly number[]>>;
  /** The member `CloudWatchMetrics` of `_aws`. */
  readonly directives: readonly object[];
}

/** @param now milliseconds since the epoch @returns undefined: the line has no metrics */
export type EmbedMetrics = (fields: LogFields, now: number) => EmbeddedMetrics | undefined;

/** @param namespace the name of the stack */
export const createMetricEmbedder = (namespace: string): EmbedMetrics => {
  const callMetrics = createCallMetrics();
  return (fields, now) => {
    // A canary is not a caller.
    if (fields['role'] !== undefined) return undefined;
    for (const call of fields.calls ?? []) callMetrics.add(call);
    const gathered = fields.event === 'request' ? callMetrics.take(now) : undefined;
    const all = [...(samplesByEvent.get(fields.event)?.(fields) ?? []), ...(gathered ? [gathered] : [])];
    const present = all.flatMap(({ values, ...row }) => {
      const kept = Object.entries(values).filter(([name, value]) => value !== 0 || UNITS.get(name) !== 'Count');
      return kept.length === 0 ? [] : [{ ...row, values: Object.fromEntries(kept) }];
    });
    if (present.length === 0) return undefined;
    return {
      members: Object.assign({}, ...present.map(({ dimension, value, values }) => ({ [dimension]: value, ...values }))),
      directives: present.map(({ dimension, values }) => ({
        Namespace: namespace,
        Dimensions: [[dimension]],
        Metrics: Object.keys(values).map((Name) => ({ Name, Unit: UNITS.get(Name) ?? 'Count' })),
      })),
    };
  };
};
