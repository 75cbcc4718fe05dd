// Measures the time from process start to a loaded handler and to its first answer, beside an empty handler, the CPU time
// that compiled code saves, and the size of the bundles. The provider is the sample and the store is the embedded one, both in this process.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildAll } from '../../infra/build/build.ts';
import { compileHere, LAMBDA_FLAG } from '../../infra/build/compiled-code.ts';
import { BUNDLE_FILE, functionFolder, LOADER_FILE } from '../../infra/build/dist-layout.ts';
import { chooseUpstream } from '../../infra/local/choose-upstream.ts';
import { startDynamoDb } from '../../infra/local/dynamodb.ts';
import { isRecord } from '../../shared/model/json.ts';
import { AMPLE_ALLOWANCES } from '../../test/support/ample-allowances.ts';
import { bundleBudgets } from '../../test/support/bundle-budgets.ts';
import { event } from '../../test/support/event.ts';
import { median, type Row, ratioRow } from './measure.ts';
import { npmStartRows } from './npm-start.ts';

const ROUNDS = 25;
const DISCARDED = 3;

/**
 * Loads node:http first, because the Lambda runtime loads node:http before the handler. Prints the milliseconds since the
 * start of the process with a loaded handler and with its first answer, and the CPU time of both without the start of Node.
 */
const RUNNER = `
process.getBuiltinModule('node:http');
const [, file, request] = process.argv;
const start = process.cpuUsage();
const cpu = () => { const { user, system } = process.cpuUsage(start); return user + system; };
const { handler } = require(file);
const readyCpu = cpu();
const ready = performance.now();
const context = { awsRequestId: 'bench', getRemainingTimeInMillis: () => 12000 };
handler(JSON.parse(request), context).then(({ statusCode }) => {
  const answered = performance.now();
  require('node:fs').writeSync(2, JSON.stringify({ ready, answered, readyCpu, answeredCpu: cpu(), status: statusCode }));
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
  if (name === 'mcp') return readFileSync(new URL('../../test/events/mcp-tools-list.json', import.meta.url), 'utf8');
  return JSON.stringify(
    event(targets[name] ?? '/', {
      headers: { 'x-viewer-ip': '192.0.2.1', ...(name === 'admin' && { accept: 'text/html' }) },
    }),
  );
};

interface Start {
  readonly ready: number;
  readonly answered: number;
  /** Microseconds. */
  readonly readyCpu: number;
  readonly answeredCpu: number;
}

const measureStart = async (name: string, file: string, environment: NodeJS.ProcessEnv): Promise<Start> => {
  const { stderr } = await promisify(execFile)(process.execPath, [LAMBDA_FLAG, '-e', RUNNER, file, requestOf(name)], {
    env: { ...process.env, ...environment },
  });
  const result: unknown = JSON.parse(stderr);
  if (!isRecord(result) || !(Number(result['status']) < 300)) throw new Error(`${name}: ${stderr}`);
  const { ready, answered, readyCpu, answeredCpu } = result;
  return {
    ready: Number(ready),
    answered: Number(answered),
    readyCpu: Number(readyCpu),
    answeredCpu: Number(answeredCpu),
  };
};

type Form = 'source' | 'compiled';

/** Each function is measured in both forms. */
const fileOf = (directory: string, name: string, form: Form): string =>
  join(functionFolder(directory, name), form === 'source' ? BUNDLE_FILE : LOADER_FILE);

/** @param names the functions */
const measureStarts = async (directory: string, names: readonly string[], environment: NodeJS.ProcessEnv) => {
  const empty = join(directory, 'empty.cjs');
  writeFileSync(empty, 'exports.handler = async () => ({ statusCode: 204 });');
  const files = names.flatMap((name) =>
    (['source', 'compiled'] as const).map((form) => ({ name, file: fileOf(directory, name, form) })),
  );
  const samples = new Map([empty, ...files.map(({ file }) => file)].map((file) => [file, [] as Start[]]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { name, file } of [{ name: 'empty', file: empty }, ...files]) {
      const start = await measureStart(name, file, environment);
      if (round >= DISCARDED) samples.get(file)?.push(start);
    }
  }
  const medianOf = (file: string, point: keyof Start): number =>
    median((samples.get(file) ?? []).map((start) => start[point]));
  return {
    /** @returns the ratio to the empty handler */
    toEmpty: (name: string, form: Form, point: keyof Start): number =>
      medianOf(fileOf(directory, name, form), point) / medianOf(empty, point),
    /** @returns the ratio of the compiled form to the source */
    toSource: (name: string, point: keyof Start): number =>
      medianOf(fileOf(directory, name, 'compiled'), point) / medianOf(fileOf(directory, name, 'source'), point),
  };
};

/** The bar for the CPU time of `require` of the functions that most readers and agents call. */
const COMPILED_BAR = 0.65;
const COMPILED: readonly string[] = ['posts', 'profiles', 'search', 'mcp'];

export const startUpRows = async (): Promise<Row[]> => {
  const directory = mkdtempSync(join(tmpdir(), 'postern-bench-'));
  const upstream = await chooseUpstream({ UPSTREAM: 'sample' });
  const store = await startDynamoDb({ DATA_DIR: 'memory' });
  try {
    const sizes = await buildAll(directory);
    const budgets = Object.entries(bundleBudgets);
    const names = budgets.map(([name]) => name);
    const secrets = { ORIGIN_SECRETS: 'local', CURSOR_SECRETS: 'local' };
    if (!compileHere(directory)) throw new Error('the bundles were not compiled');
    const { toEmpty, toSource } = await measureStarts(directory, names, {
      ...secrets,
      ...AMPLE_ALLOWANCES,
      ...upstream.environment,
      ...store.environment,
    });
    const rows = budgets.flatMap(([name, { kilobytes, ratio }]): Row[] => [
      { name: `${name}: bundle`, value: (sizes[name] ?? Number.NaN) / 1000, unit: 'kB', bar: kilobytes },
      ratioRow(`${name}: ready / empty handler`, toEmpty(name, 'source', 'ready'), ratio),
      ratioRow(`${name}: first answer / empty handler`, toEmpty(name, 'source', 'answered')),
      ratioRow(`${name}: ready, compiled / empty handler`, toEmpty(name, 'compiled', 'ready')),
      ratioRow(
        `${name}: CPU of require, compiled / source`,
        toSource(name, 'readyCpu'),
        COMPILED.includes(name) ? COMPILED_BAR : undefined,
      ),
      ratioRow(`${name}: CPU to first answer, compiled / source`, toSource(name, 'answeredCpu')),
    ]);
    return [...rows, ...(await npmStartRows())];
  } finally {
    await Promise.all([upstream.close(), store.close()]);
    rmSync(directory, { recursive: true, force: true });
  }
};
