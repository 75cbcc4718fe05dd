// Proves that the published table of packages by which tests judge has every such package, each with a test that uses it.
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readMeasurement } from '../../infra/docs/measurement.ts';
import { createUserFinder, PACKAGES } from '../../measure/suites/packages.ts';

const namesIn = (measurement: string): readonly string[] =>
  readMeasurement(measurement).tables.flatMap(({ rows }) => rows.map(([, name = '']) => name));

test('the published table has every package, and none that is also a suite', () => {
  const names = PACKAGES.map(({ name }) => name);
  expect(namesIn('packages').toSorted()).toEqual(names.toSorted());
  expect(namesIn('suites').filter((name) => names.includes(name))).toEqual([]);
});

test('each package of the table is used by a test', () => {
  const findUsers = createUserFinder(fileURLToPath(new URL('../../', import.meta.url)));
  expect(PACKAGES.filter(({ package: id }) => findUsers(id).length === 0)).toEqual([]);
});
