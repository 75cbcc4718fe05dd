// What Lambda tells a function about itself, on one machine.
import { type SurfaceName, surfaces } from '../../shared/contract/surfaces.ts';

export const REGION = 'us-east-1';
export const ACCOUNT = '123456789012';

export interface LambdaFacts {
  readonly arn: string;
  readonly version: string;
  readonly memoryMiB: number;
  readonly logGroup: string;
  readonly logStream: string;
}

export const lambdaFacts = (name: SurfaceName): LambdaFacts => ({
  arn: `arn:aws:lambda:${REGION}:${ACCOUNT}:function:${name}`,
  version: '$LATEST',
  memoryMiB: surfaces[name].memoryMiB,
  logGroup: `/aws/lambda/${name}`,
  logStream: 'local',
});
