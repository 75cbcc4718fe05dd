// Writes what the command doctor found, for people and as JSON.
import { visibleLine } from '../../../shared/model/visible-text.ts';
import type { Finding, ReadName } from './examine-reads.ts';

/** A fact about this machine or a provider. */
export interface Fact {
  readonly name: string;
  readonly value: string;
  readonly isOk: boolean;
}

export interface Diagnosis {
  readonly version: string;
  readonly facts: readonly Fact[];
  readonly findings: readonly Finding[];
  /** The reads that have no way left. */
  readonly lost: readonly ReadName[];
  /** A provider was not asked, because X bills it. */
  readonly isPaidLeft: boolean;
}

const UNITS = [
  [86_400_000, 'days'],
  [3_600_000, 'hours'],
  [60_000, 'minutes'],
] as const;

/** @param now in milliseconds since the epoch */
export const ageText = (newest: number, now: number): string => {
  const age = Math.max(0, now - newest);
  const [size, unit] = UNITS.find(([milliseconds]) => age >= 2 * milliseconds) ?? [1000, 'seconds'];
  return `${Math.floor(age / size)} ${unit} old`;
};

const columns = (rows: readonly (readonly string[])[]): readonly string[] => {
  const widths = rows.reduce<readonly number[]>(
    (all, row) => row.map((cell, index) => Math.max(cell.length, all[index] ?? 0)),
    [],
  );
  return rows.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
};

const mark = (isOk: boolean): string => (isOk ? 'ok' : 'FAIL');

/** A provider that gives less than the read asks for has not failed. */
const markOf = ({ isOk, lacks }: Finding): string => (lacks === undefined ? mark(isOk) : 'part');

const findingRow = (finding: Finding, now: number): readonly string[] => {
  const { read, provider, milliseconds, newest, why, lacks } = finding;
  const fresh = newest === undefined ? undefined : `newest ${ageText(newest, now)}`;
  return [
    markOf(finding),
    read,
    provider,
    `${milliseconds} ms`.padStart(8),
    visibleLine([fresh, lacks, why].filter((text) => text !== undefined).join('; ')),
  ];
};

const sum = ({ findings, lost, isPaidLeft }: Diagnosis): string => {
  const reads = new Set(findings.map(({ read }) => read)).size;
  if (reads === 0) return 'No provider was asked.';
  const works = `${reads - lost.length} of ${reads} reads work`;
  const without = isPaidLeft ? ' without the official API' : '';
  return lost.length === 0 ? `${works}.` : `${works}. No way left${without}: ${lost.join(', ')}.`;
};

export const reportLines = (diagnosis: Diagnosis, now: number): readonly string[] => [
  `postern ${diagnosis.version}`,
  ...columns(diagnosis.facts.map(({ name, value, isOk }) => [mark(isOk), name, visibleLine(value)])),
  '',
  ...columns(diagnosis.findings.map((finding) => findingRow(finding, now))),
  '',
  sum(diagnosis),
];

export const reportJson = ({ version, facts, findings, lost }: Diagnosis): string =>
  JSON.stringify(
    {
      version,
      facts: facts.map(({ name, value, isOk }) => ({ name, ok: isOk, value })),
      reads: findings.map(({ read, provider, isOk, milliseconds, newest, lacks, why }) => ({
        read,
        provider,
        ok: isOk,
        duration_ms: milliseconds,
        ...(newest !== undefined && { newest: new Date(newest).toISOString() }),
        ...(lacks !== undefined && { lacks }),
        ...(why !== undefined && { why }),
      })),
      no_way_left: lost,
    },
    null,
    2,
  );
