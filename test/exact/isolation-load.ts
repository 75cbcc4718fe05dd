// Measures how many requests of other callers are served while one caller misbehaves: each kind of misbehaviour with each
// kind of request, over HTTP, through the whole local service. Every caller has one IP address of their own.
import { request } from 'node:http';
import { startLocalService } from '../../infra/local/service.ts';
import {
  failingHandle,
  failingId,
  healthyHandle,
  healthyId,
  largeId,
  misbehaviourNames as providerFaultNames,
  startMisbehavingProvider,
} from './misbehaving-provider.ts';

const MISBEHAVING_ADDRESS = '127.66.6.6';

interface Request {
  readonly target: string;
  readonly body?: string;
}

/** A request for a subject with this id, handle or word. */
type Read = (subject: { readonly id: string; readonly handle: string }) => Request;

const tool = (name: string, args: object, id = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

const mcp = (message: unknown): Request => ({ target: '/mcp', body: JSON.stringify(message) });

const reads: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['post', ({ id }) => ({ target: `/api/v1/posts?handle=ada&id=${id}&format=json` })],
  ['profile', ({ handle }) => ({ target: `/api/v1/profiles/${handle}?format=json` })],
  ['followers', ({ handle }) => ({ target: `/api/v1/profiles/${handle}/followers?format=json` })],
  ['following', ({ handle }) => ({ target: `/api/v1/profiles/${handle}/following?format=json` })],
  ['search', ({ handle }) => ({ target: `/api/v1/search?q=${handle}&format=json` })],
  ['tool', ({ id }) => mcp(tool('x_get_post', { id }))],
]);

export const requestNames: readonly string[] = [...reads.keys()];

const BATCH = 20;

/** The requests of the misbehaving caller, by turn. */
const misbehaviours: ReadonlyMap<string, (turn: number) => Request> = new Map<string, (turn: number) => Request>([
  ...providerFaultNames.map((name): [string, (turn: number) => Request] => [
    name,
    (turn) => {
      const subject = { id: failingId(name, turn), handle: failingHandle(name, turn) };
      const read = [...reads.values()][turn % reads.size];
      if (read === undefined) throw new Error('there are reads');
      return read(subject);
    },
  ]),
  [
    'same subject',
    (turn) => {
      const subject = { id: failingId('fault', 0), handle: failingHandle('fault', 0) };
      return ([...reads.values()][turn % reads.size] ?? mcp)(subject);
    },
  ],
  [
    'batches',
    (turn) =>
      mcp(
        Array.from({ length: BATCH }, (_, index) =>
          tool('x_get_post', { id: failingId(index % 2 === 0 ? 'hang' : 'fault', turn * BATCH + index) }, index),
        ),
      ),
  ],
  ['large posts', (turn) => ({ target: `/api/v1/posts?handle=ada&id=${largeId(turn)}` })],
]);

export const misbehaviourNames: readonly string[] = [...misbehaviours.keys()];

const isServed = (status: number, body: string): boolean => status === 200 && !body.includes('"isError":true');

const send = (origin: string, { target, body = '' }: Request, localAddress: string): Promise<boolean> => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const { hostname, port } = new URL(origin);
  const isPost = body !== '';
  const outgoing = request(
    {
      hostname,
      port,
      path: target,
      method: isPost ? 'POST' : 'GET',
      localAddress,
      agent: false,
      headers: {
        accept: 'application/json, text/event-stream',
        ...(isPost && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      },
    },
    async (response) => {
      const chunks: Buffer[] = await response.toArray().catch(() => []);
      resolve(isServed(response.statusCode ?? 0, Buffer.concat(chunks).toString()));
    },
  );
  outgoing.on('error', () => resolve(false)).end(body);
  return promise;
};

/** One of 65,000 loopback addresses, none of which is that of the misbehaving caller. */
const address = (index: number): string => `127.1.${Math.floor(index / 250) % 250}.${1 + (index % 250)}`;

export interface Figure {
  readonly misbehaviour: string;
  readonly request: string;
  readonly served: number;
  readonly total: number;
}

export interface IsolationOptions {
  readonly misbehaviours: readonly string[];
  readonly requests: readonly string[];
  /** Requests of each kind during each misbehaviour. */
  readonly times: number;
  /** Concurrent requests of the misbehaving caller. */
  readonly concurrency: number;
  readonly report?: (figure: Figure) => void;
}

/** @returns the served share of the requests of other callers */
export const measureIsolation = async (options: IsolationOptions): Promise<readonly Figure[]> => {
  const { times, concurrency, report } = options;
  const figures: Figure[] = [];
  let victims = 0;
  for (const misbehaviour of options.misbehaviours) {
    const requestOf = misbehaviours.get(misbehaviour);
    if (requestOf === undefined) throw new Error(`there is no misbehaviour ${misbehaviour}`);
    const provider = await startMisbehavingProvider();
    const service = await startLocalService({
      host: '127.0.0.1',
      port: 0,
      environment: {
        UPSTREAM: 'live',
        DATA_DIR: 'memory',
        FXTWITTER_BASE_URL: provider.origin,
        SYNDICATION_BASE_URL: provider.origin,
      },
      writeLog: () => undefined,
    });
    let isOver = false;
    let turns = 0;
    const misbehave = async (): Promise<void> => {
      while (!isOver) await send(service.origin, requestOf(turns++), MISBEHAVING_ADDRESS);
    };
    const misbehaving = Array.from({ length: concurrency }, misbehave);
    for (const name of options.requests) {
      const read = reads.get(name);
      if (read === undefined) throw new Error(`there is no request ${name}`);
      let served = 0;
      for (let index = 0; index < times; index += 1) {
        victims += 1;
        const subject = { id: healthyId(victims), handle: healthyHandle(victims) };
        if (await send(service.origin, read(subject), address(victims))) served += 1;
      }
      const figure = { misbehaviour, request: name, served, total: times };
      figures.push(figure);
      report?.(figure);
    }
    isOver = true;
    await Promise.all(misbehaving);
    await service.close();
    provider.close();
  }
  return figures;
};
