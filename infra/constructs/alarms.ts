// Creates alarms: the topic that mails them, metric filters over the logs, and the alarms of the whole service. The
// alarms of a single function are in postern-lambda.ts.
import { Annotations, Duration, Stack } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { FilterPattern, type IFilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { serviceAlarms, type Threshold } from '../../shared/contract/alarms.ts';

/** CloudFront writes its metrics only in this region, and an alarm can watch only metrics of its own region. */
const CLOUDFRONT_METRICS_REGION = 'us-east-1';

/**
 * Creates an SNS topic that mails every alarm which names it. CloudWatch of this account may publish to it. The address
 * gets nothing before its owner has confirmed the subscription.
 */
export const alarmTopic = (scope: Construct, email: string): Topic => {
  const topic = new Topic(scope, 'Alarms', { enforceSSL: true });
  // `enforceSSL` creates a policy with one Deny. It replaces the default policy, which allows alarms to publish.
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
  );
  topic.addSubscription(new EmailSubscription(email));
  return topic;
};

/** Sums a metric over the period of a threshold. */
export const sumOver = ({ minutes }: Threshold) => ({ statistic: Stats.SUM, period: Duration.minutes(minutes) });

export interface AlarmProps {
  readonly description: string;
  /** Has the period of the threshold. */
  readonly metric: IMetric;
  readonly threshold: Threshold;
  /** @default the alarm is visible only in the console */
  readonly topic: ITopic | undefined;
}

/** Creates an alarm. It is raised at the threshold or above; missing data does not raise it. */
export const raiseAlarm = (
  scope: Construct,
  id: string,
  { description, metric, threshold, topic }: AlarmProps,
): void => {
  const alarm = new Alarm(scope, id, {
    alarmDescription: description,
    metric,
    threshold: threshold.times,
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    evaluationPeriods: 1,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
  if (topic !== undefined) alarm.addAlarmAction(new SnsAction(topic));
};

/** Selects log lines, each of which is one JSON document. */
export interface Counted {
  readonly pattern: IFilterPattern;
  /** The metric; functions that use the same name share one metric. */
  readonly name: string;
}

/** Metrics with the same name and namespace are the same metric, so each stack needs its own namespace. */
const namespaceOf = (scope: Construct): string => Stack.of(scope).stackName;

/** Creates a metric filter. Other lines count as 0, so the metric has data whenever the function is invoked. */
export const countLines = (scope: Construct, id: string, logGroup: ILogGroup, counted: Counted): MetricFilter =>
  new MetricFilter(scope, id, {
    logGroup,
    filterPattern: counted.pattern,
    metricNamespace: namespaceOf(scope),
    metricName: counted.name,
    defaultValue: 0,
  });

const isRequest = FilterPattern.stringValue('$.event', '=', 'request');

/** The metrics that all functions share. */
const sharedMetrics = {
  requests: { pattern: isRequest, name: 'requests' },
  refused: {
    pattern: FilterPattern.all(isRequest, FilterPattern.stringValue('$.code', '=', 'forbidden_origin')),
    name: 'forbidden-origin',
  },
  notImplemented: {
    pattern: FilterPattern.all(isRequest, FilterPattern.numberValue('$.status', '=', 501)),
    name: 'not-implemented',
  },
} as const satisfies Readonly<Record<string, Counted>>;

/** Selects the 5xx answers of one function. 501 is not a failure: it means that a format is not available. */
export const failedRequests = (lambda: string): Counted => ({
  pattern: FilterPattern.all(
    isRequest,
    FilterPattern.numberValue('$.status', '>=', 500),
    FilterPattern.numberValue('$.status', '!=', 501),
  ),
  name: `${lambda}-failed-requests`,
});

/** Creates the metric filters of one function that the alarms of the whole service use. */
export const countForStack = (scope: Construct, logGroup: ILogGroup): void => {
  for (const [id, counted] of Object.entries(sharedMetrics)) countLines(scope, `${id}-count`, logGroup, counted);
};

export interface ServiceAlarmsProps {
  readonly api: HttpApi;
  readonly distribution: Distribution;
  readonly topic: ITopic | undefined;
}

/**
 * Creates the alarms of the whole service: requests without the origin secret, and 5xx answers of API Gateway and of
 * CloudFront. Outside us-east-1 it warns that there is no CloudFront alarm. It needs no permissions.
 */
export class ServiceAlarms extends Construct {
  readonly #topic: ITopic | undefined;

  constructor(scope: Construct, id: string, { api, distribution, topic }: ServiceAlarmsProps) {
    super(scope, id);
    this.#topic = topic;
    const { forbidden_origin, gateway_failed, edge_failed } = serviceAlarms;

    this.#alarm('forbidden_origin', forbidden_origin, 'IF(refused * 2 >= requests, refused, 0)', {
      refused: this.#sum(sharedMetrics.refused, forbidden_origin),
      requests: this.#sum(sharedMetrics.requests, forbidden_origin),
    });
    // The metric of API Gateway includes the answers of functions, and 501 is not a failure here either.
    this.#alarm('gateway_failed', gateway_failed, 'failed - FILL(declined, 0)', {
      failed: api.metricServerError(sumOver(gateway_failed)),
      declined: this.#sum(sharedMetrics.notImplemented, gateway_failed),
    });
    const { region } = Stack.of(this);
    if (region !== CLOUDFRONT_METRICS_REGION) {
      Annotations.of(this).addWarningV2(
        'postern:no-cloudfront-alarm',
        `CloudFront writes its metrics only in ${CLOUDFRONT_METRICS_REGION}: in ${region} there is no alarm for its 5xx answers`,
      );
      return;
    }
    const { period } = sumOver(edge_failed);
    // The CDK omits the dimension Region, but CloudWatch identifies a metric by all of its dimensions.
    const dimensionsMap = { DistributionId: distribution.distributionId, Region: 'Global' };
    this.#alarm('edge_failed', edge_failed, 'IF(rate >= 5, rate * requests / 100, 0)', {
      rate: distribution.metric5xxErrorRate({ period, dimensionsMap }),
      requests: distribution.metricRequests({ period, dimensionsMap }),
    });
  }

  #sum({ name }: Counted, threshold: Threshold): IMetric {
    return new Metric({ namespace: namespaceOf(this), metricName: name, ...sumOver(threshold) });
  }

  #alarm(
    name: keyof typeof serviceAlarms,
    threshold: Threshold,
    expression: string,
    usingMetrics: Record<string, IMetric>,
  ): void {
    const { period } = sumOver(threshold);
    raiseAlarm(this, name, {
      description: serviceAlarms[name].meaning,
      metric: new MathExpression({ expression, usingMetrics, period, label: name }),
      threshold,
      topic: this.#topic,
    });
  }
}
