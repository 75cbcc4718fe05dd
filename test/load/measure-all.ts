// Measures the surfaces one after the other, each with processes of its own.

import { findKnee, type Knee, kneeConditions } from './knee.ts';
import {
  appliesTo,
  type Condition,
  conditions,
  type LoadSettings,
  type Measured,
  measure,
  measureInTime,
} from './measure-load.ts';
import { measureBeside, type NeighbourLoad, neighbourLoads, type VictimFigures } from './neighbours.ts';
import { percentile } from './open-loop.ts';
import { startStand } from './stand.ts';
import { type Surface, surfaces } from './surfaces.ts';

export interface FoundKnee {
  readonly surface: Surface;
  readonly condition: Condition;
  readonly knee: Knee;
}

export interface Neighbourhood {
  readonly surface: Surface;
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
  /** Part of the names of the surfaces; empty: all. */
  readonly name: string;
  readonly findsKnees: boolean;
  readonly report: (line: string) => void;
}

const KEYS = 3000;

const MODES = { slow: 'slow', failing: 'failing' } as const satisfies Partial<Record<Condition, string>>;

const modeOf = (condition: Condition) =>
  condition === 'slow' || condition === 'failing' ? MODES[condition] : ('healthy' as const);

const lineOf = ({
  surface,
  condition,
  rate,
  result,
  cpuPerRequest,
  providerCalls,
  storeFailures,
}: Measured): string => {
  const at = (share: number): string => percentile(result.latencies, share).toFixed(1);
  const results = [...result.results].map(([name, count]) => `${name}: ${count}`).join(', ');
  return `${surface.name}, ${condition}: ${rate.toFixed(0)}/s, p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}, max ${at(1)} ms, ${cpuPerRequest.toFixed(2)} ms CPU, ${providerCalls} provider calls, ${storeFailures} late store calls, ${results}`;
};

const measureSurface = async (surface: Surface, options: MeasureAllOptions): Promise<LoadFigures> => {
  const { report, findsKnees } = options;
  const measured: Measured[] = [];
  const knees: FoundKnee[] = [];
  const neighbourhoods: Neighbourhood[] = [];
  const stand = await startStand({ keys: surface.acceptsKeys ? KEYS : 0 });
  try {
    // Compiles the code, so that the first condition is not slower than the others.
    await measure(stand, surface, surface.hasSubjects ? 'uncached' : 'cached', { ...options, seconds: 1 });
    for (const load of surface.hasSubjects ? [undefined, ...neighbourLoads] : []) {
      const victims = await measureBeside(stand, surface, load, options);
      neighbourhoods.push({ surface, ...(load && { load }), victims });
      const p95 = percentile(victims.latencies, 0.95).toFixed(1);
      report(
        `beside ${surface.name}, ${load ?? 'no load'}: ${victims.served} of ${victims.sent} served, p95 ${p95} ms`,
      );
    }
    for (const condition of conditions.filter((name) => appliesTo(surface, name))) {
      await stand.backends.ask({ mode: modeOf(condition) });
      const figures = await measureInTime(stand, surface, condition, options);
      measured.push(figures);
      report(lineOf(figures));
    }
  } finally {
    await stand.close();
  }
  if (!findsKnees) return { measured, knees, neighbourhoods };
  const kneeStand = await startStand({ keys: surface.acceptsKeys ? KEYS : 0 });
  try {
    for (const condition of kneeConditions.filter((name) => appliesTo(surface, name))) {
      const knee = await findKnee(kneeStand, surface, condition, options);
      knees.push({ surface, condition, knee });
      report(`knee of ${surface.name}, ${condition}: ${knee.isAtLeast ? 'at least ' : ''}${knee.rate}/s`);
    }
  } finally {
    await kneeStand.close();
  }
  return { measured, knees, neighbourhoods };
};

export const measureAll = async (options: MeasureAllOptions): Promise<LoadFigures> => {
  const all: LoadFigures[] = [];
  for (const surface of surfaces.filter(({ name }) => name.includes(options.name))) {
    all.push(await measureSurface(surface, options));
  }
  return {
    measured: all.flatMap(({ measured }) => measured),
    knees: all.flatMap(({ knees }) => knees),
    neighbourhoods: all.flatMap(({ neighbourhoods }) => neighbourhoods),
  };
};
