// Proves that the mutation run changes behavior and nothing else.
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { createCoveringTestFinder } from '../mutation/covering-tests.ts';
import { changeOf, EQUIVALENTS, equivalenceOf } from '../mutation/equivalents.ts';
import { instrument } from '../mutation/instrument.ts';
import { mutantsOf } from '../mutation/mutants.ts';
import { createRenewableRunner, isNoticed } from '../mutation/notice.ts';
import { intervalOf } from '../mutation/scores.ts';
import type { TestFileResult } from '../mutation/test-runner.ts';
import { randomSampleOf, seededRandom } from '../support/random.ts';

const mutated = (source: string): readonly string[] =>
  mutantsOf('sample.ts', source).map(
    ({ start, end, replacement }) => source.slice(0, start) + replacement + source.slice(end),
  );

test.each([
  ['a === b;', ['a !== b;']],
  ['a < b;', ['a <= b;']],
  ['a && b;', ['a || b;']],
  ['!a;', ['a;']],
  ['f(1, true);', ['f(2, true);', 'f(1, false);']],
  ["f('text', '');", ["f('', '');", "f('text', 'mutant');"]],
  ['if (a) b();', ['if (!(a)) b();']],
  ['a ? b : c;', ['!(a) ? b : c;']],
  ['a ?? b ?? c;', ['(a ?? b) && c;', 'a && b ?? c;']],
  ['a || b || c;', ['(a || b) && c;', 'a && b || c;']],
])('mutantsOf(%j) returns %j', (source, expected) => {
  expect(mutated(source).toSorted()).toEqual(expected.toSorted());
});

test.each([
  "import { a } from './a.ts';",
  "export { a } from './a.ts';",
  "type Name = 'a' | 'b';",
  "throw new Error('there is no such setting');",
  "f({ 'content-type': a });",
])('mutantsOf(%j) returns no mutant, because nothing in it has behavior', (source) => {
  expect(mutated(source)).toEqual([]);
});

test('mutantsOf() throws when the source does not parse', () => {
  expect(() => mutantsOf('sample.ts', 'const = ;')).toThrow(SyntaxError);
});

test('createCoveringTestFinder() tells the nearest tests of a file from the others', () => {
  const root = new URL('../../', import.meta.url).pathname;
  const { nearest, others } = createCoveringTestFinder(root)('shared/rate-limit/window.ts');
  expect(nearest).toContain('test/unit/rate-limit/window.test.ts');
  expect(others.length).toBeGreaterThan(5);
  expect([...nearest, ...others].filter((file) => /^test\/(?:local|browser)\//.test(file))).toEqual([]);
});

const PROGRAM = 'if (a > 1 && !b) result = c ? 4 - a : a + 4 * 2; else result = (a ?? 7) === 7 || b;';

test('an instrumented program behaves as the original, or as the mutant that is active', () => {
  const mutants = mutantsOf('sample.ts', PROGRAM).map((mutant, index) => ({ ...mutant, id: index + 1 }));
  const program = instrument(PROGRAM, mutants);
  const inputs = [0, 1, 2, 3, 7, undefined].flatMap((a) =>
    [true, false].flatMap((b) => [true, false].map((c) => ({ a, b, c, result: undefined }))),
  );
  const outcomes = (source: string, active?: number): readonly unknown[] =>
    inputs.map((input) => {
      const context = { ...input, $mutant: active === undefined ? undefined : (id: number) => id === active };
      runInNewContext(source, context);
      return context.result;
    });
  expect(outcomes(program)).toEqual(outcomes(PROGRAM));
  expect(mutants.length).toBeGreaterThan(15);
  for (const { id, expression, start, end, replacement } of mutants) {
    const [from, to] = expression;
    const changed = `${PROGRAM.slice(from, start)}${replacement}${PROGRAM.slice(end, to)}`;
    const mutant = `${PROGRAM.slice(0, from)}(${changed})${PROGRAM.slice(to)}`;
    expect(outcomes(program, id)).toEqual(outcomes(mutant));
  }
});

test('randomSampleOf() draws the same items for the same seed, and others for another seed', () => {
  const items = Array.from({ length: 100 }, (_, index) => index);
  const draw = (seed: number): readonly number[] => randomSampleOf(seededRandom(seed), items, 10);
  expect(draw(1)).toEqual(draw(1));
  expect(draw(1)).not.toEqual(draw(2));
  expect(new Set(draw(1)).size).toBe(10);
});

test('each equivalent mutant is a mutant of the source', () => {
  const stale = EQUIVALENTS.filter((row) => {
    const source = readFileSync(new URL(`../../${row.file}`, import.meta.url), 'utf8');
    return !mutantsOf(row.file, source).some((mutant) => equivalenceOf(mutant, source) === row);
  });
  expect(stale).toEqual([]);
});

test.each([
  [20, 20, 83.9, 100],
  [19, 20, 76.4, 99.1],
  [10, 20, 29.9, 70.1],
  [0, 20, 0, 16.1],
  [190, 200, 91.0, 97.3],
])('intervalOf(%i, %i) is %d to %d %%', (noticed, noticeable, low, high) => {
  const [from, to] = intervalOf(noticed, noticeable);
  expect([from.toFixed(1), to.toFixed(1)]).toEqual([low.toFixed(1), high.toFixed(1)]);
});

test('changeOf() names the source of a mutant and its replacement in one line', () => {
  const source = 'if (\n  a ===\n  b\n) c();';
  expect(mutantsOf('sample.ts', source).map((mutant) => changeOf(mutant, source))).toContain('a === b -> !(a === b)');
});

describe('isNoticed', () => {
  type State = TestFileResult['state'];

  /** @param stateOf number of the runner, from 1; the mutant; and the test file. `error`: the run has another error */
  const judge = async (stateOf: (runner: number, mutant: number, test: string) => State | 'error') => {
    const runs: string[] = [];
    let runners = 0;
    const runner = await createRenewableRunner(async () => {
      runners += 1;
      const number = runners;
      return {
        async run(mutant, tests) {
          runs.push(`${number}: ${mutant} ${tests.join(' ')}`);
          const states = tests.map((test) => stateOf(number, mutant, test));
          return {
            results: tests.map((test, index) => {
              const state = states[index] ?? 'unstarted';
              return { test, state: state === 'error' ? 'passed' : state, milliseconds: 1 };
            }),
            hasOtherErrors: states.includes('error'),
          };
        },
        survey: async () => ({ results: [], hasOtherErrors: false, reached: new Map() }),
        close: async () => undefined,
      };
    });
    const noticed = isNoticed(runner, 7, [['a', 'b'], ['c']]);
    return { noticed, runs };
  };

  test('returns false when all files pass with the mutant', async () => {
    const { noticed, runs } = await judge(() => 'passed');
    expect(await noticed).toBe(false);
    expect(runs).toEqual(['1: 7 a b', '1: 7 c']);
  });

  test('returns true when the cheapest failed file passes without the mutant', async () => {
    const { noticed, runs } = await judge((_, mutant, file) => (mutant === 7 && file !== 'a' ? 'failed' : 'passed'));
    expect(await noticed).toBe(true);
    expect(runs).toEqual(['1: 7 a b', '1: 0 b']);
  });

  test('repeats all files without the mutant when an error belongs to no file', async () => {
    const { noticed, runs } = await judge((_, mutant) => (mutant === 7 ? 'error' : 'passed'));
    expect(await noticed).toBe(true);
    expect(runs).toEqual(['1: 7 a b', '1: 0 a b']);
  });

  test.each(['failed', 'error', 'unstarted'] as const)(
    'tries the mutant again in a new runner when the result of a file is %s in the first one',
    async (state) => {
      const { noticed, runs } = await judge((runner, _, file) => (runner === 1 && file === 'c' ? state : 'passed'));
      expect(await noticed).toBe(false);
      const control = state === 'unstarted' ? [] : ['1: 0 c'];
      expect(runs).toEqual(['1: 7 a b', '1: 7 c', ...control, '2: 7 a b', '2: 7 c']);
    },
  );

  test('rejects when files fail without the mutant in three runners', async () => {
    const { noticed, runs } = await judge(() => 'failed');
    await expect(noticed).rejects.toThrow('tests fail with and without mutant 7');
    expect(runs.at(-1)).toBe('3: 0 a');
  });
});
