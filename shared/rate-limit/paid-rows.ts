// Bounds the rows per day (UTC) that a provider bills.
//
// Algorithm. Before a call the most rows that it can return are reserved with one conditional write, so all instances
// together never exceed the ceiling, whatever the concurrency. After the call the rows that were not billed are given back
// with a second write; a call for one row that was billed needs none. A call whose result is unknown, such as a time-out,
// stays counted as a whole, because X may have billed it. So does a write whose answer is lost.
//
// Refusal. A call is refused if its most rows do not fit. If they do not fit beside the rows that are billed for certain, it
// stays refused until the day ends, without a write. Otherwise reservations of other calls are in the way, which end within
// seconds: calls with as many rows are refused without a write for 5 s. A call for fewer rows is still tried, so that small
// reads go on while a large page does not fit.
//
// Failure. If the store does not answer, the instance spends at most 1 % of the ceiling (rounded up) per day from its memory.
// These rows are not in the store.
import { paidRowsDay } from '../contract/providers.ts';
import { later, type Monotonic, NEVER_BEFORE } from '../model/time.ts';
import type { PaidRowStore, PaidRows, RowReservation } from '../ports/stores.ts';
import type { Clock, Log, WallClock } from '../ports/system.ts';
import { SINGLE_ATTEMPT, type StoreGuard } from '../stores/store-guard.ts';

const REFUSAL_MILLISECONDS = 5000;
/** The part of the ceiling that an instance may spend while the store does not answer. */
export const MEMORY_SHARE = 0.01;

export interface PaidRowsOptions {
  /** Unset: only the memory of this process counts, and it may spend the whole ceiling. */
  readonly store?: PaidRowStore | undefined;
  readonly guard: StoreGuard;
  /** Rows per day, at least 1. */
  readonly ceiling: number;
  readonly clock: Clock;
  /** For the day, which all instances share. */
  readonly wall: WallClock;
  readonly log: Log;
}

/** The knowledge of the instance about one day. */
interface Day {
  readonly startsAt: number;
  /** Billed for certain, as the store said last. */
  billed: number;
  /** Reserved from memory. */
  inMemory: number;
  /** Calls with at least `rows` rows are refused before `until`. */
  refused: { readonly rows: number; readonly until: Monotonic };
  isLogged: boolean;
}

export const createPaidRows = ({ store, guard, ceiling, clock, wall, log }: PaidRowsOptions): PaidRows => {
  let day: Day | undefined;
  const today = (): Day => {
    const { startsAt } = paidRowsDay(wall.now());
    if (day?.startsAt !== startsAt)
      day = { startsAt, billed: 0, inMemory: 0, refused: { rows: 0, until: NEVER_BEFORE }, isLogged: false };
    return day;
  };
  const memoryCeiling = store === undefined ? ceiling : Math.ceil(ceiling * MEMORY_SHARE);

  const isRefused = ({ billed, refused }: Day, rows: number): boolean =>
    rows > ceiling - billed || (rows >= refused.rows && clock() < refused.until);

  const refuse = (current: Day, rows: number, billed: number): undefined => {
    current.billed = Math.max(current.billed, billed);
    const least = clock() < current.refused.until ? Math.min(rows, current.refused.rows) : rows;
    current.refused = { rows: least, until: later(clock(), REFUSAL_MILLISECONDS) };
    if (current.isLogged) return;
    current.isLogged = true;
    log({ level: 'warn', event: 'paid_rows_spent', rows, billed: current.billed, ceiling });
  };

  const reserveInMemory = (current: Day, rows: number): RowReservation | undefined => {
    if (current.inMemory + rows > memoryCeiling) return undefined;
    current.inMemory += rows;
    return {
      async settle(billed) {
        current.inMemory += billed - rows;
      },
    };
  };

  return {
    isSpent: (rows) => isRefused(today(), rows),

    async reserve(rows, deadline) {
      const current = today();
      if (isRefused(current, rows)) return undefined;
      if (store === undefined) return reserveInMemory(current, rows);
      const known = rows === 1 ? 1 : 0;
      const result = await guard((signal) => store.reserve(current.startsAt, rows, known, ceiling, signal), {
        deadline,
        attempts: 1,
      });
      if (!result.ok) return reserveInMemory(current, rows);
      if (result.value !== undefined) return refuse(current, rows, result.value.billed);
      return {
        async settle(billed) {
          if (billed === known && rows === known) return;
          await guard(
            (signal) => store.correct(current.startsAt, billed - rows, billed - known, signal),
            SINGLE_ATTEMPT,
          );
        },
      };
    },
  };
};
