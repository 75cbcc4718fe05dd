// Declares the facts that Lambda tells a function about itself.
import { type LambdaName, lambdas } from '../../shared/contract/lambdas.ts';

export const REGION = 'us-east-1';
export const ACCOUNT = '123456789012';

/** Lambda's limit for the JSON response of a synchronous invocation: 6 MiB and 100 bytes. */
export const MAX_RESPONSE_BYTES = 6_291_556;

export interface LambdaEnvironment {
  readonly arn: string;
  readonly version: string;
  readonly memoryMiB: number;
  readonly logGroup: string;
  readonly logStream: string;
}

export const lambdaEnvironment = (name: LambdaName): LambdaEnvironment => ({
  arn: `arn:aws:lambda:${REGION}:${ACCOUNT}:function:${name}`,
  version: '$LATEST',
  memoryMiB: lambdas[name].memoryMiB,
  logGroup: `/aws/lambda/${name}`,
  logStream: 'local',
});
