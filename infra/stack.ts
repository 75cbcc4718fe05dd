// Connects the constructs of the service: CloudFront, HTTP API, one function per Lambda, a function URL for /mcp, and
// the DynamoDB tables of API keys, counters and the admin function.
import { CfnOutput, Stack } from 'aws-cdk-lib';
import { InvokeMode } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { lambdaNames } from '../shared/contract/lambdas.ts';
import { tableOf } from '../shared/model/json.ts';
import { compiledVersions } from './build/compiled-code.ts';
import { RECORD, recordOf } from './config/deployment-record.ts';
import { CLOUDFRONT_REGION } from './config/regions.ts';
import type { Config } from './config/settings.ts';
import { AccessLogs } from './constructs/access-logs.ts';
import { createAlarmTopic, ServiceAlarms } from './constructs/alarms.ts';
import { Canary } from './constructs/canary.ts';
import { ServiceDashboard } from './constructs/dashboard.ts';
import { Distribution } from './constructs/distribution.ts';
import { createGeneratedSecrets } from './constructs/generated-secrets.ts';
import { createFunctionUrl, HttpRoutes } from './constructs/http-routes.ts';
import { Media } from './constructs/media.ts';
import { MonthlyBudget } from './constructs/monthly-budget.ts';
import { PosternLambda, type PosternLambdaProps } from './constructs/postern-lambda.ts';
import { ServiceMetrics } from './constructs/service-metrics.ts';
import { Tables } from './constructs/tables.ts';

export interface PosternStackProps {
  readonly config: Config;
  /** The output folder of `npm run build`. */
  readonly dist: string;
}

export class PosternStack extends Stack {
  constructor(scope: Construct, id: string, { config, dist }: PosternStackProps) {
    super(scope, id, {
      description: 'Postern: public posts of X as Markdown or JSON',
      env: { region: config.region },
      terminationProtection: true,
    });
    this.templateOptions.metadata = { [RECORD]: recordOf(config) };

    // CloudFront sends it to the origins in a header, so that the functions can reject direct callers.
    const originSecret = createGeneratedSecrets(new Construct(this, 'OriginSecret'), '', {
      description: 'x-origin-secret of Postern',
      version: config.originSecretVersion,
    });
    const tables = new Tables(this, 'Tables', { keys: config.keysTableName, admin: config.adminTableName });
    const props: PosternLambdaProps = {
      config,
      dist,
      tables,
      originSecrets: originSecret.accepted,
      cursorSecrets: createGeneratedSecrets(this, 'CursorSecret', {
        description: 'Signs the cursors of Postern',
        version: config.cursorSecretVersion,
      }).accepted,
    };

    const functions = tableOf(lambdaNames, (name) => new PosternLambda(this, name, props));
    const { api } = new HttpRoutes(this, 'Http', functions);
    // An answer is one JSON document and does not stream.
    const mcp = createFunctionUrl(new Construct(this, 'McpEndpoint'), functions.mcp.function, InvokeMode.BUFFERED);
    const topic = config.alarmEmail === undefined ? undefined : createAlarmTopic(this, config.alarmEmail);
    const media = config.pictures === 'proxied' ? new Media(this, 'Media', { ...props, topic }) : undefined;
    const { distribution } = new Distribution(this, 'Cdn', {
      api,
      mcp,
      media,
      config,
      dist,
      originSecret: originSecret.current,
    });
    // During a rotation, CloudFront must not send the new secret before every function accepts it.
    distribution.node.addDependency(
      ...[...Object.values(functions), ...(media ? [media.parts, media.streams] : [])].map((row) => row.function),
    );
    if (config.accessLogDays > 0 && config.region === CLOUDFRONT_REGION) {
      const { distributionArn } = distribution;
      new AccessLogs(this, 'AccessLogs', { distributionArn, days: config.accessLogDays });
    }
    if (config.monthlyBudget > 0) new MonthlyBudget(this, 'MonthlyBudget', config);
    const metrics = new ServiceMetrics(this, { api, distribution, functions, config });
    const alarms = new ServiceAlarms(this, 'ServiceAlarms', { metrics, functions, config, topic });
    if (config.dashboard) {
      const logGroupNames = lambdaNames.map((name) => functions[name].logGroup.logGroupName);
      new ServiceDashboard(this, 'ServiceDashboard', { alarms, metrics, config, tables, logGroupNames });
    }

    const url = `https://${distribution.distributionDomainName}`;
    if (config.canaryMinutes > 0) {
      const address = config.baseUrl ?? url;
      new Canary(this, 'Canary', { config, dist, address, originSecret: originSecret.current, topic });
    }
    new CfnOutput(this, 'Url', { value: config.baseUrl ?? url, description: 'The URL of the service' });
    new CfnOutput(this, 'DistributionUrl', { value: url, description: 'The URL of the distribution' });
    new CfnOutput(this, 'DistributionDomain', {
      value: distribution.distributionDomainName,
      description: 'The target of the DNS record of domainName',
    });
    new CfnOutput(this, 'DistributionId', { value: distribution.distributionId, description: 'The distribution' });
    new CfnOutput(this, 'CompiledCode', {
      value: compiledVersions(dist).join(', ') || 'none',
      description: 'Versions of Node for which the functions have compiled code',
    });
    // A plain `cdk deploy` does not run it.
    new CfnOutput(this, 'ForgetAnswers', {
      value: `aws cloudfront create-invalidation --distribution-id ${distribution.distributionId} --paths '/*'`,
      description: 'Run it after a change of withheld: caches show what they have until then',
    });
  }
}
