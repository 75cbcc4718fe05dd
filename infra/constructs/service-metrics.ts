// Names the metrics that alarms and the dashboard read: those of the functions (shared/contract/metrics.ts), and those of
// Lambda, API Gateway, CloudFront and DynamoDB.
import { Duration, Stack } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { LambdaName } from '../../shared/contract/lambdas.ts';
import { EVENT_METRIC, metricSets, SERVICE_DIMENSION } from '../../shared/contract/metrics.ts';
import { type ProviderName, providers } from '../../shared/contract/providers.ts';
import { baseUrlsOf } from '../../shared/settings/feature-parsers.ts';
import { CLOUDFRONT_REGION } from '../config/regions.ts';
import type { Config } from '../config/settings.ts';
import type { PosternLambda } from './postern-lambda.ts';

interface ProviderHost {
  readonly provider: ProviderName;
  /** The host of a base URL, as in the log lines of its calls. */
  readonly host: string;
}

/** The hosts of the configured providers, each once: a dimension of metrics. */
export const providerHosts = (config: Config): readonly ProviderHost[] => {
  const all = config.providers.flatMap((provider) =>
    (baseUrlsOf(provider).parse(config[providers[provider].setting]) ?? []).map((baseUrl) => ({
      provider,
      host: new URL(baseUrl).host,
    })),
  );
  return all.filter((row, index) => all.findIndex(({ host }) => host === row.host) === index);
};

type SetName = keyof typeof metricSets;
type Dimensions = Readonly<Record<string, string>>;
type MetricName<S extends SetName> = keyof (typeof metricSets)[S]['metrics'] & string;

export interface Reading {
  /** @default the sum */
  readonly statistic?: string;
  readonly minutes: number;
}

export interface ServiceMetricsProps {
  readonly api: HttpApi;
  readonly distribution: Distribution;
  readonly functions: Readonly<Record<LambdaName, PosternLambda>>;
  readonly config: Config;
}

const optionsOf = ({ statistic = Stats.SUM, minutes }: Reading) => ({ statistic, period: Duration.minutes(minutes) });

/** A metric of CloudFront; has data only in us-east-1. */
export const cloudFrontMetric = (DistributionId: string, metricName: string, reading: Reading): Metric =>
  // The CDK omits the dimension Region, but CloudWatch identifies a metric by all of its dimensions.
  new Metric({
    namespace: 'AWS/CloudFront',
    metricName,
    dimensionsMap: { DistributionId, Region: 'Global' },
    ...optionsOf(reading),
  });

export class ServiceMetrics {
  readonly #scope: Construct;
  readonly #props: ServiceMetricsProps;

  constructor(scope: Construct, props: ServiceMetricsProps) {
    this.#scope = scope;
    this.#props = props;
  }

  get hasOwn(): boolean {
    return this.#props.config.metrics !== 'none';
  }

  /** True if the stack is where CloudFront writes its metrics: an alarm can watch only metrics of its own region. */
  get hasCloudFront(): boolean {
    return Stack.of(this.#scope).region === CLOUDFRONT_REGION;
  }

  /** Minutes between two runs of the canary; 0: there is none. */
  get canaryMinutes(): number {
    return this.#props.config.canaryMinutes;
  }

  #metric(metricName: string, reading: Reading, dimensions: Dimensions, namespace = this.namespace): Metric {
    return new Metric({ namespace, metricName, dimensionsMap: { ...dimensions }, ...optionsOf(reading) });
  }

  /** A metric of the functions. @param value of the dimension */
  of<S extends SetName>(set: S, metricName: MetricName<S>, value: string, reading: Reading): Metric {
    return this.#metric(metricName, reading, { [metricSets[set].dimension]: value });
  }

  ofService<S extends 'service' | 'tools'>(set: S, metricName: MetricName<S>, reading: Reading): Metric {
    return this.of(set, metricName, SERVICE_DIMENSION, reading);
  }

  events(event: string, minutes: number): Metric {
    return this.#metric(EVENT_METRIC, { minutes }, { event });
  }

  ofLambda(name: LambdaName, metricName: string, reading: Reading): Metric {
    return this.#props.functions[name].function.metric(metricName, optionsOf(reading));
  }

  ofApi(metricName: string, reading: Reading): Metric {
    return this.#metric(metricName, reading, { ApiId: this.#props.api.apiId }, 'AWS/ApiGateway');
  }

  ofCloudFront(metricName: string, reading: Reading): Metric {
    return cloudFrontMetric(this.#props.distribution.distributionId, metricName, reading);
  }

  ofTable(tableName: string, metricName: string, reading: Reading): Metric {
    return this.#metric(metricName, reading, { TableName: tableName }, 'AWS/DynamoDB');
  }

  ofLogGroup(logGroupName: string, metricName: string, reading: Reading): Metric {
    return this.#metric(metricName, reading, { LogGroupName: logGroupName }, 'AWS/Logs');
  }

  /** A metric without dimensions that the stack extracts from its logs. */
  ofLogs(metricName: string, reading: Reading): Metric {
    return this.#metric(metricName, reading, {});
  }

  /** Metrics with the same name and namespace are the same metric, so each stack has its own namespace. */
  get namespace(): string {
    return Stack.of(this.#scope).stackName;
  }
}
