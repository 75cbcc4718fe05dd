import { elapsedClock, readVariable } from '../../shared/composition/environment.ts';
import { METRICS_NAMESPACE } from '../../shared/contract/metrics.ts';
import { canaryVariables } from '../../shared/contract/other-functions.ts';
import { env, environmentDefaults } from '../../shared/settings/environment-variables.ts';
import { runCanary } from './run-canary.ts';

const { env: environment } = process;

/** The schedule invokes it. A URL that is missing or malformed ends the run with an error. */
export const handler = (): Promise<void> =>
  runCanary({
    clock: elapsedClock,
    wall: Date,
    origin: new URL(readVariable(environment, canaryVariables.address) ?? ''),
    known: {
      post: readVariable(environment, env.canaryPost) ?? environmentDefaults[env.canaryPost],
      profile: readVariable(environment, env.canaryProfile) ?? environmentDefaults[env.canaryProfile],
    },
    minutes: Number(readVariable(environment, canaryVariables.minutes)),
    originSecret: readVariable(environment, env.originSecrets),
    namespace: readVariable(environment, METRICS_NAMESPACE),
    writeLine: (line) => void process.stdout.write(`${line}\n`),
  });
