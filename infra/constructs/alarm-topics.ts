// Creates the topics that mail alarms.
import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { Config } from '../config.ts';
import { acknowledgeRules } from './acknowledge-rules.ts';

/**
 * Creates an SNS topic that mails every alarm which names it. CloudWatch of this account may publish to it, for metric
 * alarms and composite alarms. The address gets nothing before its owner has confirmed the subscription.
 */
const mailingTopic = (scope: Construct, id: string, email: string): Topic => {
  const topic = new Topic(scope, id, { enforceSSL: true });
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

/** The topics of an operator; unset: alarms are visible only in the console. */
export interface AlarmTopics {
  /** Mails the alarm that cannot wait. */
  readonly page?: ITopic;
  /** Mails the alarms that can wait. */
  readonly ticket?: ITopic;
}

/** Creates both topics if one address is configured: each address is the default of the other. */
export const createAlarmTopics = (
  scope: Construct,
  { alarmEmail, ticketEmail }: Pick<Config, 'alarmEmail' | 'ticketEmail'>,
): AlarmTopics => {
  const page = alarmEmail ?? ticketEmail;
  const ticket = ticketEmail ?? alarmEmail;
  if (page === undefined || ticket === undefined) return {};
  return { page: mailingTopic(scope, 'Alarms', page), ticket: mailingTopic(scope, 'Tickets', ticket) };
};
