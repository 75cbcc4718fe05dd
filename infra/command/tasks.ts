// Runs `npm run measure -- NAME` and `npm run update -- NAME`: the programs of maintainers. Options follow the name. Without
// a name it lists them, and `NAME --help` prints the options of one.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

type Programs = Readonly<Record<string, readonly [file: string, purpose: string]>>;

/** By npm script. */
export const tasks: Readonly<Record<string, Programs>> = {
  measure: {
    agent: ['measure/bench/agent.ts', 'calls and tokens of twelve tasks by MCP'],
    bench: ['measure/bench/run.ts', 'speed, beside another commit in the same run'],
    coverage: ['measure/coverage.ts', 'branches that the tests reach'],
    day: ['measure/week/day/run.ts', 'a day at a billion requests a month'],
    exact: ['measure/exact/run.ts', 'the limiter admits exactly its limit'],
    faults: ['measure/faults/run.ts', 'every answer during every fault of providers and store'],
    flakes: ['measure/flakes.ts', 'all tests, repeated in other orders'],
    hostile: ['measure/hostile/run.ts', 'hostile requests'],
    'hostile-texts': ['measure/hostile/texts.ts', 'hostile texts of posts, in every format'],
    load: ['measure/load/run.ts', 'each route at fixed rates, and the highest rate served'],
    mutants: ['measure/mutation/run.ts', 'changes of the code that no test sees'],
    pages: ['test/outside/browser/measure-pages.ts', 'layout shift, weight and requests of pages'],
    resumption: ['measure/exact/resumption.ts', 'exports and saves that are killed lose and repeat nothing'],
    revocation: ['measure/exact/revocation.ts', 'a disabled key is denied at once'],
    soak: ['measure/load/soak.ts', 'memory and handles under mixed load with faults'],
    strangers: ['measure/load/strangers.ts', 'unfinished requests and stopped readers beside another caller'],
    suites: ['measure/suites/run.ts', 'tests and assertions of each suite'],
    week: ['measure/week/run.ts', 'weeks of faults in virtual time'],
    weight: ['measure/weight.ts', 'lines, files of a read and of a request, bundles, settings'],
  },
  update: {
    golden: ['test/tools/golden.ts', 'the files that tests compare answers with'],
    examples: ['infra/local/examples.ts', 'the example answers of the documentation'],
    icons: ['test/outside/browser/draw-icons.ts', 'the raster icons, from SVG in Chromium'],
    tour: ['test/outside/browser/draw-tour.ts', 'the moving picture of the README, from the sample in Chromium'],
    readme: ['infra/docs/update.ts', 'settings, alarms, costs and measurements in docs/, methods of the npm client'],
    'release-template': ['test/infra/releases/store.ts', 'the reduced template of this version'],
  },
};

const run = (script: string, name: string, options: readonly string[]): number => {
  const programs = tasks[script] ?? {};
  const [file] = Object.hasOwn(programs, name) ? (programs[name] ?? []) : [];
  if (file === undefined) {
    const width = Math.max(...Object.keys(programs).map((entry) => entry.length));
    const lines = Object.entries(programs).map(([entry, [, purpose]]) => `  ${entry.padEnd(width)}  ${purpose}`);
    console.log(`npm run ${script} -- NAME [options]\n\n${lines.join('\n')}`);
    return ['', '--help', '-h'].includes(name) ? 0 : 1;
  }
  const program = fileURLToPath(new URL(`../../${file}`, import.meta.url));
  return spawnSync(process.execPath, [program, ...options], { stdio: 'inherit' }).status ?? 1;
};

if (import.meta.main) {
  const [, , script = '', name = '', ...options] = process.argv;
  process.exitCode = run(script, name, options);
}
