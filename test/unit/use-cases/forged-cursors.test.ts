// Compares cursors with forged ones. `FUZZ_SEED=… FUZZ_RUNS=…` chooses other cases and their number.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ListKey } from '../../../shared/model/lists.ts';
import { forgedCursors, positions } from '../../generators/cursors.ts';
import { readRuns } from '../../generators/seed.ts';
import { cursors } from '../../support/test-app.ts';

const LISTS: readonly ListKey[] = [
  ['followers', 'jack'],
  ['followers', 'jac', 'k'],
  ['followers'],
  ['following', 'jack'],
  ['search', 'a', 'latest'],
  [''],
];

test('[bounds 3] a list decodes its own cursor and no forged one', () => {
  const cases = fc
    .tuple(positions, fc.constantFrom(...LISTS))
    .chain(([position, list]) =>
      fc.tuple(fc.constant(position), fc.constant(list), forgedCursors(cursors.encode(list, position), list)),
    );
  fc.assert(
    fc.property(cases, ([position, list, forged]) => {
      const cursor = cursors.encode(list, position);
      expect(cursors.decode(list, cursor)).toEqual(position);
      expect(cursors.decode(list, forged)).toBeUndefined();
      for (const other of LISTS) if (other !== list) expect(cursors.decode(other, cursor)).toBeUndefined();
    }),
    { numRuns: readRuns(1000) },
  );
});
