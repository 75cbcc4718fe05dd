// Runs `npm run verify -- --edge` against a faked CloudFront, whose engine is Node with or without a method that the script calls.
// The AWS CLI of .ci/runbook sends the requests; without it, a program in its place answers.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { buildEdge } from '../../infra/build/bundle-edge.ts';
import { edgeScript } from '../../infra/local/edge-sandbox.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startTestServer } from '../support/test-server.ts';

const built = await buildEdge();

/** @param fault a script that runs before the edge function */
const startCloudFront = (fault: string): Promise<string> => {
  const engine = edgeScript(`${fault}\n${built}`);
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

const runCommand = async (variables: Readonly<Record<string, string>>): Promise<Ended> => {
  const env = { ...process.env, ...variables };
  const { promise, resolve } = Promise.withResolvers<Ended>();
  execFile('node', ['infra/verify/verify.ts', '--edge', 'edge'], { env }, (error, stdout, stderr) =>
    resolve({ code: Number(error?.code ?? 0), lines: `${stdout}${stderr}`.trim().split('\n') }),
  );
  return promise;
};

const withCli = async (fault: string): Promise<Ended> =>
  runCommand({
    AWS_ENDPOINT_URL: await startCloudFront(fault),
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_DEFAULT_REGION: 'us-east-1',
  });

const SANDBOX = new URL('../../infra/local/edge-sandbox.ts', import.meta.url);

/** In place of the AWS CLI: the deployed function is that of the sources, and uses these percentages of the time in turn. */
const withUtilizations = (utilizations: readonly (string | undefined)[]): Promise<Ended> => {
  const folder = temporaryFolder();
  const script = join(folder, 'edge.js');
  const calls = join(folder, 'calls');
  const program = join(folder, 'aws.mts');
  writeFileSync(script, built);
  writeFileSync(calls, '');
  writeFileSync(
    program,
    `import { appendFileSync, readFileSync } from 'node:fs';
import { edgeScript } from ${JSON.stringify(SANDBOX)};
const [, , , command, ...args] = process.argv;
if (command === 'describe-function') console.log('{"ETag":"E1"}');
else {
  const number = readFileSync(${JSON.stringify(calls)}).length;
  appendFileSync(${JSON.stringify(calls)}, '.');
  const event = JSON.parse(readFileSync(args[args.indexOf('--event-object') + 1].slice('fileb://'.length), 'utf8'));
  const request = edgeScript(readFileSync(${JSON.stringify(script)}, 'utf8'))(event);
  const ComputeUtilization = ${JSON.stringify(utilizations)}[number];
  console.log(JSON.stringify({ TestResult: { ComputeUtilization, FunctionOutput: JSON.stringify({ request }) } }));
}
`,
  );
  writeFileSync(join(folder, 'aws'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, { mode: 0o755 });
  return runCommand({ PATH: `${folder}:${process.env['PATH']}` });
};

test.each([
  [['21', '9', '70', '12', '33', '8', '7'], 0, '70 %'],
  [['21', '9', '71', '12', '33', '8', '7'], 1, '71 %'],
  [['21', undefined, '9', '12', '33', '8', '7'], 1, 'NaN %'],
])('[caching 22] `verify --edge` prints the largest of %j and exits with %i', async (utilizations, code, largest) => {
  const ended = await withUtilizations(utilizations);
  expect(ended.lines.slice(-2)).toEqual([
    `largest ComputeUtilization: ${largest}, at most 70 %`,
    '7 of 7 requests equal',
  ]);
  expect(ended.code).toBe(code);
});

describe.skipIf(process.env['RUNBOOK_ENDPOINT'] === undefined)('`npm run verify -- --edge`', () => {
  test('prints for each request whether the deployed function gives the result of the sources', async () => {
    const { code, lines } = await withCli('');
    expect(lines.at(-1)).toBe('7 of 7 requests equal');
    expect(lines[0]).toBe('equal    /Jack/status/20?utm_source=a&thread=off  21 % of the time');
    expect(code).toBe(0);
  });

  test('shows what differs and exits with 1 when the engine lacks a method', async () => {
    const { code, lines } = await withCli('Object.keys = undefined;');
    expect(lines.at(-1)).toBe('0 of 7 requests equal');
    expect(lines[0]).toMatch(
      /^differs {2}\/Jack.*"x-viewer-error":\{"value":"1"\}.*, expected \{.*"uri":"\/jack\/status\/20"/,
    );
    expect(code).toBe(1);
  });
});
