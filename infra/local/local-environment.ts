// What functions are told on one machine where nothing else was set.

import { type Environment, readVariable } from '../../shared/composition/environment.ts';
import { env } from '../../shared/settings/environment-variables.ts';
import { localDefaults } from '../../shared/settings/local-service.ts';

export const DEFAULT_ORIGIN = `http://${localDefaults.host}:${localDefaults.port}`;

/** @param origin where the service listens, or would */
export const localEnvironment = (given: Environment, origin: string = DEFAULT_ORIGIN): Environment => ({
  ...given,
  [env.baseUrl]: readVariable(given, env.baseUrl) ?? origin,
  [env.originSecrets]: readVariable(given, env.originSecrets) ?? localDefaults.originSecret,
});
