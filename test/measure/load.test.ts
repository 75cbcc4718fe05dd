// Runs short forms of `npm run measure -- load` and `npm run measure -- soak` with one service.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { barsOf, tablesOf } from '../../measure/load/load-report.ts';
import { loadRoutes } from '../../measure/load/load-routes.ts';
import { countFailed, countUndeclared, measure } from '../../measure/load/measure-load.ts';
import { SOAK_ENVIRONMENT, soak } from '../../measure/load/soak-load.ts';
import { soakBars, soakTables } from '../../measure/load/soak-report.ts';
import { type LoadStand, startStand } from '../../measure/load/stand.ts';
import { FAIR_USE } from '../../shared/contract/allowances.ts';
import { seededRandom } from '../support/random.ts';

let stand: LoadStand;
beforeAll(async () => {
  stand = await startStand({ keys: 20, faultShare: 0.05 }, SOAK_ENVIRONMENT);
});
afterAll(() => stand.close());

const settings = { seconds: 0.2, rate: 50, random: seededRandom() };

const routeNamed = (name: string) => {
  const route = loadRoutes.find((row) => row.name === name);
  if (route === undefined) throw new Error(`there is no route ${name}`);
  return route;
};

test('a load beyond fair use is admitted exactly as often as fair use says', async () => {
  // All at once, they would be more connections than the service holds for one address.
  const measured = await measure(stand, routeNamed('posts'), 'limited', { ...settings, seconds: 3 });
  expect(measured.result.results.get('200')).toBe(FAIR_USE.count);
  expect(measured.result.results.get('429')).toBe(measured.result.sent - FAIR_USE.count);
  const bars = barsOf({ measured: [measured], knees: [], neighbourhoods: [] });
  expect(bars.map(({ value }) => value)).toEqual([0, 0, 0]);
  expect(tablesOf({ measured: [measured], knees: [], neighbourhoods: [] })[0]?.rows).toHaveLength(1);
});

test.each(loadRoutes.map((route) => [route.name, route] as const))(
  'all requests of a load within the limits are answered: %s',
  async (_, route) => {
    const measured = await measure(stand, route, 'cached', settings);
    expect(countUndeclared(measured)).toBe(0);
    expect(countFailed(measured.result)).toBe(0);
    expect([...measured.result.results]).toEqual([['200', measured.result.sent]]);
  },
);

test('a short soak reports memory, handles and every answer', async () => {
  const figures = await soak(stand, {
    minutes: 0.015,
    rate: 50,
    warmUpShare: 0.25,
    quietSeconds: 0,
    random: seededRandom(),
    report: () => undefined,
  });
  expect([...figures.results.values()].reduce((sum, count) => sum + count, 0)).toBe(figures.sent);
  expect(figures.heap.length).toBeGreaterThan(0);
  expect(figures.handlesAtStart['TCPServerWrap']).toBe(figures.handlesAtEnd['TCPServerWrap']);
  expect(soakBars(figures).map(({ name }) => name)).toHaveLength(3);
  expect(soakTables(figures)).toHaveLength(2);
});
