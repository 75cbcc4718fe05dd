// Tests the evaluator of alarms against the examples of the CloudWatch User Guide.
import { describe, expect, test } from 'vitest';
import { evaluateRule, stateOf } from './cloudwatch/evaluate-alarm.ts';
import { evaluateMath, type Series } from './cloudwatch/metric-math.ts';
import { createMetricStore } from './cloudwatch/metric-store.ts';

/** `0 - X`: not breaching, missing, breaching. */
const pointsOf = (text: string): readonly (boolean | undefined)[] =>
  text.split(' ').map((point) => (point === '-' ? undefined : point === 'X'));

// User Guide, "How alarm state is evaluated when data is missing": the columns BREACHING and NOT BREACHING.
describe('the state with missing data', () => {
  test.each([
    ['0 - X - X', 'OK', 'OK'],
    ['0 - - - -', 'OK', 'OK'],
    ['- - - - -', 'ALARM', 'OK'],
    ['0 X X - X', 'ALARM', 'ALARM'],
    ['- - - - X', 'ALARM', 'OK'],
    ['X - - - -', 'ALARM', 'OK'],
  ])('3 of 3 with %s is %s if missing data breaches, and else %s', (text, breaching, notBreaching) => {
    const rules = { evaluationPeriods: 3, datapointsToAlarm: 3 };
    expect(stateOf(pointsOf(text), { ...rules, treatMissingData: 'breaching' })).toBe(breaching);
    expect(stateOf(pointsOf(text), { ...rules, treatMissingData: 'notBreaching' })).toBe(notBreaching);
  });

  test.each([
    ['0 - X - X', 'ALARM', 'ALARM'],
    ['0 0 X 0 X', 'ALARM', 'ALARM'],
    ['0 - X - -', 'ALARM', 'OK'],
    ['- - - - 0', 'ALARM', 'OK'],
    ['- - - - X', 'ALARM', 'OK'],
  ])('2 of 3 with %s is %s if missing data breaches, and else %s', (text, breaching, notBreaching) => {
    const rules = { evaluationPeriods: 3, datapointsToAlarm: 2 };
    expect(stateOf(pointsOf(text), { ...rules, treatMissingData: 'breaching' })).toBe(breaching);
    expect(stateOf(pointsOf(text), { ...rules, treatMissingData: 'notBreaching' })).toBe(notBreaching);
  });
});

const M = undefined;

// User Guide, "Comparison and logical operators" and "Using IF expressions": the examples.
describe('metric math', () => {
  const metrics: Readonly<Record<string, Series>> = {
    metric1: [30, 20, 0, 0],
    metric2: [20, M, 20, M],
    condition: [1, 1, 0, 0, M],
    whenTrue: [30, M, 0, 0, 30],
    whenFalse: [0, 0, 20, M, 20],
    none: [M, M],
    one: [M, 1],
    two: [2, 2],
  };

  test.each<[string, Series]>([
    ['metric1 < metric2', [0, 0, 1, 0]],
    ['metric1 >= 30', [1, 0, 0, 0]],
    ['metric1 > 15 AND metric2 > 15', [1, 0, 0, 0]],
    ['metric1 > 15 OR metric2 > 15', [1, 1, 1, 0]],
    ['IF(condition, whenTrue, whenFalse)', [30, 0, 20, M, M]],
    ['IF(condition, 5, whenFalse)', [5, 5, 20, M, M]],
    ['IF(condition, whenTrue, 5)', [30, 0, 5, 5, M]],
    ['one + two', [2, 3]],
    ['one * 3', [M, 3]],
    ['none + one', [M, 1]],
    ['FILL(none, 0) + one', [0, 1]],
    // A division by zero is dropped.
    ['two / FILL(one, 0)', [M, 2]],
    ['two / one', [M, 2]],
    ['2 - 1 - two', [-1, -1]],
    ['8 / 2 / two + 1 * 3', [5, 5]],
    ['(8 - two) * (1 + two)', [18, 18]],
  ])('%s', (expression, expected) => {
    expect(evaluateMath(expression, metrics)).toEqual(expected);
  });
});

describe('the rule of a composite alarm', () => {
  const state = (arn: string) => (arn.startsWith('bad') ? 'ALARM' : 'OK');

  test.each([
    ['ALARM("bad")', 'ALARM'],
    ['ALARM("good")', 'OK'],
    ['OK("good") AND NOT ALARM("good")', 'ALARM'],
    ['ALARM("good") OR ALARM("good") AND ALARM("bad")', 'OK'],
    ['(ALARM("bad") OR ALARM("good")) AND (ALARM("good") OR ALARM("bad"))', 'ALARM'],
    ['AT_LEAST(2, ALARM, ("bad1", "good", "bad2"))', 'ALARM'],
    ['AT_LEAST(2, ALARM, ("bad1", "good"))', 'OK'],
    ['TRUE AND FALSE', 'OK'],
  ])('%s is %s', (rule, expected) => {
    expect(evaluateRule(rule, state)).toBe(expected);
  });
});

describe('statistics', () => {
  const store = createMetricStore();
  const put = (minute: number, value: number, count?: number): void =>
    store.put('N', 'duration', { surface: 'posts' }, minute, value, count);
  put(0, 100, 97);
  put(0, 5000);
  put(1, 5001, 2);
  const reading = { id: 'm', namespace: 'N', metricName: 'duration', dimensions: { surface: 'posts' } };

  // User Guide, "CloudWatch statistics definitions": the upper bound of a percentile rank is inclusive.
  test.each([
    ['SampleCount', 120, 2, 100],
    ['Sum', 60, 2, 10_002],
    ['Average', 60, 2, 5001],
    ['PR(:5000)', 120, 2, 98],
    ['PR(:5000)', 60, 3, undefined],
  ])('%s of %i seconds until minute %i', (statistic, period, end, expected) => {
    expect(store.read({ ...reading, statistic, period }, end)).toBe(expected);
  });
});
