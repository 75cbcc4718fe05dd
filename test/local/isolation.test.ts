// Reads of other callers beside one caller who misbehaves, over HTTP, through the whole local service. `npm test` plays one
// kind of subjects that fail, and the callers who use up key reads, slots and the calls that the provider admits.
import { randomBytes } from 'node:crypto';
import { expect, type TestContext, test } from 'vitest';
import { generateApiKey } from '../../shared/auth/api-key.ts';
import { createKey } from '../support/create-key.ts';
import { sendTimed } from '../support/faults/client.ts';
import { providerFaults } from '../support/faults/provider-faults.ts';
import { startProviderProxy } from '../support/faults/provider-proxy.ts';
import { concernsFailing, failingSubject, healthySubject } from '../support/faults/subjects.ts';
import { type ReadRoute, readAnswer, surfaceNamed, surfaces } from '../support/faults/surfaces.ts';
import { sampleOf } from '../support/full-form.ts';
import { localOptions, startSlowService } from '../support/local-service.ts';
import type { Query } from '../support/send.ts';

const ADMIN_TOKEN = 'a-token-of-the-operator-for-tests-only';
const READS_PER_ROUTE = 5;
const BATCH = 20;

const [posts, search, tool] = [surfaceNamed('posts'), surfaceNamed('search'), surfaceNamed('MCP')];

const withKey = (query: Query, key: string): Query => ({
  ...query,
  headers: { ...query.headers, authorization: `Bearer ${key}` },
});

const everyRead = (turn: number): Query => (surfaces[turn % surfaces.length] ?? posts).queryOf(failingSubject(turn));

const batchOf = (turn: number): string => {
  const calls = Array.from({ length: BATCH }, (_, index) =>
    tool.queryOf(failingSubject(turn * BATCH + index)).body?.replace('"id":1,', `"id":${index},`),
  );
  return `[${calls.join()}]`;
};

interface Misbehaviour {
  readonly name: string;
  /** The fault of the caller's subjects. @default none */
  readonly fault?: string;
  readonly requestAt: (turn: number) => Query;
  /** Networks of the caller, each in another /24. @default 1 */
  readonly networks?: number;
  /** Concurrent requests from each network. @default 20 */
  readonly concurrency?: number;
}

const misbehaviours: readonly Misbehaviour[] = [
  ...sampleOf<Misbehaviour>([
    { name: 'subjects that fail', fault: '500', requestAt: everyRead },
    { name: 'the same subjects that fail', fault: '500', requestAt: (turn) => everyRead(turn % surfaces.length) },
    { name: 'subjects without an answer', fault: 'no answer', requestAt: everyRead },
    {
      name: 'batches',
      fault: 'no answer',
      requestAt: (turn) => ({ ...tool.queryOf(failingSubject(turn)), body: batchOf(turn) }),
    },
  ]),
  {
    name: 'unknown keys',
    requestAt: (turn) => withKey(search.queryOf(failingSubject(turn)), generateApiKey(randomBytes)),
    concurrency: 60,
  },
  {
    name: '10 networks',
    fault: 'no answer',
    requestAt: (turn) => posts.queryOf(failingSubject(turn)),
    networks: 10,
    concurrency: 10,
  },
  { name: 'subjects that the provider throttles', fault: '429', requestAt: everyRead },
];

const readBeside = async (
  { fault: name, requestAt, networks = 1, concurrency = 20 }: Misbehaviour,
  { onTestFinished }: TestContext,
): Promise<void> => {
  const provider = await startProviderProxy(Math.random);
  onTestFinished(provider.close);
  const fault = providerFaults.find((row) => row.name === name);
  await provider.plant(fault && { fault, concerns: concernsFailing });
  const service = await startSlowService(
    localOptions({
      ADMIN_TOKEN,
      UPSTREAM: 'live',
      FXTWITTER_BASE_URL: provider.fxtwitter,
      SYNDICATION_BASE_URL: provider.syndication,
    }),
  );
  const key = await createKey(service.origin, ADMIN_TOKEN, { search: '100000/60' });
  let isOver = false;
  let turns = 0;
  const misbehave = async (address: string): Promise<void> => {
    while (!isOver) await sendTimed(service.origin, requestAt(turns++), address).catch(() => undefined);
  };
  const misbehaving = Array.from({ length: networks * concurrency }, (_, index) =>
    misbehave(`127.66.${index % networks}.6`),
  );
  const served: string[] = [];
  let others = 0;
  const read = async (surface: ReadRoute, label: string, usedKey?: string): Promise<void> => {
    others += 1;
    const subject = healthySubject(others);
    const query = surface.queryOf(subject);
    const answer = await sendTimed(
      service.origin,
      usedKey === undefined ? query : withKey(query, usedKey),
      `127.1.1.${others}`,
    );
    const { isServed, isTrue } = readAnswer(surface, subject, answer);
    // A key that is not verified raises no allowance.
    const isKeyRead = usedKey === undefined || answer.headers['x-api-key-status'] === 'valid';
    if (isServed && isTrue && isKeyRead) served.push(label);
  };
  const wanted = [...surfaces.map((row) => row.name), 'search with a key'];
  for (let turn = 0; turn < READS_PER_ROUTE; turn += 1) {
    for (const surface of surfaces) await read(surface, surface.name);
    await read(search, 'search with a key', key);
  }
  isOver = true;
  await service.close();
  await Promise.all(misbehaving);
  expect(served).toEqual(Array.from({ length: READS_PER_ROUTE }, () => wanted).flat());
};

const TITLE = '[outages 2] other callers get answers while one caller misbehaves: $name';
const OPTIONS = { timeout: 240_000 };
const waits = ({ fault }: Misbehaviour): boolean => fault === 'no answer';

// The time goes to the time limits for answers.
test.concurrent.for(misbehaviours.filter(waits))(TITLE, OPTIONS, readBeside);
test.for(misbehaviours.filter((row) => !waits(row)))(TITLE, OPTIONS, readBeside);
