// `npm run measure -- flakes`: runs `npm test` many times, each time in another order, every fourth time beside busy loops.
// Prints the seed, the duration and the failures of each run, and exits with 1 if a test failed. `--runs 4` for fewer runs,
// `--loops 0` without busy loops; `npm test -- --sequence.shuffle --sequence.seed=7` repeats one order.
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { answerHelp } from '../infra/command/answer-help.ts';
import { median } from './bench/measure.ts';
import { environmentWith, writeMeasurement } from './write-measurement.ts';

answerHelp();

/** Seconds that `npm test` may take on two cores without other work. */
const BAR_SECONDS = 120;
/** A run beside four loops takes several times as long as one alone. */
const EVERY_BUSY = 4;

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '20' }, loops: { type: 'string', default: '4' } },
});
const runs = Number(values.runs);
const loops = Number(values.loops);

interface Run {
  readonly loops: number;
  readonly seconds: number;
  readonly passed: number;
  readonly hasFailed: boolean;
}

const runOnce = (seed: number, busy: number): Run => {
  const load = Array.from({ length: busy }, () => spawn(process.execPath, ['-e', 'for(;;);'], { stdio: 'ignore' }));
  const start = performance.now();
  const order = ['--sequence.shuffle.files', '--sequence.shuffle.tests', `--sequence.seed=${seed}`];
  const { status, stdout } = spawnSync('npm', ['test', '--', ...order, '--reporter=dot'], {
    cwd: fileURLToPath(new URL('../', import.meta.url)),
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
    maxBuffer: 1e9,
  });
  const seconds = (performance.now() - start) / 1000;
  for (const loop of load) loop.kill('SIGKILL');
  const passed = Number(/^ *Tests .*?(\d+) passed/m.exec(stdout)?.[1] ?? 0);
  console.log(`seed ${seed}, ${busy} busy loops: ${passed} passed, exit code ${status}, ${seconds.toFixed(0)} s`);
  if (status !== 0) console.log(stdout);
  return { loops: busy, seconds, passed, hasFailed: status !== 0 };
};

const all = Array.from({ length: runs }, (_, index) =>
  runOnce(index + 1, index % EVERY_BUSY === EVERY_BUSY - 1 ? loops : 0),
);

const rowOf = (name: string, rows: readonly Run[]): readonly string[] => [
  name,
  String(rows.length),
  String(rows.filter(({ hasFailed }) => hasFailed).length),
  String(median(rows.map(({ passed }) => passed))),
  `${median(rows.map(({ seconds }) => seconds)).toFixed(0)} s`,
];
const [quiet, busy] = [all.filter((run) => run.loops === 0), all.filter((run) => run.loops > 0)];
const durations = quiet.map(({ seconds }) => seconds);
const failed = all.filter(({ hasFailed }) => hasFailed).length;
writeMeasurement('tests', {
  command: `npm run measure -- flakes --runs ${runs}`,
  environment: environmentWith(`${runs} runs with the seeds 1 to ${runs}`),
  bars: [
    {
      name: 'npm test: duration',
      value: median(durations),
      unit: 's',
      bar: BAR_SECONDS,
      spread: [Math.min(...durations), Math.max(...durations)],
    },
    { name: 'npm test: runs with a failure', value: failed, unit: 'count', bar: 0 },
  ],
  tables: [
    {
      columns: ['Runs in shuffled order', 'Runs', 'With a failure', 'Tests', 'Median duration'],
      rows: [rowOf('no other work', quiet), ...(busy.length === 0 ? [] : [rowOf(`beside ${loops} busy loops`, busy)])],
    },
  ],
});
if (failed > 0) process.exitCode = 1;
