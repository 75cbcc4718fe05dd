// Fuzzes each reader of foreign bytes for a fixed number of executions, and tests the fuzzer itself. `npm run measure -- fuzz` goes on
// for a minute each.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fuzz } from '../fuzz/fuzz.ts';
import { loadTarget } from '../fuzz/load-target.ts';
import { minimized } from '../fuzz/mutate.ts';
import { ensure, type FuzzTarget } from '../fuzz/target.ts';
import { readSeed } from '../generators/seed.ts';

const EXECUTIONS = {
  addresses: 2000,
  authorization: 2000,
  cursors: 2000,
  edge: 600,
  'json-rpc': 1000,
  'text-slicer': 600,
  renderers: 320,
};

describe('the readers of foreign bytes', () => {
  test.each(Object.entries(EXECUTIONS))('the fuzz target %s has no finding in %i executions', async (name, most) => {
    const { target, counters, compiled } = await loadTarget(name);
    const { findings, reached } = fuzz(target, counters, compiled, {
      seed: readSeed(),
      seeds: 50,
      goesOn: (executions) => executions < most,
    });
    expect(findings).toEqual([]);
    expect(reached).toBeGreaterThan(5);
  });
});

describe('the fuzzer', () => {
  const NO_CODE = { code: '', branches: 4, dictionary: ['needle'] };

  /** Fails behind four nested branches, each of which counts itself as compiled code does. */
  const nested = (counters: Uint32Array): FuzzTarget => ({
    judge(input) {
      const visit = (branch: number): void => {
        counters[branch] = (counters[branch] ?? 0) + 1;
      };
      if (!input.includes('needle')) return;
      visit(0);
      if (!input.includes('needleneedle')) return;
      visit(1);
      if (!input.startsWith('#')) return;
      visit(2);
      ensure(!input.endsWith('%'), 'found');
    },
    seeds: fc.constant('hay'),
  });

  test('finds an input behind nested branches and shortens it', () => {
    const counters = new Uint32Array(4);
    const { findings, reached } = fuzz(nested(counters), counters, NO_CODE, {
      seed: 1,
      goesOn: (executions) => executions < 60_000,
    });
    expect(findings).toEqual([{ input: '#needleneedle%', error: 'Error: found' }]);
    expect(reached).toBe(3);
  });

  test('finds the same inputs again with the same seed', () => {
    const corpusOf = (seed: number) => {
      const counters = new Uint32Array(4);
      return fuzz(nested(counters), counters, NO_CODE, { seed, goesOn: (executions) => executions < 3000 }).corpus;
    };
    expect(corpusOf(5)).toEqual(corpusOf(5));
    expect(corpusOf(5)).not.toEqual(corpusOf(6));
  });

  test('minimized keeps only what a failure needs', () => {
    expect(minimized('some text with <b and > more', (text) => /<.*>/.test(text))).toBe('<>');
  });
});
