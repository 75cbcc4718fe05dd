// Callers of a simulated week who send more than their allowance at once. While the store is healthy, exactly the limit is
// admitted, Retry-After is enough, and a wait that is a second shorter is not.
import { type ReadRoute, surfaces } from '../../test/support/faults/surfaces.ts';
import { pick } from '../../test/support/random.ts';
import { LIMITS } from './fleet.ts';
import type { Keyring } from './keyring.ts';
import type { Stage } from './stage.ts';
import { between, isQuiet, MINUTE, START } from './world.ts';

/** Retry-After includes this margin for the clocks of instances, and is rounded up to a second. */
const MARGIN_MILLISECONDS = 100;
const MAX_ROUNDING_MILLISECONDS = 1000;

interface Round {
  readonly served: number;
  readonly refused: number;
  /** Given by the first refusal: milliseconds, and the instants at which it was requested and came. */
  readonly retryAfter: number;
  readonly askedAt: number;
  readonly refusedAt: number;
}

const limitOf = ({ allowance }: ReadRoute, isKeyed: boolean): number => {
  if (allowance === 'browse') return LIMITS.browse;
  return isKeyed ? LIMITS.searchKeyed : LIMITS.searchAnonymous;
};

export const createBursts = (
  { world, time, random, endsAt, counts, fail, ask }: Stage,
  keyring: Keyring,
  bursts: number,
): readonly Promise<void>[] => {
  const charged = surfaces.filter(({ allowance }) => allowance !== undefined);
  let words = 0;

  /** Sends requests that no cache can answer, all at the same instant. */
  const round = async (surface: ReadRoute, address: string, key: string | undefined, size: number): Promise<Round> => {
    const askedAt = time.now();
    const answers = await Promise.all(
      Array.from({ length: size }, async () => {
        words += 1;
        const checked = await ask(surface, { id: '1', handle: `burst${words}` }, address, key);
        return { ...checked, at: time.now() };
      }),
    );
    const refusals = answers.filter(({ reading }) => reading.status === 429);
    const [refusal] = refusals;
    return {
      served: answers.filter(({ reading }) => reading.isServed).length,
      refused: refusals.length,
      retryAfter: (refusal?.retryAfter ?? 0) * 1000,
      askedAt,
      refusedAt: refusal?.at ?? time.now(),
    };
  };

  const burst = async (index: number): Promise<void> => {
    await time.sleep(between(random, 0, endsAt - START - 10 * MINUTE));
    const surface = pick(random, charged);
    const address = `192.0.${Math.floor(index / 250)}.${1 + (index % 250)}`;
    const key = random() < 0.5 ? keyring.create() : undefined;
    const limit = limitOf(surface, key !== undefined);
    const startedAt = time.now();
    const name = `${new Date(startedAt).toISOString()} burst on ${surface.name}${key === undefined ? '' : ' with a key'}`;
    // Refunds and failed answers would change the number.
    const isHealthy = (): boolean =>
      isQuiet(world.storeEpisodes, startedAt - 2 * MINUTE, time.now()) &&
      isQuiet(world.providerEpisodes, startedAt - 3 * MINUTE, time.now());
    const first = await round(surface, address, key, 2 * limit + 5);
    if (!isHealthy()) return;
    counts.exactBursts += 1;
    if (first.served !== limit) fail(`${name}: ${first.served} admitted of ${limit}`);
    if (first.refused === 0) return;
    const shorter = first.retryAfter - MAX_ROUNDING_MILLISECONDS - MARGIN_MILLISECONDS - 1;
    await time.sleep(Math.max(0, first.askedAt + shorter - time.now()));
    const early = shorter > 0 ? await round(surface, address, key, 1) : undefined;
    if (early !== undefined && early.served > 0 && isHealthy()) fail(`${name}: Retry-After is longer than needed`);
    await time.sleep(Math.max(0, first.refusedAt + first.retryAfter - time.now()));
    const second = await round(surface, address, key, limit + 3);
    if (second.served !== limit && isHealthy()) fail(`${name}: ${second.served} of ${limit} after Retry-After`);
  };

  return Array.from({ length: bursts }, (_, index) => burst(index));
};
