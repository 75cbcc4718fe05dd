// Counts the metrics that CloudWatch bills: every metric for every combination of the values of its dimensions. The tables of
// the contract are all possible values, so the numbers are upper bounds that no caller can raise. No function loads this.
import { adminOperations } from './admin-operations.ts';
import { lambdaNames } from './lambdas.ts';
import {
  DOCUMENT_OPERATION,
  forms,
  includesMetrics,
  type MetricDetail,
  type MetricSet,
  metricSets,
  operatorEvents,
  SERVICE_DIMENSION,
  statusClasses,
  UNKNOWN_OPERATION,
  UNKNOWN_TOOL,
} from './metrics.ts';
import { operationRows } from './operations.ts';
import type { ProviderName } from './providers.ts';
import { queryKindNames } from './query-kinds.ts';
import { TOOL_NAMES } from './use-cases.ts';

/** The values of each dimension that the contract decides. `mcp` and `admin` are the ids of routes without operations. */
export const dimensionValues: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['service', [SERVICE_DIMENSION]],
  ['surface', lambdaNames],
  [
    'operation',
    [
      ...operationRows.map(([id]) => id),
      ...Object.keys(adminOperations),
      DOCUMENT_OPERATION,
      UNKNOWN_OPERATION,
      'mcp',
      'admin',
    ],
  ],
  ['form', forms],
  ['status_class', statusClasses],
  ['event', operatorEvents],
  ['tool', [...TOOL_NAMES, 'search', 'fetch', UNKNOWN_TOOL]],
]);

export interface MeteredProvider {
  readonly name: ProviderName;
  /** The number of its base URLs. */
  readonly addresses: number;
}

const seriesOf = (dimensions: readonly string[], used: readonly MeteredProvider[]): number => {
  const [first = '', second] = dimensions;
  if (first === 'address') return used.reduce((sum, { addresses }) => sum + addresses, 0);
  if (second === 'kind') return used.reduce((sum, { name }) => sum + queryKindNames[name].length, 0);
  const values = dimensionValues.get(first);
  if (values === undefined || second !== undefined) throw new Error(`the values of ${dimensions.join()} are unknown`);
  return values.length;
};

/** @returns the largest number of billed metrics of a deployment with these providers */
export const countMetricSeries = (detail: MetricDetail, used: readonly MeteredProvider[]): number => {
  if (detail === 'none') return 0;
  const sets = Object.values<MetricSet>(metricSets).filter((set) => includesMetrics(detail, set));
  const series = sets.flatMap(({ metrics, dimensions }) =>
    dimensions.map((set) => Object.keys(metrics).length * seriesOf(set, used)),
  );
  return series.reduce((sum, count) => sum + count, operatorEvents.length);
};
