// Reads one subject from a provider in a process of its own, presents it in one form, and prints what that cost.
import type { LambdaName } from '../../shared/contract/lambdas.ts';
import type { HttpEvent } from '../../shared/http/event.ts';
import { createMemoryCounterStore } from '../../shared/stores/memory-counter-store.ts';
import { emptyKeyReader, UNLIMITED_ALLOWANCES } from '../../test/support/access-control.ts';
import { context, routedEvent } from '../../test/support/event.ts';
import { mcpEvent } from '../../test/support/mcp-server.ts';
import { createVirtualHandler, isReadingLambda } from '../week/virtual-handler.ts';

/** The requests of one process. */
export interface AnswerTask {
  readonly baseUrl: string;
  /** The maximum size of a provider answer in bytes. */
  readonly maxBodyBytes: number;
  /** The first request warms the process up; the last one is measured. */
  readonly requests: readonly AnswerRequest[];
}

/** A GET of a target, or a call of a tool. */
export interface AnswerRequest {
  readonly target: string;
  readonly accept?: string;
  /** The JSON-RPC message. */
  readonly body?: string;
}

export interface AnswerCost {
  readonly status: number;
  /** The size of the response of the function. */
  readonly bytes: number;
  readonly cpuMilliseconds: number;
  /** The most memory that the process had, less what it had before the request. */
  readonly memoryBytes: number;
}

const { baseUrl, maxBodyBytes, requests }: AnswerTask = JSON.parse(process.argv[2] ?? '');

const eventOf = ({
  target,
  accept,
  body,
}: AnswerRequest): { readonly lambda: LambdaName; readonly event: HttpEvent } => {
  if (body === undefined) return routedEvent(target, { headers: accept === undefined ? {} : { accept } });
  return { lambda: 'mcp', event: mcpEvent({ body, headers: { 'content-type': 'application/json' } }) };
};

const events = requests.map(eventOf);
/** All requests of a process are for one function. */
const lambda = events[0]?.lambda ?? 'posts';
if (!isReadingLambda(lambda)) throw new Error(`${lambda} reads no provider`);
const handle = createVirtualHandler(lambda, {
  providers: [{ name: 'fxtwitter', baseUrls: [baseUrl], source: 'fxtwitter' }],
  time: { now: Date.now },
  random: Math.random,
  keys: emptyKeyReader,
  counters: createMemoryCounterStore(Date.now),
  allowances: UNLIMITED_ALLOWANCES,
  log: () => undefined,
  limits: { maxBodyBytes, attemptMilliseconds: 60_000 },
});

const costOf = async (event: HttpEvent): Promise<AnswerCost> => {
  const memoryBefore = process.memoryUsage.rss();
  const cpuBefore = process.cpuUsage();
  const result = await handle(event, context(120_000));
  const { user, system } = process.cpuUsage(cpuBefore);
  return {
    status: result.statusCode ?? 0,
    bytes: Buffer.byteLength(JSON.stringify(result.body ?? '')),
    cpuMilliseconds: (user + system) / 1000,
    memoryBytes: process.resourceUsage().maxRSS * 1024 - memoryBefore,
  };
};

let cost: AnswerCost | undefined;
for (const { event } of events) cost = await costOf(event);
console.log(JSON.stringify(cost));
process.exit();
