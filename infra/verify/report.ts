// Writes the findings of a verification for people, and as JSON.
import { terminalJson } from '../../shared/model/json.ts';
import { visibleLine } from '../../shared/model/visible-text.ts';
import type { CheckResult, Finding } from '../../shared/verification/run-checks.ts';

const MARKS: Readonly<Record<CheckResult, string>> = { pass: 'pass', fail: 'FAIL', skip: 'skip', provider: 'provider' };

const NAME_WIDTH = 24;
const RESULT_WIDTH = 9;

const count = (findings: readonly Finding[], result: CheckResult): number =>
  findings.filter((finding) => finding.result === result).length;

/** One line per check, without what moves the cursor of a terminal; a failed check has a line per fault. */
const findingLines = ({ check, result, seen }: Finding): readonly string[] => {
  const start = `${MARKS[result].padEnd(RESULT_WIDTH)}${check.name.padEnd(NAME_WIDTH)}${check.statement}`;
  if (result !== 'fail') return [`${start}: ${visibleLine(seen.join('; '))}`];
  return [
    start,
    ...seen.map((fault) => `${' '.repeat(RESULT_WIDTH)}- ${visibleLine(fault)} [${check.rows.join(', ')}]`),
  ];
};

export const isVerified = (findings: readonly Finding[]): boolean => count(findings, 'fail') === 0;

/** @returns the lines of the report; the last is the sum */
export const reportLines = (findings: readonly Finding[], requests: number, seconds: number): readonly string[] => {
  const outages = count(findings, 'provider');
  return [
    ...findings.flatMap(findingLines),
    '',
    ...(outages > 0 ? [`${outages} checks found no provider: the service says so as it must.`] : []),
    `${requests} requests in ${seconds.toFixed(1)} s; ${count(findings, 'skip')} skipped`,
    `${count(findings, 'pass')} passed, ${count(findings, 'fail')} failed`,
  ];
};

/** @returns one JSON document */
export const reportJson = (
  address: string,
  version: string | undefined,
  findings: readonly Finding[],
  requests: number,
): string =>
  terminalJson(
    JSON.stringify(
      {
        address,
        version,
        requests,
        passed: count(findings, 'pass'),
        failed: count(findings, 'fail'),
        skipped: count(findings, 'skip'),
        provider: count(findings, 'provider'),
        checks: findings.map(({ check, result, seen }) => ({
          name: check.name,
          statement: check.statement,
          rows: check.rows,
          verdict: result,
          seen,
        })),
      },
      undefined,
      2,
    ),
  );
