// Creates the topics that mail alarms, and what their mails say.
import { Stack } from 'aws-cdk-lib';
import type { AlarmBase } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { RUNBOOK_FILE } from '../../shared/contract/alarms.ts';
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

/** Mails when the alarm is raised and when it ends. @param topic unset: the alarm is visible only in the console */
export const notify = (alarm: AlarmBase, topic: ITopic | undefined): void => {
  if (topic === undefined) return;
  alarm.addAlarmAction(new SnsAction(topic));
  alarm.addOkAction(new SnsAction(topic));
};

/** @param name the anchor of the alarm in the runbook @returns the text of the mail */
export const alarmText = ({ runbookUrl }: Pick<Config, 'runbookUrl'>, name: string, meaning: string): string =>
  `${meaning} Runbook: ${runbookUrl ?? RUNBOOK_FILE}#${name}`;
