// Verifies the local service as an operator verifies a deployment. each-fault.test.ts has keys, outages and spent allowances.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { SLOW_TIME_OPTIONS } from '../../infra/local/slow-time.ts';
import { lambdas } from '../../shared/contract/lambdas.ts';
import { operationRows } from '../../shared/contract/operations.ts';
import { matchesTemplate } from '../../shared/contract/paths.ts';
import { allChecks, canaryChecks } from '../../shared/verification/run-checks.ts';
import { type Client, httpClient } from '../../shared/verification/service.ts';
import { requirements } from '../contract/requirements.ts';
import { startTestService } from '../support/local-service.ts';
import { createTestApp } from '../support/test-app.ts';
import { startTestServer } from '../support/test-server.ts';
import { faultsOf, namesOf, verify } from './support.ts';

const run = promisify(execFile);

/** Its time limits are for a deployment, and the machine of a test may be busy. */
const runVerify = (...args: readonly string[]) =>
  run('node', [...SLOW_TIME_OPTIONS, 'infra/verify/verify.ts', ...args]);

/** The checks that need an address with TLS, or a further option. */
const NEED_MORE = ['https', 'hsts', 'direct-origin'];

test('[platform 4] the local service passes every check that is visible from outside', async () => {
  const { origin } = await startTestService();
  const findings = await verify(origin);
  expect(faultsOf(findings)).toBe('');
  expect(namesOf(findings, 'skip')).toEqual(['valid-key', ...NEED_MORE]);
  expect(namesOf(findings, 'provider')).toEqual([]);
});

test('the verification calls every function', async () => {
  const { origin } = await startTestService();
  const targets: string[] = [];
  const sendProbe: Client['sendProbe'] = (...asked) => {
    targets.push(asked[1]);
    return httpClient.sendProbe(...asked);
  };
  await verify(origin, { client: { ...httpClient, sendProbe } });
  const paths = targets.map((target) => (target.split('?')[0] ?? '').split('/'));
  const isCalled = ([, { path }]: (typeof operationRows)[number]): boolean =>
    path.startsWith('/api/') && paths.some((segments) => matchesTemplate(path.split('/'), segments));
  const called = new Set<string>(operationRows.filter(isCalled).map(([, { lambda }]) => lambda));
  for (const [target, lambda] of [
    ['/mcp', 'mcp'],
    ['/docs', 'discovery'],
    ['/api/admin/keys', 'admin'],
  ] as const) {
    if (targets.includes(target)) called.add(lambda);
  }
  expect([...called].toSorted()).toEqual(Object.keys(lambdas).toSorted());
});

/** Answers as the HTTP API does to a caller who does not come from CloudFront, and so has no origin secret. */
const startDirectOrigin = (): Promise<string> => {
  const app = createTestApp();
  return startTestServer(async (request, response) => {
    const secret = request.headers['x-origin-secret'];
    const options = { secret: null, ...(typeof secret === 'string' && { headers: { 'x-origin-secret': secret } }) };
    const { status, headers, bytes } = await app.get(request.url ?? '/', options);
    response.writeHead(status, headers).end(bytes);
  });
};

test('[platform 1] an origin is verified to refuse requests that do not come from CloudFront', async () => {
  const { origin } = await startTestService();
  const refusing = await verify(origin, { directOrigin: new URL(await startDirectOrigin()) });
  expect(namesOf(refusing, 'pass')).toContain('direct-origin');
  // The local service is CloudFront and origin in one: it answers everyone.
  const open = await verify(origin, { directOrigin: new URL(origin) });
  expect(namesOf(open, 'fail')).toContain('direct-origin');
});

test('the command prints one line per check and the sum, and exits with 1 if a check fails', async () => {
  const { origin } = await startTestService();
  const { stdout } = await runVerify(origin);
  const lines = stdout.trim().split('\n');
  expect(lines.at(-1)).toBe(`${allChecks.length - NEED_MORE.length - 1} passed, 0 failed`);
  for (const { name } of allChecks) expect(stdout).toMatch(new RegExp(`^(?:pass|skip) +${name} `, 'm'));
  // This profile does not exist in the sample.
  const failed = await runVerify(origin, '--profile', 'no_such_one', '--json').catch(
    (error: { readonly code: number; readonly stdout: string }) => error,
  );
  expect(failed).toMatchObject({ code: 1 });
  expect(JSON.parse(failed.stdout)).toMatchObject({ version: expect.any(String), failed: expect.any(Number) });
});

test.each([
  [[], /^usage: /],
  [['ftp://a.example'], /must be an address/],
  [['http://127.0.0.1:1'], /does not answer: ECONNREFUSED/],
  [['https://a.example', '--post', 'abc'], /^--post /],
  [['https://a.example', '--nonsense'], /^usage: /],
])('the command explains wrong arguments %s', async (args, message) => {
  const failed = await runVerify(...args).catch((error: unknown) => error);
  expect(failed).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(message) });
});

test('every check has its own name and cites rows that exist', () => {
  const names = allChecks.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(allChecks.flatMap(({ rows }) => rows).filter((row) => !requirements.has(row))).toEqual([]);
  expect(canaryChecks.length).toBeGreaterThan(10);
});
