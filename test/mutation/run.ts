// `npm run mutants`: measures how many mutants of shared/ the tests notice, on a random sample. Prints each survivor and
// the mutation score. Exits with 1 if the score is below the bar. The work tree is not touched: the mutants live in a copy.
import { spawn } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createCoveringTestFinder } from './covering-tests.ts';
import { type Mutant, mutantsOf } from './mutants.ts';

const BAR = 0.9;
/** A mutant that keeps the tests from ending counts as noticed. */
const TIMEOUT_MILLISECONDS = 900_000;
/** Without a mutant all tests must pass, or every mutant would count as noticed. */
const ALL_TESTS_MILLISECONDS = 3_600_000;

const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    files: { type: 'string', default: 'shared/**/*.ts' },
  },
});

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Mulberry32: the same sample for the same seed. */
const createRandom = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

const sampleOf = <Item>(items: readonly Item[], size: number, random: () => number): readonly Item[] =>
  items
    .map((item) => ({ item, rank: random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, size)
    .map(({ item }) => item);

const sourceOf = (file: string): string => readFileSync(join(root, file), 'utf8');

const createWorkCopy = (): string => {
  const copy = mkdtempSync(join(tmpdir(), 'postern-mutants-'));
  const folders = ['shared', 'functions', 'client', 'infra', 'test', 'docs', '.ci', '.github'];
  const files = globSync('*.{json,ts,md}', { cwd: root });
  for (const name of [...folders.filter((folder) => globSync(folder, { cwd: root }).length > 0), ...files, 'LICENSE'])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'dir');
  return copy;
};

interface RunOptions {
  readonly timeout?: number;
  /** @default the tests print nothing */
  readonly stdio?: 'ignore' | 'inherit';
}

const passes = (
  copy: string,
  tests: readonly string[],
  { timeout = TIMEOUT_MILLISECONDS, stdio = 'ignore' }: RunOptions = {},
): Promise<boolean> =>
  new Promise((resolve) => {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const child = spawn(process.execPath, [vitest, 'run', '--bail', '1', '--reporter', 'dot', ...tests], {
      cwd: copy,
      stdio,
      timeout,
      killSignal: 'SIGKILL',
    });
    child.on('close', (code) => resolve(code === 0));
  });

const describeMutant = ({ file, start, end, replacement }: Mutant): string => {
  const source = sourceOf(file);
  const line = source.slice(0, start).split('\n').length;
  return `${file}:${line} ${source.slice(start, end).replaceAll(/\s+/g, ' ')} -> ${replacement.replaceAll(/\s+/g, ' ')}`;
};

const mutants = globSync(values.files, { cwd: root })
  .toSorted()
  .flatMap((file) => mutantsOf(file, sourceOf(file)));
const sample = sampleOf(mutants, Number(values.sample), createRandom(Number(values.seed)));
const findCoveringTests = createCoveringTestFinder(root);
const copy = createWorkCopy();
const survivors: Mutant[] = [];

const isNoticed = async ({ file, start, end, replacement }: Mutant): Promise<boolean> => {
  const source = sourceOf(file);
  const { nearest, others } = findCoveringTests(file);
  if (nearest.length === 0) return false;
  writeFileSync(join(copy, file), source.slice(0, start) + replacement + source.slice(end));
  try {
    return !(await passes(copy, nearest)) || (others.length > 0 && !(await passes(copy, others)));
  } finally {
    writeFileSync(join(copy, file), source);
  }
};

try {
  const all = [...new Set(sample.flatMap(({ file }) => Object.values(findCoveringTests(file)).flat()))];
  const isPassing = await passes(copy, all, { timeout: ALL_TESTS_MILLISECONDS, stdio: 'inherit' });
  if (!isPassing) throw new Error('the tests do not pass without a mutant');
  for (const [index, mutant] of sample.entries()) {
    const noticed = await isNoticed(mutant);
    if (!noticed) survivors.push(mutant);
    console.log(`${index + 1}/${sample.length} ${noticed ? 'noticed ' : 'SURVIVED'} ${describeMutant(mutant)}`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}

const score = 1 - survivors.length / sample.length;
console.log(`\nmutants in ${values.files}: ${mutants.length}, sampled ${sample.length} with seed ${values.seed}`);
console.log(`mutation score: ${(score * 100).toFixed(0)} %, bar ${BAR * 100} %`);
if (score < BAR) process.exitCode = 1;
