// The callers of a simulated week. They ask for what exists and what does not, and wait as Retry-After says.
import { type ReadRoute, type Subject, surfaces } from '../../test/support/faults/surfaces.ts';
import { pick } from '../../test/support/random.ts';
import type { Keyring } from './keyring.ts';
import type { Stage, WeekOptions } from './stage.ts';
import { between, isQuiet, MINUTE, START } from './world.ts';

const ipOf = (index: number): string => `203.0.${Math.floor(index / 250)}.${1 + (index % 250)}`;

/** A caller obeys Retry-After at most so often before they give up. */
const MAX_TRIES = 3;
/** The longest window and the time to recover. */
const STORE_QUIET_MILLISECONDS = 3 * MINUTE;

export const createCallers = (
  { world, time, random, endsAt, fail, ask }: Stage,
  keyring: Keyring,
  { callers, requestsPerCaller }: WeekOptions,
): readonly Promise<void>[] => {
  const ids = world.posts.map(({ id }) => id);
  const handles = [...world.handles.keys()];
  const meanPause = (endsAt - START) / requestsPerCaller;

  const subjectFor = (surface: ReadRoute): Subject => {
    // A search for new words is not cached.
    const isNew = surface.allowance === 'search' && random() < 0.5;
    return { id: pick(random, ids), handle: isNew ? `word${Math.floor(random() * 1e6)}` : pick(random, handles) };
  };

  const request = async (address: string, key: string | undefined): Promise<void> => {
    const surface = pick(random, surfaces);
    const subject = subjectFor(surface);
    const usedKey = surface.honoursKey ? key : undefined;
    let waitedForAllowance = false;
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const startedAt = time.now();
      const checked = await ask(surface, subject, address, usedKey);
      if (usedKey !== undefined) keyring.check(usedKey, startedAt, checked);
      const { status } = checked.reading;
      const isStoreQuiet = isQuiet(world.storeEpisodes, startedAt - STORE_QUIET_MILLISECONDS, time.now());
      if (status === 429 && waitedForAllowance && isStoreQuiet) fail(`${address}: Retry-After was not enough`);
      waitedForAllowance = status === 429;
      if ((status === 429 || status === 503) && checked.retryAfter === undefined) fail(`${status} without Retry-After`);
      if (status !== 429 && status !== 503) return;
      await time.sleep((checked.retryAfter ?? 0) * 1000);
    }
  };

  return Array.from({ length: callers }, async (_, index) => {
    const key = index % 2 === 0 ? undefined : keyring.create();
    await time.sleep(between(random, 0, meanPause));
    while (time.now() < endsAt) {
      // Some requests follow at once, so that they share a window and a cache.
      const series = random() < 0.2 ? Math.ceil(between(random, 2, 25)) : 1;
      for (let turn = 0; turn < series; turn += 1) await request(ipOf(index), key);
      const pause = between(random, 0, 2) * meanPause * series;
      if (time.now() + pause > endsAt) return;
      await time.sleep(pause);
    }
  });
};
