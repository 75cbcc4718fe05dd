// Proves that the mutation run changes behavior and nothing else.
import { expect, test } from 'vitest';
import { createCoveringTestFinder } from '../mutation/covering-tests.ts';
import { mutantsOf } from '../mutation/mutants.ts';

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
])('mutantsOf(%j) returns %j', (source, expected) => {
  expect(mutated(source).toSorted()).toEqual(expected.toSorted());
});

test.each([
  "import { a } from './a.ts';",
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
