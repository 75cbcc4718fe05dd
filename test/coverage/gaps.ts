// Explains the branches of shared/ that no test runs. `npm run measure -- coverage` prints a branch without a reason as
// unexplained.
import type { UncoveredBranch } from './branches.ts';

interface Gap {
  readonly file: RegExp;
  /** Selects branches by their line of source. */
  readonly source: RegExp;
  readonly reason: string;
}

export const GAPS: readonly Gap[] = [
  {
    file: /^shared\/stores\/dynamodb-/,
    source: /\?\? (?:0|'\{\}'|'')/,
    reason: 'DynamoDB returns the attributes that the same request or an earlier one wrote.',
  },
];

export const reasonOf = ({ file, source }: UncoveredBranch): string | undefined =>
  GAPS.find((gap) => gap.file.test(file) && gap.source.test(source))?.reason;
