// Makes the table of outside suites from what .ci/steps records: one line for each step that is not ours, and the
// reports of vitest.
/** The part of a report of vitest that is read. */
export interface VitestReport {
  readonly testResults: readonly {
    /** Absolute path of the test file. */
    readonly name: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

export interface OutsideSuite {
  readonly name: string;
  readonly version: string;
  readonly subject: string;
  readonly passed: number;
  readonly failed: number;
  /** Failures that a baseline lists. */
  readonly expected: number;
  /** True if the tool was not installed. */
  readonly isSkipped: boolean;
}

type Assertion = VitestReport['testResults'][number]['assertionResults'][number] & { readonly file: string };

/** A test that several steps run is one test, which failed if it failed in one of them. */
const assertionsOf = (reports: readonly VitestReport[], root: string): readonly Assertion[] => {
  const all = reports.flatMap(({ testResults }) =>
    testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.map((assertion) => ({ ...assertion, file: name.slice(root.length) })),
    ),
  );
  const byTest = Map.groupBy(all, ({ file, fullName }) => `${file} ${fullName}`);
  return [...byTest.values()].flatMap((runs) => {
    const ended = runs.find(({ status }) => status === 'failed') ?? runs.find(({ status }) => status === 'passed');
    return ended ?? [];
  });
};

const count = (assertions: readonly Assertion[]) => {
  const passed = assertions.filter(({ status }) => status === 'passed').length;
  const failed = assertions.filter(({ status }) => status === 'failed').length;
  return { passed, failed, expected: 0, isSkipped: passed + failed === 0 };
};

const readRecord = (line: string, assertions: readonly Assertion[]): OutsideSuite => {
  const [name = '', version = '', subject = '', figure = ''] = line.split('\t');
  const suite = { name, version, subject };
  if (figure.startsWith('title ')) {
    const title = figure.slice('title '.length);
    return { ...suite, ...count(assertions.filter(({ fullName }) => fullName.startsWith(title))) };
  }
  const [passed = 0, failed = 0, expected = 0] = figure.split(' ').map(Number);
  return figure === 'skipped'
    ? { ...suite, passed: 0, failed: 0, expected: 0, isSkipped: true }
    : { ...suite, passed, failed, expected, isSkipped: false };
};

/** Several steps of one suite are one line. It is skipped only if each of its steps is. */
const joined = (suites: readonly OutsideSuite[]): OutsideSuite => {
  const [first] = suites;
  if (first === undefined) throw new Error('a suite has a record');
  const sum = (member: 'passed' | 'failed' | 'expected'): number =>
    suites.reduce((total, suite) => total + suite[member], 0);
  return {
    ...first,
    passed: sum('passed'),
    failed: sum('failed'),
    expected: sum('expected'),
    isSkipped: suites.every(({ isSkipped }) => isSkipped),
  };
};

export interface RecordedRun {
  /** The lines of `records.tsv`. */
  readonly records: readonly string[];
  readonly reports: readonly VitestReport[];
  /** Absolute path of the repository, with a slash. */
  readonly root: string;
}

/** Suites of others in a run, sorted by what they judge. */
export const outsideSuites = (run: RecordedRun): readonly OutsideSuite[] => {
  const assertions = assertionsOf(run.reports, run.root);
  const recorded = run.records.map((line) => readRecord(line, assertions));
  return Object.values(Object.groupBy(recorded, ({ name }) => name))
    .map((suites = []) => joined(suites))
    .toSorted((a, b) => a.subject.localeCompare(b.subject) || a.name.localeCompare(b.name));
};
