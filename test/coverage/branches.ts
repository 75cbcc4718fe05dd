// Reads the branches of a coverage file of vitest: which part of a condition no test ran.

interface Position {
  readonly line: number;
  readonly column: number | null;
}

interface Branch {
  readonly type: string;
  readonly loc: { readonly start: Position };
  readonly locations: readonly { readonly start: Partial<Position> }[];
}

/** The coverage of one file, as Istanbul writes it. */
export interface FileCoverage {
  readonly path: string;
  readonly statementMap: Readonly<Record<string, { readonly start: Position }>>;
  readonly s: Readonly<Record<string, number>>;
  readonly branchMap: Readonly<Record<string, Branch>>;
  readonly b: Readonly<Record<string, readonly number[]>>;
}

export interface UncoveredBranch {
  /** Relative to the repository. */
  readonly file: string;
  readonly line: number;
  /** The kind of the branch, such as `if` or `binary-expr`. */
  readonly type: string;
  /** The line of the source, without white space around it. */
  readonly source: string;
}

export interface Covered {
  readonly covered: number;
  readonly total: number;
}

export interface CoveredFile {
  readonly file: string;
  readonly lines: Covered;
  readonly branches: Covered;
  readonly uncovered: readonly UncoveredBranch[];
}

/** A line counts as covered if a statement that starts on it ran. */
const coveredLines = ({ statementMap, s }: FileCoverage): Covered => {
  const lines = new Map<number, boolean>();
  for (const [id, { start }] of Object.entries(statementMap))
    lines.set(start.line, lines.get(start.line) === true || (s[id] ?? 0) > 0);
  return { covered: [...lines.values()].filter(Boolean).length, total: lines.size };
};

/** @param file relative to the repository @param source its text */
export const readFileCoverage = (coverage: FileCoverage, file: string, source: string): CoveredFile => {
  const textOfLine = source.split('\n');
  const branches = Object.entries(coverage.branchMap).flatMap(([id, { type, loc, locations }]) =>
    (coverage.b[id] ?? []).map((count, index) => {
      // The `else` that the source does not have has no position.
      const line = locations[index]?.start.line ?? loc.start.line;
      return { count, branch: { file, line, type, source: textOfLine[line - 1]?.trim() ?? '' } };
    }),
  );
  const uncovered = branches.filter(({ count }) => count === 0).map(({ branch }) => branch);
  return {
    file,
    lines: coveredLines(coverage),
    branches: { covered: branches.length - uncovered.length, total: branches.length },
    uncovered,
  };
};

export const sumOf = (parts: readonly Covered[]): Covered => ({
  covered: parts.reduce((sum, { covered }) => sum + covered, 0),
  total: parts.reduce((sum, { total }) => sum + total, 0),
});

/** A folder without branches is covered. */
export const percentOf = ({ covered, total }: Covered): number => (total === 0 ? 100 : (covered / total) * 100);
