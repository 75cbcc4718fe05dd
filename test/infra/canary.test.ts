// Tests the canary: its function, its schedule, the line of a run, and its alarm.
import { describe, expect, test } from 'vitest';
import { type CanaryOptions, runCanary } from '../../functions/canary/run-canary.ts';
import { canaryAlarm, canaryMetrics } from '../../shared/contract/other-functions.ts';
import { type Monotonic, monotonic } from '../../shared/model/time.ts';
import { type Client, httpClient } from '../../shared/verification/service.ts';
import { clocksOf } from '../support/clocks.ts';
import { readMetrics } from '../support/embedded-metrics.ts';
import { startTestService } from '../support/local-service.ts';
import { type Change, hasStatus, within, withLine } from '../verification/changes.ts';
import { startWithFailingProviders } from '../verification/support.ts';
import { faultsOf, functionArn, functionPolicy, rolePolicy } from './evaluation/judge.ts';
import { type AccessRequest, evaluate } from './evaluation/policy.ts';
import { ACCOUNT, fieldsOf, listOf, REGION, readTemplate, textOf } from './evaluation/template.ts';
import { templateOf } from './synthesized.ts';

const answering = (change: Change): Client => ({
  ...httpClient,
  sendProbe: async (...asked) => change(await httpClient.sendProbe(...asked)),
});

const runOnce = async (origin: string, options: Partial<CanaryOptions> = {}) => {
  const lines: string[] = [];
  await runCanary({
    ...clocksOf(Date.now),
    origin: new URL(origin),
    known: { post: '20', profile: 'X' },
    minutes: 5,
    namespace: 'Postern',
    writeLine: (line) => void lines.push(line),
    ...options,
  });
  expect(lines).toHaveLength(1);
  const [line = ''] = lines;
  expect(line).not.toContain('\n');
  expect(line.length).toBeLessThan(2000);
  return JSON.parse(line);
};

describe('a run', () => {
  test('writes one line without metrics if the service keeps its promises', async () => {
    const { origin } = await startTestService();
    const line = await runOnce(origin);
    expect(line).toMatchObject({
      event: 'canary',
      level: 'info',
      failed: [],
      outages: [],
      skipped: 0,
    });
    expect(readMetrics(JSON.stringify(line))).toEqual([]);
  });

  test('names the failed check and counts one failure', async () => {
    const { origin } = await startTestService();
    const client = answering(within(hasStatus(401), withLine('www-authenticate', 'Bearer')));
    const line = await runOnce(origin, { client });
    expect(line).toMatchObject({ level: 'error', failed: ['no-challenge'] });
    expect(readMetrics(JSON.stringify(line))).toMatchObject([
      { namespace: 'Postern', name: 'canary_failures', unit: 'Count', dimensions: { service: 'postern' }, value: 1 },
    ]);
  });

  test('counts an outage of the provider apart from the failures', async () => {
    const origin = await startWithFailingProviders(500);
    const line = await runOnce(origin);
    expect(line).toMatchObject({ level: 'info', failed: [] });
    expect(line.outages).not.toEqual([]);
    expect(readMetrics(JSON.stringify(line))).toMatchObject([{ name: 'canary_outages', value: 1 }]);
  });

  test('reports a service that does not answer', async () => {
    const line = await runOnce('http://127.0.0.1:1', { namespace: undefined });
    expect(line.level).toBe('error');
    expect(line.failed).not.toEqual([]);
    expect(line.faults).toContain('ECONNREFUSED');
    expect(line._aws).toBeUndefined();
  });

  test('reads the replies, quotes and reposts of its post', async () => {
    const targets: string[] = [];
    const { origin } = await startTestService();
    const client = answering((answer) => {
      targets.push(answer.target);
      return answer;
    });
    await runOnce(origin, { client });
    expect(targets).toEqual(
      expect.arrayContaining(['replies', 'quotes', 'reposts'].map((list) => `/api/v1/posts/20/${list}`)),
    );
  });

  test('has the duration of its clock and the timestamp of the time of day, which may jump back by an hour', async () => {
    const start = 1_795_000_000_000;
    const instants = [start];
    const wall = { now: () => instants.shift() ?? start - 3_600_000 };
    let running = 5000;
    const clock = (): Monotonic => {
      running += 1;
      return monotonic(running);
    };
    const line = await runOnce('http://127.0.0.1:1', { clock, wall });
    // The clock was read once for each check, and at both ends of the run and of the checks.
    expect(line.duration_ms).toBe(line.checks + 2);
    expect(line._aws.Timestamp).toBe(start);
  });

  test('sends an invalid key only if it runs less often than the warning about such keys tolerates', async () => {
    const keys: string[] = [];
    const { origin } = await startTestService();
    const client = answering((answer) => {
      if (answer.probe.headers?.['Authorization'] !== undefined) keys.push(answer.target);
      return answer;
    });
    await runOnce(origin, { client, minutes: 1 });
    expect(keys).toEqual([]);
    await runOnce(origin, { client, minutes: 2 });
    expect(keys).toEqual(['/api/v1/profiles/X']);
  });
});

describe('the stack', () => {
  const json = templateOf({ canaryMinutes: 5, alarmEmail: 'ops@example.org' }).toJSON();
  const template = readTemplate(json);
  const [canary] = template.resources('AWS::Lambda::Function').filter(({ id }) => id.startsWith('Canary'));
  const id = canary?.id ?? '';

  test('has a canary by default, and none with canaryMinutes=0', () => {
    expect(JSON.stringify(templateOf().toJSON())).toContain('CANARY_ADDRESS');
    expect(JSON.stringify(templateOf({ canaryMinutes: 0 }).toJSON())).not.toContain('CANARY_ADDRESS');
  });

  test('runs it on the schedule against the public address', () => {
    const [rule] = template.resources('AWS::Events::Rule');
    expect(rule?.properties['ScheduleExpression']).toBe('rate(5 minutes)');
    const variables = fieldsOf(fieldsOf(canary?.properties['Environment'])['Variables']);
    expect(variables['CANARY_ADDRESS']).toMatch(/^https:\/\/.+\.cloudfront\.net$/);
    const { ORIGIN_SECRETS: secret, ...others } = variables;
    expect(JSON.stringify(others)).not.toMatch(/SECRET|TABLE|resolve:/);
    const [distribution] = template.resources('AWS::CloudFront::Distribution');
    expect(JSON.stringify(distribution?.properties)).toContain(JSON.stringify(secret));
    const own = templateOf({
      canaryMinutes: 5,
      domainName: 'posts.example.org',
      certificateArn: `arn:aws:acm:us-east-1:${ACCOUNT}:certificate/a`,
    }).toJSON();
    expect(JSON.stringify(own)).toContain('"CANARY_ADDRESS":"https://posts.example.org"');
  });

  test('[platform 5] lets only its schedule call it, and lets it write its log and nothing else', () => {
    const [rule] = template.resources('AWS::Events::Rule');
    const call = (source: string): AccessRequest => ({
      principal: { service: 'events.amazonaws.com' },
      action: 'lambda:InvokeFunction',
      resource: functionArn(id),
      context: { 'AWS:SourceArn': `arn:aws:events:${REGION}:${ACCOUNT}:rule/${source}` },
    });
    const policy = functionPolicy(template, functionArn(id));
    expect(evaluate(policy, call(rule?.id ?? ''))).toBe('allowed');
    expect(evaluate(policy, call('another'))).toBe('implicit');
    const actions = rolePolicy(template, id).flatMap((statement) => statement.actions);
    expect([...actions].sort()).toEqual(['logs:CreateLogStream', 'logs:PutLogEvents']);
  });

  test('[platform 5] mails two failing runs of three, with the paragraph of the runbook', () => {
    const [alarm] = template
      .resources('AWS::CloudWatch::Alarm')
      .filter(({ id: name }) => name.startsWith('CanaryAlarm'));
    const { AlarmDescription, Metrics, ...rest } = alarm?.properties ?? {};
    expect(rest).toMatchObject({
      EvaluationPeriods: 3,
      DatapointsToAlarm: 2,
      Threshold: 1,
      TreatMissingData: 'notBreaching',
    });
    expect(textOf(AlarmDescription)).toContain(`docs/runbook.md#${canaryAlarm.name}`);
    const names = listOf(Metrics).flatMap((metric) => {
      const { MetricStat } = fieldsOf(metric);
      return MetricStat === undefined ? [] : [fieldsOf(fieldsOf(MetricStat)['Metric'])['MetricName']];
    });
    expect(names).toEqual(['canary_failures', 'Errors']);
    expect(Object.keys(canaryMetrics.metrics)).toContain(names[0]);
    expect(faultsOf(json)).toEqual([]);
  });
});
