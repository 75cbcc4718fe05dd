// `npm run measure -- flakes`: runs the suite of `npm test` many times, each time in another order, every fourth time beside
// busy loops. Prints the seed and the failures of each run, and exits with 1 if a test failed. `npm run measure -- flakes
// --runs 4` for fewer runs, `--loops 0` without busy loops, `--seed 7 --runs 1` for one order again, `test/unit` for files.
// SIGTERM ends the command with the figures of the runs that ended.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { answerHelp } from '../../infra/command/answer-help.ts';
import { median } from '../bench/measure.ts';
import { readTestReport, type TestReport } from './vitest-report.ts';
import { environmentWith, writeMeasurement } from './write-measurement.ts';

answerHelp();

/** Seconds that `npm test` may take on two cores without other work. */
const BAR_SECONDS = 120;
/** A run beside four loops takes several times as long as one alone. */
const EVERY_BUSY = 4;

const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '20' },
    loops: { type: 'string', default: '4' },
    seed: { type: 'string', default: '1' },
  },
});
const runs = Number(values.runs);
const loops = Number(values.loops);
const firstSeed = Number(values.seed);

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'postern-flakes-'));

interface Run extends TestReport {
  readonly seed: number;
  readonly loops: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

const startLoops = (count: number): readonly ChildProcess[] =>
  Array.from({ length: count }, () => spawn(process.execPath, ['-e', 'for(;;);'], { stdio: 'ignore' }));

/** The last line of `times` in a shell has the user and system time of its children: `1m2.5s 0m3.25s`. */
const cpuSecondsIn = (output: string): number =>
  [...(output.trimEnd().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  );

const readIfThere = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
};

/** Ends the run that is under way. */
let endRun = (): void => undefined;

const runOnce = async (seed: number, busy: number): Promise<Run> => {
  const file = join(folder, `${seed}.json`);
  const order = ['--sequence.shuffle.files', '--sequence.shuffle.tests', `--sequence.seed=${seed}`];
  const report = ['--reporter=json', `--outputFile.json=${file}`];
  const command = ['npm', 'test', '--', ...order, ...report, ...files];
  const load = startLoops(busy);
  const start = performance.now();
  const shell = spawn('sh', ['-c', '"$@" >/dev/null 2>&1; echo $?; times', 'sh', ...command], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  endRun = () => {
    for (const loop of load) loop.kill('SIGKILL');
    if (shell.pid !== undefined) process.kill(-shell.pid, 'SIGKILL');
  };
  const output = await text(shell.stdout);
  const seconds = (performance.now() - start) / 1000;
  for (const loop of load) loop.kill('SIGKILL');
  const tests = readTestReport(readIfThere(file), root);
  const status = output.split('\n', 1)[0] ?? '';
  // Such as an error after the end of a test.
  const others =
    tests.failures.length === 0 && status !== '0' ? [`npm test exits with ${status} although no test failed`] : [];
  return {
    ...tests,
    seed,
    loops: busy,
    seconds,
    cpuSeconds: cpuSecondsIn(output),
    failures: [...tests.failures, ...others],
  };
};

const print = ({ seed, loops: busy, seconds, cpuSeconds, passed, failures }: Run): void => {
  const beside = busy === 0 ? '' : `, ${busy} busy loops`;
  console.log(
    `seed ${seed}${beside}: ${passed} passed, ${failures.length} failed, ${seconds.toFixed(0)} s, ${cpuSeconds.toFixed(0)} s of CPU`,
  );
  for (const failure of failures) console.log(`  ${failure}`);
};

const rowOf = (name: string, rows: readonly Run[]): readonly string[] => [
  name,
  String(rows.length),
  String(rows.filter(({ failures }) => failures.length > 0).length),
  `${median(rows.map(({ passed }) => passed))}`,
  `${median(rows.map(({ seconds }) => seconds)).toFixed(0)} s`,
  `${median(rows.map(({ cpuSeconds }) => cpuSeconds)).toFixed(0)} s`,
];

const publish = (all: readonly Run[]): void => {
  const quiet = all.filter((run) => run.loops === 0);
  const busy = all.filter((run) => run.loops > 0);
  const durations = quiet.map(({ seconds }) => seconds);
  writeMeasurement('tests', {
    command: `npm run measure -- flakes --runs ${all.length}`,
    environment: environmentWith(`${all.length} runs with the seeds ${firstSeed} to ${firstSeed + all.length - 1}`),
    bars: [
      {
        name: 'npm test: duration',
        value: median(durations),
        unit: 's',
        bar: BAR_SECONDS,
        spread: [Math.min(...durations), Math.max(...durations)],
      },
      {
        name: 'npm test: runs with a failure',
        value: all.filter(({ failures }) => failures.length > 0).length,
        unit: 'count',
        bar: 0,
      },
    ],
    tables: [
      {
        columns: ['Runs in shuffled order', 'Runs', 'With a failure', 'Tests', 'Median duration', 'Median CPU time'],
        rows: [
          rowOf('no other work', quiet),
          ...(busy.length === 0 ? [] : [rowOf(`beside ${loops} busy loops`, busy)]),
        ],
      },
    ],
  });
};

const all: Run[] = [];

// The figures of some files are none of the suite. Not after each run, because the suite reads the file.
const end = (): void => {
  rmSync(folder, { recursive: true, force: true });
  if (files.length === 0 && all.length > 0) publish(all);
  const failing = all.filter(({ failures }) => failures.length > 0).length;
  console.log(`${failing} of ${all.length} runs had a failure`);
  if (failing > 0) process.exitCode = 1;
};

process.once('SIGTERM', () => {
  endRun();
  end();
  process.exit();
});

for (let index = 0; index < runs; index += 1) {
  const run = await runOnce(firstSeed + index, index % EVERY_BUSY === EVERY_BUSY - 1 ? loops : 0);
  print(run);
  all.push(run);
}
end();
