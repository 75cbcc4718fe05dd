// Tests the dashboard: its metrics against those that exist, and its log queries against the lines that the functions
// write. The CDK writes the structure of its body.
import { describe, expect, test } from 'vitest';
import { logQueries, queryText } from '../../infra/constructs/dashboard-widgets.ts';
import { EVENT_METRIC, type MetricSet, metricSets } from '../../shared/contract/metrics.ts';
import { upstreamReturning } from '../support/test-app.ts';
import { recordRequest } from './cloudwatch/recorded-lines.ts';
import { type Fields, fieldsOf, listOf, readTemplate, textOf } from './evaluation/template.ts';
import { templateOf } from './synthesized.ts';

interface Widget {
  readonly type: string;
  readonly properties: Fields;
}

const bodyOf = (context: Readonly<Record<string, unknown>>): { readonly widgets: readonly Widget[] } => {
  const [dashboard, ...others] = readTemplate(templateOf(context).toJSON()).resources('AWS::CloudWatch::Dashboard');
  expect(others).toEqual([]);
  return JSON.parse(textOf(dashboard?.properties['DashboardBody']));
};

const titlesOf = (context: Readonly<Record<string, unknown>>): readonly string[] =>
  bodyOf(context).widgets.map(({ properties }) => String(properties['title'] ?? properties['markdown']));

const PAID = { providers: 'fxtwitter,syndication,x_api', xApiTokenSecret: 'x-token' };

const configurations = [{}, { metrics: 'service' }, { metrics: 'none' }, { region: 'eu-west-1' }, PAID] as const;

describe.each(configurations)('with %j, the dashboard', (context) => {
  const body = bodyOf(context);

  /** `set of dimensions: metric` of the metrics of the functions, and the namespaces of others. */
  const metrics = body.widgets.filter(({ type }) => type === 'metric').flatMap(({ properties }) => readsOf(properties));
  const isDeclared = (dimensions: readonly string[], name: string): boolean =>
    (name === EVENT_METRIC && dimensions.join() === 'event') ||
    Object.values<MetricSet>(metricSets).some(
      ({ metrics: names, dimension }) => Object.hasOwn(names, name) && dimension === dimensions.join(),
    );

  test('reads only metrics that the functions or AWS write', () => {
    for (const { namespace, name, dimensions } of metrics) {
      if (namespace.startsWith('AWS/')) expect(dimensions).not.toEqual([]);
      else expect(isDeclared(dimensions, name), `${name} by ${dimensions}`).toBe(true);
    }
    const own = metrics.filter(({ namespace }) => !namespace.startsWith('AWS/'));
    if ('metrics' in context && context.metrics === 'none') expect(own).toEqual([]);
    else expect(new Set(own.map(({ namespace }) => namespace))).toEqual(new Set(['Postern']));
  });

  test('reads CloudFront only in its region', () => {
    const reads = metrics.some(({ namespace }) => namespace === 'AWS/CloudFront');
    expect(reads).toBe(!('region' in context));
  });
});

const SEARCH = /SEARCH\('\{"([^"]+)",([a-z_,]+)\} MetricName="([a-z_]+)"', '(Sum|SampleCount|p99)', 300\)/;

interface Read {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: readonly string[];
}

/** The metrics of a widget, also those of searches. */
function readsOf(properties: Fields): readonly Read[] {
  return listOf(properties['metrics']).flatMap((row): readonly Read[] => {
    const entry = listOf(row);
    const [first] = entry;
    if (typeof first !== 'string') {
      const expression = textOf(fieldsOf(first)['expression']);
      if (!expression.includes('SEARCH')) return [];
      const [, namespace = '', dimensions = '', name = ''] = SEARCH.exec(expression) ?? [];
      expect(namespace, expression).not.toBe('');
      return [{ namespace, name, dimensions: dimensions.split(',') }];
    }
    const texts = entry.filter((part) => typeof part === 'string');
    const [namespace = '', name = '', ...pairs] = texts;
    return [{ namespace, name, dimensions: pairs.filter((_, index) => index % 2 === 0) }];
  });
}

describe('the widgets', () => {
  test('begin with the alarm that pages', () => {
    const [first] = bodyOf({}).widgets;
    expect(first?.type).toBe('alarm');
    expect(String(listOf(fieldsOf(first?.properties)['alarms'])[0])).toContain('usersarehurt');
  });

  test('exist only for what the configuration has', () => {
    expect(titlesOf(PAID)).toContain('Calls of the paid provider');
    expect(titlesOf({})).not.toContain('Calls of the paid provider');
    expect(titlesOf({ metrics: 'none' }).filter((title) => /MCP|Providers/.test(title))).toEqual([]);
    expect(titlesOf({ region: 'eu-west-1' })).not.toContain('## CloudFront');
  });

  test('do not exist with dashboard: false', () => {
    const template = templateOf({ dashboard: false });
    template.resourceCountIs('AWS::CloudWatch::Dashboard', 0);
    template.resourceCountIs('AWS::Logs::QueryDefinition', 0);
  });
});

describe('the log queries', () => {
  const COMMANDS = /\b(?:filter|stats|sort|limit|by|as|and|count|sum|pct|strcontains|ispresent|desc)\b/g;

  /** The names that a query reads: without commands, texts, numbers and the names that it defines. */
  const fieldsIn = (query: string): readonly string[] => {
    const defined = new Set([...query.matchAll(/ as ([a-z0-9_]+)/g)].map(([, name]) => name));
    const rest = query.replaceAll(/"[^"]*"/g, ' ').replaceAll(COMMANDS, ' ');
    return [...rest.matchAll(/\b[a-z_][a-z0-9_]*\b/g)].map(([name]) => name).filter((name) => !defined.has(name));
  };

  test('read only members of log lines', async () => {
    const upstream = upstreamReturning({ kind: 'down', why: 'refused' });
    const { lines } = await recordRequest('posts', { upstream });
    const sets = Object.values<MetricSet>(metricSets);
    const known = new Set([
      ...lines.flatMap((line) => Object.keys(line)),
      ...sets.flatMap(({ dimension, metrics }) => [dimension, ...Object.keys(metrics)]),
      ...['calls', 'cache', 'cold_start'], // of a request that calls a provider
    ]);
    for (const { query } of Object.values(logQueries))
      expect(fieldsIn(queryText(query)).filter((name) => !known.has(name))).toEqual([]);
  });

  test('are saved in the account, for the logs of every function', () => {
    const template = readTemplate(templateOf({ canaryMinutes: 0 }).toJSON());
    const saved = template.resources('AWS::Logs::QueryDefinition').map(({ properties }) => properties);
    expect(saved.map(({ QueryString }) => QueryString)).toEqual(
      Object.values(logQueries).map(({ query }) => queryText(query)),
    );
    const groups = template.resources('AWS::Logs::LogGroup').map(({ id }) => id);
    for (const { LogGroupNames } of saved) expect(listOf(LogGroupNames).toSorted()).toEqual(groups.toSorted());
  });
});
