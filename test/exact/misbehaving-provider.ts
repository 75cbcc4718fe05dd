// Starts a provider on loopback that answers correctly, except for the subjects of one caller: these fail in every way that
// a subject can fail. Its answers have the form of FxTwitter and of the syndication CDN.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sendAnswer } from '../faults/provider-faults.ts';
import { type Behaviour, html, json, neverResponds, reply, resetBeforeHeaders } from '../support/fault-server.ts';
import { answerTruthfully, postText } from '../support/truthful-provider.ts';

const HEALTHY_MILLISECONDS = 20;

/** The ways that subjects fail, by the first digit or word of their id, handle or query. */
const misbehaviours: ReadonlyMap<string, Behaviour> = new Map<string, Behaviour>([
  ['crash', html(500)],
  ['fault', json({ code: 500, results: [], status: null }, 500)],
  ['busy', reply(503, '', { 'retry-after': 120 })],
  ['limit', reply(429, '', { 'retry-after': 60 })],
  ['reset', resetBeforeHeaders],
  ['hang', neverResponds],
]);

export const misbehaviourNames: readonly string[] = [...misbehaviours.keys()];

/** Ids are digits: the first digit names the misbehaviour. */
export const failingId = (misbehaviour: string, index: number): string =>
  `${9 - misbehaviourNames.indexOf(misbehaviour)}00000${String(index).padStart(6, '0')}`;
export const failingHandle = (misbehaviour: string, index: number): string => `${misbehaviour}_${index}`;
export const healthyId = (index: number): string => `10000000${String(index).padStart(4, '0')}`;
export const healthyHandle = (index: number): string => `fine_${index}`;

/** Large enough to cost time, and within the body limit of the client. */
const LARGE_TEXT = 'a large post with a link https://example.com/a and *marks*\n'.repeat(15_000);

const isLarge = (id: string): boolean => id.startsWith('2');
const textOf = (id: string): string => (isLarge(id) ? LARGE_TEXT : postText(id));
export const largeId = (index: number): string => `20000000${String(index).padStart(4, '0')}`;

const misbehaviourOf = (path: string): Behaviour | undefined => {
  const id = /\/(?:status|thread|conversation)\/(\d+)|[?&]id=(\d+)/.exec(path)?.slice(1).join('') ?? '';
  const digit = id.length === failingId('hang', 0).length ? misbehaviourNames[9 - Number(id[0])] : undefined;
  const word = /(?:\/profile\/|[?&]q=)([a-z]+)[_+% ]/.exec(path)?.[1];
  return misbehaviours.get(digit ?? word ?? '');
};

export interface MisbehavingProvider {
  readonly origin: string;
  /** @param subject an id or a handle @default the calls for all subjects */
  calls(subject?: string): number;
  close(): void;
}

export const startMisbehavingProvider = async (): Promise<MisbehavingProvider> => {
  const paths: string[] = [];
  const server = createServer((incoming, response) => {
    const path = incoming.url ?? '';
    paths.push(path);
    const misbehave = misbehaviourOf(path);
    if (misbehave !== undefined) misbehave(incoming, response);
    else setTimeout(() => sendAnswer(response, answerTruthfully(path, textOf)), HEALTHY_MILLISECONDS);
  });
  server.on('connection', (socket) => socket.on('error', () => undefined));
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo; // listen() has ended, so the address is that of a port
  return {
    origin: `http://127.0.0.1:${port}`,
    calls: (subject = '') => paths.filter((path) => path.includes(subject)).length,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
};
