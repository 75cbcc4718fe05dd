// Evaluates metric alarms and composite alarms as CloudWatch does (User Guide, "Evaluating an alarm", "Configuring how
// CloudWatch alarms treat missing data", "Composite alarms"). Windows slide by one minute, the default.
import { evaluateMath, type Series } from './metric-math.ts';
import type { MetricStore } from './metric-store.ts';
import type { MetricAlarm } from './read-alarms.ts';

export type AlarmState = 'OK' | 'ALARM';

/** AWS documents the evaluation range only by an example: 5 data points for 3 evaluation periods. */
const EXTRA_POINTS = 2;

const comparisons: Readonly<Record<string, (value: number, threshold: number) => boolean>> = {
  GreaterThanOrEqualToThreshold: (value, threshold) => value >= threshold,
  GreaterThanThreshold: (value, threshold) => value > threshold,
  LessThanThreshold: (value, threshold) => value < threshold,
  LessThanOrEqualToThreshold: (value, threshold) => value <= threshold,
};

export interface Rules {
  readonly evaluationPeriods: number;
  readonly datapointsToAlarm: number;
  readonly treatMissingData: string;
}

/**
 * Missing points are taken only as far as fewer points than evaluation periods exist in the whole range.
 * @param points of the evaluation range, the latest last: breaching, not breaching, or missing
 */
export const stateOf = (points: readonly (boolean | undefined)[], rules: Rules): AlarmState => {
  const { evaluationPeriods, datapointsToAlarm, treatMissingData } = rules;
  if (treatMissingData !== 'breaching' && treatMissingData !== 'notBreaching')
    throw new Error(`treating missing data as ${treatMissingData} is not implemented`);
  const latest = points.filter((point) => point !== undefined).slice(-evaluationPeriods);
  const missing = treatMissingData === 'breaching' ? evaluationPeriods - latest.length : 0;
  const breaching = latest.filter(Boolean).length + missing;
  return breaching >= datapointsToAlarm ? 'ALARM' : 'OK';
};

/** Metric math has no operation that joins two periods, so each period is evaluated alone. @param end of the period */
const metricValueAt = ({ metrics, expression }: MetricAlarm, store: MetricStore, end: number): number | undefined => {
  if (expression === undefined) return metrics[0] && store.read(metrics[0], end);
  const series = metrics.map((reading): readonly [string, Series] => [reading.id, [store.read(reading, end)]]);
  return evaluateMath(expression, Object.fromEntries(series))[0];
};

const isBreaching = (alarm: MetricAlarm, store: MetricStore, end: number): boolean | undefined => {
  const compare = comparisons[alarm.comparison];
  if (compare === undefined) throw new Error(`${alarm.comparison} is not implemented`);
  const value = metricValueAt(alarm, store, end);
  return value === undefined ? undefined : compare(value, alarm.threshold);
};

/** @returns seconds */
const periodOf = ({ id, metrics }: MetricAlarm): number => {
  const [period, ...others] = new Set(metrics.map((reading) => reading.period));
  if (period === undefined || others.length > 0) throw new Error(`${id}: several periods are not implemented`);
  return period;
};

/** @param end the number of minutes that have passed; the store gets no more samples of these minutes */
export type EvaluateAlarm = (alarm: MetricAlarm, end: number) => AlarmState;

/** Each minute, an alarm looks again at the points that it had a minute before, so they are kept. */
export const createAlarmEvaluator = (store: MetricStore): EvaluateAlarm => {
  const pointsOf = new Map<MetricAlarm, Map<number, boolean | undefined>>();
  return (alarm, end) => {
    const known = pointsOf.get(alarm) ?? new Map<number, boolean | undefined>();
    pointsOf.set(alarm, known);
    const pointAt = (last: number): boolean | undefined => {
      if (!known.has(last)) known.set(last, isBreaching(alarm, store, last));
      return known.get(last);
    };
    const length = alarm.evaluationPeriods + EXTRA_POINTS;
    const minutes = periodOf(alarm) / 60;
    const ends = Array.from({ length }, (_, index) => end - (length - 1 - index) * minutes);
    return stateOf(ends.map(pointAt), alarm);
  };
};

const RULE_TOKEN = /\s*(ALARM|OK|AND|OR|NOT|AT_LEAST|TRUE|FALSE|"[^"]*"|\d+|[(),])/y;

const ruleTokens = (rule: string): readonly string[] => {
  const tokens: string[] = [];
  RULE_TOKEN.lastIndex = 0;
  while (RULE_TOKEN.lastIndex < rule.trimEnd().length) {
    const at = RULE_TOKEN.lastIndex;
    const token = RULE_TOKEN.exec(rule)?.[1];
    if (token === undefined) throw new Error(`alarm rule: cannot read ${rule.slice(at, at + 60)}`);
    tokens.push(token);
  }
  return tokens;
};

/** @param stateOfAlarm by the ARN in the rule */
export const evaluateRule = (rule: string, stateOfAlarm: (arn: string) => AlarmState): AlarmState => {
  const tokens = ruleTokens(rule);
  let position = 0;
  const take = (expected?: string): string => {
    const token = tokens[position] ?? '';
    if (expected !== undefined && token !== expected) throw new Error(`alarm rule: ${expected} is expected`);
    position += 1;
    return token;
  };
  const arn = (): string => take().slice(1, -1);

  const isInState = (state: string): boolean => {
    take('(');
    const is = stateOfAlarm(arn()) === state;
    take(')');
    return is;
  };

  /** `AT_LEAST(2, ALARM, ("a", "b"))` */
  const atLeast = (): boolean => {
    take('(');
    const least = Number(take());
    take(',');
    const state = take();
    take(',');
    take('(');
    const operands = [arn()];
    while (tokens[position] === ',') {
      take();
      operands.push(arn());
    }
    take(')');
    take(')');
    return operands.filter((operand) => stateOfAlarm(operand) === state).length >= least;
  };

  const term = (): boolean => {
    const token = take();
    if (token === 'ALARM' || token === 'OK') return isInState(token);
    if (token === 'AT_LEAST') return atLeast();
    if (token === 'NOT') return !term();
    if (token === 'TRUE' || token === 'FALSE') return token === 'TRUE';
    if (token !== '(') throw new Error(`alarm rule: ${token} is not expected`);
    const is = any();
    take(')');
    return is;
  };

  const every = (): boolean => {
    let is = term();
    while (tokens[position] === 'AND') {
      take();
      is = term() && is;
    }
    return is;
  };

  const any = (): boolean => {
    let is = every();
    while (tokens[position] === 'OR') {
      take();
      is = every() || is;
    }
    return is;
  };

  const isRaised = any();
  if (position < tokens.length) throw new Error(`alarm rule: ${tokens[position]} is not expected`);
  return isRaised ? 'ALARM' : 'OK';
};
