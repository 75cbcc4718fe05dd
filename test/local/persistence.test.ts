// Compares the documented handling of IP addresses with the tables and the log.
import { expect, onTestFinished, test } from 'vitest';
import { newApiKey } from '../support/access-control.ts';
import { createKey } from '../support/create-key.ts';
import { itemsOf, startDynalite } from '../support/dynamodb.ts';
import { localOptions, sendRequest, startSlowService } from '../support/local-service.ts';

const ADDRESS = '127.0.0.1';
const ADMIN_TOKEN = 'a-token-of-the-operator-for-tests-only';
const WRONG_KEYS = 10;

test('[keys 12] no IP address of a reader is stored or logged, and the audit contains the network of an operator', async () => {
  const dynamo = await startDynalite();
  onTestFinished(dynamo.close);
  const log: string[] = [];
  const { keys, counters, admin } = dynamo.tables;
  const stores = { KEYS_TABLE: keys, COUNTERS_TABLE: counters, ADMIN_TABLE: admin };
  const service = await startSlowService({
    ...localOptions({
      ADMIN_TOKEN,
      DYNAMODB_ENDPOINT: dynamo.endpoint,
      BASE_URL: 'https://postern.example',
      ...stores,
    }),
    writeLog: (text) => void log.push(text),
  });
  onTestFinished(service.close);
  const get = (target: string, authorization?: string) =>
    sendRequest(service.origin, target, {
      headers: authorization === undefined ? {} : { Authorization: authorization },
    });

  expect((await get('/search?q=tide')).status).toBe(200);
  expect((await get('/ada_larsson')).status).toBe(200);
  for (let n = 0; n < WRONG_KEYS; n += 1)
    expect((await get('/search?q=tide', `Bearer ${newApiKey()}`)).status).toBe(401);
  const key = await createKey(service.origin, ADMIN_TOKEN);
  expect((await get('/search?q=puffin', `Bearer ${key}`)).status).toBe(200);

  const counted = JSON.stringify(await itemsOf(dynamo, 'counters'));
  expect(counted).toContain('search#a:');
  expect(counted).toContain('browse#a:');
  expect(counted).not.toContain(ADDRESS);
  expect(JSON.stringify(await itemsOf(dynamo, 'keys'))).not.toContain(ADDRESS);

  // The bundled provider has the address of this machine as well; it is not a reader's.
  const lines = log.join('').replaceAll(/"address":"127\.0\.0\.1:[0-9]+"/g, '');
  expect(lines).toContain('repeated_invalid_key');
  expect(lines).not.toContain(ADDRESS);

  const entries = await itemsOf(dynamo, 'admin');
  expect(entries).toHaveLength(1);
  expect(JSON.stringify(entries)).toContain(ADDRESS);
});
