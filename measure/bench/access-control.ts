// Measures the cost of keys and allowances for a search: store calls, and latency with a provider of 20 ms. The answers while
// a store fails are those of `npm run measure -- faults`.
import { setTimeout } from 'node:timers/promises';
import { createSearchHandler } from '../../functions/bindings/reads.ts';
import { sha256Hex } from '../../shared/auth/api-key.ts';
import { buildAllowances, type Limit } from '../../shared/contract/allowances.ts';
import type { LambdaHandler } from '../../shared/http/pipeline.ts';
import type { AccessControl } from '../../shared/ports/access-control.ts';
import { createCursorCodec } from '../../shared/reads/paging/signed-cursors.ts';
import { createDynamoDbApiKeyReader } from '../../shared/stores/dynamodb-api-key-reader.ts';
import { createDynamoDbCounterStore } from '../../shared/stores/dynamodb-counter-store.ts';
import { createRequestCache } from '../../shared/upstream/request-cache.ts';
import { createTestAccessControl, keyRecord, newApiKey } from '../../test/support/access-control.ts';
import { createTestClient, putKey, startDynalite, type TestDynamoDb } from '../../test/support/dynamodb.ts';
import { context, event } from '../../test/support/event.ts';
import { pass, type StoreProxy, slow, startProxy } from '../../test/support/store-proxy.ts';
import { found, page, post, upstreamFindingAll } from '../../test/support/test-app.ts';
import { BENCH_PORTS, median, type Row, ratioRow } from './measure.ts';

const PROVIDER_MILLISECONDS = 20;
/** Typical duration of a conditional DynamoDB write from a Lambda function. */
const STORE_MILLISECONDS = 4;
/** One charge of 4 ms before a provider call of 20 ms is a ratio of 1.2; the rest is room for a loaded machine. */
const LATENCY_BAR = 1.5;
const REQUESTS = 60;
const AMPLE: Limit = { count: 1_000_000, seconds: 60 };

const accessOf = ({ tables }: TestDynamoDb, { endpoint }: StoreProxy, anonymous: Limit = AMPLE): AccessControl => {
  const client = createTestClient(endpoint);
  return createTestAccessControl({
    keys: createDynamoDbApiKeyReader(client, tables.keys),
    counters: createDynamoDbCounterStore(client, tables.counters),
    allowances: buildAllowances({ searchAnonymous: anonymous, searchKeyed: AMPLE, browse: AMPLE }),
  });
};

/** Each query is a provider call of its own. */
const searchHandler = (access: AccessControl): LambdaHandler => {
  const share = createRequestCache<ReturnType<typeof page<ReturnType<typeof post>>>>(BENCH_PORTS.clock, 60_000);
  return createSearchHandler({
    ...BENCH_PORTS,
    cursors: createCursorCodec(['bench']),
    accessControl: access,
    upstream: {
      ...upstreamFindingAll,
      listPosts: (request, _page, deadline, requester) =>
        share({
          key: JSON.stringify(request),
          deadline,
          requester,
          call: async () => {
            await setTimeout(PROVIDER_MILLISECONDS);
            return found(page([post('20')]));
          },
        }),
    },
  });
};

let queries = 0;

/** @returns milliseconds */
const search = async (handler: LambdaHandler, authorization?: string): Promise<number> => {
  queries += 1;
  const headers = { 'x-viewer-ip': '192.0.2.1', ...(authorization !== undefined && { authorization }) };
  const began = performance.now();
  await handler(event(`/api/v1/search?q=${queries}`, { headers }), context());
  return performance.now() - began;
};

const callRows = async (dynamo: TestDynamoDb, proxy: StoreProxy, bearer: string): Promise<Row[]> => {
  const calls = async (work: () => Promise<number>): Promise<number> => {
    const before = proxy.operations.length;
    await work();
    return proxy.operations.length - before;
  };
  const handler = searchHandler(accessOf(dynamo, proxy));
  const tight = searchHandler(accessOf(dynamo, proxy, { count: 1, seconds: 86_400 }));
  const anonymous = await calls(() => search(handler));
  const first = await calls(() => search(handler, bearer));
  const next = await calls(() => search(handler, bearer));
  await search(tight);
  const refused = await calls(() => search(tight));
  const again = await calls(() => search(tight));
  return [
    { name: 'store calls: anonymous search', value: anonymous, unit: 'calls', bar: 1 },
    { name: 'store calls: first search with a key', value: first, unit: 'calls', bar: 2 },
    { name: 'store calls: next search with a key (one after the other)', value: next, unit: 'calls', bar: 2 },
    { name: 'store calls: first refusal', value: refused, unit: 'calls', bar: 1 },
    { name: 'store calls: refused again', value: again, unit: 'calls', bar: 0 },
  ];
};

/** @returns the median of the milliseconds of each, measured in turns */
const latencies = async (requests: readonly (() => Promise<number>)[]): Promise<readonly number[]> => {
  const samples = requests.map((): number[] => []);
  for (let round = 0; round < REQUESTS; round += 1) {
    for (const [index, request] of requests.entries()) {
      const milliseconds = await request();
      if (round >= REQUESTS / 10) samples[index]?.push(milliseconds);
    }
  }
  return samples.map(median);
};

const latencyRows = async (dynamo: TestDynamoDb, proxy: StoreProxy, bearer: string): Promise<Row[]> => {
  proxy.behave(slow(STORE_MILLISECONDS));
  const free = searchHandler(createTestAccessControl());
  const counted = searchHandler(accessOf(dynamo, proxy));
  const keyed = searchHandler(accessOf(dynamo, proxy));
  const [none = 0, anonymous = 0, withKey = 0] = await latencies([
    () => search(free),
    () => search(counted),
    () => search(keyed, bearer),
  ]);
  proxy.behave(pass);
  return [
    ratioRow('search with limiter / without, provider 20 ms', anonymous / none, LATENCY_BAR),
    ratioRow('the same with a key, which is checked before the provider', withKey / none),
  ];
};

export const accessRows = async (): Promise<Row[]> => {
  const dynamo = await startDynalite();
  const proxy = await startProxy(dynamo.endpoint);
  try {
    const key = newApiKey();
    await putKey(dynamo, sha256Hex(key), keyRecord());
    const bearer = `Bearer ${key}`;
    return [...(await callRows(dynamo, proxy, bearer)), ...(await latencyRows(dynamo, proxy, bearer))];
  } finally {
    await proxy.close();
    await dynamo.close();
  }
};
