// Builds the ports of the dashboard: its tables, the operators, the withheld list, and the health check of the providers.
import packageJson from '../../package.json' with { type: 'json' };
import { createNetworkHash } from '../auth/client-network.ts';
import { createFixedWindowLimiter } from '../rate-limit/fixed-window-limiter.ts';
import { env } from '../settings/environment-variables.ts';
import { operatorList } from '../settings/feature-parsers.ts';
import { openWithheldFile } from '../settings/withheld-file.ts';
import {
  createDynamoDbAuditStore,
  createDynamoDbSessionStore,
  createDynamoDbUsageReader,
} from '../stores/dynamodb-admin-stores.ts';
import { createDynamoDbApiKeyStore } from '../stores/dynamodb-api-key-store.ts';
import { createDynamoDbClient } from '../stores/dynamodb-client.ts';
import { createDynamoDbCounterStore } from '../stores/dynamodb-counter-store.ts';
import { createStoreConnection, createStoreGuard } from '../stores/store-guard.ts';
import { createHealthCheck, sampleCheck } from '../upstream/health-check.ts';
import { dynamoDbOptions, readAllowances, tableName } from './access-control.ts';
import { countersFromEnvironment } from './counters.ts';
import {
  type Environment,
  httpFromEnvironment,
  parseVariable,
  readCursorSecrets,
  readVariable,
  type WriteLine,
} from './environment.ts';
import { readPaidRowCeiling } from './paid-rows.ts';
import { readBaseUrls, readCanaryPost, readProviders, userAgent } from './provider-settings.ts';

/** The handler of the dashboard declares the type. @throws Error if a setting is invalid or missing */
export const adminFromEnvironment = (environment: Environment = process.env, writeLog?: WriteLine) => {
  const http = httpFromEnvironment(environment, writeLog);
  const { clock, wall, log, settings } = http;
  const random = Math.random;
  const withheldFile = readVariable(environment, env.withheldFile);
  const client = createDynamoDbClient(dynamoDbOptions(environment));
  const table = tableName(environment, 'counters');
  const counters = countersFromEnvironment(environment, createDynamoDbCounterStore(client, table), wall);
  const admin = tableName(environment, 'admin');
  return {
    ...http,
    keys: createDynamoDbApiKeyStore(client, tableName(environment, 'keys')),
    sessions: createDynamoDbSessionStore(client, admin),
    audit: createDynamoDbAuditStore(client, admin, () => wall.now()),
    usage: counters.usageReader(createDynamoDbUsageReader(client, table)),
    limiter: createFixedWindowLimiter({
      store: counters.store,
      guard: createStoreGuard('counters', { clock, log, random, connection: createStoreConnection(clock) }),
      clock,
      wall,
    }),
    identify: createNetworkHash(readCursorSecrets(environment)[0]),
    operators: parseVariable(environment, env.adminTokenHashes, operatorList) ?? [],
    allowances: readAllowances(environment),
    version: packageJson.version,
    withheld: withheldFile === undefined ? () => ({ entries: [] }) : openWithheldFile(withheldFile),
    paidRowCeiling: readProviders(environment).includes('x_api') ? readPaidRowCeiling(environment) : 0,
    probe: settings.isSample
      ? sampleCheck
      : createHealthCheck({
          providers: readProviders(environment).map((name) => ({ name, baseUrls: readBaseUrls(environment, name) })),
          canaryPost: readCanaryPost(environment),
          userAgent: userAgent(settings.baseUrl),
          clock,
          wall,
          log,
          random,
        }),
  };
};
