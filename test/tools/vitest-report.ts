// Reads the report that vitest writes with `--reporter=json`.
import { isRecord, parseJson } from '../../shared/model/json.ts';

export interface TestReport {
  readonly files: number;
  readonly passed: number;
  readonly skipped: number;
  /** `test/a.test.ts: title: first line of the error`. A file that does not load has one entry. */
  readonly failures: readonly string[];
}

const records = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];

const firstLine = (value: unknown): string => String(value ?? '').split('\n', 1)[0] ?? '';

/** @param json undefined: vitest ended without a report @param root is removed from the names of the files */
export const readTestReport = (json: string | undefined, root: string): TestReport => {
  const report = json === undefined ? undefined : parseJson(json);
  if (!isRecord(report)) return { files: 0, passed: 0, skipped: 0, failures: ['vitest wrote no report'] };
  const files = records(report['testResults']);
  const failures = files.flatMap((file) => {
    const name = String(file['name']).replace(root, '');
    const failed = records(file['assertionResults']).filter(({ status }) => status === 'failed');
    if (failed.length === 0) return file['status'] === 'failed' ? [`${name}: ${firstLine(file['message'])}`] : [];
    return failed.map(
      (row) =>
        `${name}: ${row['fullName']}: ${firstLine(Array.isArray(row['failureMessages']) ? row['failureMessages'][0] : '')}`,
    );
  });
  return {
    files: files.length,
    passed: Number(report['numPassedTests']),
    skipped: Number(report['numPendingTests']),
    failures,
  };
};
