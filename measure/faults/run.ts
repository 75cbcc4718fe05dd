// Runs `npm run measure -- faults`: plants 26 faults of the providers, 14 of the store and 7 of its disk below every surface of
// the service, over HTTP. A fault that needs a mounted disk is skipped, with a line, where mounting is not permitted. Prints one line for each fault and surface. Exits with 1 if an answer breaks a rule.
//
//   --fault 429        measures only faults with this word, and writes nothing
//   --surface search   measures only surfaces with this word, and writes nothing
import { parseArgs } from 'node:util';
import { answerHelp } from '../../infra/command/answer-help.ts';
import { providerFaults } from '../../test/support/faults/provider-faults.ts';
import { surfaces } from '../../test/support/faults/surfaces.ts';
import { environmentWith, writeMeasurement } from '../write-measurement.ts';
import { diskFaults } from './disk-faults.ts';
import { measureFaults } from './measure.ts';
import type { DiskCell } from './measure-disk.ts';
import type { ProviderCell } from './measure-provider.ts';
import type { StoreCell } from './measure-store.ts';
import { faultBars, faultTables } from './report.ts';
import { storeFaults } from './store-faults.ts';

answerHelp();

const { values } = parseArgs({
  options: {
    /** Words of names; a fault or surface with one of them is measured, and nothing is written. */
    fault: { type: 'string' },
    surface: { type: 'string' },
  },
});

const SEED = 1;

const matching = <T extends { readonly name: string }>(rows: readonly T[], word: string | undefined): readonly T[] =>
  rows.filter(({ name }) => name.includes(word ?? ''));

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

const print = (cell: ProviderCell | StoreCell | DiskCell): void => {
  const { fault, surface, status, milliseconds, recoveryMilliseconds, errors } = cell;
  const recovery = recoveryMilliseconds === undefined ? '-' : seconds(recoveryMilliseconds);
  const longest = 'longestMilliseconds' in cell ? `, longest ${seconds(cell.longestMilliseconds)}` : '';
  const times = `in ${seconds(milliseconds)}${longest}, back after ${recovery}`;
  console.log(`${fault.padEnd(26)} ${surface.padEnd(16)} ${status} ${times}`);
  for (const error of new Set(errors)) console.log(`  broken rule: ${error}`);
};

const results = await measureFaults({
  providerFaults: matching(providerFaults, values.fault),
  storeFaults: matching(storeFaults, values.fault),
  diskFaults: matching(diskFaults, values.fault),
  surfaces: matching(surfaces, values.surface),
  seed: SEED,
  concurrency: 6,
  victims: 20,
  report: print,
  reportRepeat(cell) {
    print(cell);
    console.log('  repeated, because the machine was busy');
  },
  reportSkipped: (name) => console.log(`${name}: skipped, because mounting is not permitted`),
});

const measured = [...results.provider, ...results.store, ...results.disk];
const broken = measured.filter(({ errors }) => errors.length > 0);
console.log(`${measured.length} measurements, ${broken.length} break a rule`);
if (broken.length > 0) process.exitCode = 1;
if (values.fault === undefined && values.surface === undefined) {
  writeMeasurement('faults', {
    command: 'npm run measure -- faults',
    environment: environmentWith(`seed ${SEED}`),
    bars: faultBars(results),
    tables: faultTables(results),
  });
}
