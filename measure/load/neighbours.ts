// Measures what other callers feel beside the load of one caller.
import { callerWithWindow, limitOf, newAddress } from './callers.ts';
import type { SubjectKind } from './fake-provider.ts';
import { type LoadRoute, loadRoutes } from './load-routes.ts';
import { countFailed, countServed, type LoadSettings } from './measure-load.ts';
import { runOpenLoop } from './open-loop.ts';
import { type LoadStand, newSubject } from './stand.ts';

/** The loads of one caller beside which other callers are measured. */
export const neighbourLoads = ['cached', 'beyond the limit', 'slow subjects', 'failing subjects'] as const;
export type NeighbourLoad = (typeof neighbourLoads)[number];

export interface VictimFigures {
  readonly sent: number;
  readonly served: number;
  /** 5xx answers, and tool results that say the same. */
  readonly failed: number;
  /** Ascending, in milliseconds. */
  readonly latencies: readonly number[];
}

const VICTIM_RATE = 20;

const victimRoutes = loadRoutes.filter(({ hasSubjects }) => hasSubjects);

/** Three of four victims use the Lambda of the load, because only these share its memory, its slots and its breakers. */
const ELSEWHERE = 4;

/** @param route of the load */
const createVictimRouteAt = (route: LoadRoute): ((index: number) => LoadRoute) => {
  const ofLambda = victimRoutes.filter((victim) => victim.lambda === route.lambda);
  return (index) => {
    const isElsewhere = index % ELSEWHERE === 0;
    const routes = isElsewhere ? victimRoutes : ofLambda;
    return routes[(isElsewhere ? index / ELSEWHERE : index) % routes.length] ?? route;
  };
};

const REQUESTS_PER_WARM_UP = 20;

/** Compiles the code of all routes that victims use, so that the first measurement is not slower than the others. */
export const warmVictimRoutes = async ({ client }: LoadStand): Promise<void> => {
  for (let index = 0; index < REQUESTS_PER_WARM_UP; index += 1) {
    await Promise.all(victimRoutes.map((route) => client.send(route.queryOf(newSubject()), newAddress())));
  }
};

const measureVictims = async (
  { client }: LoadStand,
  route: LoadRoute,
  { seconds, random }: LoadSettings,
): Promise<VictimFigures> => {
  const routeAt = createVictimRouteAt(route);
  const result = await runOpenLoop({
    rate: VICTIM_RATE,
    seconds,
    random,
    // Each request is of a caller of its own, for a subject that no cache has.
    send: (index) => client.send(routeAt(index).queryOf(newSubject()), newAddress()),
  });
  return {
    sent: result.sent,
    served: countServed(result),
    failed: countFailed(result),
    latencies: result.latencies,
  };
};

/** Fewer than the slots that one caller can have. */
const SPENT_AT_ONCE = 5;

/** @returns the address of a caller who has spent the allowance, so that the whole load is beyond it */
const addressBeyondLimit = async (
  { client }: LoadStand,
  route: LoadRoute,
  { seconds }: LoadSettings,
): Promise<string> => {
  const { address } = callerWithWindow(route, seconds);
  const { count } = limitOf(route, false);
  for (let spent = 0; spent < count; spent += SPENT_AT_ONCE) {
    await Promise.all(Array.from({ length: SPENT_AT_ONCE }, () => client.send(route.queryOf(newSubject()), address)));
  }
  return address;
};

/** @param load unset: no other caller sends requests */
export const measureBeside = async (
  stand: LoadStand,
  route: LoadRoute,
  load: NeighbourLoad | undefined,
  settings: LoadSettings,
): Promise<VictimFigures> => {
  if (load === undefined) return measureVictims(stand, route, settings);
  const address = load === 'beyond the limit' ? await addressBeyondLimit(stand, route, settings) : newAddress();
  const cached = newSubject();
  const kind: SubjectKind = load === 'slow subjects' ? 'slow' : load === 'failing subjects' ? 'failing' : 'healthy';
  const [victims] = await Promise.all([
    measureVictims(stand, route, settings),
    runOpenLoop({
      ...settings,
      send: () => stand.client.send(route.queryOf(load === 'cached' ? cached : newSubject(kind)), address),
    }),
  ]);
  return victims;
};
