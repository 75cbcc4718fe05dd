// Measures the CPU time of what `npm start` runs, per request, each of another caller for another subject, with
// Accept-Encoding, beside a server of node:http and undici that makes as many calls of the provider and compresses alike.

import { AMPLE_ALLOWANCES } from '../../test/support/ample-allowances.ts';
import type { Subject } from '../../test/support/faults/surfaces.ts';
import { type Process, startProcess } from '../../test/support/processes.ts';
import { newAddress } from '../load/callers.ts';
import { createClient } from '../load/send-request.ts';
import { newSubject, startStand } from '../load/stand.ts';
import { median, microsecondsRow, type Row, ratioRow } from './measure.ts';

const CALLERS_AT_ONCE = 4;
const REQUESTS = 200;
const ROUNDS = 7;
/** A body that is compressed is part of the cost. */
const HEADERS = { 'accept-encoding': 'gzip, br' };
/** Rounds until the code of both sides is compiled. */
const DISCARDED = 2;

interface Read {
  readonly name: string;
  readonly bar: number;
  targetOf(subject: Subject): string;
  /** The calls of the service for it: paths of the provider. */
  callsOf(subject: Subject): readonly string[];
}

const profile = ({ handle }: Subject): readonly string[] => [
  `/2/profile/${handle}`,
  `/2/profile/${handle}/statuses?count=20`,
];

const conversation = ({ id }: Subject): readonly string[] => [`/2/conversation/${id}?ranking_mode=likes`];

const reads: readonly Read[] = [
  {
    name: 'post and 5 replies, Markdown',
    bar: 2,
    targetOf: ({ id }) => `/ada/status/${id}?format=markdown`,
    callsOf: conversation,
  },
  {
    name: 'post and 5 replies, JSON',
    bar: 2,
    targetOf: ({ id }) => `/ada/status/${id}?format=json`,
    callsOf: conversation,
  },
  {
    name: 'profile, Markdown',
    bar: 2,
    targetOf: ({ handle }) => `/${handle}?format=markdown`,
    callsOf: profile,
  },
  {
    name: 'profile, RSS',
    bar: 2.3,
    targetOf: ({ handle }) => `/${handle}/rss`,
    callsOf: profile,
  },
  {
    name: 'search, Markdown',
    bar: 2,
    targetOf: ({ handle }) => `/search?q=${handle}&format=markdown`,
    callsOf: ({ handle }) => [`/2/search?q=${handle}&feed=latest&count=20`],
  },
];

const plainTarget = (paths: readonly string[]): string =>
  `/?${new URLSearchParams(paths.map((path) => ['path', path]))}`;

export const loopbackRows = async (): Promise<readonly Row[]> => {
  // Without DYNAMODB_ENDPOINT, the service counts in its memory.
  const stand = await startStand({}, { ...AMPLE_ALLOWANCES, CACHE_TTL_SECONDS: '0', DYNAMODB_ENDPOINT: '' });
  const plain: Process<{ readonly origin: string }, 'cpu', { readonly cpu: number }> = await startProcess(
    new URL('plain-server.ts', import.meta.url),
    {
      provider: stand.backends.ready.environment['FXTWITTER_BASE_URL'],
    },
  );
  const plainClient = createClient(plain.ready.origin);

  /** @returns microseconds of CPU time of the server for each request */
  const cost = async (
    server: { ask(message: 'cpu'): Promise<{ readonly cpu: number }> },
    client: typeof plainClient,
    targetOf: (subject: Subject) => string,
  ): Promise<number> => {
    const before = await server.ask('cpu');
    const caller = async (): Promise<void> => {
      for (let sent = 0; sent < REQUESTS / CALLERS_AT_ONCE; sent += 1) {
        const target = targetOf(newSubject());
        const result = await client.send({ target, headers: HEADERS }, newAddress());
        if (result !== '200') throw new Error(`${target}: ${result}`);
      }
    };
    await Promise.all(Array.from({ length: CALLERS_AT_ONCE }, caller));
    return ((await server.ask('cpu')).cpu - before.cpu) / REQUESTS;
  };

  try {
    const rows: Row[] = [];
    for (const { name, bar, targetOf, callsOf } of reads) {
      const own: number[] = [];
      const floor: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        own.push(await cost(stand.service, stand.client, targetOf));
        floor.push(await cost(plain, plainClient, (subject) => plainTarget(callsOf(subject))));
      }
      const [service, server] = [own, floor].map((values) => median(values.slice(DISCARDED)));
      if (service === undefined || server === undefined) throw new Error('no samples');
      rows.push(
        microsecondsRow(`local service, ${name}`, service),
        ratioRow(`local service, ${name} / node:http and undici`, service / server, bar),
      );
    }
    return rows;
  } finally {
    plainClient.close();
    await plain.close();
    await stand.close();
  }
};
