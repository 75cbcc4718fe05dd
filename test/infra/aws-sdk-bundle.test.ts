// The slimmed DynamoDB client is judged as Lambda gets it: bundled, then run against loopback servers.
import { execFileSync } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { CreateTableCommand, DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { type BuildFailure, build, type Plugin } from 'esbuild';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { awsSdkReplacements, reviewedVersions, slimAwsSdk } from '../../infra/build/aws-sdk-plugin.ts';
import { bundle } from '../../infra/build/bundle.ts';

/** Measured 143,862 with client-dynamodb 3.1162.0; the slack is for esbuild's naming. */
const MOST_BYTES = 146_000;

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SDK = '@aws-sdk/client-dynamodb';
const PROBE = `
export {
  DeleteItemCommand, DynamoDBClient, GetItemCommand, PutItemCommand, QueryCommand, ScanCommand, UpdateItemCommand,
} from '${SDK}';
export const handler = async () => 'ready';
`;

const directory = mkdtempSync(join(tmpdir(), 'aws-sdk-bundle-'));
const entry = join(directory, 'probe.ts');
const file = join(directory, 'out', 'probe', 'index.cjs');
const require = createRequire(import.meta.url);

/** The probe lies outside the project, whose packages it means. */
const fromProject: Plugin = {
  name: 'from-project',
  setup: ({ onResolve, resolve }) => {
    onResolve({ filter: /^@aws-sdk\// }, ({ path, kind, importer }) =>
      importer === entry ? resolve(path, { kind, resolveDir: ROOT }) : undefined,
    );
  },
};

let bytes = 0;
let packages: ReadonlySet<string> = new Set();
let sdk: typeof import('@aws-sdk/client-dynamodb');

beforeAll(async () => {
  writeFileSync(entry, PROBE);
  const made = await bundle({ entries: { probe: entry }, outDir: join(directory, 'out'), plugins: [fromProject] });
  bytes = made.bytes.probe ?? 0;
  packages = new Set(
    Object.values(made.metafile.outputs)
      .flatMap(({ inputs }) => Object.keys(inputs))
      .flatMap((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? []),
  );
  sdk = require(file);
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

const credentials = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI',
  sessionToken: 'token/of+a=session',
};

const clientOf = (config: DynamoDBClientConfig): DynamoDBClient => {
  const client = new sdk.DynamoDBClient({ region: 'eu-central-1', credentials, maxAttempts: 1, ...config });
  onTestFinished(() => client.destroy());
  return client;
};

const listen = async (server: TcpServer): Promise<string> => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const serve = async (answer: (incoming: IncomingMessage, response: ServerResponse) => unknown): Promise<string> => {
  const server = createServer((incoming, response) => void answer(incoming, response));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://${await listen(server)}`;
};

const refusal = (name: string, more: object = {}): string =>
  JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'Refused', ...more });

const getItem = () => new sdk.GetItemCommand({ TableName: 'keys', Key: { pk: { S: 'one' } }, ConsistentRead: true });

test('the bundle holds no more of the SDK than measured', () => {
  const code = readFileSync(file, 'utf8');
  expect(bytes).toBe(Buffer.byteLength(code));
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
  expect(code).toMatch(/^[\n\x20-\x7e]*$/);
});

test('the bundle holds no credential provider and asks neither files nor the metadata service', () => {
  expect([...packages].sort()).toEqual([
    '@aws-sdk/client-dynamodb',
    '@aws-sdk/core',
    '@aws-sdk/dynamodb-codec',
    '@aws-sdk/middleware-endpoint-discovery',
    '@smithy/core',
    '@smithy/node-http-handler',
    '@smithy/signature-v4',
    '@smithy/types',
  ]);
  const code = readFileSync(file, 'utf8');
  for (const word of ['169.254.169.254', 'AWS_PROFILE', 'AWS_ENDPOINT_URL', 'AWS_WEB_IDENTITY', 'sso_session']) {
    expect(code).not.toContain(word);
  }
  expect(code).not.toMatch(/node:(?:child_process|http2|zlib|async_hooks)/);
});

test('loading the bundle exports a handler and requires no costly built-in, nor does a client', () => {
  const script = `
    const before = new Set(process.moduleLoadList);
    const loaded = require(${JSON.stringify(file)});
    if (typeof loaded.handler !== 'function') throw new Error('no handler');
    const requestHandler = { handle: async () => { throw new Error('unused'); } };
    new loaded.DynamoDBClient({ region: 'eu-central-1', credentials: ${JSON.stringify(credentials)}, requestHandler });
    console.log(JSON.stringify(process.moduleLoadList.filter((name) => !before.has(name))));`;
  const probe = join(directory, 'load.cjs');
  writeFileSync(probe, script);
  const modules = JSON.parse(execFileSync(process.execPath, [probe], { encoding: 'utf8' })) as readonly string[];
  const names = modules.map((name) => name.replace('NativeModule ', ''));
  expect(names).toContain('crypto');
  const costly = ['net', 'http', 'https', 'http2', 'tls', 'zlib', 'dns', 'child_process', 'internal/crypto/webcrypto'];
  expect(names.filter((name) => costly.includes(name))).toEqual([]);
});

describe('against a DynamoDB', () => {
  interface Dynalite extends Server {
    close(done?: () => void): this;
  }
  const dynalite: (options: { readonly createTableMs: number }) => Dynalite = require('dynalite');
  const server = dynalite({ createTableMs: 0 });
  const TableName = 'counters';
  let endpoint = '';

  beforeAll(async () => {
    endpoint = `http://${await listen(server)}`;
    // The table is made by the SDK as published: the bundle has no command for it.
    const maker = new DynamoDBClient({ region: 'eu-central-1', credentials, endpoint });
    const key = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' as const });
    await maker.send(
      new CreateTableCommand({
        TableName,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [key('pk'), key('sk')],
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
      }),
    );
    maker.destroy();
    await vi.waitFor(() => itemsOf('nobody'));
  });

  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const connected = <Result>(use: (client: DynamoDBClient) => Promise<Result>): Promise<Result> => {
    const client = new sdk.DynamoDBClient({ region: 'eu-central-1', credentials, endpoint, maxAttempts: 1 });
    return use(client).finally(() => client.destroy());
  };

  const itemsOf = (pk: string): Promise<unknown> =>
    connected(async (client) => {
      const { Items } = await client.send(
        new sdk.QueryCommand({
          TableName,
          ConsistentRead: true,
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': { S: pk } },
        }),
      );
      return Items;
    });

  const put = (pk: string, sk: string): Promise<unknown> =>
    connected((client) =>
      client.send(new sdk.PutItemCommand({ TableName, Item: { pk: { S: pk }, sk: { S: sk }, spent: { N: '0' } } })),
    );

  test('an item of every type is read as it was put', async () => {
    const Key = { pk: { S: 'types' }, sk: { S: 'a' } };
    const Item = {
      ...Key,
      number: { N: '12345678901234567890.5' },
      bytes: { B: Uint8Array.from([0, 127, 255]) },
      yes: { BOOL: true },
      nothing: { NULL: true },
      list: { L: [{ S: 'Grüße' }, { M: { inner: { N: '1' } } }] },
      strings: { SS: ['x', 'y'] },
      numbers: { NS: ['1', '2'] },
    };
    const read = await connected(async (client) => {
      await client.send(new sdk.PutItemCommand({ TableName, Item }));
      return client.send(new sdk.GetItemCommand({ TableName, Key, ConsistentRead: true }));
    });
    expect(read.Item).toEqual(Item);
    expect(read.$metadata).toMatchObject({ httpStatusCode: 200, attempts: 1 });
  });

  test('an item that is not there is undefined', async () => {
    const Key = { pk: { S: 'nobody' }, sk: { S: 'a' } };
    const read = await connected((client) => client.send(new sdk.GetItemCommand({ TableName, Key })));
    expect(read.Item).toBeUndefined();
  });

  test('a conditional update is admitted, then refused with ConditionalCheckFailedException', async () => {
    await put('update', 'a');
    const charge = () =>
      connected((client) =>
        client.send(
          new sdk.UpdateItemCommand({
            TableName,
            Key: { pk: { S: 'update' }, sk: { S: 'a' } },
            UpdateExpression: 'ADD spent :one',
            ConditionExpression: 'spent < :most',
            ExpressionAttributeValues: { ':one': { N: '1' }, ':most': { N: '1' } },
            ReturnValues: 'UPDATED_NEW',
          }),
        ),
      );
    expect((await charge()).Attributes).toEqual({ spent: { N: '1' } });
    await expect(charge()).rejects.toMatchObject({
      name: 'ConditionalCheckFailedException',
      $fault: 'client',
      $metadata: { httpStatusCode: 400, attempts: 1 },
    });
  });

  test('a query and a scan find what was put, and not what was deleted', async () => {
    await Promise.all([put('find', 'a'), put('find', 'b')]);
    expect(await itemsOf('find')).toMatchObject([{ sk: { S: 'a' } }, { sk: { S: 'b' } }]);
    const scan = () => connected((client) => client.send(new sdk.ScanCommand({ TableName, ConsistentRead: true })));
    const scanned = async (): Promise<unknown> => (await scan()).Items?.filter(({ pk }) => pk?.S === 'find').length;
    expect(await scanned()).toBe(2);

    const Key = { pk: { S: 'find' }, sk: { S: 'a' } };
    const gone = await connected((client) =>
      client.send(new sdk.DeleteItemCommand({ TableName, Key, ReturnValues: 'ALL_OLD' })),
    );
    expect(gone.Attributes).toMatchObject(Key);
    expect(await itemsOf('find')).toMatchObject([{ sk: { S: 'b' } }]);
    expect(await scanned()).toBe(1);
  });

  test('a table that is not there is ResourceNotFoundException', async () => {
    await expect(connected((client) => client.send(getItem()))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
  });
});

test('a refused condition carries the item that refused it', async () => {
  const Item = { pk: { S: 'one' }, spent: { N: '7' } };
  const endpoint = await serve((_, response) =>
    response.writeHead(400).end(refusal('ConditionalCheckFailedException', { Item })),
  );
  await expect(clientOf({ endpoint }).send(getItem())).rejects.toMatchObject({
    name: 'ConditionalCheckFailedException',
    message: 'Refused',
    Item,
  });
});

test.each([
  [400, 'ProvisionedThroughputExceededException'],
  [400, 'RequestLimitExceeded'],
  [400, 'ThrottlingException'],
  [400, 'UnrecognizedClientException'],
  [500, 'InternalServerError'],
])('an answer of %i %s keeps its name and is not tried again', async (status, name) => {
  let calls = 0;
  const endpoint = await serve((_, response) => {
    calls += 1;
    response.writeHead(status).end(refusal(name));
  });
  await expect(clientOf({ endpoint }).send(getItem())).rejects.toMatchObject({
    name,
    $metadata: { httpStatusCode: status, attempts: 1 },
  });
  expect(calls).toBe(1);
});

test('a port where nobody listens is an error', async () => {
  const server = createTcpServer();
  const endpoint = `http://${await listen(server)}`;
  await new Promise((done) => server.close(done));
  await expect(clientOf({ endpoint }).send(getItem())).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('a server that never answers is left when the signal says so', async () => {
  const endpoint = await serve(() => undefined);
  const started = performance.now();
  const send = clientOf({ endpoint }).send(getItem(), { abortSignal: AbortSignal.timeout(150) });
  await expect(send).rejects.toMatchObject({ name: 'AbortError' });
  expect(performance.now() - started).toBeLessThan(10_000);
});

const sha256 = (content: string): string => createHash('sha256').update(content).digest('hex');
const hmac = (key: string | Buffer, content: string): Buffer => createHmac('sha256', key).update(content).digest();

/** The Authorization value of a POST to `/`, by the letter of Signature Version 4. */
const authorization = ({ headers }: IncomingMessage, body: string): string => {
  const date = String(headers['x-amz-date']);
  const names = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')?.[1] ?? '';
  const lines = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const canonical = ['POST', '/', '', lines.join(''), names, sha256(body)].join('\n');
  const scope = [date.slice(0, 8), 'eu-central-1', 'dynamodb', 'aws4_request'];
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${credentials.secretAccessKey}`);
  const signature = hmac(key, ['AWS4-HMAC-SHA256', date, scope.join('/'), sha256(canonical)].join('\n'));
  return `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope.join('/')}, SignedHeaders=${names}, Signature=${signature.toString('hex')}`;
};

test('a request is JSON 1.0, signed with Signature Version 4 over the session token', async () => {
  let incoming: IncomingMessage | undefined;
  let body = '';
  const endpoint = await serve(async (request, response) => {
    incoming = request;
    body = await textOf(request);
    response.setHeader('x-amzn-requestid', 'REQUEST').end('{}');
  });
  const { $metadata } = await clientOf({ endpoint }).send(getItem());
  expect($metadata.requestId).toBe('REQUEST');
  if (incoming === undefined) throw new Error('no request');
  expect(incoming).toMatchObject({ method: 'POST', url: '/' });
  expect(JSON.parse(body)).toEqual({ TableName: 'keys', Key: { pk: { S: 'one' } }, ConsistentRead: true });
  expect(incoming.headers).toMatchObject({
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': 'DynamoDB_20120810.GetItem',
    'x-amz-security-token': credentials.sessionToken,
    'x-amz-date': expect.stringMatching(/^\d{8}T\d{6}Z$/),
    'amz-sdk-invocation-id': expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/),
    'amz-sdk-request': 'attempt=1; max=1',
    'user-agent': expect.stringContaining(`aws-sdk-js/${reviewedVersions[SDK]} `),
    'content-length': `${Buffer.byteLength(body)}`,
    host: endpoint.slice('http://'.length),
    authorization: authorization(incoming, body),
  });
  const signed = /SignedHeaders=([^,]+)/.exec(incoming.headers.authorization ?? '')?.[1]?.split(';');
  expect(signed).toEqual(expect.arrayContaining(['host', 'x-amz-date', 'x-amz-security-token', 'x-amz-target']));
});

test('a clock that is an hour slow is corrected by the answer', async () => {
  const HOUR = 3_600_000;
  const sent: number[] = [];
  const endpoint = await serve(({ headers }, response) => {
    const [, day = '', time = ''] = /^(\d{8})T(\d{6})Z$/.exec(String(headers['x-amz-date'])) ?? [];
    const iso = `${day.replace(/(....)(..)(..)/, '$1-$2-$3')}T${time.replace(/(..)(..)(..)/, '$1:$2:$3')}Z`;
    sent.push(Date.parse(iso) - Date.now());
    response.setHeader('date', new Date(Date.now() + HOUR).toUTCString());
    if (sent.length === 1) response.writeHead(400).end(refusal('InvalidSignatureException'));
    else response.end('{}');
  });
  const client = clientOf({ endpoint });
  await expect(client.send(getItem())).rejects.toMatchObject({ name: 'InvalidSignatureException' });
  await client.send(getItem());
  const [first = Number.NaN, second = Number.NaN] = sent;
  expect(Math.abs(first)).toBeLessThan(60_000);
  expect(Math.abs(second - HOUR)).toBeLessThan(60_000);
});

test('https works with the default request handler and keeps its connection', async () => {
  // A pre-shared key instead of a certificate: no private key has to live in the repository.
  const psk = Buffer.from('0123456789abcdef');
  const ciphers = 'PSK+AES128';
  let connections = 0;
  const server = createTlsServer({ pskCallback: () => psk, ciphers }, (_, response) => response.end('{}'));
  server.on('secureConnection', () => {
    connections += 1;
  });
  const host = await listen(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const httpsAgent = { ciphers, checkServerIdentity: () => undefined, pskCallback: () => ({ psk, identity: 'probe' }) };
  const client = clientOf({ endpoint: `https://${host}`, requestHandler: { httpsAgent } });
  for (let index = 0; index < 3; index += 1) await client.send(getItem());
  expect(connections).toBe(1);
});

interface Sent {
  readonly protocol: string;
  readonly hostname: string;
  readonly path: string;
}

test.each([
  ['us-east-1', 'dynamodb.us-east-1.amazonaws.com'],
  ['eu-central-1', 'dynamodb.eu-central-1.amazonaws.com'],
  ['cn-north-1', 'dynamodb.cn-north-1.amazonaws.com.cn'],
])('without an endpoint, %s is reached at %s', async (region, hostname) => {
  const sent: Sent[] = [];
  const requestHandler = {
    handle: async (request: Sent): Promise<never> => {
      sent.push(request);
      throw new Error('recorded');
    },
  };
  await expect(clientOf({ region, requestHandler }).send(getItem())).rejects.toThrow('recorded');
  expect(sent).toMatchObject([{ protocol: 'https:', hostname, path: '/' }]);
});

test('neither the environment nor a shared file has a say', () => {
  const config = join(directory, 'config');
  writeFileSync(config, '[default]\nregion = sa-east-1\nendpoint_url = http://127.0.0.1:2\nuse_fips_endpoint = true\n');
  const env = {
    AWS_CONFIG_FILE: config,
    AWS_SHARED_CREDENTIALS_FILE: config,
    AWS_REGION: 'ap-south-1',
    AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
    AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1',
    AWS_USE_DUALSTACK_ENDPOINT: 'true',
    AWS_DISABLE_CLOCK_SKEW_CORRECTION: 'no boolean',
  };
  const script = `
    const { DynamoDBClient, GetItemCommand } = require(${JSON.stringify(file)});
    const requestHandler = { handle: async ({ hostname }) => { console.log(hostname); throw new Error('recorded'); } };
    const config = { region: 'us-east-1', credentials: ${JSON.stringify(credentials)}, maxAttempts: 1, requestHandler };
    new DynamoDBClient(config).send(new GetItemCommand({ TableName: 'keys', Key: {} })).catch(() => undefined);`;
  const host = execFileSync(process.execPath, ['-e', script], { encoding: 'utf8', env });
  expect(host.trim()).toBe('dynamodb.us-east-1.amazonaws.com');
});

test('what was left out refuses instead of misbehaving', async () => {
  const region = 'eu-central-1';
  expect(() => new sdk.DynamoDBClient({ region })).toThrow(/credential provider chain: pass credentials/);
  expect(() => new sdk.DynamoDBClient({ credentials })).toThrow('Region is missing');
  expect(() => clientOf({ profile: 'other' })).toThrow(/profiles/);
  expect(() => clientOf({ defaultsMode: 'auto' })).toThrow(/defaults modes/);
  expect(() => clientOf({ endpointDiscoveryEnabled: true })).toThrow(/endpoint discovery/);
  await expect(clientOf({ retryMode: 'adaptive' }).send(getItem())).rejects.toThrow(/adaptive retries/);
});

interface BuildOptions {
  readonly replacements?: Readonly<Record<string, () => string>>;
  readonly versions?: Readonly<Record<string, string>>;
  readonly contents?: string;
}

const buildWith = ({ replacements, versions, contents = PROBE }: BuildOptions): Promise<unknown> =>
  build({
    absWorkingDir: ROOT,
    stdin: { contents, resolveDir: ROOT },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    mainFields: ['module', 'main'],
    write: false,
    logLevel: 'silent',
    plugins: [slimAwsSdk(replacements, versions)],
  });

test('the build fails when a package is not the reviewed version', async () => {
  const versions = { ...reviewedVersions, [SDK]: '3.1161.0', '@smithy/core': '3.40.0' };
  await expect(buildWith({ versions })).rejects.toThrow(`reviewed for 3.1161.0`);
  await expect(buildWith({ versions })).rejects.toThrow(/@smithy\/core is .+ reviewed for 3\.40\.0/);
});

test('the build fails when a package was never reviewed', async () => {
  const { '@smithy/signature-v4': _, ...versions } = reviewedVersions;
  await expect(buildWith({ versions })).rejects.toThrow(/@smithy\/signature-v4 is .+ reviewed for no version/);
});

test('the build fails when a replaced path is gone from its package', async () => {
  const replacements = { ...awsSdkReplacements, '@smithy/core/dist-es/submodules/serde/uuid/v5.js': () => '' };
  await expect(buildWith({ replacements })).rejects.toThrow(
    'the AWS SDK has no @smithy/core/dist-es/submodules/serde/uuid/v5.js',
  );
});

test('the build fails when a replaced path is no longer part of the bundle', async () => {
  const unreached = '@smithy/core/dist-es/submodules/checksum/md5/Md5Js.js';
  const replacements = { ...awsSdkReplacements, [unreached]: () => 'export const Md5Js = undefined;' };
  await expect(buildWith({ replacements })).rejects.toThrow(`the AWS SDK no longer leads to ${unreached}`);
});

test('the build fails when the SDK leads to a credential provider again', async () => {
  const { [`${SDK}/dist-es/runtimeConfig.js`]: _, ...replacements } = awsSdkReplacements;
  const errors = await buildWith({ replacements }).then(
    () => [],
    (failure: BuildFailure) => failure.errors.map(({ text }) => text),
  );
  const leads = (room: string): string => `the AWS SDK leads to ${room}, which no replacement covers`;
  expect(errors).toContain(leads('@aws-sdk/credential-provider-node'));
  expect(errors).toContain(leads('@aws-sdk/nested-clients'));
  expect(errors).toContain(leads('@smithy/core/dist-es/submodules/config/shared-ini-file-loader'));
});

test('a bundle need not use the client', async () => {
  await expect(buildWith({ contents: 'export const handler = () => 1;' })).resolves.toBeDefined();
});
