// Runs `npm run verify -- --edge` against a faked CloudFront, whose engine is Node with or without a method that the script calls.
// The AWS CLI of .ci/runbook sends the requests.
import { execFile } from 'node:child_process';
import { text as readText } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { buildEdge } from '../../infra/build/bundle-edge.ts';
import { edgeScript } from '../../infra/local/edge-sandbox.ts';
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

const runCommand = async (fault: string): Promise<Ended> => {
  const env = {
    ...process.env,
    AWS_ENDPOINT_URL: await startCloudFront(fault),
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_DEFAULT_REGION: 'us-east-1',
  };
  const { promise, resolve } = Promise.withResolvers<Ended>();
  execFile('node', ['infra/verify/verify.ts', '--edge', 'edge'], { env }, (error, stdout, stderr) =>
    resolve({ code: Number(error?.code ?? 0), lines: `${stdout}${stderr}`.trim().split('\n') }),
  );
  return promise;
};

describe.skipIf(process.env['RUNBOOK_ENDPOINT'] === undefined)('`npm run verify -- --edge`', () => {
  test('prints for each request whether the deployed function gives the result of the sources', async () => {
    const { code, lines } = await runCommand('');
    expect(lines.at(-1)).toBe('7 of 7 requests equal');
    expect(lines[0]).toBe('equal    /Jack/status/20?utm_source=a&thread=off  21 % of the time');
    expect(code).toBe(0);
  });

  test('shows what differs and exits with 1 when the engine lacks a method', async () => {
    const { code, lines } = await runCommand('Object.keys = undefined;');
    expect(lines.at(-1)).toBe('0 of 7 requests equal');
    expect(lines[0]).toMatch(
      /^differs {2}\/Jack.*"x-viewer-error":\{"value":"1"\}.*, expected \{.*"uri":"\/jack\/status\/20"/,
    );
    expect(code).toBe(1);
  });
});
