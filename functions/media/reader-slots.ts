// Shares the files that are passed on at the same time between networks, each the /24 of an IPv4 address or the /48 of an
// IPv6 address, by the rule of the bulkhead: half of the slots are for networks that hold none, and a network holds at most a
// third. A reader without a slot waits for one, in a room with a bound. If the room is full, the network with most readers
// in it gives up its newest place for a network with fewer.
//
// While a reader waits whose network holds fewer slots than another, the reader goes who has let us wait for longest, of the
// network that holds most: otherwise readers that stop, or take a few bytes a second, would keep their slots for the whole
// time that a reader may have.
import { elapsed, type Monotonic } from '../../shared/model/time.ts';
import type { Clock } from '../../shared/ports/system.ts';
import { createBulkhead, surroundingNetwork } from '../../shared/resilience/bulkhead.ts';

/** A page loads many pictures at once; each waits for less time than a browser does. */
const WAIT_MILLISECONDS = 8000;
/** A reader who takes its file does not let us wait for so long in all. */
const SLOW_MILLISECONDS = 1000;
const MAX_WAITING = 1024;
const MAX_WAITING_OF_NETWORK = 256;

export interface ReaderSlot {
  /** Called before each chunk is offered, and when it was taken. */
  setWaitsForReader(isWaiting: boolean): void;
  release(): void;
}

export interface ReaderSlots {
  /**
   * @param client network of one reader; undefined: only the number of slots counts
   * @param end called if the slot is given to another network; `release` must then follow
   * @returns undefined if no slot became free in time
   */
  acquire(client: string | undefined, end: () => void): Promise<ReaderSlot | undefined>;
}

interface Reader {
  readonly network: string | undefined;
  readonly end: () => void;
  /** The time for which we have waited for the reader, until the last chunk was taken. */
  waited: number;
  offeredAt: Monotonic | undefined;
}

export const createReaderSlots = (count: number, clock: Clock): ReaderSlots => {
  const bulkhead = createBulkhead(count);
  const readers = new Set<Reader>();
  /** By network; each leaves if its controller aborts. */
  const waiting = new Map<string | undefined, Set<AbortController>>();
  let places = MAX_WAITING;

  /** @returns true if there is a place in the room for one reader more of the network */
  const makePlace = (network: string | undefined): boolean => {
    const own = waiting.get(network)?.size ?? 0;
    if (own >= MAX_WAITING_OF_NETWORK) return false;
    if (places > 0) return true;
    const [largest = new Set()] = [...waiting.values()].toSorted((a, b) => b.size - a.size);
    if (largest.size <= own + 1) return false;
    [...largest].at(-1)?.abort();
    return true;
  };

  /** @returns leaves the room */
  const enter = (network: string | undefined, reader: AbortController): (() => void) => {
    const room = waiting.get(network) ?? new Set();
    waiting.set(network, room.add(reader));
    places -= 1;
    const leave = (): void => {
      if (!room.delete(reader)) return;
      places += 1;
      if (room.size === 0) waiting.delete(network);
    };
    reader.signal.addEventListener('abort', leave);
    return leave;
  };

  const waitedFor = ({ waited, offeredAt }: Reader, now: Monotonic): number =>
    waited + (offeredAt === undefined ? 0 : elapsed(offeredAt, now));

  const endSlowest = (network: string | undefined): void => {
    const counts = new Map<string | undefined, number>();
    for (const reader of readers) counts.set(reader.network, (counts.get(reader.network) ?? 0) + 1);
    const own = counts.get(network) ?? 0;
    const now = clock();
    const [slowest] = [...readers]
      .map((reader) => ({ reader, held: counts.get(reader.network) ?? 0, waited: waitedFor(reader, now) }))
      .filter(({ held, waited }) => held > own + Number(own > 0) && waited >= SLOW_MILLISECONDS)
      .toSorted((a, b) => b.held - a.held || b.waited - a.waited);
    slowest?.reader.end();
  };

  const acquireInTime = async (network: string | undefined): Promise<boolean> => {
    const reader = new AbortController();
    const leave = enter(network, reader);
    const acquired = bulkhead.acquire(WAIT_MILLISECONDS, network, reader.signal);
    const timer = setInterval(() => endSlowest(network), SLOW_MILLISECONDS);
    try {
      // A free slot is acquired before this.
      void Promise.race([acquired, Promise.resolve(undefined)]).then((is) => is === undefined && endSlowest(network));
      return await acquired;
    } finally {
      clearInterval(timer);
      leave();
    }
  };

  return {
    async acquire(client, end) {
      const network = client === undefined ? undefined : surroundingNetwork(client);
      if (!makePlace(network) || !(await acquireInTime(network))) return undefined;
      const reader: Reader = { network, end, waited: 0, offeredAt: undefined };
      readers.add(reader);
      return {
        setWaitsForReader(isWaiting) {
          reader.waited = waitedFor(reader, clock());
          reader.offeredAt = isWaiting ? clock() : undefined;
        },
        release() {
          readers.delete(reader);
          bulkhead.release(network);
        },
      };
    },
  };
};
