// `npm run measure -- mutants`: measures with Stryker how many mutants of shared/ the tests notice, on a random sample of
// each folder. Prints each survivor and the mutation score of each folder. Exits with 1 if a score is below the bar. A
// mutant meets the tests that reach it, in a copy of the tree; what runs only when a module loads is left out. Needs
// `npm ci --prefix measure/mutation`.
//
//   --per-folder 20, --seed 1, --workers 2
//   --folders auth,stores   folders of shared/
//   --files '**/*.ts'       files of these folders
//   --publish               publishes the scores also of a part
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { answerHelp } from '../../infra/command/answer-help.ts';
import { randomSampleOf, seededRandom } from '../../test/support/random.ts';
import { environmentWith } from '../write-measurement.ts';
import { type FolderScore, publishScores } from './scores.ts';

answerHelp();

const BAR = 90;

const { values } = parseArgs({
  options: {
    'per-folder': { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    folders: { type: 'string', default: '*' },
    files: { type: 'string', default: '**/*.ts' },
    publish: { type: 'boolean', default: false },
    workers: { type: 'string', default: String(availableParallelism()) },
  },
});

/** Lines from 0, columns from 0. */
interface Location {
  readonly start: { readonly line: number; readonly column: number };
  readonly end: { readonly line: number; readonly column: number };
}

interface Mutant {
  readonly fileName: string;
  readonly location: Location;
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const stryker = fileURLToPath(new URL('node_modules/@stryker-mutator/', import.meta.url));
const { Instrumenter } = await import(join(stryker, 'instrumenter/dist/src/index.js'));
/** Blocks, lists and objects contain many other mutants, and Stryker selects mutants by their place. */
const mutator = { excludedMutations: ['BlockStatement', 'ArrayDeclaration', 'ObjectLiteral', 'ArrowFunction'] };

const mutantsOf = async (files: readonly string[]): Promise<readonly Mutant[]> => {
  const sources = files.map((name) => ({ name, mutate: true, content: readFileSync(join(root, name), 'utf8') }));
  const silent = { debug: () => undefined, info: () => undefined, isDebugEnabled: () => false };
  const options = { plugins: null, ignorers: [], ...mutator };
  const { mutants }: { readonly mutants: readonly Mutant[] } = await new Instrumenter(silent).instrument(
    sources,
    options,
  );
  return mutants;
};

const rangeOf = ({ fileName, location: { start, end } }: Mutant): string =>
  `${fileName}:${start.line + 1}:${start.column}-${end.line + 1}:${end.column}`;

/** Stryker selects mutants by their place: one that holds others brings these, and those of the same place, into the sample. */
const drawPlaces = (mutants: readonly Mutant[], count: number): readonly string[] => {
  const isWithin = ({ fileName, location: { start, end } }: Mutant, outer: Mutant): boolean =>
    fileName === outer.fileName &&
    (start.line - outer.location.start.line || start.column - outer.location.start.column) >= 0 &&
    (end.line - outer.location.end.line || end.column - outer.location.end.column) <= 0;
  const places: string[] = [];
  const drawn = new Set<Mutant>();
  for (const mutant of randomSampleOf(seededRandom(Number(values.seed)), mutants, mutants.length)) {
    if (drawn.size >= count) break;
    if (drawn.has(mutant)) continue;
    places.push(rangeOf(mutant));
    for (const each of mutants) if (isWithin(each, mutant)) drawn.add(each);
  }
  return places;
};

const samples: { readonly folder: string; readonly total: number; readonly ranges: readonly string[] }[] = [];
for (const folder of globSync('shared/*', { cwd: root }).toSorted()) {
  if (values.folders !== '*' && !values.folders.split(',').includes(folder.slice('shared/'.length))) continue;
  const all = await mutantsOf(globSync(`${folder}/${values.files}`, { cwd: root }).toSorted());
  // A folder of types has no behavior.
  if (all.length > 0)
    samples.push({ folder, total: all.length, ranges: drawPlaces(all, Number(values['per-folder'])) });
}

const work = mkdtempSync(join(tmpdir(), 'postern-mutants-'));
const report = join(work, 'report.json');
const config = join(work, 'stryker.json');
writeFileSync(
  config,
  JSON.stringify({
    mutate: samples.flatMap(({ ranges }) => ranges),
    mutator,
    testRunner: 'vitest',
    plugins: [join(stryker, 'vitest-runner/dist/src/index.js')],
    vitest: { configFile: 'measure/mutation/vitest.config.ts' },
    coverageAnalysis: 'perTest',
    // Rows of tables are read when a module loads, and each would meet all tests. The tests of the contract pin them.
    ignoreStatic: true,
    disableTypeChecks: false,
    concurrency: Number(values.workers),
    dryRunTimeoutMinutes: 60,
    // A mutant that a loaded machine slows down is not noticed by it.
    timeoutMS: 120_000,
    reporters: ['json', 'clear-text', 'progress-append-only'],
    jsonReporter: { fileName: report },
    clearTextReporter: { logTests: false, reportTests: false, reportScoreTable: false },
    tempDirName: join(work, 'copy'),
    ignorePatterns: ['.cache', 'cdk.out', 'dist'],
    // The preprocessor of this file needs the API of TypeScript 6, and there is nothing to rewrite.
    tsconfigFile: 'none',
  }),
);

type Status = 'Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'RuntimeError' | 'CompileError' | 'Ignored';
type Report = Readonly<Record<'files', Readonly<Record<string, { readonly mutants: readonly { status: Status }[] }>>>>;

try {
  const { status } = spawnSync(process.execPath, [join(stryker, 'core/bin/stryker.js'), 'run', config], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, SOURCES: root },
  });
  if (status !== 0) throw new Error(`Stryker exits with ${status}`);
  const { files }: Report = JSON.parse(readFileSync(report, 'utf8'));
  const scores = samples.map(({ folder, total }): FolderScore => {
    const rows = Object.entries(files).filter(([file]) => file.startsWith(`${folder}/`));
    const count = (...statuses: readonly Status[]): number =>
      rows.flatMap(([, { mutants }]) => mutants).filter((mutant) => statuses.includes(mutant.status)).length;
    const noticed = count('Killed', 'Timeout');
    return { folder, total, sampled: noticed + count('Survived', 'NoCoverage'), noticed };
  });
  const command = ['npm run measure -- mutants --', ...process.argv.slice(2)].join(' ').replace(/ --$/, '');
  const isPublished = (values.folders === '*' && values.files === '**/*.ts') || values.publish;
  const isReached = publishScores(scores, { bar: BAR, command, environment: environmentWith(), isPublished });
  process.exitCode = isReached ? 0 : 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}
