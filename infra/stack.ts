// Postern on AWS: CloudFront -> HTTP API -> one Lambda per surface, but /mcp -> function URL; keys and counters in
// DynamoDB.
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { type LambdaName, lambdas } from '../shared/contract/lambdas.ts';
import { edgeFile, functionFile } from './build/dist-layout.ts';
import { type Config, SetupError } from './config.ts';
import { alarmTopic, ServiceAlarms } from './constructs/alarms.ts';
import { Distribution } from './constructs/distribution.ts';
import { createGeneratedSecrets } from './constructs/generated-secrets.ts';
import { HttpRoutes } from './constructs/http-routes.ts';
import { McpEndpoint } from './constructs/mcp-endpoint.ts';
import { OriginSecret } from './constructs/origin-secret.ts';
import { PosternLambda, type PosternLambdaProps } from './constructs/postern-lambda.ts';
import { Tables } from './constructs/tables.ts';

export interface PosternStackProps {
  readonly config: Config;
  /** What `npm run build` made. */
  readonly dist: string;
}

const requireBuild = (dist: string): void => {
  const files = [...Object.keys(lambdas).map((name) => functionFile(dist, name)), edgeFile(dist)];
  const missing = files.find((file) => !existsSync(file));
  if (missing !== undefined) throw new SetupError(`dist has no ${relative(dist, missing)}: run npm run build first`);
};

export class PosternStack extends Stack {
  constructor(scope: Construct, id: string, { config, dist }: PosternStackProps) {
    super(scope, id, {
      description: 'Postern: public posts of X as Markdown or JSON',
      env: { region: config.region },
    });
    requireBuild(dist);

    const originSecret = new OriginSecret(this, 'OriginSecret', {
      source: config.originSecret,
      version: config.originSecretVersion,
    });
    const tables = new Tables(this, 'Tables');
    const house: PosternLambdaProps = {
      config,
      dist,
      tables,
      originSecrets: originSecret.accepted,
      cursorSecrets: createGeneratedSecrets(this, 'CursorSecret', {
        description: 'What signs cursors of Postern',
        version: config.cursorSecretVersion,
      }).accepted,
      alarmTopic: config.alarmEmail === undefined ? undefined : alarmTopic(this, config.alarmEmail),
    };

    const functions: Readonly<Record<LambdaName, PosternLambda>> = {
      posts: new PosternLambda(this, 'posts', house),
      oembed: new PosternLambda(this, 'oembed', house),
      profiles: new PosternLambda(this, 'profiles', house),
      search: new PosternLambda(this, 'search', house),
      legacy: new PosternLambda(this, 'legacy', house),
      discovery: new PosternLambda(this, 'discovery', house),
      mcp: new PosternLambda(this, 'mcp', house),
      admin: new PosternLambda(this, 'admin', house),
    };
    const { api } = new HttpRoutes(this, 'Http', { functions });
    const { url: mcp } = new McpEndpoint(this, 'McpEndpoint', { function: functions.mcp.function });
    const { distribution } = new Distribution(this, 'Cdn', { api, mcp, config, dist, originSecret });
    // In a rotation, CloudFront must not send a secret before every function accepts it.
    distribution.node.addDependency(...Object.values(functions).map((surface) => surface.function));
    new ServiceAlarms(this, 'ServiceAlarms', { api, distribution, topic: house.alarmTopic });

    const url = `https://${distribution.distributionDomainName}`;
    new CfnOutput(this, 'Url', { value: config.baseUrl ?? url, description: 'Where the service answers' });
    new CfnOutput(this, 'DistributionUrl', { value: url, description: "What a domain name's DNS record points to" });
  }
}
