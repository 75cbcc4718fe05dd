// Names mutants that no test can notice, because no answer, no call and no stored row depends on the change. They do not
// count in the score. A test requires that each row still names a mutant.
import type { Mutant } from './mutants.ts';

interface Equivalent {
  readonly file: string;
  /** The line of the change, without white space around it. */
  readonly line: string;
  /** The source of the change and its replacement, with one space for white space. */
  readonly change: string;
  readonly reason: string;
}

export const EQUIVALENTS: readonly Equivalent[] = [
  {
    file: 'shared/resilience/circuit-breaker.ts',
    line: 'openUntil = Math.max(openUntil ?? 0, clock() + milliseconds);',
    change: '0 -> 1',
    reason: 'every time of the clock is later than both',
  },
  {
    file: 'shared/upstream/facets.ts',
    line: 'const STRIDE = 256;',
    change: '256 -> 257',
    reason: 'the stored offsets are at other positions, and every offset is counted from the nearest of them',
  },
  {
    file: 'shared/upstream/facets.ts',
    line: 'let units = offsets[Math.floor(point / STRIDE)] ?? 0;',
    change: '0 -> 1',
    reason: 'an offset is stored for every point of the text, and points beyond it have returned before',
  },
];

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

/** `a === b -> a !== b` */
export const changeOf = ({ start, end, replacement }: Mutant, source: string): string =>
  `${oneLine(source.slice(start, end))} -> ${oneLine(replacement)}`;

/** The line of the change, counted from 1, and its text. */
export const lineOf = ({ start }: Mutant, source: string): { readonly number: number; readonly text: string } => {
  const number = source.slice(0, start).split('\n').length;
  return { number, text: source.split('\n')[number - 1]?.trim() ?? '' };
};

export const equivalenceOf = (mutant: Mutant, source: string): Equivalent | undefined =>
  EQUIVALENTS.find(
    ({ file, line, change }) =>
      file === mutant.file && line === lineOf(mutant, source).text && change === changeOf(mutant, source),
  );
