// Creates the topic that mails alarms, and what its mails say.
import { Stack } from 'aws-cdk-lib';
import type { AlarmBase } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { RUNBOOK_FILE } from '../../shared/contract/alarms.ts';
import { acknowledgeRules } from './acknowledge-rules.ts';

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
export const notify = (alarm: AlarmBase, topic: ITopic | undefined): void => {
  if (topic === undefined) return;
  alarm.addAlarmAction(new SnsAction(topic));
  alarm.addOkAction(new SnsAction(topic));
};

/** @param name the anchor of the alarm in the runbook @returns the text of the mail */
export const alarmText = (name: string, meaning: string): string => `${meaning} Runbook: ${RUNBOOK_FILE}#${name}`;
