// `npm run measure -- mutants`: measures how many mutants of shared/ the tests notice, on a random sample of each folder.
// Prints each survivor and the mutation score of each folder. A mutant first meets the tests nearest to its file; only those
// that are left meet the other tests that reach them. Exits with 1 if a score is below the bar. The work tree is not touched:
// the mutants live in a copy.
//
//   --per-folder 20, --seed 1, --workers 2
//   --folders auth,stores   folders of shared/
//   --files '**/*.ts'       files of these folders
//   --nearest               runs only the tests nearest to a file
//   --publish               publishes the scores also of a part
import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { answerHelp } from '../../infra/command/answer-help.ts';
import { randomSampleOf, seededRandom } from '../support/random.ts';
import { environmentWith } from '../tools/write-measurement.ts';
import { createCoveringTestFinder, isOfFolder } from './covering-tests.ts';
import { changeOf, equivalenceOf, lineOf } from './equivalents.ts';
import { instrument, type NumberedMutant } from './instrument.ts';
import { mutantsOf } from './mutants.ts';
import { createRenewableRunner, isNoticed, type RenewableRunner } from './notice.ts';
import { type FolderScore, publishScores } from './scores.ts';
import { createTestRunner, type ReachedMutants, type TestRunner } from './test-runner.ts';

answerHelp();

const BAR = 90;
/** A test file that takes longer runs only for mutants of its own folder: a survivor would take minutes. */
const MAX_TEST_MILLISECONDS = 10_000;

const { values } = parseArgs({
  options: {
    'per-folder': { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    /** Names of folders of shared/, separated by commas. */
    folders: { type: 'string', default: '*' },
    files: { type: 'string', default: '**/*.ts' },
    /** Runs only the tests that are nearest to a file, which takes seconds for each mutant. */
    nearest: { type: 'boolean', default: false },
    /** Publishes the scores also if not all folders or not all tests ran. */
    publish: { type: 'boolean', default: false },
    workers: { type: 'string', default: String(availableParallelism()) },
  },
});

const root = fileURLToPath(new URL('../../', import.meta.url));
const isWhole = values.folders === '*' && values.files === '**/*.ts' && !values.nearest;

const sourceOf = (file: string): string => readFileSync(join(root, file), 'utf8');

const selected = globSync('shared/*/', { cwd: root })
  .map((folder) => folder.replace(/\/$/, ''))
  .filter((folder) => values.folders === '*' || values.folders.split(',').includes(folder.slice('shared/'.length)))
  .toSorted();
const samples = selected
  .map((folder) => {
    const all = globSync(`${folder}/${values.files}`, { cwd: root })
      .toSorted()
      .flatMap((file) => mutantsOf(file, sourceOf(file)));
    return {
      folder,
      total: all.length,
      sample: randomSampleOf(seededRandom(Number(values.seed)), all, Number(values['per-folder'])),
    };
  })
  // A folder of types has no behavior.
  .filter(({ total }) => total > 0);

const mutants: readonly NumberedMutant[] = samples
  .flatMap(({ sample }) => sample)
  .map((mutant, index) => ({ ...mutant, id: index + 1 }));
const files = [...new Set(mutants.map(({ file }) => file))];
const sources = new Map(
  files.map((file) => [
    file,
    instrument(
      sourceOf(file),
      mutants.filter((mutant) => mutant.file === file),
    ),
  ]),
);
const findCoveringTests = createCoveringTestFinder(root);

const describeMutant = (mutant: NumberedMutant): string => {
  const source = sourceOf(mutant.file);
  return `${mutant.file}:${lineOf(mutant, source).number} ${changeOf(mutant, source)}`;
};

interface Survey {
  /** Milliseconds of each test that passes without a mutant. */
  readonly passing: ReadonlyMap<string, number>;
  readonly reached: ReachedMutants;
}

/** A test that fails without a mutant, such as one of the text of a file, would notice every mutant. */
const surveyOf = async (runner: TestRunner, tests: readonly string[]): Promise<Survey> => {
  const started = performance.now();
  const { results, reached } = await runner.survey(tests);
  const unusable = results.filter(({ state }) => state !== 'passed');
  for (const { test, state } of unusable) console.log(`not used: ${test}, ${state} without a mutant`);
  if (unusable.length > tests.length * 0.1) throw new Error('the tests do not pass without a mutant');
  console.log(`${results.length} test files without a mutant: ${Math.round((performance.now() - started) / 1000)} s`);
  const passing = results.filter(({ state }) => state === 'passed');
  return { passing: new Map(passing.map(({ test, milliseconds }) => [test, milliseconds])), reached };
};

/** The first tests usually notice a mutant; the batches grow, so that a survivor does not take one run per file. */
const batchesOf = (passing: Survey['passing'], tests: readonly string[]): readonly (readonly string[])[] => {
  const costOf = (test: string): number => passing.get(test) ?? 0;
  const usable = tests.filter((test) => passing.has(test)).toSorted((a, b) => costOf(a) - costOf(b));
  const batches: (readonly string[])[] = [];
  for (let size = Number(values.workers), from = 0; from < usable.length; from += size, size *= 2)
    batches.push(usable.slice(from, from + size));
  return batches;
};

const unique = <Item>(items: readonly Item[]): readonly Item[] => [...new Set(items)];

const survivorsIn = async (
  runner: RenewableRunner,
  candidates: readonly NumberedMutant[],
  testsOf: (file: string) => readonly string[],
): Promise<readonly NumberedMutant[]> => {
  const { passing, reached } = await surveyOf(runner, unique(candidates.flatMap(({ file }) => testsOf(file))));
  const survivors: NumberedMutant[] = [];
  for (const [index, mutant] of candidates.entries()) {
    const start = performance.now();
    const among = testsOf(mutant.file);
    const tests = (reached.get(mutant.id) ?? []).filter(
      (test) =>
        among.includes(test) && ((passing.get(test) ?? 0) <= MAX_TEST_MILLISECONDS || isOfFolder(test, mutant.file)),
    );
    const noticed = await isNoticed(runner, mutant.id, batchesOf(passing, tests));
    if (!noticed) survivors.push(mutant);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(
      `${index + 1}/${candidates.length} ${noticed ? 'noticed    ' : 'not noticed'} ${seconds} s ${describeMutant(mutant)}`,
    );
  }
  return survivors;
};

/**
 * Each pass has a new runner: after the runs of many mutants, some files fail in it as with a former mutant.
 *
 * @returns the mutants that these tests do not notice
 */
const survivorsOf = async (
  candidates: readonly NumberedMutant[],
  testsOf: (file: string) => readonly string[],
): Promise<readonly NumberedMutant[]> => {
  if (candidates.length === 0) return [];
  const options = { root, sources, workers: Number(values.workers) };
  const runner = await createRenewableRunner(() => createTestRunner(options));
  try {
    return await survivorsIn(runner, candidates, testsOf);
  } finally {
    await runner.close();
  }
};

const isEquivalent = (mutant: NumberedMutant): boolean => equivalenceOf(mutant, sourceOf(mutant.file)) !== undefined;

console.log(`${mutants.length} mutants in ${files.length} files`);
const candidates = mutants.filter((mutant) => !isEquivalent(mutant));
const left = await survivorsOf(candidates, (file) => findCoveringTests(file).nearest);
if (!values.nearest) console.log(`${left.length} mutants that the nearest tests do not notice`);
const survivors = values.nearest ? left : await survivorsOf(left, (file) => findCoveringTests(file).others);

const scores = samples.map(({ folder, total }): FolderScore => {
  const isInside = ({ file }: NumberedMutant): boolean => file.startsWith(`${folder}/`);
  const inside = mutants.filter(isInside);
  const survived = survivors.filter(isInside);
  const equivalent = inside.filter(isEquivalent).length;
  const sampled = inside.length;
  const noticed = sampled - equivalent - survived.length;
  return { folder, total, sampled, noticed, equivalent, survivors: survived.map(describeMutant) };
});
const command = ['npm run measure -- mutants --', ...process.argv.slice(2)].join(' ').replace(/ --$/, '');
const environment = environmentWith(...(values.nearest ? ['only the tests nearest to each file'] : []));
const isPublished = isWhole || values.publish;
const isReached = publishScores(scores, { bar: BAR, command, environment, isPublished });
process.exit(isReached ? 0 : 1);
