// Makes the tables of the page Reliability from the results of `npm run measure -- faults`.
import type { Bar, MeasuredTable } from '../../infra/docs/measurement.ts';
import { noneOf } from '../write-measurement.ts';
import type { FaultResults } from './measure.ts';
import { DISK_RECOVERY_MILLISECONDS, type DiskCell } from './measure-disk.ts';
import type { ProviderCell } from './measure-provider.ts';
import type { StoreCell } from './measure-store.ts';
import { DEADLINE_MILLISECONDS, LEAST_FAILURES, RECOVERY_MILLISECONDS } from './rules.ts';

interface Cell {
  readonly fault: string;
  readonly surface: string;
}

const namesOf = (cells: readonly Cell[], member: keyof Cell): readonly string[] => [
  ...new Set(cells.map((cell) => cell[member])),
];

/** One row per fault, one column per surface. */
const matrix = <T extends Cell>(caption: string, cells: readonly T[], textOf: (cell: T) => string): MeasuredTable => {
  const surfaces = namesOf(cells, 'surface');
  return {
    caption,
    columns: ['Fault', ...surfaces],
    rows: namesOf(cells, 'fault').map((fault) => [
      fault,
      ...surfaces.map((surface) => {
        const cell = cells.find((candidate) => candidate.fault === fault && candidate.surface === surface);
        return cell === undefined ? '' : textOf(cell);
      }),
    ]),
  };
};

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;
const longest = (all: readonly number[]): number => Math.max(0, ...all);

const recoveriesOf = (cells: readonly (ProviderCell | StoreCell | DiskCell)[]): readonly number[] =>
  cells.flatMap(({ recoveryMilliseconds }) => recoveryMilliseconds ?? []);

/** A dash if no surface recovers. */
const recoveryText = (cells: readonly (ProviderCell | StoreCell | DiskCell)[]): string => {
  const recoveries = recoveriesOf(cells);
  return recoveries.length === 0 ? '-' : seconds(longest(recoveries));
};

interface Share {
  readonly served: number;
  readonly total: number;
}

const sum = (shares: readonly Share[]): Share => ({
  served: shares.reduce((total, { served }) => total + served, 0),
  total: shares.reduce((total, share) => total + share.total, 0),
});

const percent = ({ served, total }: Share): number => (100 * served) / Math.max(1, total);
/** A dash if there was none to serve. */
const shareText = (share: Share): string => (share.total === 0 ? '-' : `${share.served} of ${share.total}`);

const shareOf = (flags: readonly (boolean | undefined)[]): Share => {
  const known = flags.filter((flag) => flag !== undefined);
  return { served: known.filter(Boolean).length, total: known.length };
};

const victimsOf = (cells: readonly { readonly victims: Share | undefined }[]): Share =>
  sum(cells.flatMap(({ victims }) => victims ?? []));

const rowsByFault = <T extends Cell>(
  cells: readonly T[],
  textsOf: (rows: readonly T[]) => readonly string[],
): readonly (readonly string[])[] =>
  namesOf(cells, 'fault').map((fault) => [fault, ...textsOf(cells.filter((cell) => cell.fault === fault))]);

/** The codes of these statuses follow from them; any other code is written. */
const usualCodes: ReadonlyMap<number, string> = new Map([
  [429, 'rate_limited'],
  [502, 'upstream_failed'],
  [503, 'upstream_unavailable'],
]);

const statusText = ({ status, code }: Pick<ProviderCell, 'status' | 'code'>): string =>
  code === undefined || usualCodes.get(status) === code ? String(status) : `${status} ${code}`;

const providerTables = (cells: readonly ProviderCell[]): readonly MeasuredTable[] => [
  matrix(
    'All providers fail in the same way. A cell has the status, the time until the answer and the number of provider calls. 502 is `upstream_failed`, 503 is `upstream_unavailable`.',
    cells,
    (cell) => `${statusText(cell)}, ${seconds(cell.milliseconds)}, ${cell.calls}`,
  ),
  {
    caption: `The same faults, all surfaces together. The last column is about a fault of the subjects of one caller: it has the requests of other callers that were served, the first of them after at least ${LEAST_FAILURES} provider calls for the one caller had met the fault.`,
    columns: [
      'Fault',
      'Answers that a cache may store',
      'Stored answers served',
      'Posts served by the second provider',
      'Longest time to recover',
      'Other callers served',
    ],
    rows: rowsByFault(cells, (rows) => [
      String(rows.filter(({ cacheControl }) => cacheControl !== undefined).length),
      shareText(shareOf(rows.map(({ isCachedServed }) => isCachedServed))),
      shareText(shareOf(rows.map(({ isServedBySecond }) => isServedBySecond))),
      recoveryText(rows),
      shareText(victimsOf(rows)),
    ]),
  },
];

const storeTables = (cells: readonly StoreCell[]): readonly MeasuredTable[] => [
  matrix(
    'The store fails. A cell has the status for a valid API key, the `X-Api-Key-Status`, and the time until the answer.',
    cells,
    ({ status, keyStatus = 'not read', milliseconds }) => `${status}, ${keyStatus}, ${seconds(milliseconds)}`,
  ),
  {
    caption:
      'The same faults, all surfaces together. One caller sends 24 requests at once. The API key and the address have an allowance of 8 each, and a request whose API key cannot be read is charged to the address. An instance that cannot reach the store counts in memory up to the same allowance.',
    columns: [
      'Fault',
      'Most admitted of 24',
      'Status of a revoked key',
      'Longest time to recover',
      'Other callers served',
    ],
    rows: rowsByFault(cells, (rows) => [
      String(longest(rows.map(({ admitted = 0 }) => admitted))),
      [...new Set(rows.flatMap(({ revokedStatus }) => revokedStatus ?? []))].join(', '),
      recoveryText(rows),
      shareText(victimsOf(rows)),
    ]),
  },
];

const diskTables = (cells: readonly DiskCell[]): readonly MeasuredTable[] => [
  matrix(
    'The disk of the embedded store fails below a local service. A cell has the status for a valid API key, the `X-Api-Key-Status`, and the time until the answer.',
    cells,
    ({ status, keyStatus = 'not read', milliseconds }) => `${status}, ${keyStatus}, ${seconds(milliseconds)}`,
  ),
  {
    caption:
      'The same faults: the time until API keys are valid again, without a restart. A change of a key is 503 until then.',
    columns: ['Fault', 'Time to recover'],
    rows: rowsByFault(cells, (rows) => [recoveryText(rows)]),
  },
];

export const faultTables = ({ provider, store, disk }: FaultResults): readonly MeasuredTable[] => [
  ...providerTables(provider),
  ...storeTables(store),
  ...diskTables(disk),
];

export const faultBars = ({ provider, store, disk, repeats }: FaultResults): readonly Bar[] => {
  const all = [...provider, ...store, ...disk];
  const victims = [...new Set(provider.map(({ surface }) => surface))].map((surface) =>
    percent(victimsOf(provider.filter((cell) => cell.surface === surface))),
  );
  return [
    noneOf('measurements that break a rule', all.filter(({ errors }) => errors.length > 0).length),
    // A repeat may hide a broken rule.
    noneOf('measurements of faults repeated, because the process had no processor for half a second', repeats),
    {
      name: 'longest answer during a fault of the providers',
      value: longest(provider.map(({ longestMilliseconds }) => longestMilliseconds)) / 1000,
      unit: 's',
      // The deadline ends the work; sending the answer takes a moment more.
      bar: DEADLINE_MILLISECONDS / 1000 + 0.5,
    },
    {
      name: 'longest time to recover from a fault of the providers',
      value: longest(recoveriesOf(provider)) / 1000,
      unit: 's',
      // The caller asks every 400 ms.
      bar: RECOVERY_MILLISECONDS / 1000 + 1,
    },
    {
      name: 'longest time to recover from a fault of the store',
      value: longest(recoveriesOf(store)) / 1000,
      unit: 's',
      bar: 2.5,
    },
    ...(disk.length === 0
      ? []
      : [
          {
            name: 'longest time to recover from a fault of the disk',
            value: longest(recoveriesOf(disk)) / 1000,
            unit: 's',
            bar: DISK_RECOVERY_MILLISECONDS / 1000,
          } as const,
        ]),
    {
      name: 'other callers served while the subjects of one caller fail, least surface',
      value: Math.min(...victims),
      unit: '%',
      bar: 95,
      direction: 'atLeast',
    },
  ];
};
