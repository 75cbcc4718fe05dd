// Creates the function that passes pictures and videos of X on, its function URL, and the alarm about its crashes.
import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { FunctionUrl, FunctionUrlAuthType, InvokeMode, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { MEDIA, MEDIA_TIMEOUT_SECONDS, mediaAlarm } from '../../shared/contract/other-functions.ts';
import { env } from '../../shared/settings/environment-variables.ts';
import { acknowledgeRules } from './acknowledge-rules.ts';
import { alarmText, notify } from './alarms.ts';
import { type FunctionSource, functionBasics } from './function-basics.ts';

const MEMORY_MIB = 256;

const FAILING_PERIODS = 2;
const PERIODS = 3;

export interface MediaProps extends FunctionSource {
  /** The values of the origin secret that the function accepts. */
  readonly originSecrets: string;
  readonly stackName: string;
  /** @default the alarm is visible only in the console */
  readonly topic: ITopic | undefined;
}

/**
 * Creates the function and its URL, whose answers are streams. The function may write its own log and nothing else: it has
 * no table, and no secret but the one by which it knows CloudFront.
 */
export class Media extends Construct {
  readonly function: LambdaFunction;
  readonly url: FunctionUrl;

  constructor(scope: Construct, id: string, { config, dist, originSecrets, stackName, topic }: MediaProps) {
    super(scope, id);
    this.function = new LambdaFunction(this, 'Function', {
      ...functionBasics(this, MEDIA, { config, dist }),
      description: 'Postern: pictures and videos',
      memorySize: MEMORY_MIB,
      timeout: Duration.seconds(MEDIA_TIMEOUT_SECONDS),
      environment: { [env.baseUrl]: config.baseUrl ?? '', [env.originSecrets]: originSecrets },
    });
    acknowledgeRules(this, {
      'Serverless-LambdaDLQ': 'Every caller waits for the answer, so no event can be left over.',
      'Serverless-LambdaTracing': 'The log has the duration of each request.',
    });
    this.url = new FunctionUrl(this, 'Url', {
      function: this.function,
      // The function first checks the origin secret, which direct callers do not have.
      authType: FunctionUrlAuthType.NONE,
      invokeMode: InvokeMode.RESPONSE_STREAM,
    });
    const alarm = new Alarm(this, 'Alarm', {
      alarmName: `${stackName}-${mediaAlarm.name}`,
      alarmDescription: alarmText(mediaAlarm.name, mediaAlarm.meaning),
      metric: this.function.metricErrors({ statistic: Stats.SUM, period: Duration.minutes(5) }),
      threshold: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: PERIODS,
      datapointsToAlarm: FAILING_PERIODS,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    notify(alarm, topic);
  }
}
