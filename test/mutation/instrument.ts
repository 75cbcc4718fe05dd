// Puts mutants into a source file beside the original: each changed expression becomes a choice at run time. One
// transformation then serves all mutants, and a run without a mutant shows which tests reach which mutant.
import type { Mutant } from './mutants.ts';

export interface NumberedMutant extends Mutant {
  readonly id: number;
}

const mutated = ({ start, end, replacement, expression: [from, to] }: Mutant, source: string): string =>
  source.slice(from, start) + replacement + source.slice(end, to);

const byExpression = (a: Mutant, b: Mutant): number =>
  a.expression[0] - b.expression[0] || b.expression[1] - a.expression[1];

/** The sandbox of the edge function has neither the function nor `globalThis`. */
const isActive = (id: number): string => `typeof $mutant === 'function' && $mutant(${id})`;

/** Expressions nest as the nodes of the syntax tree do, so a mutant is inside another one or apart from it. */
const instrumentedRange = (
  source: string,
  [from, to]: readonly [number, number],
  mutants: readonly NumberedMutant[],
): string => {
  const rest = [...mutants];
  let text = '';
  let at = from;
  for (let outer = rest.shift(); outer !== undefined; outer = rest.shift()) {
    const [start, end] = outer.expression;
    const firstBehind = rest.findIndex(({ expression }) => expression[0] >= end);
    const inner = rest.splice(0, firstBehind === -1 ? rest.length : firstBehind);
    const original = instrumentedRange(source, outer.expression, inner);
    text += `${source.slice(at, start)}(${isActive(outer.id)} ? ${mutated(outer, source)} : ${original})`;
    at = end;
  }
  return text + source.slice(at, to);
};

/**
 * The source in which the global function `$mutant(id)` selects a mutant. Without that function, the source behaves as before.
 *
 * @param mutants of this source
 */
export const instrument = (source: string, mutants: readonly NumberedMutant[]): string =>
  instrumentedRange(source, [0, source.length], mutants.toSorted(byExpression));
