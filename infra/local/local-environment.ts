// What functions are told on one machine where nothing else was set.

import { type Environment, readVariable } from '../../shared/composition/environment.ts';
import type { TableName } from '../../shared/contract/tables.ts';
import { env } from '../../shared/settings/environment-variables.ts';

/** Accepted as `x-origin-secret`; there is nothing to keep from anybody. */
export const LOCAL_ORIGIN_SECRET = 'local';

export const DEFAULT_TABLES: Readonly<Record<TableName, string>> = {
  keys: 'postern-keys',
  counters: 'postern-counters',
  admin: 'postern-admin',
};

/** Where `npm start` listens unless told otherwise. */
export const DEFAULT_HOST = '127.0.0.1';
export const DEFAULT_PORT = 3000;
export const DEFAULT_ORIGIN = `http://${DEFAULT_HOST}:${DEFAULT_PORT}`;

/** @param origin where the service listens, or would */
export const localEnvironment = (given: Environment, origin: string = DEFAULT_ORIGIN): Environment => ({
  ...given,
  [env.baseUrl]: readVariable(given, env.baseUrl) ?? origin,
  [env.originSecrets]: readVariable(given, env.originSecrets) ?? LOCAL_ORIGIN_SECRET,
});
