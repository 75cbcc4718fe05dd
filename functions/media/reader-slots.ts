// Shares the files that are passed on at the same time between readers, by the rule of the bulkhead: half of the slots are
// for networks that hold none, and a tenth for networks whose surroundings hold none. A reader without a slot waits for one.
// While a network that holds none waits, the reader goes who has taken no byte for longest, of the surroundings that hold
// most: it would keep its slot for the whole time that a reader may be silent.
import { elapsed, type Monotonic } from '../../shared/model/time.ts';
import type { Clock } from '../../shared/ports/system.ts';
import { createBulkhead, surroundingNetwork } from '../../shared/resilience/bulkhead.ts';

/** A page loads many pictures at once; each waits for less time than a browser does. */
const WAIT_MILLISECONDS = 8000;
/** A reader who takes its file is never silent for so long. */
const SILENT_MILLISECONDS = 1000;
const MAX_WAITING = 1024;
const MAX_WAITING_OF_NETWORK = 256;

export interface ReaderSlot {
  /** Called before each chunk is offered, and when it was taken. */
  setWaitsForReader(isWaiting: boolean): void;
  release(): void;
}

export interface ReaderSlots {
  /**
   * @param network undefined: only the number of slots counts
   * @param end called if the slot is given to another network; `release` must then follow
   * @returns undefined if no slot became free in time
   */
  acquire(network: string | undefined, end: () => void): Promise<ReaderSlot | undefined>;
}

interface Reader {
  readonly network: string | undefined;
  readonly end: () => void;
  offeredAt: Monotonic | undefined;
}

const surroundingsOf = ({ network }: Pick<Reader, 'network'>): string | undefined =>
  network === undefined ? undefined : surroundingNetwork(network);

export const createReaderSlots = (count: number, clock: Clock): ReaderSlots => {
  const bulkhead = createBulkhead(count);
  const readers = new Set<Reader>();
  const waiting = new Map<string | undefined, number>();
  let waitingOfAll = 0;

  const wait = (network: string | undefined, change: 1 | -1): void => {
    waitingOfAll += change;
    const own = (waiting.get(network) ?? 0) + change;
    if (own === 0) waiting.delete(network);
    else waiting.set(network, own);
  };

  const heldBy = (surroundings: string | undefined): number =>
    [...readers].filter((reader) => surroundingsOf(reader) === surroundings).length;

  const endSlowest = (): void => {
    const now = clock();
    const silent = [...readers]
      .flatMap((reader) =>
        reader.offeredAt === undefined ? [] : [{ reader, silence: elapsed(reader.offeredAt, now) }],
      )
      .filter(({ silence }) => silence >= SILENT_MILLISECONDS)
      .map((row) => ({ ...row, held: heldBy(surroundingsOf(row.reader)) }));
    const [slowest] = silent.toSorted((a, b) => b.held - a.held || b.silence - a.silence);
    slowest?.reader.end();
  };

  const holdsNone = (network: string): boolean => ![...readers].some((reader) => reader.network === network);

  const acquireInTime = async (network: string | undefined): Promise<boolean> => {
    const makeRoom = (): void => {
      if (network !== undefined && holdsNone(network)) endSlowest();
    };
    const acquired = bulkhead.acquire(WAIT_MILLISECONDS, network);
    const timer = setInterval(makeRoom, SILENT_MILLISECONDS);
    try {
      // A free slot is acquired before this.
      void Promise.race([acquired, Promise.resolve(undefined)]).then((is) => is === undefined && makeRoom());
      return await acquired;
    } finally {
      clearInterval(timer);
    }
  };

  return {
    async acquire(network, end) {
      const own = waiting.get(network) ?? 0;
      if (waitingOfAll >= MAX_WAITING || own >= MAX_WAITING_OF_NETWORK) return undefined;
      wait(network, 1);
      const isAcquired = await acquireInTime(network).finally(() => wait(network, -1));
      if (!isAcquired) return undefined;
      const reader: Reader = { network, end, offeredAt: undefined };
      readers.add(reader);
      return {
        setWaitsForReader(isWaiting) {
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
