// Serves all providers on one loopback port with the behaviour that a test sets, per path or per call.
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import { listen, stop } from '../../infra/local/listen.ts';

export type Behaviour = (incoming: IncomingMessage, response: ServerResponse) => void;
/** An array has one behaviour per call; the last one repeats. */
export type Behaviours = Behaviour | readonly [Behaviour, ...Behaviour[]];

export const CANARY_POST = '20';
export const CANARY_PROFILE = 'canary_bird';

/** `canary` and `canaryProfile` are the canaries at FxTwitter; the latter only if a test scripts it. */
export type ProviderRoute = 'fxtwitter' | 'canary' | 'canaryProfile' | 'syndication' | 'official';
/** `unscripted`: requests of fault attribution to the second provider, which tests do not set. */
const places: readonly (readonly [ProviderRoute | 'unscripted', RegExp])[] = [
  ['canary', new RegExp(`^/fx/2/status/${CANARY_POST}$`)],
  ['canaryProfile', new RegExp(`^/fx/2/profile/${CANARY_PROFILE}\\?`)],
  ['unscripted', new RegExp(`^/synd/tweet-result\\?id=${CANARY_POST}&`)],
  ['fxtwitter', /^\/fx\/2\//],
  ['syndication', /^\/synd\/tweet-result\?/],
  ['official', /^\/x\/2\//],
];

/** The canary of conversations, if a test scripts a canary. */
const CONVERSATION_CANARY = new RegExp(`^/fx/2/(?:conversation|thread)/${CANARY_POST}(?:\\?|$)`);

const fixture = (name: string): Buffer => readFileSync(new URL(`../fixtures/${name}`, import.meta.url));

type Headers = Readonly<Record<string, string | number>>;

export const reply =
  (status: number, body: string | Buffer = '', headers: Headers = {}): Behaviour =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);

export const json = (value: unknown, status = 200, headers?: Headers): Behaviour =>
  reply(status, JSON.stringify(value), headers);

const HTML = { 'content-type': 'text/html; charset=utf-8' };
export const html = (status: number, body = '<!DOCTYPE html><h1>Log in to LEAKY</h1>'): Behaviour =>
  reply(status, body, HTML);

/** @param name of a recorded answer below test/fixtures */
export const recorded = (name: string, status = 200): Behaviour =>
  reply(status, fixture(name), name.endsWith('.html') ? HTML : {});

export const bare404 = recorded('fxtwitter/status/missing.json', 404);
export const html404 = recorded('syndication/missing_404.html', 404);

/** Never responds. */
export const neverResponds: Behaviour = () => undefined;

/** Sends only headers. */
export const slowBody: Behaviour = (_, response) =>
  response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();

export const slowHead =
  (milliseconds: number, then: Behaviour): Behaviour =>
  (incoming, response) =>
    void setTimeout(() => then(incoming, response), milliseconds);

/** Sends a byte repeatedly with short pauses and never ends. */
export const trickle =
  (status = 200, headers: Headers = {}): Behaviour =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).write('{"');
    const timer = setInterval(() => response.write('a'), 10);
    response.once('close', () => clearInterval(timer));
  };

const MEGABYTE = Buffer.alloc(1024 * 1024, ' ');

/** Writes as fast as the client reads. */
export const endless =
  (megabytes: number, headers: Headers = {}): Behaviour =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers });
    let left = megabytes;
    const push = (): void => {
      while (left > 0 && !response.destroyed) {
        left -= 1;
        if (!response.write(MEGABYTE)) return void response.once('drain', push);
      }
      response.end();
    };
    push();
  };

export const zipped = (body: string | Buffer, encoding = 'gzip'): Behaviour =>
  reply(200, gzipSync(body), { 'content-encoding': encoding });

/** 64 MB of spaces, compressed to 64 kB, then valid JSON. */
export const gzipBomb = (): Behaviour =>
  zipped(Buffer.concat([...Array.from({ length: 64 }, () => MEGABYTE), Buffer.from('{}')]));

export const resetBeforeHeaders: Behaviour = ({ socket }) => socket.resetAndDestroy();

export const resetInBody: Behaviour = ({ socket }, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 });
  response.write('{"code":200,', () => socket.resetAndDestroy());
};

/** Sends these bytes and closes the connection, for responses that node:http does not write. */
export const raw =
  (text: string): Behaviour =>
  ({ socket }) =>
    void socket.end(text);

export const wrongLength = raw(
  'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 999\r\n\r\n{"code":200}',
);
export const notHttp = raw('BABBLE LEAKY\r\n\r\n');

export type FaultServer = Awaited<ReturnType<typeof faultServer>>;

/** The server closes after the test. A request without a behaviour gets 418, which no test expects. */
export const faultServer = async (behaviours: Partial<Record<ProviderRoute, Behaviours>> = {}) => {
  const queues = new Map<ProviderRoute | 'unscripted' | undefined, Behaviour[]>();
  const script = (next: Partial<Record<ProviderRoute, Behaviours>>): void => {
    for (const [place] of places) {
      const behaviour = place === 'unscripted' ? undefined : next[place];
      if (behaviour !== undefined) queues.set(place, [behaviour].flat());
    }
  };
  script(behaviours);
  const seen: { readonly place: ProviderRoute | 'unscripted' | undefined; readonly path: string }[] = [];
  const sockets = new Set<IncomingMessage['socket']>();
  const userAgents: (string | undefined)[] = [];
  const authorizations: (string | undefined)[] = [];
  const server = createServer((incoming, response) => {
    const path = incoming.url ?? '';
    const isCanary = queues.has('canary') && CONVERSATION_CANARY.test(path);
    const isScripted = (name: ProviderRoute | 'unscripted'): boolean => name !== 'canaryProfile' || queues.has(name);
    const place = isCanary ? 'canary' : places.find(([name, pattern]) => isScripted(name) && pattern.test(path))?.[0];
    seen.push({ place, path });
    userAgents.push(incoming.headers['user-agent']);
    authorizations.push(incoming.headers.authorization);
    const queue = queues.get(place) ?? [];
    const behave = (queue.length > 1 ? queue.shift() : queue[0]) ?? reply(418);
    behave(incoming, response);
  });
  server.on('connection', (socket) => sockets.add(socket.on('error', () => undefined)));
  const origin = await listen(server, '127.0.0.1', 0);
  onTestFinished(() => stop(server));
  return {
    origin,
    fxtwitter: `${origin}/fx`,
    syndication: `${origin}/synd`,
    official: `${origin}/x`,
    script,
    /** Paths in the order of arrival, for all providers or for one route. */
    calls: (place?: ProviderRoute): readonly string[] =>
      seen.filter((call) => place === undefined || call.place === place).map(({ path }) => path),
    connections: (): number => sockets.size,
    /** The number of open connections. */
    open: (): Promise<number> => new Promise((done) => void server.getConnections((_, count) => done(count))),
    bytesWritten: (): number => [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, 0),
    userAgents,
    authorizations,
  };
};
