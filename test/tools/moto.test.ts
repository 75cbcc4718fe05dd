// Looks at the stack that .ci/moto has deployed, and runs the real bundles with the environment of the deployed
// functions on the DynamoDB of moto: a second opinion on tables, conditions and permissions of the store.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { CloudFormationClient, ListStackResourcesCommand } from '@aws-sdk/client-cloudformation';
import { DescribeTableCommand, DynamoDBClient, ListTablesCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SampleServer, startSampleServer } from '../../infra/local/sample-server.ts';
import { SLOW_TIME_OPTIONS, slowDownTime } from '../../infra/local/slow-time.ts';
import { sha256Hex } from '../../shared/auth/api-key.ts';
import { createNetworkHash } from '../../shared/auth/client-network.ts';
import type { LambdaName } from '../../shared/contract/lambdas.ts';
import { windowAt } from '../../shared/rate-limit/window.ts';

const endpoint = process.env['MOTO_ENDPOINT'];
const deployed = endpoint !== undefined;
const BUSY = 300_000;

const options = {
  endpoint: endpoint ?? '',
  region: 'us-east-1',
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
};
const cloudFormation = new CloudFormationClient(options);
const dynamoDb = new DynamoDBClient(options);

const resources = async (): Promise<ReadonlyMap<string, string>> => {
  const { StackResourceSummaries = [] } = await cloudFormation.send(
    new ListStackResourcesCommand({ StackName: 'Postern' }),
  );
  return new Map(StackResourceSummaries.map((row) => [row.LogicalResourceId ?? '', row.PhysicalResourceId ?? '']));
};

const physicalName = async (prefix: string): Promise<string> =>
  [...(await resources())].find(([id]) => id.startsWith(prefix))?.[1] ?? '';

interface Configuration {
  readonly Runtime: string;
  readonly Handler: string;
  readonly Timeout: number;
  readonly CodeSize: number;
  readonly Environment: { readonly Variables: Readonly<Record<string, string>> };
}

const configurationOf = async (id: string): Promise<Configuration> => {
  const name = await physicalName(id);
  const response = await fetch(`${endpoint}/2015-03-31/functions/${name}/configuration`, {
    headers: { authorization: 'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/lambda/aws4_request' },
  });
  const configuration: unknown = await response.json();
  return Object(configuration);
};

const TOKEN = 'a-token-of-the-operator-for-tests-only';
const INSTANCE = fileURLToPath(new URL('../support/invoke-bundle.ts', import.meta.url));
const DIST = fileURLToPath(new URL('../../dist', import.meta.url));

const CURSOR_SECRET = 'a-secret-for-this-machine-only-0123456789abcdef';

let sample: SampleServer | undefined;
afterAll(() => sample?.close());

// The instances are slow, so the servers of this process keep their connections as long.
let endSlowTime = (): void => undefined;
beforeAll(() => {
  endSlowTime = slowDownTime();
});
afterAll(() => endSlowTime());

/** Replaces what moto cannot deploy: secrets that are generated, a provider without a network, and an operator. */
const overrides = async (): Promise<Readonly<Record<string, string>>> => {
  sample ??= await startSampleServer();
  return {
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    DYNAMODB_ENDPOINT: endpoint ?? '',
    ORIGIN_SECRETS: 'local',
    CURSOR_SECRETS: CURSOR_SECRET,
    FXTWITTER_BASE_URL: `${sample.origin}/fxtwitter`,
    SYNDICATION_BASE_URL: `${sample.origin}/syndication`,
    UPSTREAM: 'sample',
    ADMIN_TOKEN_HASHES: `operator=${sha256Hex(TOKEN)}`,
  };
};

interface Answer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Runs the bundle in a process of its own, as a new instance of Lambda that waits longer for the slow store of moto. */
const invoke = async (name: LambdaName, event: unknown): Promise<Answer> => {
  const id = `${name.charAt(0).toUpperCase()}${name.slice(1)}Function`;
  const { Variables } = (await configurationOf(id)).Environment;
  // The deployed count in a window that outlasts the starts of many processes.
  const anonymous = Variables['ALLOWANCE_SEARCH_ANONYMOUS']?.replace(/\/60$/, `/${DAY}`);
  const child = spawn(process.execPath, [...SLOW_TIME_OPTIONS, INSTANCE, DIST, name], {
    env: {
      ...Variables,
      ...(await overrides()),
      ...(anonymous !== undefined && { ALLOWANCE_SEARCH_ANONYMOUS: anonymous }),
      AWS_REGION: 'us-east-1',
    },
    cwd: join(DIST, 'functions', name), // as in the folder of a task
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: BUSY,
  });
  child.stdin.end(JSON.stringify(event));
  return JSON.parse(await text(child.stdout));
};

const DAY = 86_400;

const read = (name: string) => JSON.parse(readFileSync(new URL(`../events/${name}.json`, import.meta.url), 'utf8'));

interface SearchOptions {
  readonly key?: string;
  readonly ip?: string;
}

const search = ({ key, ip = '192.0.2.1' }: SearchOptions): Promise<Answer> => {
  const event = read('search');
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };
  return invoke('search', { ...event, headers: { ...event.headers, ...authorization, 'x-viewer-ip': ip } });
};

const admin = (method: string, path: string, body?: unknown): Promise<Answer> => {
  const event = read('create-key');
  const http = { ...event.requestContext.http, method, path };
  return invoke('admin', {
    ...event,
    rawPath: path,
    requestContext: { ...event.requestContext, http },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
};

const tables = async (): Promise<readonly string[]> => (await dynamoDb.send(new ListTablesCommand())).TableNames ?? [];

let addresses = 0;
const hashNetwork = createNetworkHash(CURSOR_SECRET);
/**
 * @param network another one for each run of this file, because windows outlast a run
 * @returns the address of a caller who has spent nothing, and whose window does not end during a test
 */
const newAddress = (network = '198.51.100'): string => {
  const now = Date.now();
  for (;;) {
    addresses += 1;
    const address = `${network}.${addresses}`;
    const { endsAt } = windowAt(now, { count: 1, seconds: DAY }, `search#a:${hashNetwork(address)}`);
    if (endsAt - now >= BUSY) return address;
  }
};

const statuses = (answers: readonly Answer[]): readonly number[] => answers.map(({ statusCode }) => statusCode);

describe.runIf(deployed)('after the deployment', { timeout: BUSY }, () => {
  test('every function has its code, and the tables have their keys', async () => {
    const ids = ['Posts', 'Engagements', 'Oembed', 'Profiles', 'Search', 'Legacy', 'Discovery', 'Mcp', 'Admin'];
    for (const id of ids) {
      const { Runtime, Handler, Timeout, CodeSize } = await configurationOf(`${id}Function`);
      expect([Runtime, Handler, Timeout]).toEqual(['nodejs24.x', 'index.handler', 12]);
      expect(CodeSize).toBeGreaterThan(50_000);
    }
    const { Table } = await dynamoDb.send(new DescribeTableCommand({ TableName: await physicalName('Tableskeys') }));
    expect(Table?.BillingModeSummary?.BillingMode).toBe('PAY_PER_REQUEST');
    expect(Table?.DeletionProtectionEnabled).toBe(true);
  });

  test('functions get the names of the tables that the stack created', async () => {
    const { Variables } = (await configurationOf('SearchFunction')).Environment;
    expect(await tables()).toEqual(expect.arrayContaining([Variables['KEYS_TABLE'], Variables['COUNTERS_TABLE']]));
    expect(Variables['KEYS_TABLE']).toBe(await physicalName('Tableskeys'));
  });

  test('a key is created, counted, disabled at once and deleted', async () => {
    const created = await admin('POST', '/api/admin/keys', { label: 'Tide watch', search: '3/86400' });
    expect(created.statusCode).toBe(201);
    const { id, secret } = JSON.parse(created.body);
    const three = [await search({ key: secret }), await search({ key: secret }), await search({ key: secret })];
    expect(statuses(three)).toEqual([200, 200, 200]);
    expect(three[0]?.headers['X-Api-Key-Status']).toBe('valid');
    expect(await search({ key: secret })).toMatchObject({ statusCode: 429 });
    expect(await search({ key: 'pstn_0000000000000000000000000000000000000000000000' })).toMatchObject({
      statusCode: 401,
    });
    expect((await admin('PATCH', `/api/admin/keys/${id}`, { state: 'disabled' })).statusCode).toBe(200);
    expect((await search({ key: secret })).statusCode).toBe(401);
    expect((await admin('PATCH', `/api/admin/keys/${id}`, { state: 'enabled' })).statusCode).toBe(200);
    expect((await search({ key: secret })).statusCode).toBe(429);
    expect((await admin('DELETE', `/api/admin/keys/${id}`)).statusCode).toBe(204);
    expect((await search({ key: secret })).statusCode).toBe(401);
  });

  test('instances that run at once admit exactly the allowance of a caller', async () => {
    const ip = newAddress();
    const admitted = statuses(await Promise.all(Array.from({ length: 14 }, () => search({ ip }))));
    expect(admitted.toSorted()).toEqual([...Array(10).fill(200), ...Array(4).fill(429)]);
    expect((await search({ ip: newAddress() })).statusCode).toBe(200);
  });

  test('each counter has a time to live in the future', async () => {
    const { Items = [] } = await dynamoDb.send(new ScanCommand({ TableName: await physicalName('Tablescounters') }));
    expect(Items.length).toBeGreaterThan(0);
    for (const { x } of Items) expect(Number(x?.N)).toBeGreaterThan(Date.now() / 1000);
  });

  test('a key stays for the next deployment', async () => {
    expect((await admin('POST', '/api/admin/keys', { label: 'Stays', search: '5/60' })).statusCode).toBe(201);
  });
});

describe.runIf(deployed)('after a changed setting', { timeout: BUSY }, () => {
  test('functions have the new value, the same tables and the same keys', async () => {
    const { Variables } = (await configurationOf('SearchFunction')).Environment;
    expect(Variables).toMatchObject({ CACHE_TTL_SECONDS: '60', ALLOWANCE_SEARCH_ANONYMOUS: '3/60' });
    const { keys } = JSON.parse((await admin('GET', '/api/admin/keys')).body);
    expect(keys).toEqual([expect.objectContaining({ label: 'Stays' })]);
    const ip = newAddress('203.0.113');
    const four = [];
    for (let count = 0; count < 4; count += 1) four.push(await search({ ip }));
    expect(statuses(four)).toEqual([200, 200, 200, 429]);
  });
});

describe.runIf(deployed)('after the destruction', { timeout: BUSY }, () => {
  test('the tables of keys and of the audit are left, with their items', async () => {
    const left = await tables();
    expect(left.filter((name) => name.includes('Tablescounters'))).toEqual([]);
    const [keys = ''] = left.filter((name) => name.includes('Tableskeys'));
    expect(left.filter((name) => name.includes('Tablesadmin'))).toHaveLength(1);
    const { Count } = await dynamoDb.send(new ScanCommand({ TableName: keys }));
    expect(Count).toBe(1);
  });
});
