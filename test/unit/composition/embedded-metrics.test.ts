// Tests the metrics in log lines with the schema of AWS and a reader that follows its specification.
import { describe, expect, test } from 'vitest';
import { createMetricEmbedder } from '../../../shared/composition/embedded-metrics.ts';
import { createJsonLog, httpFromEnvironment } from '../../../shared/composition/environment.ts';
import { EVENT_METRIC, type MetricSet, metricSets, operatorEvents } from '../../../shared/contract/metrics.ts';
import type { CallRecord, LogFields } from '../../../shared/ports/system.ts';
import { readMetrics, seriesOf } from '../../support/embedded-metrics.ts';

const START = Date.UTC(2026, 10, 28);

/** One instance with a clock of its own. */
const startLog = () => {
  let now = START;
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  const log = createJsonLog({ write, clock: () => now, embed: createMetricEmbedder('Postern') });
  return {
    wait(milliseconds: number): void {
      now += milliseconds;
    },
    /** @returns the line */
    write(fields: LogFields): string {
      log(fields);
      return lines.at(-1) ?? '';
    },
  };
};

const lineOf = (fields: LogFields): string => startLog().write(fields);

const request: LogFields = {
  level: 'info',
  event: 'request',
  request_id: 'HkfIdgTjIAMEJeg=',
  surface: 'posts',
  operation: 'readPost',
  form: 'markdown',
  method: 'GET',
  status: 200,
  provider: 'fxtwitter',
  cache: 'miss',
  allowance: 'admitted',
  bytes: 2048,
  duration_ms: 312,
};

const answered: CallRecord = {
  provider: 'fxtwitter',
  kind: 'status',
  address: 'api.fxtwitter.com',
  outcome: 'answered',
  status: 200,
  why: undefined,
  milliseconds: 120,
};
const refused: CallRecord = { ...answered, outcome: 'down', status: undefined, why: 'refused', milliseconds: 2 };
const tool: LogFields = { level: 'info', event: 'tool', tool: 'x_get_post', status: 200, tool_duration_ms: 400 };
const circuit: LogFields = {
  level: 'warn',
  event: 'circuit',
  address: answered.address,
  state: 'open',
  why: 'failures',
};

const valuesOf = (line: string): Readonly<Record<string, number>> =>
  Object.fromEntries(readMetrics(line).map(({ name, value }) => [name, value]));

describe('a line', () => {
  test('[costs 3] has no metrics when there is no news', () => {
    expect(JSON.parse(lineOf(request))).toEqual({ timestamp: '2026-11-28T00:00:00.000Z', ...request });
  });

  test.each([
    ['without a namespace', {}],
    ['with an empty namespace', { METRICS_NAMESPACE: '' }],
  ])('has no metrics %s', (_, environment) => {
    const lines: string[] = [];
    httpFromEnvironment(environment, (line) => void lines.push(line)).log({
      ...request,
      status: 503,
      calls: [answered],
    });
    const { timestamp, ...line } = JSON.parse(lines[0] ?? '');
    expect(new Date(timestamp).toISOString()).toBe(timestamp);
    expect(line).toEqual({ ...request, status: 503, calls: 'fxtwitter status 200' });
  });

  test('names the calls of providers, and equal ones once', () => {
    const calls = [answered, refused, answered];
    const text = 'fxtwitter status down: refused (api.fxtwitter.com), 2x fxtwitter status 200';
    expect(JSON.parse(lineOf({ ...request, calls }))).toMatchObject({ calls: text });
  });

  test('has each declared metric with its dimension and its unit when all that they count happens', () => {
    const everything = { ...request, status: 503, key: 'unverified', degraded: 1, calls: [answered, refused] };
    const lines = [
      lineOf(everything),
      lineOf({ ...request, status: 429, calls: [{ ...answered, outcome: 'throttled' }] }),
      lineOf({ ...request, status: 403, code: 'forbidden_origin' }),
      lineOf({ ...tool, status: 503 }),
      lineOf(circuit),
    ];
    const declared = Object.values<MetricSet>(metricSets).flatMap(({ metrics, dimension }) =>
      Object.entries(metrics).map(([metric, unit]) => [metric, unit, dimension].join(' ')),
    );
    const samples = lines.flatMap(readMetrics);
    const seen = samples.map((sample) => [sample.name, sample.unit, Object.keys(sample.dimensions).join()].join(' '));
    expect([...new Set(seen)].toSorted()).toEqual(declared.toSorted());
    expect(samples.filter(({ namespace, timestamp }) => namespace !== 'Postern' || timestamp !== START)).toEqual([]);
  });

  test.each(operatorEvents)('counts an event that an operator must know of: %s', (event) => {
    const line = lineOf({ level: 'warn', event, store: 'keys', kind: 'TimeoutError' });
    expect(readMetrics(line)).toMatchObject([{ name: EVENT_METRIC, unit: 'Count', dimensions: { event }, value: 1 }]);
  });

  test('[costs 2] of a canary, a health check or another event has no metrics', () => {
    const { write } = startLog();
    const lines = [
      write({ ...request, role: 'canary', status: 503, key: 'unverified', degraded: 1, calls: [refused] }),
      write({ ...tool, role: 'canary' }),
      write({ level: 'info', event: 'upstream', role: 'health_check', calls: [answered] }),
      write({ level: 'info', event: 'mcp', mcp_method: 'tools/list' }),
      write({ level: 'error', event: 'problem', code: 'internal_error' }),
      write(request),
    ];
    expect(lines.flatMap(readMetrics)).toEqual([]);
  });

  test.each<[string, Partial<LogFields>, Readonly<Record<string, number>>]>([
    ['500', { status: 500 }, { failures: 1 }],
    ['503', { status: 503 }, { failures: 1 }],
    ['501, which is not a failure', { status: 501 }, {}],
    ['404', { status: 404 }, {}],
    ['429', { status: 429 }, { refusals: 1 }],
    ['a request without the origin secret', { status: 403, code: 'forbidden_origin' }, { forbidden_origins: 1 }],
    ['another 403', { status: 403, code: 'post_protected' }, {}],
    ['a valid key', { key: 'valid' }, { keyed: 1 }],
    ['a key that was not verified', { key: 'unverified' }, { keyed: 1, unverified: 1 }],
    ['an invalid key', { key: 'invalid' }, {}],
    ['no key', { key: 'anonymous' }, {}],
    ['an answer from the read cache', { cache: 'hit' }, {}],
    ['a cold start', { cold_start: 1 }, {}],
    ['a degraded answer', { degraded: 1 }, { degraded: 1 }],
  ])('of a request has the values of %s', (_, changes, expected) => {
    expect(valuesOf(lineOf({ ...request, ...changes }))).toEqual(expected);
  });

  test('of a tool or a circuit has its values', () => {
    expect(valuesOf(lineOf(tool))).toEqual({ tool_duration_ms: 400 });
    expect(valuesOf(lineOf({ ...tool, tool_duration_ms: 0 }))).toEqual({ tool_duration_ms: 0 });
    expect(valuesOf(lineOf({ ...tool, status: 503 }))).toEqual({ tool_duration_ms: 400, tool_failures: 1 });
    expect(valuesOf(lineOf({ ...tool, status: 429 }))).toEqual({ tool_duration_ms: 400 });
    expect(valuesOf(lineOf(circuit))).toEqual({ circuits_opened: 1 });
    expect(valuesOf(lineOf({ ...circuit, state: 'closed' }))).toEqual({});
  });
});

describe('[costs 3] the metrics of calls', () => {
  const withCalls = (...calls: readonly CallRecord[]): LogFields => ({ ...request, calls });

  test('are written with the first line, and then every ten seconds for all calls since', () => {
    const { write, wait } = startLog();
    const first = readMetrics(write(withCalls(answered, refused)));
    expect(first.map(({ name, value }) => [name, value])).toEqual([
      ['call_ms', 120],
      ['call_ms', 2],
      ['call_failures', 1],
    ]);
    wait(9999);
    expect(readMetrics(write(withCalls(answered)))).toEqual([]);
    expect(readMetrics(write(withCalls({ ...answered, outcome: 'throttled' })))).toEqual([]);
    wait(1);
    const later = readMetrics(write(request));
    expect(later.map(({ name, value }) => [name, value])).toEqual([
      ['call_ms', 120],
      ['call_ms', 120],
      ['call_throttled', 1],
    ]);
    wait(60_000);
    expect(readMetrics(write(request))).toEqual([]);
  });

  test('are written earlier when there are as many as a line may have', () => {
    const { write } = startLog();
    write(withCalls(answered));
    const samples = readMetrics(write(withCalls(...Array<CallRecord>(120).fill(answered))));
    expect(samples).toHaveLength(100);
    expect(readMetrics(write(withCalls(...Array<CallRecord>(80).fill(answered))))).toHaveLength(100);
  });

  test('are written for one address in a line', () => {
    const { write } = startLog();
    const other = { ...answered, address: 'cdn.syndication.twimg.com' };
    const lines = [write(withCalls(answered, other)), write(request)];
    expect(lines.map((line) => readMetrics(line).map(seriesOf))).toEqual([
      ['call_ms {"address":"api.fxtwitter.com"}'],
      ['call_ms {"address":"cdn.syndication.twimg.com"}'],
    ]);
  });

  test('of a call that belongs to no request are written with the next request', () => {
    const { write } = startLog();
    expect(readMetrics(write({ level: 'info', event: 'upstream', calls: [answered] }))).toEqual([]);
    expect(valuesOf(write(request))).toEqual({ call_ms: 120 });
  });
});
