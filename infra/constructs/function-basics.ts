// Creates what every function of the stack has: Node, a role, and a log group that only the function writes.
import { readdirSync } from 'node:fs';
import { FileSystem, RemovalPolicy } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  ApplicationLogLevel,
  Architecture,
  Code,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { BUNDLE_FILE, FUNCTION_HANDLER, functionFolder } from '../build/dist-layout.ts';
import type { Config } from '../config/settings.ts';

export interface FunctionSource {
  readonly config: Config;
  /** The output folder of `npm run build`. */
  readonly dist: string;
}

/**
 * The compiled code has other bytes after each build, so the hash has only its name, and an unchanged function is not
 * deployed again.
 */
const codeOf = (folder: string): Code => {
  const compiled = readdirSync(folder).filter((name) => name.startsWith(`${BUNDLE_FILE}.`));
  return Code.fromAsset(folder, {
    assetHash: FileSystem.fingerprint(folder, { exclude: compiled, extraHash: compiled.join() }),
  });
};

/**
 * Creates the role and the log group of a function. The role starts with the permission to write this log, and nothing
 * else.
 *
 * @param scope has no other role or log group of a function
 * @param bundle the folder of the function in `dist`
 * @returns properties of the function
 */
export const functionBasics = (scope: Construct, bundle: string, { config, dist }: FunctionSource) => {
  const logGroup = new LogGroup(scope, 'Logs', {
    retention: config.logRetentionDays,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const role = new Role(scope, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  logGroup.grantWrite(role);
  return {
    runtime: Runtime.NODEJS_24_X,
    architecture: config.arch === 'arm64' ? Architecture.ARM_64 : Architecture.X86_64,
    code: codeOf(functionFolder(dist, bundle)),
    handler: FUNCTION_HANDLER,
    role,
    logGroup,
    // The lines of Lambda about an invocation without a fault cost as much as ours, and say less.
    loggingFormat: LoggingFormat.JSON,
    systemLogLevelV2: SystemLogLevel.WARN,
    applicationLogLevelV2: ApplicationLogLevel.INFO,
  };
};
