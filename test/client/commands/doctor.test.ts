// Runs `npm run doctor` with the sample, and with a provider of which some kinds of query fail.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ageText } from '../../../client/commands/doctor/report.ts';
import { startSampleServer } from '../../../infra/local/sample-server.ts';
import type { Variables } from '../../support/program-environment.ts';
import { runProgram } from '../../support/programs.ts';
import { startTestServer } from '../../support/test-server.ts';

const doctor = (args: readonly string[], variables: Variables) =>
  runProgram('client/commands/doctor.ts', args, { DATA_DIR: 'memory', ...variables });

/** Answers as the sample does, but as a live provider. @param fails the paths that fail */
const provider = async (fails: RegExp): Promise<{ readonly variables: Variables; readonly paths: string[] }> => {
  const sample = await startSampleServer();
  onTestFinished(sample.close);
  const paths: string[] = [];
  const origin = await startTestServer(async ({ url = '' }: IncomingMessage, response: ServerResponse) => {
    paths.push(url);
    if (fails.test(url)) return void response.writeHead(500, { 'Content-Type': 'application/json' }).end('{}');
    const answer = await fetch(`${sample.origin}${url}`);
    response.writeHead(answer.status, { 'Content-Type': answer.headers.get('content-type') ?? '' });
    response.end(await answer.text());
  });
  return {
    paths,
    variables: {
      UPSTREAM: 'live',
      PROVIDERS: 'fxtwitter',
      FXTWITTER_BASE_URL: `${origin}/fxtwitter`,
      X_API_BASE_URL: `${origin}/x_api`,
      X_API_BEARER_TOKEN: 'token',
      CANARY_POST: '2028036267832246272',
      CANARY_PROFILE: 'ada_larsson',
      FRESHNESS_PROFILE: 'ada_larsson',
    },
  };
};

const READS = 15;

describe('npm run doctor', () => {
  test('[running 2] examines the sample, says so, and exits with 0', async () => {
    const { output, errors, code } = await doctor([], { UPSTREAM: 'sample' });
    expect({ errors, code }).toEqual({ errors: '', code: 0 });
    expect(output).toMatch(/^ok +upstream +sample, [0-9]+ bundled posts/m);
    expect(output).toMatch(/^ok +node +[0-9.]+ on \w+ \w+$/m);
    expect(output).toMatch(/^ok +store +embedded, works$/m);
    expect(output).toMatch(/^ok +timeline +fxtwitter +[0-9]+ ms +newest [0-9]+ days old$/m);
    expect(output).toMatch(/^part +conversation +syndication +[0-9]+ ms +without replies$/m);
    expect(output).toMatch(new RegExp(`^${READS} of ${READS} reads work\\.$`, 'm'));
  });

  test('[running 2] names the reads that have no way left, asks each once, and exits with 1', async () => {
    const { variables, paths } = await provider(/\/2\/search\?|\/followers/);
    const { output, code } = await doctor(['--json'], variables);
    const { reads, facts, no_way_left: lost } = JSON.parse(output);
    expect(code).toBe(1);
    // The post has no recorded translation.
    expect(lost).toEqual(['translation', 'search', 'followers']);
    expect(reads).toHaveLength(READS);
    expect(reads).toContainEqual({
      read: 'followers',
      provider: 'fxtwitter',
      ok: false,
      duration_ms: expect.any(Number),
      why: expect.stringMatching(/^\w+: /),
    });
    expect(reads).toContainEqual({
      read: 'timeline',
      provider: 'fxtwitter',
      ok: true,
      duration_ms: expect.any(Number),
      newest: expect.stringMatching(/^2026-/),
    });
    expect(facts).toContainEqual({ name: 'fxtwitter', ok: true, value: expect.stringMatching(/ answers$/) });
    expect(paths.filter((path) => path.includes('/following'))).toHaveLength(1);
  });

  test('[running 2] asks a provider that does not answer although UPSTREAM=auto would replay the sample', async () => {
    const closed = { FXTWITTER_BASE_URL: 'http://127.0.0.1:1', SYNDICATION_BASE_URL: 'http://127.0.0.1:1' };
    const { output, code } = await doctor([], closed);
    expect(code).toBe(1);
    expect(output).toMatch(/^FAIL +fxtwitter +http:\/\/127\.0\.0\.1:1 does not answer$/m);
    expect(output).toMatch(/^0 of 15 reads work\. No way left: post, conversation, /m);
  });

  test('[running 2] asks the official API only with --paid, and says what it may cost', async () => {
    const { variables, paths } = await provider(/\/x_api\//);
    const both = { ...variables, PROVIDERS: 'fxtwitter,x_api' };
    const free = await doctor([], both);
    expect(free.output).toMatch(
      /^ok +x_api +not asked, because X bills its rows: --paid asks for at most 300, \$3\.00$/m,
    );
    expect(paths.filter((path) => path.includes('/x_api/'))).toEqual([]);
    const paid = await doctor(['--paid'], both);
    expect(paid.output).toMatch(/^FAIL +profile +x_api /m);
    expect(paths.some((path) => path.startsWith('/x_api/2/users/by/username/'))).toBe(true);
  });

  test('[running 2] says that the data folder cannot be written', async () => {
    const { output } = await doctor([], { UPSTREAM: 'sample', DATA_DIR: 'package.json/data' });
    expect(output).toMatch(/^FAIL +data +\S+ cannot be written: ENOTDIR\. Set DATA_DIR\.$/m);
  });

  test.each([
    [['now'], {}, /^usage: /],
    [[], { CANARY_POST: 'x' }, /^postern: CANARY_POST /],
  ])('[running 2] ends with 1 and says why: %j %j', async (args, variables, message) => {
    const { output, errors, code } = await doctor(args, { UPSTREAM: 'live', ...variables });
    expect([output, code]).toEqual(['', 1]);
    expect(errors).toMatch(message);
  });
});

test.each([
  [0, '0 seconds old'],
  [119_000, '119 seconds old'],
  [120_000, '2 minutes old'],
  [7_200_000, '2 hours old'],
  [47 * 3_600_000, '47 hours old'],
  [48 * 3_600_000, '2 days old'],
])('[running 2] an age of %i ms is %s', (age, shown) => {
  expect(ageText(1_000_000, 1_000_000 + age)).toBe(shown);
});
