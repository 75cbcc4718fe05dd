// Creates the stack of the service and, outside us-east-1, the two small stacks there: CloudFront takes its certificates and
// web ACLs from that region, and writes its metrics and its access log only there. In us-east-1 the service is one stack.
import { Arn, CfnOutput, Fn, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { alarms } from '../shared/contract/alarms.ts';
import { CLOUDFRONT_REGION } from './config/regions.ts';
import { AccessLogs } from './constructs/access-logs.ts';
import { edgeFailingAlone } from './constructs/alarm-conditions.ts';
import { createAlarm, createAlarmTopic } from './constructs/alarms.ts';
import { certificateOf, needsCertificate } from './constructs/certificate.ts';
import { createWebAcl } from './constructs/web-acl.ts';
import { EDGE_OUTPUTS, edgeStackName } from './edge-outputs.ts';
import { PosternStack, type PosternStackProps } from './stack.ts';

const nameOfWatch = (stackName: string): string => `${stackName}-watch`;

const options = (what: string) => ({
  description: `Postern: ${what} of a service in another region`,
  env: { region: CLOUDFRONT_REGION },
  terminationProtection: true,
});

/** What the distribution needs, if the settings ask for it. */
const createEdge = (scope: Construct, { config }: PosternStackProps): Stack | undefined => {
  const hasAcl = config.wafRateLimit > 0;
  if (!hasAcl && !needsCertificate(config)) return undefined;
  const edge = new Stack(scope, edgeStackName(config), options('certificate and web ACL'));
  const output = (id: string, value: string | undefined): void => {
    if (value !== undefined) new CfnOutput(edge, id, { value });
  };
  output(EDGE_OUTPUTS.certificate, certificateOf(edge, config));
  output(EDGE_OUTPUTS.webAcl, hasAcl ? createWebAcl(edge, config).attrArn : undefined);
  return edge;
};

/** The alarm and the access log of the distribution. */
const createWatch = (scope: Construct, { config }: PosternStackProps): Stack => {
  const watch = new Stack(scope, nameOfWatch(config.stackName), options('alarm and access log'));
  const distributionId = Fn.getStackOutput(config.stackName, 'DistributionId', config.region);
  // An alarm of another region cannot be a part of `users-are-hurt`, so this one sends its own mail.
  createAlarm(watch, 'edge-failing', {
    ...alarms['edge-failing'],
    name: 'edge-failing',
    metric: edgeFailingAlone(distributionId, alarms['edge-failing']),
    topic: config.alarmEmail === undefined ? undefined : createAlarmTopic(watch, config.alarmEmail),
  });
  if (config.accessLogDays > 0) {
    const arn = { service: 'cloudfront', region: '', resource: 'distribution', resourceName: distributionId };
    new AccessLogs(watch, 'AccessLogs', { distributionArn: Arn.format(arn, watch), days: config.accessLogDays });
  }
  return watch;
};

/** @returns the stack of the service */
export const createStacks = (scope: Construct, props: PosternStackProps): PosternStack => {
  const { config } = props;
  const isElsewhere = config.region !== CLOUDFRONT_REGION;
  const edge = isElsewhere ? createEdge(scope, props) : undefined;
  const stack = new PosternStack(scope, config.stackName, props);
  if (edge !== undefined) stack.addStackDependency(edge);
  if (isElsewhere) createWatch(scope, props).addStackDependency(stack);
  return stack;
};
