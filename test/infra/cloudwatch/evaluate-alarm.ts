// Evaluates metric alarms as CloudWatch does (User Guide, "Evaluating an alarm"). Windows slide by one minute, the default.
import { evaluateMath } from './expressions.ts';
import type { MetricStore } from './metric-store.ts';
import type { MetricAlarm } from './read-alarms.ts';

/** AWS documents the evaluation range only by an example: 5 data points for 3 evaluation periods. */
const EXTRA_POINTS = 2;

/** Metric math has no operation that joins two periods, so each period is evaluated alone. @param end of the period */
const metricValueAt = ({ metrics, expression }: MetricAlarm, store: MetricStore, end: number): number | undefined => {
  if (expression === undefined) return metrics[0] && store.read(metrics[0], end);
  return evaluateMath(expression, new Map(metrics.map((reading) => [reading.id, store.read(reading, end)])));
};

/** @returns seconds */
const periodOf = ({ id, metrics }: MetricAlarm): number => {
  const [period, ...others] = new Set(metrics.map((reading) => reading.period));
  if (period === undefined || others.length > 0) throw new Error(`${id}: several periods are not implemented`);
  return period;
};

/** @param end the number of minutes that have passed; the store gets no more samples of these minutes */
export type IsInAlarm = (alarm: MetricAlarm, end: number) => boolean;

/** Each minute, an alarm looks again at the points that it had a minute before, so they are kept. */
export const createAlarmEvaluator = (store: MetricStore): IsInAlarm => {
  const valuesOf = new Map<MetricAlarm, Map<number, number | undefined>>();
  return (alarm, end) => {
    const known = valuesOf.get(alarm) ?? new Map<number, number | undefined>();
    valuesOf.set(alarm, known);
    const valueAt = (last: number): number | undefined => {
      if (!known.has(last)) known.set(last, metricValueAt(alarm, store, last));
      return known.get(last);
    };
    const { evaluationPeriods, datapointsToAlarm, threshold } = alarm;
    const length = evaluationPeriods + EXTRA_POINTS;
    const minutes = periodOf(alarm) / 60;
    const ends = Array.from({ length }, (_, index) => end - (length - 1 - index) * minutes);
    // The points that exist are the latest of the whole range. Missing data does not breach.
    const latest = ends.flatMap((last) => valueAt(last) ?? []).slice(-evaluationPeriods);
    return latest.filter((value) => value >= threshold).length >= datapointsToAlarm;
  };
};
