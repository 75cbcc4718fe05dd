// Names the environment variables that only the local service reads, and the defaults of the local service.
import type { TableName } from '../contract/tables.ts';

export const localEnv = {
  port: 'PORT',
  host: 'HOST',
  adminToken: 'ADMIN_TOKEN',
  apiKey: 'API_KEY',
  dataDir: 'DATA_DIR',
  trustedProxies: 'TRUSTED_PROXIES',
  logOutput: 'LOG_OUTPUT',
} as const;

export const localDefaults = {
  host: '127.0.0.1',
  port: 3000,
  upstream: 'auto',
  pictures: 'proxied',
  counterStore: 'memory',
  dataDir: '.local',
  /** Accepted as `x-origin-secret`: the local service has no secret to protect. */
  originSecret: 'local',
} as const;

export const localTableNames: Readonly<Record<TableName, string>> = {
  keys: 'postern-keys',
  counters: 'postern-counters',
  admin: 'postern-admin',
};
