// Sends the requests of the commands by the client for npm: once, or again if the service is busy or fails.
import { CommandError } from '../../infra/command/output.ts';
import {
  asRecord,
  errorKind,
  errorMessage,
  isRecord,
  type JsonRecord,
  parseJson,
  terminalJson,
} from '../../shared/model/json.ts';
import type { Warning } from '../../shared/model/resources.ts';
import { visibleLine } from '../../shared/model/visible-text.ts';
import { createSender, requireOk } from '../src/http-client.ts';
import { PosternError } from '../src/postern-error.ts';
import { type RetryDelay, repeat } from '../src/retry.ts';
import type { Service } from './service.ts';

interface FailedRequest {
  /** The code of the problem; undefined: there was none. */
  readonly code?: string | undefined;
  /** The same request will fail again. Otherwise it can succeed later. */
  readonly lasts: boolean;
  /** Undefined: there was no complete answer. */
  readonly status?: number | undefined;
  /** Seconds, at least 1. */
  readonly retryAfter?: number | undefined;
  /** The service was not reached at all. @default false */
  readonly isUnreached?: boolean;
}

/** A request failed. Other requests can succeed. */
export class RequestError extends CommandError {
  readonly failed: FailedRequest;

  constructor(message: string, failed: FailedRequest) {
    super(message);
    this.failed = failed;
  }
}

const RATE_LIMITED = 429;

export const isTransient = (status: number): boolean => status === RATE_LIMITED || status >= 500;

/**
 * A problem for people, as the commands print it.
 *
 * @returns title, detail and resolution, a line each; undefined if the answer is not of a service
 */
export const failureText = ({ code, title, detail, resolution }: PosternError): string | undefined =>
  code === 'unexpected_response' ? undefined : [title, detail, resolution].map((text) => visibleLine(text)).join('\n');

/** @param error what a request throws */
const failureOf = (error: unknown): RequestError => {
  if (error instanceof RequestError) return error;
  if (error instanceof CommandError) return new RequestError(error.message, { lasts: true });
  if (error instanceof PosternError) {
    const { status, code, retryAfter } = error;
    return new RequestError(
      failureText(error) ?? `The service answered HTTP ${status} without a problem document. Check BASE_URL.`,
      // The service never sends 0. A request that is repeated at once would be a flood.
      { code, lasts: !isTransient(status), status, retryAfter: retryAfter || undefined },
    );
  }
  if (errorKind(error) === 'TimeoutError')
    return new RequestError('The service does not answer in time.', { lasts: false });
  const cause = error instanceof TypeError ? (error.cause ?? error) : error;
  return new RequestError(`The service does not answer (${errorMessage(cause)}). Start the service, or set BASE_URL.`, {
    lasts: false,
    isUnreached: true,
  });
};

export interface WaitBound {
  /** The waits after failures together, in seconds. */
  readonly seconds: number;
  /** How often a spent allowance is waited for. It is of the caller, so each of these waits is as long as it says. */
  readonly refusals: number;
}

export interface Patience {
  readonly signal: AbortSignal;
  /** Rejects if the signal aborts. */
  readonly sleep: (seconds: number, signal: AbortSignal | undefined) => Promise<void>;
  readonly onWait: (seconds: number, reason: string) => void;
  /** Bounds the waits of one request, if others can go on without it. @default only the number of failures bounds them */
  readonly waits?: WaitBound;
}

/** Consecutive failures after which a request is given up. A 429 that says how long to wait is no failure. */
const MAX_FAILURES = 5;
const ENDLESS: WaitBound = { seconds: Number.POSITIVE_INFINITY, refusals: Number.POSITIVE_INFINITY };
/** The wait after a first failure without Retry-After. Each further failure doubles it. */
const FIRST_WAIT_SECONDS = 2;

const createDelay = (isFirst: boolean, { onWait, waits = ENDLESS }: Patience): RetryDelay => {
  let failures = 0;
  let failedSeconds = 0;
  let refusals = 0;
  return (error) => {
    const { message, failed } = failureOf(error);
    const { lasts, status, retryAfter } = failed;
    if (lasts || (isFirst && status === undefined)) return undefined;
    const isRefusal = status === RATE_LIMITED && retryAfter !== undefined;
    if (isRefusal) refusals += 1;
    else failures += 1;
    const seconds = retryAfter ?? FIRST_WAIT_SECONDS * 2 ** (failures - 1);
    if (!isRefusal) failedSeconds += seconds;
    if (failures === MAX_FAILURES || failedSeconds > waits.seconds || refusals > waits.refusals) return undefined;
    onWait(seconds, message.split('\n')[0] ?? '');
    return seconds;
  };
};

/**
 * Repeats a request after exactly the seconds of Retry-After.
 *
 * @param isFirst the first request of a command is not repeated if the service cannot be reached
 * @throws RequestError if the service answers with a problem that lasts, fails 5 times in a row, or asks for more waits than the
 *   bound allows
 */
export const persist = <T>(request: () => Promise<T>, isFirst: boolean, patience: Patience): Promise<T> =>
  repeat(request, createDelay(isFirst, patience), patience.signal, patience.sleep).catch((error: unknown) => {
    patience.signal.throwIfAborted();
    throw failureOf(error);
  });

export interface Target {
  /** Path and query. */
  readonly target: string;
  /** Of a page, which no `format` selects. @default any */
  readonly accept?: string | undefined;
  readonly signal: AbortSignal;
}

/** Sends a request once. @throws PosternError if the answer is a problem; TypeError or DOMException if there is none */
export const send = async ({ origin, ...service }: Service, { target, accept, signal }: Target): Promise<Response> =>
  requireOk(await createSender(origin, service)(`${origin}${target}`, { Accept: accept ?? '*/*' }, signal));

export interface ListItem {
  /** The item as the service wrote it, but without what a terminal would obey. */
  readonly line: string;
  readonly value: JsonRecord;
}

export interface ListPage {
  readonly items: readonly ListItem[];
  /** Undefined: the end of the list. */
  readonly nextCursor: string | undefined;
  readonly warnings: readonly Pick<Warning, 'code' | 'message'>[];
  /** The members that only some lists have, such as the gaps of a conversation. */
  readonly about: JsonRecord;
}

const warningsIn = (value: unknown): ListPage['warnings'] =>
  (Array.isArray(value) ? value : []).flatMap((warning: unknown) => {
    const { code, message } = asRecord(warning) ?? {};
    return typeof code === 'string' && typeof message === 'string' ? [{ code, message }] : [];
  });

/** @returns empty if the member is no text */
export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/** X does not tell the id of every account. */
const ITEM_NAMES = ['id', 'handle'];

/** @returns undefined unless the line is an item of a list */
export const parseItem = (line: string): JsonRecord | undefined => {
  const value = parseJson(line);
  return isRecord(value) && ITEM_NAMES.some((name) => typeof value[name] === 'string') ? value : undefined;
};

/** @returns undefined if the body is not NDJSON up to its last line: it was broken off */
export const parsePage = (body: string): ListPage | undefined => {
  const lines = body.split('\n');
  const rest = lines.pop();
  const last = asRecord(parseJson(lines.pop() ?? ''));
  if (rest !== '' || last === undefined || !('next_cursor' in last)) return undefined;
  const items: ListItem[] = [];
  for (const line of lines) {
    const value = parseItem(line);
    if (value === undefined) return undefined;
    items.push({ line: terminalJson(line).trim(), value });
  }
  const { next_cursor: nextCursor, warnings, ...about } = last;
  return {
    items,
    nextCursor: typeof nextCursor === 'string' ? nextCursor : undefined,
    warnings: warningsIn(warnings),
    about,
  };
};

/** @throws RequestError */
export const requestPage = (
  service: Service,
  target: string,
  isFirst: boolean,
  patience: Patience,
): Promise<ListPage> => {
  const readPage = async (): Promise<ListPage> => {
    const page = parsePage(await (await send(service, { target, signal: patience.signal })).text());
    if (page === undefined) throw new RequestError('The answer of the service is not complete.', { lasts: false });
    return page;
  };
  return persist(readPage, isFirst, patience);
};
