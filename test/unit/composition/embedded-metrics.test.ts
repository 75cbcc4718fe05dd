// Tests the metrics in log lines with the schema of AWS and a reader that follows its specification.
import { describe, expect, test } from 'vitest';
import { httpFromEnvironment } from '../../../shared/composition/environment.ts';
import { EVENT_METRIC, type MetricSet, metricSets, operatorEvents } from '../../../shared/contract/metrics.ts';
import type { LogFields } from '../../../shared/ports/system.ts';
import { readMetrics, seriesOf } from '../../support/embedded-metrics.ts';

const linesOf = (environment: Readonly<Record<string, string>>, ...all: readonly LogFields[]): readonly string[] => {
  const lines: string[] = [];
  const { log } = httpFromEnvironment(environment, (line) => void lines.push(line));
  for (const fields of all) log(fields);
  return lines.map((line) => line.trimEnd());
};

const ON = { METRICS_NAMESPACE: 'Postern' };

const request: LogFields = {
  level: 'info',
  event: 'request',
  request_id: 'HkfIdgTjIAMEJeg=',
  surface: 'posts',
  operation: 'readPost',
  form: 'markdown',
  method: 'GET',
  status: 200,
  status_class: '2xx',
  provider: 'fxtwitter',
  cache: 'miss',
  allowance: 'admitted',
  degraded: 0,
  cold_start: false,
  bytes: 2048,
  duration_ms: 312,
};

const provider = { provider: 'fxtwitter', kind: 'status', address: 'api.fxtwitter.com' };

const lines: Readonly<Record<string, LogFields>> = {
  request,
  tool: { level: 'info', event: 'tool', tool: 'x_get_post', status: 200, tool_duration_ms: 400 },
  upstream: { level: 'info', event: 'upstream', ...provider, outcome: 'answered', status: 200, duration_ms: 120 },
  circuit: { level: 'warn', event: 'circuit', ...provider, state: 'open', why: 'failures' },
};

/** The samples of one line, without those of other dimensions than `service`. */
const valuesOf = (fields: LogFields): Readonly<Record<string, number>> => {
  const [line = ''] = linesOf(ON, fields);
  return Object.fromEntries(readMetrics(line).map(({ name, value }) => [name, value]));
};

describe('metrics in log lines', () => {
  test('there is a line for each set', () => {
    expect(new Set(Object.keys(lines))).toEqual(
      new Set(Object.values<MetricSet>(metricSets).map(({ event }) => event)),
    );
  });

  test.each(Object.keys(lines))(
    'the line of %s has each declared metric once with its dimensions, and no other',
    (name) => {
      const [line = ''] = linesOf(ON, lines[name] ?? request);
      const declared = Object.values<MetricSet>(metricSets)
        .filter(({ event }) => event === name)
        .flatMap(({ metrics, dimensions }) =>
          dimensions.flatMap((set) =>
            Object.entries(metrics).map(([metric, unit]) => [metric, unit, set.join()].join(' ')),
          ),
        );
      const samples = readMetrics(line);
      const seen = samples.map((sample) => [sample.name, sample.unit, Object.keys(sample.dimensions).join()].join(' '));
      expect(seen.toSorted()).toEqual(declared.toSorted());
      expect(new Set(samples.map(seriesOf)).size).toBe(samples.length);
      expect(samples.filter(({ namespace }) => namespace !== 'Postern')).toEqual([]);
    },
  );

  test.each(operatorEvents)('an event that an operator must know of is counted: %s', (event) => {
    const [line = ''] = linesOf(ON, { level: 'warn', event, store: 'keys', kind: 'TimeoutError' });
    expect(readMetrics(line)).toMatchObject([{ name: EVENT_METRIC, unit: 'Count', dimensions: { event }, value: 1 }]);
  });

  test.each([
    ['without a namespace', {}],
    ['with an empty namespace', { METRICS_NAMESPACE: '' }],
  ])('%s a line is as the function wrote it', (_, environment) => {
    expect(JSON.parse(linesOf(environment, request)[0] ?? '')).toEqual(request);
  });

  test('a canary and a health check are no calls, and other events have no metrics', () => {
    const upstream = lines['upstream'] ?? request;
    const without = linesOf(
      ON,
      { ...upstream, role: 'canary' },
      { ...upstream, role: 'health_check' },
      { level: 'info', event: 'mcp', mcp_method: 'tools/list' },
      { level: 'error', event: 'problem', code: 'internal_error' },
    );
    expect(without.flatMap(readMetrics)).toEqual([]);
  });
});

describe('values of metrics', () => {
  const none = {
    bytes: 2048,
    duration_ms: 312,
    cache_hits: 0,
    cold_starts: 0,
    degraded: 0,
    failures: 0,
    forbidden_origins: 0,
    keyed: 0,
    refusals: 0,
    unverified: 0,
  };

  test.each<[string, Partial<LogFields>, Partial<Record<keyof typeof none, number>>]>([
    ['an answer', {}, {}],
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
    ['a key that was not checked', { key: undefined, status: 429 }, { refusals: 1 }],
    ['no key', { key: 'anonymous' }, {}],
    ['an answer from the read cache', { cache: 'hit' }, { cache_hits: 1 }],
    ['an answer of a running call', { cache: 'joined' }, {}],
    ['a cold start', { cold_start: true }, { cold_starts: 1 }],
    ['a degraded answer', { degraded: 1 }, { degraded: 1 }],
  ])('of a request: %s', (_, changes, expected) => {
    const [line = ''] = linesOf(ON, { ...request, ...changes });
    const samples = readMetrics(line).filter(({ dimensions }) => 'service' in dimensions);
    expect(Object.fromEntries(samples.map(({ name, value }) => [name, value]))).toEqual({ ...none, ...expected });
  });

  test.each([
    ['answered', 0, 0],
    ['failed', 1, 0],
    ['down', 1, 0],
    ['throttled', 0, 1],
    ['inconclusive', 0, 0],
  ])('of a call with the outcome %s', (outcome, failures, throttled) => {
    const fields = { ...(lines['upstream'] ?? request), outcome };
    expect(valuesOf(fields)).toEqual({ duration_ms: 120, failures, throttled });
  });

  test('of tools and circuits', () => {
    const { tool = request, circuit = request } = lines;
    expect(valuesOf(tool)).toEqual({ tool_duration_ms: 400, tool_failures: 0 });
    expect(valuesOf({ ...tool, status: 503 })).toEqual({ tool_duration_ms: 400, tool_failures: 1 });
    expect(valuesOf({ ...tool, status: 429 })).toEqual({ tool_duration_ms: 400, tool_failures: 0 });
    expect(valuesOf(circuit)).toEqual({ circuits_opened: 1 });
    expect(valuesOf({ ...circuit, state: 'closed' })).toEqual({ circuits_opened: 0 });
  });
});
