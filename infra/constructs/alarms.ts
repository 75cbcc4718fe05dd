// Creates the alarms of the service from the contract, the composite alarm that pages, and the topic that mails them.
import { Stack } from 'aws-cdk-lib';
import {
  Alarm,
  type AlarmBase,
  AlarmRule,
  AlarmState,
  AtLeastThreshold,
  ComparisonOperator,
  CompositeAlarm,
  type IAlarm,
  type IAlarmRule,
  type IMetric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import {
  type AlarmName,
  type AlarmRow,
  type AlarmUrgency,
  alarmEntries,
  alarms,
  hurtAlarm,
  RUNBOOK_FILE,
} from '../../shared/contract/alarms.ts';
import { type LambdaName, lambdaNames, lambdas } from '../../shared/contract/lambdas.ts';
import { keysOf } from '../../shared/model/json.ts';
import { acknowledgeRules } from './acknowledge-rules.ts';
import { functionConditions, hostConditions, NOT_IMPLEMENTED, serviceConditions } from './alarm-conditions.ts';
import { providerHosts, type ServiceMetrics, type ServiceMetricsProps } from './service-metrics.ts';

/**
 * Creates an SNS topic that mails every alarm which names it. CloudWatch of this account may publish to it, for metric
 * alarms and composite alarms. The address gets nothing before its owner has confirmed the subscription.
 */
export const createAlarmTopic = (scope: Construct, email: string): Topic => {
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
  acknowledgeRules(topic, {
    'Serverless-SNSRedrivePolicy': 'SNS has no dead-letter queue for mail that cannot be delivered.',
  });
  return topic;
};

/** Mails when the alarm is raised and when it ends. @param topic unset: the alarm is visible only in the console */
const notify = (alarm: AlarmBase, topic: ITopic | undefined): void => {
  if (topic === undefined) return;
  alarm.addAlarmAction(new SnsAction(topic));
  alarm.addOkAction(new SnsAction(topic));
};

/** @param name the anchor of the alarm in the runbook @returns the text of the mail */
const alarmText = (name: string, meaning: string): string => `${meaning} Runbook: ${RUNBOOK_FILE}#${name}`;

export interface AlarmProps {
  /** The anchor in the runbook. */
  readonly name: string;
  readonly meaning: string;
  /** Follows the name of the alarm. */
  readonly suffix?: string | undefined;
  readonly metric: IMetric;
  /** The alarm is raised at this value or above. @default 1 */
  readonly threshold?: number;
  /** Periods at the threshold, out of so many. @default 2 of 3 */
  readonly breaching?: number;
  readonly of?: number;
  /** @default the alarm is visible only in the console */
  readonly topic: ITopic | undefined;
}

export const createAlarm = (scope: Construct, id: string, props: AlarmProps): Alarm => {
  const { name, meaning, suffix, metric, threshold = 1, breaching = 2, of = 3, topic } = props;
  const alarm = new Alarm(scope, id, {
    alarmName: [Stack.of(scope).stackName, name, suffix].filter(Boolean).join('-'),
    alarmDescription: alarmText(name, meaning),
    metric,
    threshold,
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    evaluationPeriods: of,
    datapointsToAlarm: breaching,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
  notify(alarm, topic);
  return alarm;
};

/** Its failure hurts operators, not users. */
const NOT_FOR_USERS: LambdaName = 'admin';

/** The only function that answers 501. */
const DECLINES: LambdaName = 'oembed';

export interface ServiceAlarmsProps extends Pick<ServiceMetricsProps, 'functions' | 'config'> {
  readonly metrics: ServiceMetrics;
  /** @default alarms are visible only in the console */
  readonly topic: ITopic | undefined;
}

interface AlarmText {
  /** Follows the name of the alarm: a function or a host. */
  readonly suffix?: string;
  /** Precedes the meaning: who is affected. */
  readonly impact?: string;
}

/**
 * Creates the alarms. One composite alarm pages, its parts have no action, and the others are tickets. All are raised at
 * their threshold or above. Outside us-east-1 the alarm about CloudFront is in another stack. It needs no permissions.
 */
export class ServiceAlarms extends Construct {
  /** The alarm that pages. */
  readonly hurt: CompositeAlarm;
  readonly #props: ServiceAlarmsProps;
  readonly #created = new Map<string, Alarm[]>();

  constructor(scope: Construct, id: string, props: ServiceAlarmsProps) {
    super(scope, id);
    this.#props = props;
    const { metrics } = props;
    this.#countDeclined();
    this.#watchService();
    for (const name of lambdaNames) this.#watchFunction(name);
    for (const { provider, host } of providerHosts(props.config)) {
      // A host with a port has a colon, which separates the parts of an ARN.
      const text = { suffix: host.replace(':', '-'), impact: `Provider ${provider}, ${host}.` };
      for (const name of keysOf(hostConditions))
        this.#raise(name, (row) => hostConditions[name](metrics, row, host), text);
    }
    this.hurt = this.#compose();
  }

  named(name: string): readonly Alarm[] {
    return this.#created.get(name) ?? [];
  }

  /** All metric alarms with this urgency, in the order of the contract. */
  withUrgency(urgency: AlarmUrgency): readonly Alarm[] {
    return alarmEntries.filter(([, row]) => row.urgency === urgency).flatMap(([name]) => this.named(name));
  }

  #watchService(): void {
    const { metrics, config } = this.#props;
    const isPaid = config.providers.includes('x_api') && config.xApiDailyRows > 0;
    for (const name of keysOf(serviceConditions))
      if ((name !== 'edge-failing' || metrics.hasCloudFront) && (name !== 'paid-ceiling' || isPaid))
        this.#raise(name, (row) => serviceConditions[name](metrics, row));
  }

  #watchFunction(lambda: LambdaName): void {
    const { metrics } = this.#props;
    for (const name of keysOf(functionConditions)) {
      const impact = name === 'slow' ? `Function ${lambda}.` : lambdas[lambda].impact;
      this.#raise(name, (row) => functionConditions[name](metrics, row, lambda), { suffix: lambda, impact });
    }
  }

  /** Answers with 501 have no metric of their own; the 5xx of API Gateway and CloudFront contain them. */
  #countDeclined(): void {
    new MetricFilter(this, 'Declined', {
      logGroup: this.#props.functions[DECLINES].logGroup,
      filterPattern: FilterPattern.all(
        FilterPattern.stringValue('$.event', '=', 'request'),
        FilterPattern.numberValue('$.status', '=', 501),
      ),
      metricNamespace: Stack.of(this).stackName,
      metricName: NOT_IMPLEMENTED,
    });
  }

  /** Creates the alarm, if the functions write the metrics that it reads. */
  #raise(name: AlarmName, metric: (row: AlarmRow) => IMetric, { suffix, impact }: AlarmText = {}): void {
    const row: AlarmRow = alarms[name];
    if (row.isOfFunctions && this.#props.config.metrics === 'none') return;
    const alarm = createAlarm(this, [name, suffix].filter(Boolean).join('-'), {
      ...row,
      name,
      suffix,
      meaning: [impact, row.meaning].filter(Boolean).join(' '),
      metric: metric(row),
      topic: row.urgency === 'ticket' ? this.#props.topic : undefined,
    });
    this.#created.set(name, [...this.named(name), alarm]);
  }

  /**
   * Pages on errors beyond one caller, and at low traffic on those that one caller cannot cause: two functions of which
   * no request succeeds, or one of them while a provider fails for its canary.
   */
  #compose(): CompositeAlarm {
    const forUsers = (name: AlarmName): IAlarm[] =>
      this.named(name).filter(({ node }) => node.id !== `${name}-${NOT_FOR_USERS}`);
    const anyOf = (all: readonly IAlarm[]): IAlarmRule =>
      AlarmRule.anyOf(...all.map((alarm) => AlarmRule.fromAlarm(alarm, AlarmState.ALARM)));
    const two = (operands: IAlarm[]): IAlarmRule =>
      AlarmRule.atLeast(AlarmState.ALARM, { operands, threshold: AtLeastThreshold.count(2) });
    const parts = this.withUrgency('part');
    const failing = forUsers('function-failing');
    const circuits = this.named('circuit-open');
    const alarm = new CompositeAlarm(this, hurtAlarm.name, {
      compositeAlarmName: `${Stack.of(this).stackName}-${hurtAlarm.name}`,
      alarmDescription: alarmText(hurtAlarm.name, hurtAlarm.meaning),
      alarmRule: AlarmRule.anyOf(
        anyOf(parts),
        AlarmRule.allOf(...this.withUrgency('half').map((half) => AlarmRule.fromAlarm(half, AlarmState.ALARM))),
        two(forUsers('function-crashing')),
        ...(failing.length === 0 ? [] : [two(failing), AlarmRule.allOf(anyOf(circuits), anyOf(failing))]),
      ),
    });
    notify(alarm, this.#props.topic);
    return alarm;
  }
}
