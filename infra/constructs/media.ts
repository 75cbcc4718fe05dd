// Creates the function that passes pictures and videos of X on, its function URL, and the alarm about its crashes.
import { Duration } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { type FunctionUrl, InvokeMode, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { MEDIA, MEDIA_TIMEOUT_SECONDS, mediaAlarm } from '../../shared/contract/other-functions.ts';
import { env } from '../../shared/settings/environment-variables.ts';
import { acknowledgeRules } from './acknowledge-rules.ts';
import { createAlarm } from './alarms.ts';
import { type FunctionSource, functionBasics } from './function-basics.ts';
import { createFunctionUrl } from './http-routes.ts';

const MEMORY_MIB = 256;

export interface MediaProps extends FunctionSource {
  /** The values of the origin secret that the function accepts. */
  readonly originSecrets: string;
  /** The secrets that sign the paths of pictures in pages. */
  readonly cursorSecrets: string;
  /** @default the alarm is visible only in the console */
  readonly topic: ITopic | undefined;
}

/**
 * Creates the function and its URL, whose answers are streams. The function may write its own log and nothing else: it has
 * no table, and no secrets but those by which it knows CloudFront and the paths that pages link.
 */
export class Media extends Construct {
  readonly function: LambdaFunction;
  readonly url: FunctionUrl;

  constructor(scope: Construct, id: string, { config, dist, originSecrets, cursorSecrets, topic }: MediaProps) {
    super(scope, id);
    this.function = new LambdaFunction(this, 'Function', {
      ...functionBasics(this, MEDIA, { config, dist }),
      description: 'Postern: pictures and videos',
      memorySize: MEMORY_MIB,
      timeout: Duration.seconds(MEDIA_TIMEOUT_SECONDS),
      environment: {
        [env.baseUrl]: config.baseUrl ?? '',
        [env.originSecrets]: originSecrets,
        [env.cursorSecrets]: cursorSecrets,
      },
    });
    acknowledgeRules(this, {
      'Serverless-LambdaDLQ': 'Every caller waits for the answer, so no event can be left over.',
      'Serverless-LambdaTracing': 'The log has the duration of each request.',
    });
    this.url = createFunctionUrl(this, this.function, InvokeMode.RESPONSE_STREAM);
    createAlarm(this, 'Alarm', {
      ...mediaAlarm,
      metric: this.function.metricErrors({ statistic: Stats.SUM, period: Duration.minutes(5) }),
      topic,
    });
  }
}
