// Creates the canary: a function that verifies the public address on a schedule, and the alarm about what it finds.
import { Duration, Stack } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { METRICS_NAMESPACE, SERVICE_DIMENSION } from '../../shared/contract/metrics.ts';
import {
  CANARY,
  CANARY_TIMEOUT_SECONDS,
  canaryAlarm,
  type canaryMetrics,
  canaryVariables,
} from '../../shared/contract/other-functions.ts';
import { env } from '../../shared/settings/environment-variables.ts';
import { acknowledgeRules } from './acknowledge-rules.ts';
import { createAlarm } from './alarms.ts';
import { type FunctionSource, functionBasics } from './function-basics.ts';

const MEMORY_MIB = 256;

export interface CanaryProps extends FunctionSource {
  /** The public address: what callers see, CloudFront included. */
  readonly address: string;
  /** The canary proves with it that its requests are those of the deployment. */
  readonly originSecret: string;
  /** @default the alarm is visible only in the console */
  readonly topic: ITopic | undefined;
}

/**
 * Creates the canary. Its function may write its own log and nothing else: it has no table, and calls the service as the
 * public does, with a proof that leaves its requests out of the metrics. The alarm is raised by two failing runs, or if the canary itself crashes twice.
 */
export class Canary extends Construct {
  constructor(scope: Construct, id: string, { config, dist, address, originSecret, topic }: CanaryProps) {
    super(scope, id);
    const namespace = Stack.of(this).stackName;
    const period = Duration.minutes(config.canaryMinutes);
    const canary = new LambdaFunction(this, 'Function', {
      ...functionBasics(this, CANARY, { config, dist }),
      description: 'Postern: verifies the deployment from outside',
      memorySize: MEMORY_MIB,
      timeout: Duration.seconds(CANARY_TIMEOUT_SECONDS),
      // A run that failed is a result: the next run repeats it.
      retryAttempts: 0,
      environment: {
        [canaryVariables.address]: address,
        [canaryVariables.minutes]: String(config.canaryMinutes),
        [env.canaryPost]: config.canaryPost,
        [env.canaryProfile]: config.canaryProfile,
        [env.originSecrets]: originSecret,
        [METRICS_NAMESPACE]: namespace,
      },
    });
    const isRepeated = 'The next run repeats a run that failed, and the alarm counts its failures.';
    acknowledgeRules(this, {
      'Serverless-EventBusDLQ': isRepeated,
      'Serverless-LambdaAsyncFailureDestination': isRepeated,
      'Serverless-LambdaDLQ': isRepeated,
      'Serverless-LambdaTracing': 'A run has no caller, and its log names each failure.',
    });
    new Rule(this, 'Schedule', {
      description: 'Runs the canary of Postern',
      schedule: Schedule.rate(period),
      targets: [new LambdaTarget(canary, { retryAttempts: 0 })],
    });

    createAlarm(this, 'Alarm', {
      ...canaryAlarm,
      metric: new MathExpression({
        expression: 'FILL(failures, 0) + FILL(crashes, 0)',
        label: 'failing runs',
        period,
        usingMetrics: {
          failures: new Metric({
            namespace,
            metricName: 'canary_failures' satisfies keyof typeof canaryMetrics.metrics,
            dimensionsMap: { service: SERVICE_DIMENSION },
            statistic: Stats.SUM,
            period,
          }),
          crashes: canary.metricErrors({ statistic: Stats.SUM, period }),
        },
      }),
      // The schedule drifts, so a period can be without a run.
      breaching: 2,
      of: 3,
      topic,
    });
  }
}
