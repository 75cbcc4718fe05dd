// Requests a page of a list or a post, and repeats the request if the service is busy: after exactly the seconds of Retry-After.
import {
  asRecord,
  errorKind,
  errorMessage,
  isRecord,
  type JsonRecord,
  parseJson,
  terminalJson,
} from '../../../shared/model/json.ts';
import type { Warning } from '../../../shared/model/resources.ts';
import { CommandError, problemText, RequestError } from '../request-text.ts';
import type { ServiceAnswer, ServiceClient } from './service-client.ts';

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
}

export interface RequestPorts {
  readonly client: Pick<ServiceClient, 'get'>;
  readonly signal: AbortSignal;
  /** Rejects if the signal aborts. */
  readonly sleep: (seconds: number, signal: AbortSignal) => Promise<void>;
  readonly onWait: (seconds: number, reason: string) => void;
  /** Bounds the waits of one request, if others can go on without it. @default only the number of failures bounds them */
  readonly waits?: WaitBound;
}

export interface WaitBound {
  /** The waits after failures together, in seconds. */
  readonly seconds: number;
  /** How often a spent allowance is waited for. It is of the caller, so each of these waits is as long as it says. */
  readonly refusals: number;
}

/** Consecutive failures after which a request is given up. A 429 that says how long to wait is no failure. */
const MAX_FAILURES = 5;
const ENDLESS: WaitBound = { seconds: Number.POSITIVE_INFINITY, refusals: Number.POSITIVE_INFINITY };
/** The wait after a first failure without Retry-After. Each further failure doubles it. */
const FIRST_WAIT_SECONDS = 2;

const warningsIn = (value: unknown): ListPage['warnings'] =>
  (Array.isArray(value) ? value : []).flatMap((warning: unknown) => {
    const { code, message } = asRecord(warning) ?? {};
    return typeof code === 'string' && typeof message === 'string' ? [{ code, message }] : [];
  });

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
  const { next_cursor: nextCursor, warnings } = last;
  return { items, nextCursor: typeof nextCursor === 'string' ? nextCursor : undefined, warnings: warningsIn(warnings) };
};

const codeIn = (body: string): string | undefined => {
  const code = asRecord(parseJson(body))?.['code'];
  return typeof code === 'string' ? code : undefined;
};

const RATE_LIMITED = 429;

const isTransient = (status: number): boolean => status === RATE_LIMITED || status >= 500;

/** A failure without an answer: the service was not reached, or the answer was broken off. */
type Attempt<T> = { readonly value: T } | { readonly failure: RequestError; readonly answer?: ServiceAnswer };

const problemOf = ({ status, body }: ServiceAnswer): RequestError =>
  new RequestError(
    problemText(body) ?? `The service answered HTTP ${status} without a problem document. Check BASE_URL.`,
    { code: codeIn(body), lasts: !isTransient(status) },
  );

const noAnswer = (error: unknown): RequestError => {
  const isTimeout = errorKind(error) === 'TimeoutError';
  const text = isTimeout
    ? 'The service does not answer in time.'
    : `The service does not answer (${errorMessage(error)}). Start the service, or set BASE_URL.`;
  return new RequestError(text, { lasts: false, isUnreached: !isTimeout });
};

/** @returns undefined: the answer was broken off */
type ReadAnswer<T> = (answer: ServiceAnswer) => T | undefined;

const attempt = async <T>(
  target: string,
  read: ReadAnswer<T>,
  { client, signal }: RequestPorts,
): Promise<Attempt<T>> => {
  let answer: ServiceAnswer;
  try {
    answer = await client.get(target, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof CommandError) throw new RequestError(error.message, { lasts: true });
    return { failure: noAnswer(error) };
  }
  // A file whose download was broken off has no status.
  if (answer.status !== 200) signal.throwIfAborted();
  if (answer.status !== 200) return { failure: problemOf(answer), answer };
  const value = read(answer);
  return value === undefined
    ? { failure: new RequestError('The answer of the service is not complete.', { lasts: false }) }
    : { value };
};

/**
 * Repeats a request after exactly the seconds of Retry-After.
 *
 * @param isFirst the first request of a command is not repeated if the service cannot be reached
 * @throws RequestError if the service answers with a problem that lasts, fails 5 times in a row, or asks for more waits than the
 *   bound allows
 */
export const requestAnswer = async <T>(
  target: string,
  isFirst: boolean,
  ports: RequestPorts,
  read: ReadAnswer<T>,
): Promise<T> => {
  const { seconds: maxSeconds, refusals: maxRefusals } = ports.waits ?? ENDLESS;
  let failures = 0;
  let failedSeconds = 0;
  let refusals = 0;
  for (;;) {
    const result = await attempt(target, read, ports);
    if ('value' in result) return result.value;
    const { failure, answer } = result;
    if (answer === undefined ? isFirst : !isTransient(answer.status)) throw failure;
    const isRefusal = answer?.status === RATE_LIMITED && answer.retryAfter !== undefined;
    if (isRefusal) refusals += 1;
    else failures += 1;
    const seconds = answer?.retryAfter ?? FIRST_WAIT_SECONDS * 2 ** (failures - 1);
    if (!isRefusal) failedSeconds += seconds;
    if (failures === MAX_FAILURES || failedSeconds > maxSeconds || refusals > maxRefusals) throw failure;
    ports.onWait(seconds, failure.message.split('\n')[0] ?? '');
    await ports.sleep(seconds, ports.signal);
    ports.signal.throwIfAborted();
  }
};

/** @throws CommandError */
export const requestPage = (target: string, isFirst: boolean, ports: RequestPorts): Promise<ListPage> =>
  requestAnswer(target, isFirst, ports, ({ body }) => parsePage(body));
