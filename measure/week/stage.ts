// What the actors of a simulated week share: its options, its stage, and what is counted.
import type { EdgeFunction } from '../../infra/local/edge-sandbox.ts';
import type { ReadRoute, Subject } from '../../test/support/faults/surfaces.ts';
import type { Random } from '../../test/support/random.ts';
import type { Checked } from './check-answer.ts';
import type { FleetOptions } from './fleet.ts';
import type { VirtualStores } from './virtual-stores.ts';
import type { VirtualTime } from './virtual-time.ts';
import type { World } from './world.ts';

/** In the order of the published table. */
export const countNames = {
  episodes: 'Faults of providers and store',
  requests: 'Requests',
  served: 'Served',
  servedBySecond: 'Served while the first provider failed and the second did not, from caches or by the second',
  failed: '502 or 503 while a fault leaves no provider that could answer, or while it ends',
  falseAbsences: 'Not found although it exists, in the 95 s after all providers began to report everything as missing',
  refused: '429',
  exactBursts: 'Callers who sent twice their limit at once, with a healthy store: admitted exactly the limit',
  revocations: 'Revoked API keys',
  // An opening that follows a failed probe is none. An instance can end before a read probes its circuit.
  circuitsOpened: 'Circuits that opened',
  circuitsClosed: 'Circuits that closed again; no later read needed the others',
} as const;

export type WeekCounts = Record<keyof typeof countNames, number>;

export interface WeekOptions {
  readonly seed: number;
  readonly edge: EdgeFunction;
  /** Callers who ask all week, half of them with a key. */
  readonly callers: number;
  /** Requests of each caller. */
  readonly requestsPerCaller: number;
  /** Callers who send more than their allowance at once. */
  readonly bursts: number;
  readonly days: number;
  /** Plants a defect, so that a test sees that the invariants notice it. @default none */
  readonly sabotage?: (stores: VirtualStores) => VirtualStores;
  /** A test leaves one out. @default both */
  readonly providers?: FleetOptions['providers'];
}

export interface WeekResult {
  readonly counts: WeekCounts;
  /** The broken invariants. */
  readonly errors: readonly string[];
}

/** The parts that the actors of a week share. */
export interface Stage {
  readonly world: World;
  readonly time: VirtualTime;
  readonly random: Random;
  readonly counts: WeekCounts;
  /** Actors start nothing new after this instant. */
  readonly endsAt: number;
  fail(error: string): void;
  /** Sends a request and checks its answer. @param key an API key */
  ask(surface: ReadRoute, subject: Subject, address: string, key?: string): Promise<Checked>;
}
