// Creates the budget that mails the operator when the costs of the account approach a limit.
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { Construct } from 'constructs';
import { SetupError } from '../config/setting.ts';
import type { Config } from '../config/settings.ts';

/** The notifications, of which AWS allows five in a budget: type and share of the limit in percent. */
const NOTIFICATIONS = [
  ['ACTUAL', 50],
  ['ACTUAL', 80],
  ['ACTUAL', 100],
  ['FORECASTED', 100],
] as const;

/**
 * Creates a monthly cost budget in US dollars. It covers the whole account: a budget that is filtered by the tag of the
 * stack is empty until the operator activates the tag for cost allocation.
 *
 * @throws SetupError
 */
export class MonthlyBudget extends Construct {
  constructor(scope: Construct, id: string, { monthlyBudget, alarmEmail }: Config) {
    super(scope, id);
    if (alarmEmail === undefined)
      throw new SetupError('monthlyBudget needs alarmEmail, the address that AWS sends the email to');
    new CfnBudget(this, 'Budget', {
      budget: { budgetType: 'COST', timeUnit: 'MONTHLY', budgetLimit: { amount: monthlyBudget, unit: 'USD' } },
      notificationsWithSubscribers: NOTIFICATIONS.map(([notificationType, threshold]) => ({
        notification: { notificationType, comparisonOperator: 'GREATER_THAN', threshold, thresholdType: 'PERCENTAGE' },
        subscribers: [{ subscriptionType: 'EMAIL', address: alarmEmail }],
      })),
    });
  }
}
