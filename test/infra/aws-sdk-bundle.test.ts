// Tests the stubbed DynamoDB client as Lambda runs it: bundled, against loopback servers.
import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createRequire } from 'node:module';
import { text as textOf } from 'node:stream/consumers';
import type { DynamoDBClient, DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { awsSdkStubs } from '../../infra/build/package-stubs.ts';
import { listen, stop } from '../../infra/local/listen.ts';
import { bundleProbe, modulesLoadedBy } from '../support/bundled-files.ts';
import { startTestServer } from '../support/test-server.ts';

const SDK = '@aws-sdk/client-dynamodb';
const PROBE = `
export {
  DeleteItemCommand, DynamoDBClient, GetItemCommand, PutItemCommand, QueryCommand, ScanCommand, UpdateItemCommand,
} from '${SDK}';
export const handler = async () => 'ready';
`;

const probe = await bundleProbe(PROBE);
afterAll(probe.remove);
const sdk: typeof import('@aws-sdk/client-dynamodb') = createRequire(import.meta.url)(probe.file);

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

const errorBody = (name: string, members: object = {}): string =>
  JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'Refused', ...members });

const getItem = () => new sdk.GetItemCommand({ TableName: 'keys', Key: { pk: { S: 'one' } }, ConsistentRead: true });

test('the DynamoDB bundle contains every stub', () => {
  const files = probe.files.map((path) => path.replace(/^.*node_modules\//, ''));
  expect(files).toEqual(expect.arrayContaining(Object.keys(awsSdkStubs.stubs)));
});

test('the DynamoDB bundle has no provider of credentials, and so asks no instance metadata', () => {
  expect(probe.files.filter((path) => /credential-provider/.test(path))).toEqual([]);
  for (const text of ['169.254.169.254', 'AWS_WEB_IDENTITY', 'sso_session']) expect(probe.code).not.toContain(text);
});

test('the DynamoDB bundle requires no expensive built-in when it is loaded and a client is created', () => {
  const names = modulesLoadedBy(
    probe,
    `new loaded.DynamoDBClient({ region: 'eu-central-1', credentials: ${JSON.stringify(credentials)} });`,
    "process.getBuiltinModule('node:http');",
  );
  expect(names).toContain('crypto');
  expect(names).toContain('https');
  const expensive = ['http2', 'child_process', 'readline', 'internal/deps/undici/undici'];
  expect(names.filter((name) => expensive.includes(name))).toEqual([]);
});

test.each([
  [400, 'ThrottlingException'],
  [500, 'InternalServerError'],
])('the client rejects without a retry when the response is %i %s', async (status, name) => {
  let calls = 0;
  const endpoint = await startTestServer((_, response) => {
    calls += 1;
    response.writeHead(status).end(errorBody(name));
  });
  await expect(clientOf({ endpoint }).send(getItem())).rejects.toMatchObject({
    name,
    $metadata: { httpStatusCode: status, attempts: 1 },
  });
  expect(calls).toBe(1);
});

const sha256 = (content: string): string => createHash('sha256').update(content).digest('hex');
const hmac = (key: string | Buffer, content: string): Buffer => createHmac('sha256', key).update(content).digest();

/** @returns the Authorization value of a POST to `/`, computed as Signature Version 4 specifies */
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

test('a request has a JSON 1.0 body and a Signature Version 4 that covers the session token', async () => {
  let incoming: IncomingMessage | undefined;
  let body = '';
  const endpoint = await startTestServer(async (request, response) => {
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
    'user-agent': expect.stringContaining(`aws-sdk-js/${awsSdkStubs.reviewedVersions[SDK]} `),
    'content-length': `${Buffer.byteLength(body)}`,
    host: endpoint.slice('http://'.length),
    authorization: authorization(incoming, body),
  });
  const signed = /SignedHeaders=([^,]+)/.exec(incoming.headers.authorization ?? '')?.[1]?.split(';');
  expect(signed).toEqual(expect.arrayContaining(['host', 'x-amz-date', 'x-amz-security-token', 'x-amz-target']));
});

test('the client corrects its clock when a response shows that the clock is one hour slow', async () => {
  const HOUR = 3_600_000;
  const sent: number[] = [];
  const endpoint = await startTestServer(({ headers }, response) => {
    const [, day = '', time = ''] = /^(\d{8})T(\d{6})Z$/.exec(String(headers['x-amz-date'])) ?? [];
    const iso = `${day.replace(/(....)(..)(..)/, '$1-$2-$3')}T${time.replace(/(..)(..)(..)/, '$1:$2:$3')}Z`;
    sent.push(Date.parse(iso) - Date.now());
    response.setHeader('date', new Date(Date.now() + HOUR).toUTCString());
    if (sent.length === 1) response.writeHead(400).end(errorBody('InvalidSignatureException'));
    else response.end('{}');
  });
  const client = clientOf({ endpoint });
  await expect(client.send(getItem())).rejects.toMatchObject({ name: 'InvalidSignatureException' });
  await client.send(getItem());
  const [first = Number.NaN, second = Number.NaN] = sent;
  expect(Math.abs(first)).toBeLessThan(60_000);
  expect(Math.abs(second - HOUR)).toBeLessThan(60_000);
});

test('the client reuses its TLS connection when it has the default request handler', async () => {
  // With a pre-shared key the repository needs no private key.
  const psk = Buffer.from('0123456789abcdef');
  const ciphers = 'PSK+AES128';
  let connections = 0;
  const server = createTlsServer({ pskCallback: () => psk, ciphers }, (_, response) => response.end('{}'));
  server.on('secureConnection', () => {
    connections += 1;
  });
  const host = (await listen(server, '127.0.0.1', 0)).replace('http://', '');
  onTestFinished(() => stop(server));
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
])('the client of %s sends to %s when it has no endpoint', async (region, hostname) => {
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

test('the client throws when an option needs a stubbed feature', () => {
  const region = 'eu-central-1';
  expect(() => new sdk.DynamoDBClient({ region })).toThrow(/credential provider chain: pass credentials/);
  expect(() => new sdk.DynamoDBClient({ credentials })).toThrow('Region is missing');
  expect(() => clientOf({ profile: 'other' })).toThrow(/profiles/);
  expect(() => clientOf({ defaultsMode: 'auto' })).toThrow(/defaults modes/);
});
