// Measures the time from process start to a loaded handler and to its first answer, beside an empty handler, and the size
// of the bundles. The provider is the sample and the store is the embedded one, both in this process.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildAll } from '../../infra/build/build.ts';
import { chooseUpstream } from '../../infra/local/choose-upstream.ts';
import { startDynamoDb } from '../../infra/local/dynamodb.ts';
import { isRecord } from '../../shared/model/json.ts';
import { AMPLE_ALLOWANCES } from '../support/ample-allowances.ts';
import { bundleBudgets } from '../support/bundle-budgets.ts';
import { event } from '../support/event.ts';
import { median, type Row } from './measure.ts';
import { npmStartRows } from './npm-start.ts';

const ROUNDS = 25;
const DISCARDED = 3;

/**
 * Loads node:http first, because the Lambda runtime loads node:http before the handler. Prints the milliseconds since the
 * start of the process with a loaded handler and with its first answer.
 */
const RUNNER = `
process.getBuiltinModule('node:http');
const [, file, request] = process.argv;
const { handler } = require(file);
const ready = performance.now();
const context = { awsRequestId: 'bench', getRemainingTimeInMillis: () => 12000 };
handler(JSON.parse(request), context).then(({ statusCode }) => {
  const answered = performance.now();
  require('node:fs').writeSync(2, JSON.stringify({ ready, answered, status: statusCode }));
  process.exit();
});`;

/** A typical request of each function. */
const targets: Readonly<Record<string, string>> = {
  posts: '/api/v1/posts?url=https%3A%2F%2Fx.com%2Fjack%2Fstatus%2F20',
  engagements: '/api/v1/posts/20/replies',
  oembed: '/api/v1/oembed?url=https%3A%2F%2Fx.com%2Fjack%2Fstatus%2F20',
  profiles: '/api/v1/profiles/jack',
  search: '/api/v1/search?q=postern',
  legacy: '/api/convert?url=https%3A%2F%2Fx.com%2Fjack%2Fstatus%2F20',
  discovery: '/openapi.json',
  admin: '/admin',
};

const requestOf = (name: string): string => {
  if (name === 'mcp') return readFileSync(new URL('../events/mcp-tools-list.json', import.meta.url), 'utf8');
  return JSON.stringify(
    event(targets[name] ?? '/', {
      headers: { 'x-viewer-ip': '192.0.2.1', ...(name === 'admin' && { accept: 'text/html' }) },
    }),
  );
};

interface Start {
  readonly ready: number;
  readonly answered: number;
}

const measureStart = async (name: string, file: string, environment: NodeJS.ProcessEnv): Promise<Start> => {
  const { stderr } = await promisify(execFile)(process.execPath, ['-e', RUNNER, file, requestOf(name)], {
    env: { ...process.env, ...environment },
  });
  const result: unknown = JSON.parse(stderr);
  if (!isRecord(result) || !(Number(result['status']) < 300)) throw new Error(`${name}: ${stderr}`);
  return { ready: Number(result['ready']), answered: Number(result['answered']) };
};

const EMPTY = 'empty';

/** @param names the functions @returns the ratio of the medians to the empty handler */
const measureStarts = async (directory: string, names: readonly string[], environment: NodeJS.ProcessEnv) => {
  const empty = join(directory, 'empty.cjs');
  writeFileSync(empty, 'exports.handler = async () => ({ statusCode: 204 });');
  const samples = new Map([EMPTY, ...names].map((name): [string, Start[]] => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, starts] of samples) {
      const file = name === EMPTY ? empty : join(directory, 'functions', name, 'index.cjs');
      const start = await measureStart(name, file, environment);
      if (round >= DISCARDED) starts.push(start);
    }
  }
  const timeOf = (name: string, point: keyof Start): number =>
    median((samples.get(name) ?? []).map((start) => start[point]));
  return (name: string, point: keyof Start): number => timeOf(name, point) / timeOf(EMPTY, point);
};

export const startUpRows = async (): Promise<Row[]> => {
  const directory = mkdtempSync(join(tmpdir(), 'postern-bench-'));
  const upstream = await chooseUpstream({ UPSTREAM: 'sample' });
  const store = await startDynamoDb({ DATA_DIR: 'memory' });
  try {
    const sizes = await buildAll(directory);
    const budgets = Object.entries(bundleBudgets);
    const names = budgets.map(([name]) => name);
    const secrets = { ORIGIN_SECRETS: 'local', CURSOR_SECRETS: 'local' };
    const ratioOf = await measureStarts(directory, names, {
      ...secrets,
      ...AMPLE_ALLOWANCES,
      ...upstream.environment,
      ...store.environment,
    });
    const rows = budgets.flatMap(([name, { kilobytes, ratio }]): Row[] => [
      { name: `${name}: bundle`, value: (sizes[name] ?? Number.NaN) / 1000, unit: 'kB', bar: kilobytes },
      { name: `${name}: ready / empty handler`, value: ratioOf(name, 'ready'), unit: 'ratio', bar: ratio },
      { name: `${name}: first answer / empty handler`, value: ratioOf(name, 'answered'), unit: 'ratio' },
    ]);
    return [...rows, ...(await npmStartRows())];
  } finally {
    await Promise.all([upstream.close(), store.close()]);
    rmSync(directory, { recursive: true, force: true });
  }
};
