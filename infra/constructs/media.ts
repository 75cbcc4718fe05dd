// Creates the functions that pass pictures and videos of X on, their function URLs, and the alarms about them.
//
// Two functions run one bundle. Lambda removes Content-Length from a stream, and CloudFront answers a part of a file whose
// origin does so with the whole file, which ends the playing of a video in Safari. So parts, pictures and small files are
// whole answers of one function, and only a large file without Range is a stream of the other.
import { Duration } from 'aws-cdk-lib';
import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { type FunctionUrl, InvokeMode, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import {
  MEDIA,
  MEDIA_STREAM_SHARE,
  MEDIA_TIMEOUT_SECONDS,
  mediaAlarms,
} from '../../shared/contract/other-functions.ts';
import { keysOf } from '../../shared/model/json.ts';
import { env } from '../../shared/settings/environment-variables.ts';
import { MEDIA_PARTS_HANDLER } from '../build/dist-layout.ts';
import { acknowledgeRules } from './acknowledge-rules.ts';
import { createAlarm } from './alarms.ts';
import { type FunctionSource, functionBasics } from './function-basics.ts';
import { createFunctionUrl } from './http-routes.ts';

const MEMORY_MIB = 256;

export interface MediaProps extends FunctionSource {
  /** The values of the origin secret that the functions accept. */
  readonly originSecrets: string;
  /** The secrets that sign the paths of pictures in pages. */
  readonly cursorSecrets: string;
  /** @default the alarms are visible only in the console */
  readonly topic: ITopic | undefined;
}

interface Endpoint {
  readonly function: LambdaFunction;
  readonly url: FunctionUrl;
}

/**
 * Creates both functions with their URLs. They may write their own logs and nothing else: they have no table, and no secrets
 * but those by which they know CloudFront and the paths that pages link. They answer without an allowance, so they have a
 * bound of their own, which other functions do not share.
 */
export class Media extends Construct {
  readonly streams: Endpoint;
  readonly parts: Endpoint;

  constructor(scope: Construct, id: string, props: MediaProps) {
    super(scope, id);
    const { mediaConcurrency: bound } = props.config;
    const streams = Math.max(1, Math.floor(bound * MEDIA_STREAM_SHARE));
    const create = (owner: Construct, handler: string | undefined, mode: InvokeMode, concurrency: number): Endpoint => {
      const created = new LambdaFunction(owner, 'Function', {
        ...functionBasics(owner, MEDIA, props),
        ...(handler !== undefined && { handler }),
        description: 'Postern: pictures and videos',
        memorySize: MEMORY_MIB,
        timeout: Duration.seconds(MEDIA_TIMEOUT_SECONDS),
        ...(bound > 0 && { reservedConcurrentExecutions: concurrency }),
        environment: {
          [env.baseUrl]: props.config.baseUrl ?? '',
          [env.originSecrets]: props.originSecrets,
          [env.cursorSecrets]: props.cursorSecrets,
        },
      });
      return { function: created, url: createFunctionUrl(owner, created, mode) };
    };
    this.streams = create(this, undefined, InvokeMode.RESPONSE_STREAM, streams);
    this.parts = create(new Construct(this, 'Parts'), MEDIA_PARTS_HANDLER, InvokeMode.BUFFERED, bound - streams);
    acknowledgeRules(this, {
      'Serverless-LambdaDLQ': 'Every caller waits for the answer, so no event can be left over.',
      'Serverless-LambdaTracing': 'The log has the duration of each request.',
    });
    for (const name of keysOf(mediaAlarms)) {
      const { metric, threshold, meaning } = mediaAlarms[name];
      const of = (endpoint: Endpoint) =>
        endpoint.function.metric(metric, { statistic: Stats.SUM, period: Duration.minutes(5) });
      createAlarm(this, name === 'media-failing' ? 'Alarm' : name, {
        name,
        meaning,
        threshold,
        metric: new MathExpression({
          expression: 'FILL(parts, 0) + FILL(streams, 0)',
          usingMetrics: { parts: of(this.parts), streams: of(this.streams) },
          period: Duration.minutes(5),
          label: 'value',
        }),
        topic: props.topic,
      });
    }
  }
}
