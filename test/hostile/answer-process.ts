// Reads one subject from a provider in a process of its own, presents it in one form, and prints what that cost.

import { createProfilesHandler, createSearchHandler } from '../../functions/bindings/lists.ts';
import { createPostsHandler } from '../../functions/bindings/posts.ts';
import { createMcpHandler } from '../../functions/mcp/create-handler.ts';
import { createRegistry } from '../../functions/mcp/create-registry.ts';
import { createOembedHandler } from '../../functions/oembed/create-handler.ts';
import { clientNetwork } from '../../shared/auth/client-network.ts';
import type { LambdaName } from '../../shared/contract/lambdas.ts';
import type { HttpEvent } from '../../shared/http/event.ts';
import type { LambdaHandler } from '../../shared/http/pipeline.ts';
import { createFairUse } from '../../shared/rate-limit/fair-use.ts';
import { createUpstream } from '../../shared/upstream/create-upstream.ts';
import { createCursorCodec } from '../../shared/use-cases/signed-cursors.ts';
import { createTestAccessControl } from '../support/access-control.ts';
import { context, routedEvent } from '../support/event.ts';
import { mcpEvent } from '../support/mcp-server.ts';

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

const clock = Date.now;
const log = (): void => undefined;
const upstream = createUpstream({
  providers: [{ name: 'fxtwitter', baseUrl, source: 'fxtwitter' }],
  canaryPost: '20',
  canaryProfile: 'canary_bird',
  userAgent: 'Postern/test',
  cacheMilliseconds: 60_000,
  clock,
  log,
  random: Math.random,
  limits: { maxBodyBytes, attemptMilliseconds: 60_000 },
});
const ports = {
  clock,
  log,
  upstream,
  accessControl: createTestAccessControl({ clock }),
  settings: { originSecrets: ['local'], baseUrl: 'https://api.example.test', cacheTtlSeconds: 300 },
  cursors: createCursorCodec(['a secret of the measurement']),
  fairUse: createFairUse(clock, clientNetwork),
  readPicture: async () => undefined,
};

const registry = createRegistry(ports);
const handlers: Readonly<Partial<Record<LambdaName, LambdaHandler>>> = {
  posts: createPostsHandler(ports),
  oembed: createOembedHandler(ports),
  profiles: createProfilesHandler(ports),
  search: createSearchHandler(ports),
  mcp: createMcpHandler(registry, ports, { research: registry }),
};

const eventOf = ({
  target,
  accept,
  body,
}: AnswerRequest): { readonly lambda: LambdaName; readonly event: HttpEvent } => {
  if (body === undefined) return routedEvent(target, { headers: accept === undefined ? {} : { accept } });
  return { lambda: 'mcp', event: mcpEvent({ body, headers: { 'content-type': 'application/json' } }) };
};

const costOf = async (request: AnswerRequest): Promise<AnswerCost> => {
  const { lambda, event } = eventOf(request);
  const memoryBefore = process.memoryUsage.rss();
  const cpuBefore = process.cpuUsage();
  const result = await handlers[lambda]?.(event, context(120_000));
  const { user, system } = process.cpuUsage(cpuBefore);
  return {
    status: result?.statusCode ?? 0,
    bytes: Buffer.byteLength(JSON.stringify(result?.body ?? '')),
    cpuMilliseconds: (user + system) / 1000,
    memoryBytes: process.resourceUsage().maxRSS * 1024 - memoryBefore,
  };
};

let cost: AnswerCost | undefined;
for (const request of requests) cost = await costOf(request);
console.log(JSON.stringify(cost));
process.exit();
