// Measures the routes one after the other, each with processes of its own.

import type { ProviderMode } from './fake-provider.ts';
import { findKnee, type Knee, kneeConditions } from './knee.ts';
import { type LoadRoute, loadRoutes } from './load-routes.ts';
import {
  appliesTo,
  type Condition,
  conditions,
  type LoadSettings,
  type Measured,
  measure,
  measureInTime,
} from './measure-load.ts';
import {
  measureBeside,
  type NeighbourLoad,
  neighbourLoads,
  type VictimFigures,
  warmVictimRoutes,
} from './neighbours.ts';
import { percentile } from './open-loop.ts';
import { startStand } from './stand.ts';

export interface FoundKnee {
  readonly route: LoadRoute;
  readonly condition: Condition;
  readonly knee: Knee;
}

export interface Neighbourhood {
  readonly route: LoadRoute;
  /** Unset: without a load. */
  readonly load?: NeighbourLoad;
  readonly victims: VictimFigures;
}

export interface LoadFigures {
  readonly measured: readonly Measured[];
  readonly knees: readonly FoundKnee[];
  readonly neighbourhoods: readonly Neighbourhood[];
}

export interface MeasureAllOptions extends LoadSettings {
  /** Part of the names of the routes; empty: all. */
  readonly name: string;
  readonly findsKnees: boolean;
  readonly report: (line: string) => void;
}

const KEYS = 3000;

const modeOf = (condition: Condition): ProviderMode =>
  condition === 'slow' || condition === 'failing' ? condition : 'healthy';

const measureRoute = async (route: LoadRoute, options: MeasureAllOptions): Promise<LoadFigures> => {
  const { report, findsKnees } = options;
  const measured: Measured[] = [];
  const knees: FoundKnee[] = [];
  const neighbourhoods: Neighbourhood[] = [];
  const stand = await startStand({ keys: route.acceptsKeys ? KEYS : 0 });
  try {
    // Compiles the code, so that the first condition is not slower than the others.
    await measure(stand, route, route.hasSubjects ? 'uncached' : 'cached', { ...options, seconds: 1 });
    if (route.hasSubjects) await warmVictimRoutes(stand);
    for (const load of route.hasSubjects ? [undefined, ...neighbourLoads] : []) {
      const victims = await measureBeside(stand, route, load, options);
      neighbourhoods.push({ route, ...(load && { load }), victims });
      const p95 = percentile(victims.latencies, 0.95).toFixed(1);
      report(`beside ${route.name}, ${load ?? 'no load'}: ${victims.served} of ${victims.sent} served, p95 ${p95} ms`);
    }
    for (const condition of conditions.filter((name) => appliesTo(route, name))) {
      await stand.backends.ask({ mode: modeOf(condition) });
      measured.push(await measureInTime(stand, route, condition, options));
      report(`${route.name}, ${condition}`);
    }
  } finally {
    await stand.close();
  }
  if (!findsKnees) return { measured, knees, neighbourhoods };
  const kneeStand = await startStand({ keys: route.acceptsKeys ? KEYS : 0 });
  try {
    for (const condition of kneeConditions.filter((name) => appliesTo(route, name))) {
      const knee = await findKnee(kneeStand, route, condition, options);
      knees.push({ route, condition, knee });
      report(`knee of ${route.name}, ${condition}: ${knee.isAtLeast ? 'at least ' : ''}${knee.rate}/s`);
    }
  } finally {
    await kneeStand.close();
  }
  return { measured, knees, neighbourhoods };
};

/** @throws if no route is selected */
export const measureAll = async (options: MeasureAllOptions): Promise<LoadFigures> => {
  const all: LoadFigures[] = [];
  const routes = loadRoutes.filter(({ name }) => name.includes(options.name));
  if (routes.length === 0) throw new Error(`no route has ${options.name} in its name`);
  for (const route of routes) all.push(await measureRoute(route, options));
  return {
    measured: all.flatMap(({ measured }) => measured),
    knees: all.flatMap(({ knees }) => knees),
    neighbourhoods: all.flatMap(({ neighbourhoods }) => neighbourhoods),
  };
};
