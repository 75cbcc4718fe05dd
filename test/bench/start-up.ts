// Measures the time from process start to a loaded handler against an empty handler, and the size of the bundles.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAll } from '../../infra/build/build.ts';
import { bundleBudgets } from '../support/bundle-budgets.ts';
import { median, type Row } from './measure.ts';

const ROUNDS = 25;
const DISCARDED = 3;

/** Loads node:http first, because the Lambda runtime loads node:http before the handler. */
const RUNNER =
  "process.getBuiltinModule('node:http');require(process.argv[1]);process.stdout.write(String(performance.now()))";

/** Every function needs these variables to start. */
const FUNCTION_ENVIRONMENT = {
  ORIGIN_SECRETS: 'local',
  CURSOR_SECRETS: 'local',
  KEYS_TABLE: 'keys',
  COUNTERS_TABLE: 'counters',
  ADMIN_TABLE: 'admin',
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'bench',
  AWS_SECRET_ACCESS_KEY: 'bench',
};

const startUpTime = (file: string): number => {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['-e', RUNNER, file], {
    encoding: 'utf8',
    env: { ...process.env, ...FUNCTION_ENVIRONMENT },
  });
  if (status !== 0) throw new Error(stderr);
  return Number(stdout);
};

export const startUpRows = async (): Promise<Row[]> => {
  const directory = mkdtempSync(join(tmpdir(), 'postern-bench-'));
  const sizes = await buildAll(directory);
  const empty = join(directory, 'empty.cjs');
  writeFileSync(empty, 'exports.handler = async () => ({ statusCode: 204 });');
  const bars = Object.entries(bundleBudgets);
  const names = bars.map(([name]) => name);
  const fileOf = (name: string): string => join(directory, 'functions', name, 'index.cjs');
  const samples = new Map<string, number[]>([['empty', []], ...names.map((name) => [name, []] as [string, number[]])]);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of samples.keys()) {
      const milliseconds = startUpTime(name === 'empty' ? empty : fileOf(name));
      if (round >= DISCARDED) samples.get(name)?.push(milliseconds);
    }
  }
  const emptyTime = median(samples.get('empty') ?? []);
  return bars.flatMap(([name, { kilobytes, ratio }]): Row[] => [
    { name: `${name}: bundle`, value: (sizes[name] ?? Number.NaN) / 1000, unit: 'kB', bar: kilobytes },
    {
      name: `${name}: ready / empty handler`,
      value: median(samples.get(name) ?? []) / emptyTime,
      unit: 'ratio',
      bar: ratio,
    },
  ]);
};
