// What the operator's function needs: its own tables, who operates, and which providers to look at.
import { createClientAddressHash } from '../auth/client-address.ts';
import { createFixedWindowLimiter } from '../rate-limit/fixed-window-limiter.ts';
import { env } from '../settings/environment-variables.ts';
import { operatorList } from '../settings/feature-parsers.ts';
import { createDynamoDbAuditStore, createDynamoDbSessionStore } from '../stores/dynamodb-admin-stores.ts';
import { createDynamoDbApiKeyStore } from '../stores/dynamodb-api-key-store.ts';
import { createDynamoDbClient } from '../stores/dynamodb-client.ts';
import { createDynamoDbCounterStore } from '../stores/dynamodb-counter-store.ts';
import { createDynamoDbUsageReader } from '../stores/dynamodb-usage-reader.ts';
import { createStoreGuard } from '../stores/store-guard.ts';
import { createHealthCheck } from '../upstream/health-check.ts';
import { dynamoDbOptions, readAllowances, tableName } from './access-control.ts';
import { type Environment, httpFromEnvironment, parseVariable, type WriteLine } from './environment.ts';
import { readCursorSecrets } from './lists.ts';
import { providerBaseUrl, readCanaryPost, readProviders, userAgent } from './upstream.ts';

/** The type is what the surface takes. @throws where a setting is wrong or missing */
export const adminFromEnvironment = (from: Environment = process.env, writeLog?: WriteLine) => {
  const door = httpFromEnvironment(from, writeLog);
  const { clock, log, settings } = door;
  const random = Math.random;
  const client = createDynamoDbClient(dynamoDbOptions(from));
  const counters = tableName(from, 'counters');
  const admin = tableName(from, 'admin');
  return {
    ...door,
    keys: createDynamoDbApiKeyStore(client, tableName(from, 'keys')),
    sessions: createDynamoDbSessionStore(client, admin),
    audit: createDynamoDbAuditStore(client, admin, clock),
    usage: createDynamoDbUsageReader(client, counters),
    limiter: createFixedWindowLimiter({
      store: createDynamoDbCounterStore(client, counters),
      guard: createStoreGuard('counters', { clock, log, random }),
      clock,
    }),
    identify: createClientAddressHash(readCursorSecrets(from)[0]),
    operators: parseVariable(from, env.adminTokenHashes, operatorList) ?? [],
    allowances: readAllowances(from),
    probe: createHealthCheck({
      providers: readProviders(from).map((name) => ({ name, baseUrl: providerBaseUrl(from, name) })),
      canaryPost: readCanaryPost(from),
      userAgent: userAgent(settings.baseUrl),
      clock,
      log,
      random,
    }),
  };
};
