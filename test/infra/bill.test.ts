// Counts what a deployment with default settings holds, in the template, and what requests and the canary make, in runs of
// the bundled functions, and compares a bill of these counts with the page Costs and scaling.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCanary } from '../../functions/canary/run-canary.ts';
import {
  type BillCounts,
  bill,
  dollars,
  LOG_BYTES,
  MOST_SERIES,
  published,
  readKinds,
  SHOWN_HIT_RATIO,
  SHOWN_REQUESTS,
  totalOf,
  volumeOf,
} from '../../infra/docs/bill.ts';
import { DEFAULT_CANARY_MINUTES } from '../../shared/contract/other-functions.ts';
import { priceOf } from '../../shared/contract/prices.ts';
import { keysOf } from '../../shared/model/json.ts';
import { AMPLE_ALLOWANCES } from '../support/ample-allowances.ts';
import { clocksOf } from '../support/clocks.ts';
import { readMetrics, seriesOf } from '../support/embedded-metrics.ts';
import { type LocalRequestOptions, localOptions, sendRequest, startSlowService } from '../support/local-service.ts';
import { fieldsOf, listOf, readTemplate } from './evaluation/template.ts';
import { templateOf } from './synthesized.ts';

const SECRET = 'a-secret-of-the-test';
const METERED = { ...AMPLE_ALLOWANCES, CACHE_TTL_SECONDS: '0', METRICS_NAMESPACE: 'Postern', ORIGIN_SECRETS: SECRET };

const written: string[] = [];
let service: Awaited<ReturnType<typeof startSlowService>>;
beforeAll(async () => {
  service = await startSlowService({ ...localOptions(METERED), writeLog: (text) => void written.push(text) });
});
afterAll(() => service.close());

interface Run {
  readonly texts: readonly string[];
  readonly lines: readonly Readonly<Record<string, unknown>>[];
  /** With the line ends, as a log group counts them. */
  readonly bytes: number;
}

/** @returns the log of what the work makes */
const logOf = async (work: () => Promise<unknown>): Promise<Run> => {
  written.length = 0;
  await work();
  const texts = written.join('').split('\n').filter(Boolean);
  return {
    texts,
    lines: texts.map((text) => JSON.parse(text)),
    bytes: texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0),
  };
};

const template = readTemplate(templateOf().toJSON());

/** A metric of 501 is counted by a filter of the log, and all others are in the lines. */
const seriesIn = ({ texts, lines }: Run): number =>
  new Set(texts.flatMap(readMetrics).map(seriesOf)).size + (lines.some(({ status }) => status === 501) ? 1 : 0);

const canaryRun = async (originSecret: string | undefined): Promise<Run & { readonly requests: number }> => {
  let line = '';
  const run = await logOf(() =>
    runCanary({
      ...clocksOf(Date.now),
      origin: new URL(service.origin),
      known: { post: '20', profile: 'X' },
      minutes: DEFAULT_CANARY_MINUTES,
      namespace: 'Postern',
      originSecret,
      writeLine: (text) => (line = text),
    }),
  );
  const texts = [...run.texts, line];
  return { ...run, texts, bytes: run.bytes + line.length + 1, requests: JSON.parse(line).requests };
};

const rpc: LocalRequestOptions = {
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'x_get_post', arguments: { url: 'https://x.com/jack/status/20' } },
  }),
};

type Asked = readonly [target: string, options?: LocalRequestOptions];

const combined = <A, B>(first: readonly A[], second: readonly B[]) =>
  first.flatMap((a) => second.map((b) => [a, b] as const));
const LIMITS = [3, 4, 5, 6, 7, 8];

/** Requests of each kind that no cache of CloudFront answers, as callers send them: some are wrong, and some fail. */
const mix: Readonly<Record<keyof typeof readKinds, readonly Asked[]>> = {
  post: [
    ...combined(['off', 'full'], ['off', 'top', 'latest']).flatMap(([thread, replies]): readonly Asked[] => [
      [`/jack/status/20?thread=${thread}&replies=${replies}`],
      [`/api/v1/posts?url=https://x.com/jack/status/20&format=json&thread=${thread}&replies=${replies}`],
    ]),
    ['/jack/status/20', { headers: { accept: 'text/html' } }],
    ['/i/status/1990000000000000001'],
  ],
  list: [
    ['/ada_larsson'],
    ...combined(['followers', 'following', 'rss'], LIMITS).map(
      ([list, limit]): Asked => [`/ada_larsson/${list}?limit=${limit}`],
    ),
    ['/flaky_feed/followers'],
  ],
  search: combined(['tide', 'fjord'], LIMITS).map(([words, limit]): Asked => [`/search?q=${words}&limit=${limit}`]),
  tool: Array<Asked>(6).fill(['/mcp', rpc]),
  document: [['/docs'], ['/docs/formats'], ['/docs/mcp'], ['/robots.txt'], ['/wp-login.php']],
};

/** The bytes of log lines of a request of each kind, with the metrics of the calls that an instance has gathered. */
const bytesOfKind = async (kind: keyof typeof mix): Promise<number> => {
  const { lines, bytes } = await logOf(async () => {
    for (const [target, options] of mix[kind]) await sendRequest(service.origin, target, options);
  });
  const requests = lines.filter(({ event }) => event === 'request').length;
  expect(requests).toBe(mix[kind].length);
  return bytes / requests;
};

const page = readFileSync(new URL('../../docs/operators/scaling.md', import.meta.url), 'utf8');
const rowOf = (name: string): readonly string[] => {
  const [line = ''] = page.split('\n').filter((text) => text.startsWith(`| ${name} |`));
  return line
    .split(' | ')
    .slice(2)
    .map((cell) => cell.replace(/ \|$/, ''));
};

const counts = async (): Promise<BillCounts> => {
  await canaryRun(SECRET); // fills the caches, as an earlier run
  const run = await canaryRun(SECRET);
  const calls = run.lines.filter(({ event }) => event === 'request');
  const alarms = template.resources('AWS::CloudWatch::Alarm').map(({ properties }) => listOf(properties['Metrics']));
  let logBytes = 0;
  for (const kind of keysOf(readKinds)) logBytes += readKinds[kind].share * (await bytesOfKind(kind));
  return {
    idle: {
      // Expressions are free, but each metric that they use is billed; an alarm without expressions reads one.
      alarmMetrics: alarms.reduce(
        (sum, metrics) => sum + Math.max(1, metrics.filter((row) => 'MetricStat' in fieldsOf(row)).length),
        0,
      ),
      compositeAlarms: template.resources('AWS::CloudWatch::CompositeAlarm').length,
      dashboards: template.resources('AWS::CloudWatch::Dashboard').length,
      secrets: template.resources('AWS::SecretsManager::Secret').length,
    },
    canaryRun: {
      // The service does not count the requests of HEAD whose bytes it counts.
      requests: Math.max(run.requests, calls.length),
      calls: calls.length,
      toolCalls: calls.filter(({ surface }) => surface === 'mcp').length,
      logBytes: run.bytes,
      series: seriesIn(run),
    },
    logBytes,
  };
};

let counted: BillCounts = published;
beforeAll(async () => {
  counted = await counts();
});

describe('[costs 1] the bill', () => {
  test('of the page holds what the template and a run of the canary hold', () => {
    expect(counted.idle).toEqual(published.idle);
    const { requests, calls, logBytes, ...run } = counted.canaryRun;
    const { requests: mostRequests, calls: mostCalls, logBytes: mostBytes, ...expected } = published.canaryRun;
    expect(run).toEqual(expected);
    for (const [seen, most] of [
      [requests, mostRequests],
      [calls, mostCalls],
      [logBytes, mostBytes],
    ] as const) {
      expect(seen).toBeLessThanOrEqual(most);
      expect(seen).toBeGreaterThan(0.9 * most);
    }
  });

  test.each(SHOWN_REQUESTS.map((requests, index) => [requests, index] as const))(
    'of %i requests is the same by the page and by what was counted',
    (requests, index) => {
      const lines = bill(volumeOf(requests, SHOWN_HIT_RATIO), false, { ...counted, logBytes: LOG_BYTES });
      for (const { name, usd } of lines.filter((line) => line.name !== 'Canary'))
        expect(rowOf(name)[index], name).toBe(dollars(usd));
      const sum = Number(rowOf('**Sum**')[index]?.replace(/[$,]/g, ''));
      expect(totalOf(lines) / sum).toBeGreaterThan(0.99);
      expect(totalOf(lines) / sum).toBeLessThan(1.01);
    },
  );

  test('of no request is below 20 dollars a month, with at most six metrics of the canary', () => {
    expect(counted.canaryRun.series).toBeLessThanOrEqual(6);
    expect(totalOf(bill(volumeOf(0, 0), false, counted))).toBeLessThan(20);
  });

  test('agrees with one computed by hand', () => {
    const usd = Object.fromEntries(bill(volumeOf(1e6, 0)).map((line) => [line.name, line.usd]));
    expect(usd['CloudFront requests']).toBeCloseTo(1, 6);
    // All but the 3 % of MCP, at 1.00 per million.
    expect(usd['HTTP API']).toBeCloseTo(0.97, 6);
    const seconds = 0.7 * 0.306 + 0.2 * 0.306 + 0.05 * 0.406 + 0.03 * 0.356;
    expect(usd['Lambda duration']).toBeCloseTo((seconds * 0.5 + 0.02 * 0.011 * 0.25) * 13.3334, 4);
    // 28 % of the requests charge an allowance; 10 % of them also read an API key.
    expect(usd['DynamoDB writes and reads']).toBeCloseTo(0.28 * 0.625 + 0.028 * 0.125, 6);
    expect(Object.values(readKinds).reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12);
    // 10 TB at 0.085, 40 TB at 0.08, 50 TB at 0.06.
    expect(priceOf('cdnData', 100_000)).toBeCloseTo(850 + 3200 + 3000, 6);
    expect(priceOf('lambdaRequests', 3e6, true)).toBeCloseTo(0.4, 9);
  });

  test('has no other resource with a price per month', () => {
    const known = new Set(
      [
        'AWS::ApiGatewayV2::Api AWS::ApiGatewayV2::Integration AWS::ApiGatewayV2::Route AWS::ApiGatewayV2::Stage',
        'AWS::CloudFront::CachePolicy AWS::CloudFront::Distribution AWS::CloudFront::Function AWS::Events::Rule',
        'AWS::Lambda::EventInvokeConfig',
        'AWS::CloudFront::OriginRequestPolicy AWS::CloudFront::ResponseHeadersPolicy AWS::CloudWatch::Alarm',
        'AWS::CloudWatch::CompositeAlarm AWS::CloudWatch::Dashboard AWS::DynamoDB::Table AWS::IAM::Policy',
        'AWS::IAM::Role AWS::Lambda::Function AWS::Lambda::Permission AWS::Lambda::Url AWS::Logs::LogGroup',
        'AWS::Logs::MetricFilter AWS::Logs::QueryDefinition AWS::SecretsManager::Secret',
      ].flatMap((names) => names.split(' ')),
    );
    const types = Object.values(templateOf().toJSON()['Resources']).map((row) => String(fieldsOf(row)['Type']));
    expect([...new Set(types)].filter((type) => !known.has(type))).toEqual([]);
  });
});

describe('the logs', () => {
  test('[costs 3] of a typical mix have at most 400 bytes a request', () => {
    expect(LOG_BYTES).toBeLessThanOrEqual(400);
    expect(counted.logBytes).toBeLessThanOrEqual(LOG_BYTES);
    expect(counted.logBytes).toBeGreaterThan(LOG_BYTES / 2);
  });

  test('[costs 3] have no lines of Lambda about an invocation without a fault', () => {
    const functions = template.resources('AWS::Lambda::Function');
    expect(functions.length).toBeGreaterThan(9);
    for (const { id, properties } of functions)
      expect(properties['LoggingConfig'], id).toMatchObject({ LogFormat: 'JSON', SystemLogLevel: 'WARN' });
  });
});

describe('[costs 2] requests of the canary', () => {
  test('make no metric of the service', async () => {
    const { texts } = await canaryRun(SECRET);
    expect(texts.flatMap(readMetrics)).toEqual([]);
  });

  test.each([
    ['without the proof', undefined],
    ['with the proof of another secret', 'another-secret'],
  ])('are those of a caller %s', async (_, originSecret) => {
    const run = await canaryRun(originSecret);
    expect(run.lines.filter(({ role }) => role === 'canary')).toEqual([]);
    expect(run.texts.flatMap(readMetrics)).not.toEqual([]);
  });

  test('make no more metrics than the page bills', () => {
    expect(MOST_SERIES).toBeGreaterThan(counted.canaryRun.series);
    expect(MOST_SERIES).toBeLessThan(50);
  });
});
