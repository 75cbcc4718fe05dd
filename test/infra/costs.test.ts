// Checks `npm run costs` and the page Costs and scaling, and the numbers of billed resources in the template.
import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { costReport, workloadReport } from '../../infra/costs/report.ts';
import { options, readWorkload } from '../../infra/costs/workload-options.ts';
import { standingResources } from '../../shared/contract/standing-resources.ts';
import { expandPlaceholders } from '../../shared/publish/pages/expand-placeholders.ts';
import { pageFile, readPage } from '../../shared/publish/pages/read-page.ts';
import { templateOf } from './synthesized.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const program = ['infra/costs/run.ts'];

const TABLE = /(?:^\|.*\|$\n?)+/gm;

const tablesOf = (markdown: string): readonly string[] => markdown.match(TABLE)?.map((table) => table.trim()) ?? [];

describe('npm run costs', () => {
  const output = execFileSync(process.execPath, program, { cwd: root, encoding: 'utf8' });

  test('prints the report', () => {
    expect(output).toBe(`${costReport()}\n`);
  });

  test('prints the tables of the page, and all of them', () => {
    const page = tablesOf(expandPlaceholders(pageFile('scaling'), readPage('scaling')));
    expect(page.length).toBeGreaterThan(10);
    expect(tablesOf(output).toSorted()).toEqual(page.toSorted());
  });

  test('prints the bill, the limits and the settings of a workload', () => {
    const text = execFileSync(
      process.execPath,
      [...program, '--requests', '50M', '--hits', '90', '--mix', 'searching', '--addresses', '3', '--pool'],
      { cwd: root, encoding: 'utf8' },
    );
    expect(text).toContain('50 million requests per month (`searching`), 90 % hits');
    expect(tablesOf(text)).toHaveLength(2);
    expect(text).toMatch(/^\| FxTwitter \| [\d,]+ calls per minute \| 3,000 \| \d+ % \|$/m);
    expect(text).toMatch(/^- `alarmEmail`/m);
  });

  test.each<[string[], string]>([
    [['--requests', 'many'], '--requests must be a number from 0 to 10000000000000, such as 50M or 1.5B'],
    [['--requests', '1M', '--hits', '101'], '--hits must be a number from 0 to 100'],
    [['--requests', '1M', '--mix', 'all'], '--mix must be one of reading, searching, agents'],
    [['--requests', '1M', '--metrics', 'all'], '--metrics must be one of none, service'],
    [['--request', '1M'], "Unknown option '--request'"],
  ])('%j stops with one sentence', (args, message) => {
    const { status, stderr, stdout } = spawnSync(process.execPath, [...program, ...args], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stdout).toBe('');
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain(message);
  });

  test('reads every option', () => {
    const workload = readWorkload({
      requests: '1.5B',
      hits: '0',
      mix: 'agents',
      keyed: '50',
      peak: '10',
      addresses: '2',
      concurrency: '5k',
      metrics: 'none',
      'log-days': '7',
      pool: true,
    });
    expect(workload).toEqual({
      requests: 1.5e9,
      hitRatio: 0,
      mix: 'agents',
      keyedShare: 0.5,
      peakFactor: 10,
      addresses: 2,
      concurrency: 5000,
      metrics: 'none',
      logRetentionDays: 7,
      hasPool: true,
    });
    // One member for each option.
    expect(Object.keys(workload)).toHaveLength(Object.keys(options).length);
    expect(workloadReport(workload)).toContain('1.5 billion');
  });
});

describe('the template', () => {
  const resources = Object.values(templateOf({ canaryMinutes: 0 }).toJSON()['Resources']).filter(
    (row): row is { Type: string; Properties: Record<string, unknown> } =>
      typeof row === 'object' && row !== null && 'Type' in row,
  );
  const ofType = (type: string) => resources.filter(({ Type }) => Type === type);

  /** Expressions are free, but each metric that they use is billed. */
  const billedMetrics = ({ Metrics }: Record<string, unknown>): number =>
    Array.isArray(Metrics) ? Metrics.filter((row: object) => 'MetricStat' in row).length : 1;

  test('has the numbers of billed resources that the page names', () => {
    expect(standingResources).toEqual({
      alarmMetrics: ofType('AWS::CloudWatch::Alarm').reduce((sum, row) => sum + billedMetrics(row.Properties), 0),
      compositeAlarms: ofType('AWS::CloudWatch::CompositeAlarm').length,
      dashboards: ofType('AWS::CloudWatch::Dashboard').length,
      secrets: ofType('AWS::SecretsManager::Secret').length,
    });
  });

  test('has no other resource with a price per month', () => {
    const known = new Set([
      'AWS::ApiGatewayV2::Api',
      'AWS::ApiGatewayV2::Integration',
      'AWS::ApiGatewayV2::Route',
      'AWS::ApiGatewayV2::Stage',
      'AWS::CloudFront::CachePolicy',
      'AWS::CloudFront::Distribution',
      'AWS::CloudFront::Function',
      'AWS::CloudFront::OriginRequestPolicy',
      'AWS::CloudFront::ResponseHeadersPolicy',
      'AWS::CloudWatch::Alarm',
      'AWS::CloudWatch::CompositeAlarm',
      'AWS::CloudWatch::Dashboard',
      'AWS::DynamoDB::Table',
      'AWS::IAM::Policy',
      'AWS::IAM::Role',
      'AWS::Lambda::Alias',
      'AWS::Lambda::Function',
      'AWS::Lambda::Permission',
      'AWS::Lambda::Url',
      'AWS::Lambda::Version',
      'AWS::Logs::LogGroup',
      'AWS::Logs::MetricFilter',
      'AWS::Logs::QueryDefinition',
      'AWS::SecretsManager::Secret',
    ]);
    expect([...new Set(resources.map(({ Type }) => Type))].filter((type) => !known.has(type))).toEqual([]);
  });
});
