// Alarms: how one is raised, who is told, and those of the stack as a whole. What a single function shows is in
// surface-function.ts.
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

/** The one region where CloudFront writes its metrics; an alarm watches metrics of its own region alone. */
const CLOUDFRONT_METRICS_REGION = 'us-east-1';

/** Sends a mail for each alarm that names it. */
export const alarmTopic = (scope: Construct, email: string): Topic => {
  const topic = new Topic(scope, 'Alarms', { enforceSSL: true });
  // `enforceSSL` makes a policy of one Deny, and a policy takes the place of the default one, which lets alarms publish.
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

/** All that comes within one period of a threshold. */
export const sumOver = ({ minutes }: Threshold) => ({ statistic: Stats.SUM, period: Duration.minutes(minutes) });

export interface AlarmProps {
  readonly description: string;
  /** Over the period of the threshold. */
  readonly metric: IMetric;
  readonly threshold: Threshold;
  /** @default it is seen in the console only */
  readonly topic: ITopic | undefined;
}

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

/** Lines of a log, each of which is JSON with nothing before it. */
export interface Counted {
  readonly pattern: IFilterPattern;
  /** Of the metric; functions that count under one name count together. */
  readonly name: string;
}

/** Metrics of one name and namespace are one metric: two stacks in a region must not share them. */
const namespaceOf = (scope: Construct): string => Stack.of(scope).stackName;

/** Counts lines as they come, and 0 for others, so that the metric is there whenever the function is asked. */
export const countLines = (scope: Construct, id: string, logGroup: ILogGroup, what: Counted): MetricFilter =>
  new MetricFilter(scope, id, {
    logGroup,
    filterPattern: what.pattern,
    metricNamespace: namespaceOf(scope),
    metricName: what.name,
    defaultValue: 0,
  });

const isRequest = FilterPattern.stringValue('$.event', '=', 'request');

/** What all functions count together. */
const counted = {
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

/** The answers of 500 and above of one function. 501 says that a format is not on offer, and is no failure. */
export const failedRequests = (surface: string): Counted => ({
  pattern: FilterPattern.all(
    isRequest,
    FilterPattern.numberValue('$.status', '>=', 500),
    FilterPattern.numberValue('$.status', '!=', 501),
  ),
  name: `${surface}-failed-requests`,
});

/** For every function: what the alarms of the stack are made of. */
export const countForStack = (scope: Construct, logGroup: ILogGroup): void => {
  for (const [id, what] of Object.entries(counted)) countLines(scope, `${id}-count`, logGroup, what);
};

export interface ServiceAlarmsProps {
  readonly api: HttpApi;
  readonly distribution: Distribution;
  readonly topic: ITopic | undefined;
}

export class ServiceAlarms extends Construct {
  readonly #topic: ITopic | undefined;

  constructor(scope: Construct, id: string, { api, distribution, topic }: ServiceAlarmsProps) {
    super(scope, id);
    this.#topic = topic;
    const { forbidden_origin, gateway_failed, edge_failed } = serviceAlarms;

    this.#alarm('forbidden_origin', forbidden_origin, 'IF(refused * 2 >= requests, refused, 0)', {
      refused: this.#sum(counted.refused, forbidden_origin),
      requests: this.#sum(counted.requests, forbidden_origin),
    });
    // Answers of functions are among them; those of 501 are no failure here either.
    this.#alarm('gateway_failed', gateway_failed, 'failed - FILL(declined, 0)', {
      failed: api.metricServerError(sumOver(gateway_failed)),
      declined: this.#sum(counted.notImplemented, gateway_failed),
    });
    const { region } = Stack.of(this);
    if (region !== CLOUDFRONT_METRICS_REGION) {
      Annotations.of(this).addWarningV2(
        'postern:no-cloudfront-alarm',
        `CloudFront counts in ${CLOUDFRONT_METRICS_REGION} alone: in ${region} there is no alarm for its answers of 5xx`,
      );
      return;
    }
    const { period } = sumOver(edge_failed);
    // The CDK leaves Region out, and a metric is found by all of its dimensions.
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
