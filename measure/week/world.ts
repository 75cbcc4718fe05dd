// The world of a simulated week: what exists on the platform, and when providers and store fail. All of it follows from the
// seed, so the truth about every subject at every instant is known without asking the service.
import { pick, type Random } from '../../test/support/random.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const MINUTE = 60_000;
export const START = Date.parse('2026-11-16T00:00:00Z');

export const between = (random: Random, low: number, high: number): number => low + random() * (high - low);

export type Existence = 'exists' | 'missing' | 'protected';

export interface Post {
  readonly id: string;
  readonly existence: Existence;
  /** Infinite: never deleted. */
  readonly deletedAt: number;
}

/** How a provider fails. `lost` of the store: the change is made and the answer is lost. */
export type ProviderFailure =
  | 'refused'
  | 'reset'
  | 'hang'
  | 'slow'
  | 'error'
  | 'overloaded'
  | 'throttled'
  | 'html'
  | 'absent'
  | 'another'
  | 'flapping';
export type StoreFailure = 'down' | 'hang' | 'slow' | 'lost' | 'throttled';

export interface Episode<Failure> {
  readonly from: number;
  readonly to: number;
  readonly failure: Failure;
}

export type ProviderName = 'fx' | 'synd';

export interface ProviderEpisode extends Episode<ProviderFailure> {
  readonly providers: readonly ProviderName[];
  /** Seconds in Retry-After of `overloaded` and `throttled`. */
  readonly retryAfter: number;
}

// biome-ignore format: side by side they fit on a screen
const PROVIDER_FAILURES = [
  'refused', 'reset', 'hang', 'slow', 'error', 'overloaded', 'throttled', 'html', 'absent', 'another', 'flapping',
] as const;
const STORE_FAILURES = ['down', 'hang', 'slow', 'lost', 'throttled'] as const;
const BOTH: ProviderEpisode['providers'] = ['fx', 'synd'];
const AFFECTED: readonly [ProviderEpisode['providers'], ...ProviderEpisode['providers'][]] = [
  ['fx'],
  ['synd'],
  BOTH,
  BOTH,
];

/** Episodes one after another; the last one ends before `until`. */
const episodesUntil = <E extends Episode<unknown>>(
  random: Random,
  meanGap: number,
  until: number,
  create: (from: number, to: number) => E,
): readonly E[] => {
  const episodes: E[] = [];
  let at = START + between(random, 0.1, 2) * meanGap;
  for (;;) {
    const length = random() < 0.7 ? between(random, 20_000, 10 * MINUTE) : between(random, 10 * MINUTE, 3 * HOUR);
    if (at + length > until) return episodes;
    episodes.push(create(at, at + length));
    at += length + between(random, 0.1, 2) * meanGap;
  }
};

export interface World {
  readonly posts: readonly Post[];
  /** Handles in lower case. */
  readonly handles: ReadonlyMap<string, Existence>;
  readonly providerEpisodes: readonly ProviderEpisode[];
  readonly storeEpisodes: readonly Episode<StoreFailure>[];
}

const existenceOf = (random: Random): Existence => {
  const share = random();
  if (share < 0.1) return 'missing';
  return share < 0.15 ? 'protected' : 'exists';
};

/** @param quietFrom no failure from then on */
export const createWorld = (random: Random, quietFrom: number): World => ({
  posts: Array.from({ length: 150 }, (_, index) => {
    const existence = existenceOf(random);
    const isDeleted = existence === 'exists' && random() < 0.1;
    return {
      id: `1000000000${String(index).padStart(3, '0')}`,
      existence,
      deletedAt: isDeleted ? between(random, START, quietFrom) : Number.POSITIVE_INFINITY,
    };
  }),
  handles: new Map(Array.from({ length: 60 }, (_, index) => [`user${index}`, existenceOf(random)])),
  providerEpisodes: episodesUntil(random, 4 * HOUR, quietFrom, (from, to) => ({
    from,
    to,
    failure: pick(random, PROVIDER_FAILURES),
    providers: pick(random, AFFECTED),
    retryAfter: Math.round(between(random, 1, 120)),
  })),
  storeEpisodes: episodesUntil(random, 8 * HOUR, quietFrom, (from, to) => ({
    from,
    to,
    failure: pick(random, STORE_FAILURES),
  })),
});

export const activeAt = <E extends Episode<unknown>>(episodes: readonly E[], now: number): E | undefined =>
  episodes.find(({ from, to }) => from <= now && now < to);

/** @returns true if no episode is active between the two instants */
export const isQuiet = (episodes: readonly Episode<unknown>[], from: number, to: number): boolean =>
  !episodes.some((episode) => episode.from <= to && from < episode.to);

export const existsAt = ({ existence, deletedAt }: Post, now: number): boolean =>
  existence === 'exists' && now < deletedAt;
