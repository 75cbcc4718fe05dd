// Measures one surface during one fault of the store: answers to valid and revoked keys, the limit, and the time to recover.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DynamoDBClient, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { generateApiKey, sha256Hex } from '../../shared/auth/api-key.ts';
import { apiKeyToItem } from '../../shared/stores/dynamodb-api-key-reader.ts';
import { stringAttribute } from '../../shared/stores/dynamodb-client.ts';
import { sendTimed } from '../../test/support/faults/client.ts';
import { type Asked, type ReadRoute, readAnswer, type Subject } from '../../test/support/faults/surfaces.ts';
import type { StoreProxy } from '../../test/support/store-proxy.ts';
import { pass } from '../../test/support/store-proxy.ts';
import { commonErrors, isInTime } from './rules.ts';
import type { ServiceInstance } from './service.ts';
import type { StoreFault } from './store-faults.ts';

/** The allowance of every caller, in a window that does not end during a measurement. */
export const LIMIT = 8;
export const STORE_ALLOWANCE = `${LIMIT}/86400`;
/** While the store does not answer, an instance counts up to the limit in memory, in addition to the store. */
const BOUND = 2 * LIMIT;
/** Concurrent requests of one caller. */
const BURST = 3 * LIMIT;
/** The breaker of a store is open for 1 to 2 s. */
const RECOVERY_MILLISECONDS = 2000;
const POLL_MILLISECONDS = 100;

export interface StoreCell {
  readonly fault: string;
  readonly surface: string;
  readonly status: number;
  /** X-Api-Key-Status; undefined: the route does not read keys. */
  readonly keyStatus: string | undefined;
  readonly milliseconds: number;
  /** Admitted requests of one caller who may send LIMIT; undefined: the surface charges nothing. */
  readonly admitted: number | undefined;
  /** The key status of a revoked key during the fault. */
  readonly revokedStatus: string | undefined;
  readonly recoveryMilliseconds: number;
  readonly victims: { readonly served: number; readonly total: number };
  readonly errors: readonly string[];
}

export interface StoreMeasurement {
  readonly fault: StoreFault;
  readonly surface: ReadRoute;
  readonly instance: ServiceInstance;
  /** Between the instance and the store. */
  readonly proxy: StoreProxy;
  /** Reaches the store without the proxy. */
  readonly client: DynamoDBClient;
  readonly keysTable: string;
  /** Different for each measurement, so that the counters of measurements differ. */
  readonly index: number;
  readonly victims: number;
}

interface AskedWithKey extends Asked {
  readonly keyStatus: string | undefined;
}

const createKeys = ({ client, keysTable }: StoreMeasurement) => {
  const createdAt = new Date().toISOString();
  return {
    async create(): Promise<string> {
      const key = generateApiKey(randomBytes);
      const id = randomBytes(6).toString('hex');
      const item = apiKeyToItem(sha256Hex(key), { id, label: 'measurement', state: 'enabled', createdAt });
      await client.send(new PutItemCommand({ TableName: keysTable, Item: item }));
      return key;
    },
    async revoke(key: string): Promise<void> {
      await client.send(
        new UpdateItemCommand({
          TableName: keysTable,
          Key: { pk: stringAttribute(sha256Hex(key)) },
          UpdateExpression: 'SET #state = :state',
          ExpressionAttributeNames: { '#state': 'state' },
          ExpressionAttributeValues: { ':state': stringAttribute('disabled') },
        }),
      );
    },
  };
};

export const measureStoreCell = async (measurement: StoreMeasurement): Promise<StoreCell> => {
  const { fault, surface, instance, proxy, index, victims } = measurement;
  const keys = createKeys(measurement);
  let subjects = 0;
  const nextSubject = (): Subject => {
    subjects += 1;
    return { id: `1${String(subjects).padStart(11, '0')}`, handle: `s${String(subjects).padStart(6, '0')}` };
  };
  const address = (caller: number): string => `127.${10 + Math.floor(index / 250)}.${1 + (index % 250)}.${1 + caller}`;
  const ask = async (caller: number, key?: string): Promise<AskedWithKey> => {
    const subject = nextSubject();
    const { headers, ...rest } = surface.queryOf(subject);
    const query = { ...rest, headers: { ...headers, ...(key !== undefined && { authorization: `Bearer ${key}` }) } };
    const answer = await sendTimed(instance.origin, query, address(caller));
    const keyStatus = answer.headers['x-api-key-status'];
    return { query, answer, reading: readAnswer(surface, subject, answer), keyStatus };
  };
  const plant = async (next: StoreFault | undefined): Promise<void> => {
    if (next?.plant === 'down') return proxy.goDown();
    if (fault.plant === 'down') await proxy.comeBack();
    proxy.behave(next?.plant ?? pass);
  };
  const errors: string[] = [];
  const check = ({ query, answer, reading }: Asked, name: string): void => {
    const { status, isServed, isTrue } = reading;
    const isRefused = status === 429 && fault.refuses === true;
    errors.push(...commonErrors(query, answer).map((error) => `${name}: ${error}`));
    if ((status >= 500 || status === 401) && name !== 'a revoked key') errors.push(`${name}: ${status}`);
    if (isServed && !isTrue) errors.push(`${name}: the answer is not about the subject`);
    if (!isServed && !isRefused && status !== 401 && status !== 429) errors.push(`${name}: ${status}`);
  };

  const [valid, revoked, burst] = [await keys.create(), await keys.create(), await keys.create()];
  for (const key of [valid, revoked]) {
    // The first calls set up connections, which a busy machine may not do in time.
    while (surface.honoursKey && (await ask(0, key)).keyStatus !== 'valid') await sleep(POLL_MILLISECONDS);
  }

  await plant(fault);
  const first = await ask(1, valid);
  check(first, 'a valid key');
  await keys.revoke(revoked);
  const afterRevocation = await ask(2, revoked);
  check(afterRevocation, 'a revoked key');
  if (afterRevocation.keyStatus === 'valid') errors.push('a revoked key is valid');
  let admitted: number | undefined;
  if (surface.allowance !== undefined) {
    const all = await Promise.all(Array.from({ length: BURST }, () => ask(3, burst)));
    for (const one of all) check(one, 'a caller at the limit');
    // A key that could not be read is charged as the address, which has an allowance of its own.
    for (const state of ['valid', 'unverified']) {
      const count = all.filter(({ keyStatus, reading }) => keyStatus === state && reading.isServed).length;
      if (count > BOUND) errors.push(`${count} requests were admitted as ${state}`);
    }
    admitted = all.filter(({ reading }) => reading.isServed).length;
  }
  let served = 0;
  for (let victim = 0; victim < victims; victim += 1) {
    const other = await ask(10 + victim);
    check(other, 'another caller');
    if (other.reading.isServed && other.reading.isTrue) served += 1;
  }
  if (served < (19 / 20) * victims && fault.refuses !== true) errors.push(`only ${served} victims were served`);

  await plant(undefined);
  const endedAt = performance.now();
  let backAt = endedAt;
  /** The service reads keys, and counts the requests of a new key exactly: without the store it would admit fewer. */
  const isBack = async (): Promise<boolean> => {
    const key = await keys.create();
    const isServed = async (): Promise<boolean> => {
      const { keyStatus, reading } = await ask(4, key);
      return reading.status === 200 && (!surface.honoursKey || keyStatus === 'valid');
    };
    if (!(await isServed())) return false;
    backAt = performance.now();
    if (surface.allowance === undefined) return true;
    for (let spent = 1; spent < LIMIT; spent += 1) if (!(await isServed())) return false;
    return (await ask(4, key)).reading.status === 429;
  };
  while (!(await isBack())) {
    backAt = performance.now();
    if (backAt - endedAt > 5 * RECOVERY_MILLISECONDS) break;
    await sleep(POLL_MILLISECONDS);
  }
  const recoveryMilliseconds = backAt - endedAt;
  if (!isInTime(recoveryMilliseconds, RECOVERY_MILLISECONDS)) {
    errors.push(`not recovered after ${Math.round(recoveryMilliseconds)} ms`);
  }
  // A busy machine can take longer than the store's time limit, so that a read is unverified once more.
  let finallyRevoked = await ask(2, revoked);
  for (let tries = 0; finallyRevoked.keyStatus === 'unverified' && tries < 20; tries += 1) {
    await sleep(POLL_MILLISECONDS);
    finallyRevoked = await ask(2, revoked);
  }
  if (surface.honoursKey && finallyRevoked.answer.status !== 401) {
    errors.push(`a revoked key got ${finallyRevoked.answer.status} after the fault`);
  }
  return {
    fault: fault.name,
    surface: surface.name,
    status: first.reading.status,
    keyStatus: first.keyStatus,
    milliseconds: first.answer.milliseconds,
    admitted,
    revokedStatus: afterRevocation.keyStatus,
    recoveryMilliseconds,
    victims: { served, total: victims },
    errors,
  };
};
