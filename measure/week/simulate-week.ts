// Simulates a week of the service in virtual time: providers and store fail and recover, keys are made and revoked, instances
// come and go, and callers ask by a schedule. Everything follows from the seed. Returns what broke an invariant.

import { keysOf, tableOf } from '../../shared/model/json.ts';
import type { LogFields } from '../../shared/ports/system.ts';
import { seededRandom } from '../../test/support/random.ts';
import type { Query } from '../../test/support/send.ts';
import { createBursts } from './bursts.ts';
import { createCallers } from './callers.ts';
import { type Checked, checkAnswer } from './check-answer.ts';
import { createCircuitWatch } from './circuit-watch.ts';
import { createFleet, PROVIDERS } from './fleet.ts';
import { createKeyring } from './keyring.ts';
import { countNames, type Stage, type WeekCounts, type WeekOptions, type WeekResult } from './stage.ts';
import { createProviders } from './virtual-providers.ts';
import { createStores } from './virtual-stores.ts';
import { installVirtualTime } from './virtual-time.ts';
import { connectNetwork } from './virtual-undici.ts';
import { between, createWorld, DAY, HOUR, MINUTE, START } from './world.ts';

/** No fault is planted in the last hour, so everything must recover. */
const QUIET_MILLISECONDS = HOUR;
/** After it nothing may be left that waits. */
const DRAIN_MILLISECONDS = 10 * MINUTE;
const RECYCLE_MILLISECONDS = 5 * HOUR;

/** Lines that only a defect of the service writes. */
const BUGS: ReadonlySet<string> = new Set(['upstream_bug', 'store_misused', 'edge_error']);

const count = (counts: WeekCounts, { reading, isFalseAbsence, needsSecond }: Checked): void => {
  counts.requests += 1;
  if (reading.isServed) counts.served += 1;
  if (reading.status === 502 || reading.status === 503) counts.failed += 1;
  if (reading.status === 429) counts.refused += 1;
  if (needsSecond && reading.isServed) counts.servedBySecond += 1;
  if (isFalseAbsence) counts.falseAbsences += 1;
};

export const simulateWeek = async (options: WeekOptions): Promise<WeekResult> => {
  const { seed, edge, sabotage = (stores) => stores, providers = PROVIDERS } = options;
  const random = seededRandom(seed);
  const endsAt = START + options.days * DAY;
  const world = createWorld(random, endsAt - QUIET_MILLISECONDS);
  const errors: string[] = [];
  const counts: WeekCounts = tableOf(keysOf(countNames), () => 0);
  counts.episodes = world.providerEpisodes.length + world.storeEpisodes.length;
  const time = installVirtualTime(START);
  try {
    connectNetwork(createProviders(world, time, random));
    const stores = sabotage(createStores(world, time, random));
    const circuits = createCircuitWatch(time);
    const log = (instance: string, fields: LogFields): void => {
      circuits.observe(instance, fields);
      const isBug = fields['code'] === 'internal_error' || BUGS.has(fields.event);
      if (isBug) errors.push(`logged: ${JSON.stringify(fields)}`);
    };
    const fleet = createFleet({ providers, time, random, stores, edge, log });
    let unanswered = 0;
    const ask: Stage['ask'] = async (surface, subject, address, key) => {
      const { headers, ...rest } = surface.queryOf(subject);
      const query: Query = { ...rest, headers: { ...headers, ...(key && { authorization: `Bearer ${key}` }) } };
      const startedAt = time.now();
      unanswered += 1;
      const response = await fleet.send(query, address);
      unanswered -= 1;
      const checked = checkAnswer(world, { surface, subject, startedAt, endedAt: time.now(), response });
      errors.push(...checked.errors);
      count(counts, checked);
      return checked;
    };
    const stage: Stage = { world, time, random, counts, endsAt, fail: (error) => void errors.push(error), ask };
    const keyring = createKeyring(stage, stores);
    const recycle = async (): Promise<void> => {
      while (time.now() < endsAt) {
        await time.sleep(between(random, 0.5, 1.5) * RECYCLE_MILLISECONDS);
        fleet.recycle();
      }
    };
    const actors = [
      ...createCallers(stage, keyring, options),
      ...createBursts(stage, keyring, options.bursts),
      keyring.administer(),
      recycle(),
    ];
    let running = actors.length;
    for (const actor of actors) {
      const end = (): void => {
        running -= 1;
      };
      actor.then(end, (error: unknown) => void errors.push(String(error)));
    }
    await time.runUntil(endsAt + DRAIN_MILLISECONDS);
    if (unanswered > 0) errors.push(`${unanswered} requests never ended`);
    // The operator may still sleep.
    await time.runUntil(endsAt + DRAIN_MILLISECONDS + DAY);
    if (running > 0) errors.push(`${running} actors never ended`);
    if (time.pending() > 0) errors.push(`${time.pending()} timers are left`);
    counts.circuitsOpened = circuits.opened();
    counts.circuitsClosed = circuits.closed();
    errors.push(...circuits.stuck());
  } finally {
    time.uninstall();
  }
  return { counts, errors };
};
