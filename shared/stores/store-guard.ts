// Bounds the time that a request spends on a store, so that a failing store degrades a response and does not fail it.
//
// Architecture. Each store of a function instance has a guard and a circuit breaker of its own. Adapters
// (dynamodb-*.ts) reject on failure; the guard never rejects and returns `ok: false` instead. The caller of the guard
// decides what the request does without the store.
//
// Algorithm. Each attempt needs a permit of the breaker and has 150 ms, plus up to 1000 ms while connections are set up
// (createStoreConnection), but never more than the time until the deadline. A failed attempt is repeated only if the caller
// allows further attempts. An attempt that ran out of time is aborted. The time for which this process is busy is no failure
// of the store: the deadline does not count it (`deadlineClock`), and it counts little in an attempt (PARTS).
//
// States (resilience/circuit-breaker.ts). Closed: calls pass. Open after 3 consecutive failures: calls return at once,
// for 1 to 2 s at random. Half-open: one probe call passes; its success closes the breaker, its failure opens it again.
//
// Failure. A store that does not answer costs at most 3 requests the time of an attempt, then one request every 1 to 2 s.
// `store_failed` is logged for failures that may pass. `store_misused` is logged as an error for configuration errors
// (permissions, table name, invalid request), which are not repeated. After a time-out the result of a write is unknown.
import type { OperatorEvent } from '../contract/metrics.ts';
import { errorKind } from '../model/json.ts';
import { elapsed, later, NEVER, NEVER_BEFORE } from '../model/time.ts';
import type { Clock, Deadline, Log } from '../ports/system.ts';
import { type BreakerOptions, createCircuitBreaker } from '../resilience/circuit-breaker.ts';

/** True for errors of the AWS SDK, which sets `$metadata`; false for programming errors. */
export const isStoreError = (error: unknown): boolean => error instanceof Error && '$metadata' in error;

// The connection grants extra time to store calls while an instance sets up its connections. The first calls include
// DNS, TCP and TLS, so without extra time a slow set-up would count as a failure of the store.

const SETUP_MILLISECONDS = 1000;
/** After 30 s without a call the sockets may be closed: Lambda freezes instances, and DynamoDB closes idle sockets. */
const IDLE_MILLISECONDS = 30_000;

export interface StoreConnection {
  /** Extra milliseconds for a call that starts now: 0 to 1000. */
  setupMilliseconds(): number;
  /** Call it when a store call ends, with success or failure. */
  recordCall(): void;
}

export const createStoreConnection = (clock: Clock): StoreConnection => {
  let lastCallAt = NEVER_BEFORE;
  let setupUntil = NEVER_BEFORE;
  return {
    setupMilliseconds() {
      const now = clock();
      if (elapsed(lastCallAt, now) >= IDLE_MILLISECONDS && now >= setupUntil)
        setupUntil = later(now, SETUP_MILLISECONDS);
      return Math.max(0, elapsed(now, setupUntil));
    },
    recordCall() {
      lastCallAt = clock();
    },
  };
};

const ATTEMPT_MILLISECONDS = 150;

/** For all store calls before the response of one request: the key lookup and the charges together. */
export const STORE_BUDGET_MILLISECONDS = 350;

const BREAKER_OPTIONS: BreakerOptions = { failureThreshold: 3, openMilliseconds: 2000 };

/** Errors that the operator must correct: a repeated call fails in the same way. */
const CONFIGURATION_ERRORS = new Set([
  'AccessDeniedException',
  'IncompleteSignatureException',
  'MissingAuthenticationTokenException',
  'ResourceNotFoundException',
  'SerializationException',
  'UnrecognizedClientException',
  'ValidationException',
]);

export type GuardedResult<T> = { readonly ok: true; readonly value: T } | { readonly ok: false };

/** Never rejects. @param attempts upper bound; no attempt starts after the deadline */
export type StoreGuard = <T>(
  work: (signal: AbortSignal) => Promise<T>,
  limits: { readonly deadline: Deadline; readonly attempts: number },
) => Promise<GuardedResult<T>>;

/**
 * For calls after the answer is decided, and for those of operators: only the time limit of an attempt applies, and a write
 * that gives back is not repeated.
 */
export const SINGLE_ATTEMPT = { deadline: NEVER, attempts: 1 } as const;

export interface GuardOptions {
  readonly clock: Clock;
  /** The clock of deadlines, which should not count the time for which this process is busy. @default `clock` */
  readonly deadlineClock?: Clock | undefined;
  readonly log: Log;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** @default no extra time */
  readonly connection?: StoreConnection;
}

/**
 * The time limit of an attempt consists of parts, each with a timer of its own. If this process is busy, all its timers are
 * late, and answers that have arrived wait behind them: each part then gives them a turn, so the delay is not taken for a
 * failure of the store.
 */
const PARTS = 10;

const withTimeout = async <T>(milliseconds: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const controller = new AbortController();
  const { promise: timedOut, reject } = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const wait = (parts: number): void => {
    timer = setTimeout(() => {
      if (parts > 1) return wait(parts - 1);
      const reason = new DOMException('the store did not answer in time', 'TimeoutError');
      controller.abort(reason);
      reject(reason);
    }, milliseconds / PARTS);
  };
  wait(PARTS);
  try {
    return await Promise.race([work(controller.signal), timedOut]);
  } finally {
    clearTimeout(timer);
  }
};

/** @param store name of the store in logs */
export const createStoreGuard = (
  store: string,
  { clock, deadlineClock = clock, log, random, connection }: GuardOptions,
): StoreGuard => {
  const breaker = createCircuitBreaker(clock, random, BREAKER_OPTIONS);
  return async (work, { deadline, attempts }) => {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const left = elapsed(deadlineClock(), deadline);
      const permit = left > 0 ? breaker.acquire() : undefined;
      if (permit === undefined) break;
      try {
        const setup = connection?.setupMilliseconds() ?? 0;
        const value = await withTimeout(Math.min(ATTEMPT_MILLISECONDS + setup, left), work);
        connection?.recordCall();
        permit.report('success');
        return { ok: true, value };
      } catch (error) {
        connection?.recordCall();
        permit.report('failure');
        const kind = errorKind(error);
        const isConfigurationError = CONFIGURATION_ERRORS.has(kind);
        const event: OperatorEvent = isConfigurationError ? 'store_misused' : 'store_failed';
        log({ level: isConfigurationError ? 'error' : 'warn', event, store, kind });
        if (isConfigurationError) break;
      }
    }
    return { ok: false };
  };
};
