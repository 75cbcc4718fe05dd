// Measures what other callers feel beside the load of one caller.
import { newAddress } from './callers.ts';
import type { SubjectKind } from './fake-provider.ts';
import { countServed, type LoadSettings } from './measure-load.ts';
import { runOpenLoop } from './open-loop.ts';
import { type LoadStand, newSubject } from './stand.ts';
import { type Surface, surfaces } from './surfaces.ts';

/** The loads of one caller beside which other callers are measured. */
export const neighbourLoads = ['cached', 'beyond the limit', 'slow subjects', 'failing subjects'] as const;
export type NeighbourLoad = (typeof neighbourLoads)[number];

export interface VictimFigures {
  readonly sent: number;
  readonly served: number;
  /** Ascending, in milliseconds. */
  readonly latencies: readonly number[];
}

const VICTIM_RATE = 5;

const victimSurfaces = surfaces.filter(({ hasSubjects }) => hasSubjects);

const measureVictims = async (stand: LoadStand, { seconds, random }: LoadSettings): Promise<VictimFigures> => {
  const result = await runOpenLoop({
    rate: VICTIM_RATE,
    seconds,
    random,
    // Each request is of a caller of its own, for a subject that no cache has.
    send(index) {
      const surface = victimSurfaces[index % victimSurfaces.length];
      if (surface === undefined) throw new Error('there are surfaces');
      return stand.client.send(surface.requestFor(newSubject()), newAddress());
    },
  });
  return { sent: result.sent, served: countServed(result), latencies: result.latencies };
};

/** @param load unset: nobody else sends requests */
export const measureBeside = async (
  stand: LoadStand,
  surface: Surface,
  load: NeighbourLoad | undefined,
  settings: LoadSettings,
): Promise<VictimFigures> => {
  if (load === undefined) return measureVictims(stand, settings);
  const address = newAddress();
  const cached = newSubject();
  const kind: SubjectKind = load === 'slow subjects' ? 'slow' : load === 'failing subjects' ? 'failing' : 'healthy';
  const [victims] = await Promise.all([
    measureVictims(stand, settings),
    runOpenLoop({
      ...settings,
      send: () => stand.client.send(surface.requestFor(load === 'cached' ? cached : newSubject(kind)), address),
    }),
  ]);
  return victims;
};
