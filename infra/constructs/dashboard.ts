// Creates the dashboard of the service in CloudWatch, and saves the queries of its logs.
import { Stack } from 'aws-cdk-lib';
import { Dashboard } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnQueryDefinition } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { answerRows } from './dashboard-answers.ts';
import { causeRows } from './dashboard-causes.ts';
import type { DashboardParts } from './dashboard-widgets.ts';
import { logQueries, queryText } from './log-queries.ts';

/** Creates one dashboard with the name of the stack, and a saved query per query of its logs. It needs no permissions. */
export class ServiceDashboard extends Construct {
  constructor(scope: Construct, id: string, parts: DashboardParts) {
    super(scope, id);
    const { stackName } = Stack.of(this);
    new Dashboard(this, 'Dashboard', {
      dashboardName: stackName,
      // From what users feel to its causes. A widget exists only if the configuration writes its metrics.
      widgets: [...answerRows, ...causeRows].flatMap((rows) => rows(parts)).map((row) => [...row]),
    });
    for (const [name, { title, query }] of Object.entries(logQueries)) {
      new CfnQueryDefinition(this, name, {
        name: `${stackName}/${title}`,
        queryString: queryText(query),
        logGroupNames: [...parts.logGroupNames],
      });
    }
  }
}
