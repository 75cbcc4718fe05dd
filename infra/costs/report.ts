// Writes the reports of `npm run costs` in Markdown.
import { large, number, percent } from '../../shared/publish/costs/formats.ts';
import { stepsFor } from '../../shared/publish/costs/steps.ts';
import { volumeOf, type Workload } from '../../shared/publish/costs/workload.ts';
import { billTable, costTables, SHOWN_HIT_RATIO } from '../../shared/publish/pages/cost-tables.ts';
import { limitUseTable, scalingTables } from '../../shared/publish/pages/scaling-tables.ts';

const section = (title: string, text: string): string => `## ${title}\n\n${text}`;

/** @returns the tables of the page, in its order */
export const costReport = (): string =>
  [
    section('Cost per month', costTables.costTotals()),
    section(`Components at ${percent(SHOWN_HIT_RATIO)} hits`, costTables.costComponents()),
    section(`Mixes of requests at ${percent(SHOWN_HIT_RATIO)} hits`, costTables.costMixes()),
    section('Without requests', costTables.costFixed()),
    section('Metrics', costTables.costMetrics()),
    section('Guards', costTables.costGuards()),
    section('Rows of the official API', costTables.costPaidRows()),
    section('The limit that is reached first, and its use in the busiest minute', scalingTables.scalingFirstLimits()),
    section('The first limit with enough servers of the provider', scalingTables.scalingNextLimits()),
    section('Requests per month that reach a limit', scalingTables.scalingLimits()),
    section('A new account', scalingTables.scalingNewAccount()),
    section(`What to turn on, at ${percent(SHOWN_HIT_RATIO)} hits`, scalingTables.scalingSteps()),
    section(`A second region, at ${percent(SHOWN_HIT_RATIO)} hits`, scalingTables.scalingRegions()),
    section('Requests', costTables.costKinds()),
    section('Assumptions', costTables.costAssumptions()),
    section('Prices', costTables.costPrices()),
  ].join('\n\n');

/** @returns the bill, the limits and the settings of one workload */
export const workloadReport = (workload: Workload): string => {
  const { misses, providerCalls } = volumeOf(workload);
  const { requests, hitRatio, mix } = workload;
  return [
    `${large(requests)} requests per month (\`${mix}\`), ${percent(hitRatio)} hits of what CloudFront may cache: ${number(misses)} calls of functions, ${number(providerCalls)} calls of the provider.`,
    section('Cost per month', billTable([workload])),
    section('Limits', limitUseTable(workload)),
    section(
      'Turn on',
      stepsFor(workload)
        .map((step) => `- ${step}`)
        .join('\n'),
    ),
  ].join('\n\n');
};
