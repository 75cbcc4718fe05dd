// Creates the budget that mails the operator when the costs of the account approach a limit.
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { Construct } from 'constructs';
import { type Config, SetupError } from '../config.ts';

/** The notifications, of which AWS allows five in a budget: type and share of the limit in percent. */
const NOTIFICATIONS = [
  ['ACTUAL', 50],
  ['ACTUAL', 80],
  ['ACTUAL', 100],
  ['FORECASTED', 100],
] as const;

/**
 * Creates a monthly cost budget in US dollars. Both email addresses get the notification that the limit is reached, the
 * address of tickets gets the others. The budget covers the whole account: a budget that is filtered by the tag of the
 * stack is empty until the operator activates the tag for cost allocation.
 *
 * @throws SetupError
 */
export class MonthlyBudget extends Construct {
  constructor(scope: Construct, id: string, { monthlyBudget, alarmEmail, ticketEmail = alarmEmail }: Config) {
    super(scope, id);
    const tickets = ticketEmail ?? alarmEmail;
    if (tickets === undefined) {
      throw new SetupError('monthlyBudget needs alarmEmail or ticketEmail, the address that AWS sends the email to');
    }
    const reached = [...new Set([alarmEmail ?? tickets, tickets])];
    new CfnBudget(this, 'Budget', {
      budget: {
        budgetType: 'COST',
        timeUnit: 'MONTHLY',
        budgetLimit: { amount: monthlyBudget, unit: 'USD' },
      },
      notificationsWithSubscribers: NOTIFICATIONS.map(([notificationType, threshold]) => ({
        notification: {
          notificationType,
          comparisonOperator: 'GREATER_THAN',
          threshold,
          thresholdType: 'PERCENTAGE',
        },
        subscribers: (notificationType === 'ACTUAL' && threshold === 100 ? reached : [tickets]).map((address) => ({
          subscriptionType: 'EMAIL',
          address,
        })),
      })),
    });
  }
}
