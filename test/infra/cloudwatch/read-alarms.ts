// Reads the alarms of a synthesized template.
import {
  type Fields,
  fieldsOf,
  isFields,
  listOf,
  type Resource,
  type Template,
  textOf,
} from '../evaluation/template.ts';

/** One metric with a statistic. */
export interface MetricReading {
  readonly id: string;
  readonly namespace: string;
  readonly metricName: string;
  readonly dimensions: Readonly<Record<string, string>>;
  /** Seconds. */
  readonly period: number;
  readonly statistic: string;
}

interface Actions {
  readonly alarmActions: readonly string[];
  readonly okActions: readonly string[];
}

export interface MetricAlarm extends Actions {
  /** The logical id. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly metrics: readonly MetricReading[];
  /** Metric math; undefined: the value of the only metric. */
  readonly expression?: string;
  /** The alarm is raised at its threshold or above. */
  readonly threshold: number;
  readonly evaluationPeriods: number;
  readonly datapointsToAlarm: number;
}

export interface Composite extends Actions {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly rule: string;
}

const dimensionsOf = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    listOf(value).map((item) => {
      const { Name, Value } = fieldsOf(item);
      return [textOf(Name), textOf(Value)];
    }),
  );

const readingOf = (id: string, metric: unknown, period: unknown, statistic: unknown): MetricReading => {
  const { Namespace, MetricName, Dimensions } = fieldsOf(metric);
  return {
    id,
    namespace: textOf(Namespace),
    metricName: textOf(MetricName),
    dimensions: dimensionsOf(Dimensions),
    period: Number(period),
    statistic: textOf(statistic),
  };
};

const actionsOf = (properties: Fields): Actions => ({
  alarmActions: listOf(properties['AlarmActions']).map(textOf),
  okActions: listOf(properties['OKActions']).map(textOf),
});

/** The metrics and the expression that returns the value. */
const valueIn = (properties: Fields): Pick<MetricAlarm, 'metrics' | 'expression'> => {
  const { Metrics, Period, Statistic, ExtendedStatistic } = properties;
  if (Metrics === undefined) return { metrics: [readingOf('m', properties, Period, Statistic ?? ExtendedStatistic)] };
  const queries = listOf(Metrics).map(fieldsOf);
  const [result, ...others] = queries.filter(({ ReturnData }) => ReturnData !== false);
  if (result === undefined || others.length > 0) throw new Error('an alarm must have one returned value');
  const metrics = queries.flatMap(({ Id, MetricStat }) => {
    if (!isFields(MetricStat)) return [];
    return [readingOf(textOf(Id), MetricStat['Metric'], MetricStat['Period'], MetricStat['Stat'])];
  });
  if (metrics.length !== queries.length - 1) throw new Error('an alarm with several expressions is not implemented');
  return { metrics, expression: textOf(result['Expression']) };
};

/** @throws if an alarm has another comparison, or missing data breaches: neither is implemented */
const expectImplemented = ({ ComparisonOperator, TreatMissingData }: Fields): void => {
  if (ComparisonOperator !== 'GreaterThanOrEqualToThreshold' || TreatMissingData !== 'notBreaching')
    throw new Error(`${textOf(ComparisonOperator)} and ${textOf(TreatMissingData)} are not implemented`);
};

const alarmOf = ({ id, properties }: Resource): MetricAlarm => {
  expectImplemented(properties);
  return {
    id,
    name: textOf(properties['AlarmName']),
    description: textOf(properties['AlarmDescription']),
    ...valueIn(properties),
    threshold: Number(properties['Threshold']),
    evaluationPeriods: Number(properties['EvaluationPeriods']),
    datapointsToAlarm: Number(properties['DatapointsToAlarm'] ?? properties['EvaluationPeriods']),
    ...actionsOf(properties),
  };
};

export const readAlarms = (template: Template): readonly MetricAlarm[] =>
  template.resources('AWS::CloudWatch::Alarm').map(alarmOf);

export const readComposites = (template: Template): readonly Composite[] =>
  template.resources('AWS::CloudWatch::CompositeAlarm').map(({ id, properties }) => ({
    id,
    name: textOf(properties['AlarmName']),
    description: textOf(properties['AlarmDescription']),
    rule: textOf(properties['AlarmRule']),
    ...actionsOf(properties),
  }));
