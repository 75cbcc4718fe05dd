// The requests of a caller who misbehaves, and of the others.
import { randomBytes } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import { generateApiKey } from '../../shared/auth/api-key.ts';
import { failingHandle, failingId, largeId, misbehaviourNames as providerFaultNames } from './misbehaving-provider.ts';

export interface Request {
  readonly target: string;
  readonly body?: string;
  readonly key?: string;
}

/** A request for a subject with this id, handle or word. */
export type Read = (subject: { readonly id: string; readonly handle: string }, key: string) => Request;

const tool = (name: string, args: object, id = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

const mcp = (message: unknown): Request => ({ target: '/mcp', body: JSON.stringify(message) });

const readPost: Read = ({ id }) => ({ target: `/api/v1/posts?handle=ada&id=${id}&format=json` });

export const reads: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['post', readPost],
  ['profile', ({ handle }) => ({ target: `/api/v1/profiles/${handle}?format=json` })],
  ['followers', ({ handle }) => ({ target: `/api/v1/profiles/${handle}/followers?format=json` })],
  ['following', ({ handle }) => ({ target: `/api/v1/profiles/${handle}/following?format=json` })],
  ['search', ({ handle }) => ({ target: `/api/v1/search?q=${handle}&format=json` })],
  ['tool', ({ id }) => mcp(tool('x_get_post', { id }))],
  ['with a key', ({ handle }, key) => ({ target: `/api/v1/search?q=${handle}&format=json`, key })],
]);

const BATCH = 20;

export interface Misbehaviour {
  /** The request of a turn. */
  readonly requestAt: (turn: number) => Request;
  /** Networks of the caller, each in another /24. @default 1 */
  readonly networks?: number;
  /** Concurrent requests from each network. @default as the options say */
  readonly concurrency?: number;
}

/** @param kinds by turn */
const failing =
  (name: string, kinds: readonly Read[] = [...reads.values()]) =>
  (turn: number): Request => {
    const read = kinds[turn % kinds.length];
    if (read === undefined) throw new Error('there are reads');
    return read({ id: failingId(name, turn), handle: failingHandle(name, turn) }, '');
  };

export const misbehaviours: ReadonlyMap<string, Misbehaviour> = new Map<string, Misbehaviour>([
  ...providerFaultNames.map((name): [string, Misbehaviour] => [name, { requestAt: failing(name) }]),
  ['same subject', { requestAt: (turn) => failing('fault')(turn % reads.size) }],
  [
    'batches',
    {
      requestAt: (turn) =>
        mcp(
          Array.from({ length: BATCH }, (_, index) =>
            tool('x_get_post', { id: failingId(index % 2 === 0 ? 'hang' : 'fault', turn * BATCH + index) }, index),
          ),
        ),
    },
  ],
  ['large posts', { requestAt: (turn) => ({ target: `/api/v1/posts?handle=ada&id=${largeId(turn)}` }) }],
  [
    'unknown keys',
    {
      requestAt: (turn) => ({ target: `/api/v1/search?q=tide_${turn}`, key: generateApiKey(randomBytes) }),
      concurrency: 60,
    },
  ],
  ['10 networks', { requestAt: failing('hang', [readPost]), networks: 10, concurrency: 10 }],
]);

/** A key that is not verified raises no allowance. */
const isServed = ({ statusCode, headers }: IncomingMessage, body: string, key: string | undefined): boolean =>
  statusCode === 200 &&
  !body.includes('"isError":true') &&
  (key === undefined || headers['x-api-key-status'] === 'valid');

export const send = (origin: string, { target, body = '', key }: Request, localAddress: string): Promise<boolean> => {
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
        ...(key !== undefined && key !== '' && { authorization: `Bearer ${key}` }),
        ...(isPost && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      },
    },
    async (response) => {
      const chunks: Buffer[] = await response.toArray().catch(() => []);
      resolve(isServed(response, Buffer.concat(chunks).toString(), key));
    },
  );
  outgoing.on('error', () => resolve(false)).end(body);
  return promise;
};
