// Sets the default environment of the functions in the local service.

import { type Environment, readVariable } from '../../shared/composition/environment.ts';
import { env } from '../../shared/settings/environment-variables.ts';
import { localDefaults } from '../../shared/settings/local-service.ts';

export const DEFAULT_ORIGIN = `http://${localDefaults.host}:${localDefaults.port}`;

/** @param origin the origin of the service, also if it is not running */
export const localEnvironment = (given: Environment, origin: string = DEFAULT_ORIGIN): Environment => ({
  ...given,
  [env.baseUrl]: readVariable(given, env.baseUrl) ?? origin,
  [env.originSecrets]: readVariable(given, env.originSecrets) ?? localDefaults.originSecret,
});
