// Creates the admin function over a separate embedded DynamoDB, with two operators, a virtual clock, a captured log and
// replaceable stores. Every answer is checked for the headers of private routes.
import { expect, onTestFinished } from 'vitest';
import { type AdminPage, type AdminPorts, createAdminHandler } from '../../functions/admin/create-handler.ts';
import { sha256Hex } from '../../shared/auth/api-key.ts';
import { createNetworkHash } from '../../shared/auth/client-network.ts';
import { buildAllowances } from '../../shared/contract/allowances.ts';
import { tableNames } from '../../shared/contract/tables.ts';
import type { HttpEvent } from '../../shared/http/event.ts';
import type { Operator } from '../../shared/ports/stores.ts';
import type { LogFields } from '../../shared/ports/system.ts';
import { createFixedWindowLimiter } from '../../shared/rate-limit/fixed-window-limiter.ts';
import {
  createDynamoDbAuditStore,
  createDynamoDbSessionStore,
  createDynamoDbUsageReader,
} from '../../shared/stores/dynamodb-admin-stores.ts';
import { createDynamoDbApiKeyStore } from '../../shared/stores/dynamodb-api-key-store.ts';
import { createDynamoDbCounterStore } from '../../shared/stores/dynamodb-counter-store.ts';
import { createTestClient, itemsOf, startDynalite, type TestDynamoDb } from './dynamodb.ts';
import { context, routedEvent } from './event.ts';
import { type TestClock, testClock, waitingGuard } from './limiter.ts';
import { isProblem } from './problem-schema.ts';
import { type StoreProxy, startProxy } from './store-proxy.ts';
import { BASE_URL, responseOf, type TestResponse } from './test-app.ts';

export const TOKENS = {
  ada: 'a-token-of-ada-for-tests-only',
  bob: 'a-token-of-bob-for-tests-only',
} as const;

export type OperatorName = keyof typeof TOKENS;

export const operators: readonly Operator[] = Object.entries(TOKENS).map(([name, token]) => ({
  name,
  tokenHash: sha256Hex(token),
}));

export const PAGE_STUB: AdminPage = {
  html: '<!doctype html><title>The dashboard</title>',
  script: 'document.title = "The script";',
  style: 'body { margin: 0; }',
};

/** The default allowances. */
export const allowances = buildAllowances({
  searchAnonymous: { count: 10, seconds: 60 },
  searchKeyed: { count: 60, seconds: 60 },
  browse: { count: 60, seconds: 60 },
});

export const identify = createNetworkHash('a secret of the tests');

export const ADDRESS = '198.51.100.7';
/** An error as the client of the store throws it. */
export const storeError = (): Error => Object.assign(new Error('LEAKY'), { $metadata: {} });

export const HOUR = 3_600_000;
export const MINUTE = 60_000;

export interface AdminResponse extends TestResponse {
  /** Values of Set-Cookie. */
  readonly cookies: readonly string[];
}

export interface AdminRequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON with its media type. */
  readonly json?: unknown;
  /** Sent unchanged. */
  readonly text?: string;
  /** Encodes the body in base64, as API Gateway does with binary content. */
  readonly isBase64?: boolean;
  /** The caller's IP address at the edge. @default ADDRESS */
  readonly address?: string;
  readonly remainingMilliseconds?: number;
}

/** @param line method and target: `GET /admin` */
export type SendAdminRequest = (line: string, options?: AdminRequestOptions) => Promise<AdminResponse>;

export type Stores = Pick<AdminPorts, 'keys' | 'sessions' | 'audit' | 'usage'>;

export interface AdminAppOptions
  extends Partial<Pick<AdminPorts, 'operators' | 'allowances' | 'paidRowCeiling' | 'probe' | 'withheld'>> {
  /** @default https */
  readonly baseUrl?: string;
  /** Replaces stores. @param tables the stores on the DynamoDB tables */
  readonly stores?: (tables: Stores) => Partial<Stores>;
  /** @default ample time limits */
  readonly storeOptions?: Parameters<typeof createTestClient>[1];
}

export interface AdminClient {
  readonly send: SendAdminRequest;
  /** `name=value`, as a browser sends it. */
  readonly cookie: string;
  /** The value of the cookie. */
  readonly secret: string;
  readonly answer: AdminResponse;
}

export interface AdminApp {
  readonly clock: TestClock;
  readonly dynamo: TestDynamoDb;
  /** Between the function and its tables. */
  readonly proxy: StoreProxy;
  readonly log: readonly LogFields[];
  /** Sends a request without credentials. */
  readonly send: SendAdminRequest;
  /** Sends a request with the operator's token. */
  readonly ada: SendAdminRequest;
  readonly bob: SendAdminRequest;
  /** Signs in as a browser does. */
  signIn(name?: OperatorName): Promise<AdminClient>;
  /** @returns the id and the secret of a new key */
  createKey(members?: object): Promise<{ readonly id: string; readonly secret: string }>;
  /** The audit entries, the newest first. */
  audited(): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** The items of all tables, without the counters whose charges were all refunded. */
  stored(): Promise<string>;
  /** Another instance on the same tables with the same clock. */
  another(options?: AdminAppOptions): AdminApp;
}

/** No cache stores the answer, no page of another origin can read it, and no browser prompts for a password. */
const expectPrivate = ({ headers }: TestResponse): void => {
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(/./),
  });
  expect(Object.keys(headers).filter((name) => /^access-control-|authenticate/.test(name))).toEqual([]);
};

export const expectRefusal = (answer: AdminResponse, status: number, code: string): Record<string, unknown> => {
  expect([answer.status, answer.headers['content-type']], answer.body).toEqual([status, 'application/problem+json']);
  const document = answer.json();
  expect(isProblem(document), JSON.stringify(isProblem.errors)).toBe(true);
  expect(document).toMatchObject({ status, code, type: `${BASE_URL}/docs/errors#${code}` });
  expect(answer.cookies).toEqual([]);
  expect(answer.body).not.toMatch(/\bat .+:\d+:\d+|node:internal|LEAKY|dynamo/i);
  return document;
};

const eventOf = (line: string, options: AdminRequestOptions): HttpEvent => {
  const { headers = {}, json, text = json === undefined ? '' : JSON.stringify(json), address = ADDRESS } = options;
  const [method = '', target = ''] = line.split(' ');
  const type = json === undefined ? {} : { 'content-type': 'application/json' };
  const { lambda, event } = routedEvent(target, {
    method,
    headers: { ...type, 'x-viewer-ip': address, ...headers },
    body: text,
  });
  if (lambda !== 'admin') throw new Error(`${line} is not for the operator's function`);
  return options.isBase64 ? { ...event, body: Buffer.from(text).toString('base64'), isBase64Encoded: true } : event;
};

const createSender =
  (
    handler: ReturnType<typeof createAdminHandler>,
    credentials: Readonly<Record<string, string>> = {},
  ): SendAdminRequest =>
  async (line, options = {}) => {
    const event = eventOf(line, { ...options, headers: { ...credentials, ...options.headers } });
    const result = await handler(event, context(options.remainingMilliseconds));
    const answer = { ...responseOf(result), cookies: result.cookies ?? [] };
    expectPrivate(answer);
    return answer;
  };

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

const textOf = (document: Readonly<Record<string, unknown>>, name: string): string => {
  const text = document[name];
  if (typeof text !== 'string') throw new Error(`there is no ${name}`);
  return text;
};

interface Environment {
  readonly clock: TestClock;
  readonly dynamo: TestDynamoDb;
  readonly proxy: StoreProxy;
}

const createInstance = (environment: Environment, options: AdminAppOptions): AdminApp => {
  const { clock, dynamo, proxy } = environment;
  const { baseUrl = BASE_URL, stores = () => ({}), storeOptions, ...others } = options;
  const { tables } = dynamo;
  const client = createTestClient(proxy.endpoint, storeOptions);
  onTestFinished(() => client.destroy());
  const log: LogFields[] = [];
  const tableStores: Stores = {
    keys: createDynamoDbApiKeyStore(client, tables.keys),
    sessions: createDynamoDbSessionStore(client, tables.admin),
    audit: createDynamoDbAuditStore(client, tables.admin, clock.now),
    usage: createDynamoDbUsageReader(client, tables.counters),
  };
  const handler = createAdminHandler(PAGE_STUB, {
    ...clock,
    log: (fields) => void log.push(fields),
    settings: { originSecrets: ['local'], baseUrl, cacheTtlSeconds: 300 },
    operators,
    allowances,
    paidRowCeiling: 0,
    probe: async () => [],
    version: '1.2.3',
    withheld: () => ({ entries: [] }),
    identify,
    limiter: createFixedWindowLimiter({
      store: createDynamoDbCounterStore(client, tables.counters),
      guard: waitingGuard,
      ...clock,
    }),
    ...tableStores,
    ...stores(tableStores),
    ...others,
  });
  const send = createSender(handler);
  const ada = createSender(handler, bearer(TOKENS.ada));
  return {
    ...environment,
    log,
    send,
    ada,
    bob: createSender(handler, bearer(TOKENS.bob)),
    async signIn(name = 'ada') {
      const answer = await send('POST /admin/session', { json: { token: TOKENS[name] } });
      expect([answer.status, answer.cookies.length]).toEqual([200, 1]);
      const [cookie = ''] = answer.cookies[0]?.split(';') ?? [];
      const headers = { cookie, 'x-csrf': '1', 'sec-fetch-site': 'same-origin' };
      return { send: createSender(handler, headers), cookie, secret: cookie.replace(/^[^=]*=/, ''), answer };
    },
    async createKey(members = { label: 'A key of the tests' }) {
      const answer = await ada('POST /api/admin/keys', { json: members });
      expect(answer.status, answer.body).toBe(201);
      return { id: textOf(answer.json(), 'id'), secret: textOf(answer.json(), 'secret') };
    },
    async audited() {
      const { entries } = (await ada('GET /api/admin/audit')).json();
      if (!Array.isArray(entries)) throw new Error('there are no entries');
      return entries;
    },
    async stored() {
      const all = await Promise.all(tableNames.map((name) => itemsOf(dynamo, name)));
      return JSON.stringify(all.map((items) => items.filter(({ n }) => n?.N !== '0')));
    },
    another: (changes = {}) => createInstance(environment, changes),
  };
};

/** The app is closed when the test ends. */
export const createAdminApp = async (options: AdminAppOptions = {}): Promise<AdminApp> => {
  const dynamo = await startDynalite();
  onTestFinished(dynamo.close);
  const proxy = await startProxy(dynamo.endpoint);
  onTestFinished(proxy.close);
  return createInstance({ clock: testClock(), dynamo, proxy }, options);
};
