// Starts a provider on loopback that answers correctly, except for the subjects of one caller: these fail in every way that
// a subject can fail. Its answers have the form of FxTwitter and of the syndication CDN.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const HEALTHY_MILLISECONDS = 20;

type Misbehaviour = (incoming: IncomingMessage, response: ServerResponse) => void;

const sendJson = (response: ServerResponse, status: number, value: unknown): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));

/** The ways that subjects fail, by the first digit or word of their id, handle or query. */
const misbehaviours: ReadonlyMap<string, Misbehaviour> = new Map<string, Misbehaviour>([
  ['crash', (_, response) => void response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>crash</h1>')],
  ['fault', (_, response) => sendJson(response, 500, { code: 500, results: [], status: null })],
  ['busy', (_, response) => void response.writeHead(503, { 'retry-after': '120' }).end()],
  ['reset', ({ socket }) => void socket.resetAndDestroy()],
  ['hang', () => undefined],
]);

export const misbehaviourNames: readonly string[] = [...misbehaviours.keys()];

/** Ids are digits: the first digit names the misbehaviour. */
export const failingId = (misbehaviour: string, index: number): string =>
  `${9 - misbehaviourNames.indexOf(misbehaviour)}00000${String(index).padStart(6, '0')}`;
export const failingHandle = (misbehaviour: string, index: number): string => `${misbehaviour}_${index}`;
export const healthyId = (index: number): string => `10000000${String(index).padStart(4, '0')}`;
export const healthyHandle = (index: number): string => `fine_${index}`;

const user = (handle: string) => ({ type: 'profile', screen_name: handle, id: `1${handle.length}`, name: handle });

const status = (id: string, text = `post ${id}`) => ({
  type: 'status',
  id,
  text,
  author: user('ada'),
  created_timestamp: 1_774_000_800,
});

/** Large enough to cost time, and within the body limit of the client. */
const LARGE_TEXT = 'a large post with a link https://example.com/a and *marks*\n'.repeat(15_000);

const isLarge = (id: string): boolean => id.startsWith('2');
const wordsOf = (id: string): string | undefined => (isLarge(id) ? LARGE_TEXT : undefined);
export const largeId = (index: number): string => `20000000${String(index).padStart(4, '0')}`;

const end = { top: null, bottom: null };

const misbehaviourOf = (path: string): Misbehaviour | undefined => {
  const id = /\/(?:status|thread|conversation)\/(\d+)|[?&]id=(\d+)/.exec(path)?.slice(1).join('') ?? '';
  const digit = id.length === failingId('hang', 0).length ? misbehaviourNames[9 - Number(id[0])] : undefined;
  const word = /(?:\/profile\/|[?&]q=)([a-z]+)[_+% ]/.exec(path)?.[1];
  return misbehaviours.get(digit ?? word ?? '');
};

/** The body of a healthy answer. */
const bodyOf = (path: string): object => {
  const [, kind, id = ''] = /^\/2\/(status|thread|conversation)\/(\d+)/.exec(path) ?? [];
  const handle = /^\/2\/profile\/(\w+)/.exec(path)?.[1] ?? '';
  if (path.startsWith('/tweet-result')) return {};
  if (kind !== undefined) {
    const post = status(id, wordsOf(id));
    const around = kind === 'conversation' ? { thread: [post], replies: [], cursor: null } : { thread: [post] };
    return { code: 200, status: post, ...(kind !== 'status' && around) };
  }
  if (/\/(?:followers|following)\b/.test(path)) return { code: 200, results: [user('ada')], cursor: end };
  if (/\/statuses\b|\/search\b/.test(path)) return { code: 200, results: [status('21')], cursor: end };
  return { code: 200, message: 'OK', user: user(handle) };
};

export interface MisbehavingProvider {
  readonly origin: string;
  calls(): number;
  close(): void;
}

export const startMisbehavingProvider = async (): Promise<MisbehavingProvider> => {
  let calls = 0;
  const server = createServer((incoming, response) => {
    calls += 1;
    const path = incoming.url ?? '';
    const misbehave = misbehaviourOf(path);
    if (misbehave !== undefined) misbehave(incoming, response);
    else setTimeout(() => sendJson(response, 200, bodyOf(path)), HEALTHY_MILLISECONDS);
  });
  server.on('connection', (socket) => socket.on('error', () => undefined));
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo; // listen() has ended, so the address is that of a port
  return {
    origin: `http://127.0.0.1:${port}`,
    calls: () => calls,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
};
