// Runs `npm run test-edge` against a faked CloudFront, whose engine is Node with or without a method that the script calls.
// With RUNBOOK_ENDPOINT (.ci/runbook), the AWS CLI sends the requests; otherwise a stand-in for it does.
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleEdge } from '../../infra/build/bundle-edge.ts';
import { EDGE_FILE } from '../../infra/build/dist-layout.ts';
import { edgeScript } from '../../infra/local/edge-sandbox.ts';
import { startTestServer } from '../support/test-server.ts';

const directory = mkdtempSync(join(tmpdir(), 'edge-engine-'));
const isWithCli = process.env['RUNBOOK_ENDPOINT'] !== undefined;

/** Sends what the AWS CLI sends, and writes the members that `test-edge` reads. */
const STAND_IN = `#!/usr/bin/env node
const { readFileSync } = require('node:fs');
const [service, command, ...rest] = process.argv.slice(2);
const options = Object.fromEntries(rest.flatMap((name, index) => (name.startsWith('--') ? [[name, rest[index + 1]]] : [])));
if (service !== 'cloudfront' || options['--stage'] !== 'LIVE' || options['--output'] !== 'json') process.exit(252);
const url = process.env.AWS_ENDPOINT_URL + '/2020-05-31/function/' + options['--name'];
const member = (body, name) => (new RegExp('<' + name + '>([^<]*)').exec(body) || ['', ''])[1].replaceAll('&amp;', '&');
const run = async () => {
  if (command === 'describe-function') return { ETag: (await fetch(url + '/describe?Stage=LIVE')).headers.get('etag') };
  const event = readFileSync(options['--event-object'].replace('fileb://', '')).toString('base64');
  const body = '<TestFunctionRequest><EventObject>' + event + '</EventObject><Stage>LIVE</Stage></TestFunctionRequest>';
  const answer = await fetch(url + '/test', { method: 'POST', headers: { 'If-Match': options['--if-match'] }, body });
  const text = await answer.text();
  return { TestResult: Object.fromEntries(['ComputeUtilization', 'FunctionErrorMessage', 'FunctionOutput'].map((name) => [name, member(text, name)])) };
};
run().then((result) => console.log(JSON.stringify(result)));
`;

beforeAll(async () => {
  await bundleEdge(directory);
  if (isWithCli) return;
  writeFileSync(join(directory, 'aws'), STAND_IN);
  chmodSync(join(directory, 'aws'), 0o755);
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** @param fault a script that runs before the edge function */
const startCloudFront = (fault: string): Promise<string> => {
  const engine = edgeScript(`${fault}\n${readFileSync(join(directory, EDGE_FILE), 'utf8')}`);
  return startTestServer(async (request, response) => {
    response.setHeader('Content-Type', 'text/xml');
    if (request.url === '/2020-05-31/function/edge/describe?Stage=LIVE')
      return void response.setHeader('ETag', 'E1').end('<FunctionSummary><Name>edge</Name></FunctionSummary>');
    const [, event = ''] = /<EventObject>([^<]+)</.exec(await readText(request)) ?? [];
    expect(request.headers['if-match']).toBe('E1');
    const output = JSON.stringify({ request: engine(JSON.parse(Buffer.from(event, 'base64').toString())) });
    response.end(
      `<TestResult><ComputeUtilization>21</ComputeUtilization><FunctionOutput>${output.replaceAll('&', '&amp;')}</FunctionOutput></TestResult>`,
    );
  });
};

interface Ended {
  readonly code: number;
  readonly lines: readonly string[];
}

const runCommand = async (fault: string): Promise<Ended> => {
  const env = {
    ...process.env,
    PATH: [directory, process.env['PATH']].join(delimiter),
    AWS_ENDPOINT_URL: await startCloudFront(fault),
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_DEFAULT_REGION: 'us-east-1',
  };
  const { promise, resolve } = Promise.withResolvers<Ended>();
  execFile('node', ['infra/local/test-edge.ts', 'edge'], { env }, (error, stdout, stderr) =>
    resolve({ code: Number(error?.code ?? 0), lines: `${stdout}${stderr}`.trim().split('\n') }),
  );
  return promise;
};

test('`npm run test-edge` prints for each request whether the deployed function gives the result of the sources', async () => {
  const { code, lines } = await runCommand('');
  expect(lines.at(-1)).toBe('7 of 7 requests equal');
  expect(lines[0]).toBe('equal    /Jack/status/20?utm_source=a&thread=off  21 % of the time');
  expect(code).toBe(0);
});

test('`npm run test-edge` shows what differs and exits with 1 when the engine lacks a method', async () => {
  const { code, lines } = await runCommand('Object.keys = undefined;');
  expect(lines.at(-1)).toBe('0 of 7 requests equal');
  expect(lines[0]).toMatch(
    /^differs {2}\/Jack.*"x-viewer-error":\{"value":"1"\}.*, expected \{.*"uri":"\/jack\/status\/20"/,
  );
  expect(code).toBe(1);
});
