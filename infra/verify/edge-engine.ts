// Runs a deployed edge function in the engine of CloudFront on a few requests, with the AWS CLI.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import type { EdgeRequest } from '../../functions/edge/viewer-request.ts';
import { asRecord, parseJson } from '../../shared/model/json.ts';
import { buildEdge } from '../build/bundle-edge.ts';
import { print } from '../command/output.ts';
import { edgeEvent, edgeScript } from '../local/edge-sandbox.ts';

const BROWSER = 'text/html,application/xhtml+xml,*/*;q=0.8';
const KEY = 'Bearer pstn_example';

/** One request for each thing that the edge function does. */
const REQUESTS: readonly (readonly [method: string, target: string, ...fields: readonly string[]])[] = [
  ['GET', '/Jack/status/20?utm_source=a&thread=off', 'Accept', BROWSER, 'User-Agent', 'Mozilla/5.0'],
  ['GET', '/jack/status/20?s=46', 'Accept', '*/*', 'User-Agent', 'Slackbot 1.0'],
  ['GET', '/api/v1/posts?id=2%30&format=json&format=html', 'Accept', 'application/json', 'Authorization', KEY],
  ['GET', '/api/v1/search?q=a+b&limit=%33&fbclid=1', 'Accept', 'image/png', 'Authorization', 'Basic YTpi'],
  ['GET', '/?q=%ff', 'X-Origin-Secret', 'a', 'X-Viewer-Error', 'a', 'X-Viewer-Ip', '192.0.2.1'],
  ['GET', '/api//v1/%70osts?constructor=1', 'Accept', BROWSER],
  ['POST', '/mcp?tools=research&a=1', 'Accept', 'application/json, text/event-stream', 'Authorization', KEY],
];

const run = promisify(execFile);

/**
 * CloudFront stops a function that uses all of the allowed time, and answers 503 in its place. The time varies between runs and
 * requests.
 */
const MAX_UTILIZATION = 70;

interface EngineResult {
  readonly target: string;
  readonly isEqual: boolean;
  /** How much of the allowed time the engine used, in percent; NaN: it does not say so. */
  readonly utilization: number;
  /** The difference, or how much of the allowed time the engine used, in percent. */
  readonly text: string;
}

const textOf = (value: unknown, name: string): string => {
  const member = asRecord(value)?.[name];
  return typeof member === 'string' ? member : '';
};

/** The engine may add members to a request. */
const COMPARED = ['method', 'uri', 'querystring', 'headers'] as const satisfies readonly (keyof EdgeRequest)[];

const resultOf = (answer: unknown, target: string, expected: EdgeRequest): EngineResult => {
  const result = asRecord(answer)?.['TestResult'];
  const error = textOf(result, 'FunctionErrorMessage');
  const request = asRecord(asRecord(parseJson(textOf(result, 'FunctionOutput')))?.['request']) ?? {};
  const different = COMPARED.filter((member) => !isDeepStrictEqual(request[member], expected[member]));
  const utilization = Number.parseInt(textOf(result, 'ComputeUtilization'), 10);
  if (error !== '' || different.length === 0)
    return { target, isEqual: error === '', utilization, text: error || `${utilization} % of the time` };
  const shown = (all: Readonly<Record<string, unknown>>): string =>
    JSON.stringify(Object.fromEntries(different.map((member) => [member, all[member]])));
  return { target, isEqual: false, utilization, text: `${shown(request)}, expected ${shown({ ...expected })}` };
};

/** @param folder for files of this run @throws the errors of `aws` */
const runInEngine = async (name: string, folder: string): Promise<readonly EngineResult[]> => {
  const call = async (command: string, ...args: readonly string[]): Promise<unknown> => {
    const deployed = ['--name', name, '--stage', 'LIVE', '--output', 'json'];
    return parseJson((await run('aws', ['cloudfront', command, ...deployed, ...args])).stdout);
  };
  const script = edgeScript(await buildEdge());
  const etag = textOf(await call('describe-function'), 'ETag');
  const file = join(folder, 'event.json');
  const results: EngineResult[] = [];
  for (const [method, target, ...fields] of REQUESTS) {
    const rawHeaders = ['Host', 'posts.example.org', ...fields];
    const event = edgeEvent({ method, target, rawHeaders, viewerIp: '2001:db8::7' });
    await writeFile(file, JSON.stringify(event));
    const answer = await call('test-function', '--if-match', etag, '--event-object', `fileb://${file}`);
    results.push(resultOf(answer, target, script(event)));
  }
  return results;
};

/**
 * Prints whether each result of the deployed function is that of the sources here, and how much of the allowed time it used at
 * most, and sets the exit code. Changes nothing.
 *
 * @throws the errors of `aws`
 */
export const verifyEdge = async (name: string): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'postern-edge-'));
  try {
    const results = await runInEngine(name, folder);
    const equal = results.filter(({ isEqual }) => isEqual).length;
    const largest = Math.max(...results.map(({ utilization }) => utilization));
    if (equal < results.length || !(largest <= MAX_UTILIZATION)) process.exitCode = 1;
    const lines = results.map(
      ({ target, isEqual, text }) => `${isEqual ? 'equal  ' : 'differs'}  ${target}  ${text}\n`,
    );
    const time = `largest ComputeUtilization: ${largest} %, at most ${MAX_UTILIZATION} %\n`;
    await print(`${lines.join('')}${time}${equal} of ${results.length} requests equal\n`);
  } finally {
    await rm(folder, { recursive: true });
  }
};
