// Counts the metrics that CloudWatch bills: each metric once for each combination of the values of its dimensions.
import { lambdaNames } from '../../contract/lambdas.ts';
import { type MetricDetail, type MetricSet, metricDetails, metricSets } from '../../contract/metrics.ts';
import { operationRows } from '../../contract/operations.ts';
import { defaultProviders } from '../../contract/providers.ts';
import { TOOL_NAMES } from '../../contract/use-cases.ts';

/** The kinds of query of the first provider, each with a circuit breaker; another provider has one kind. */
export const FIRST_PROVIDER_KINDS = 14;

/** The formats, oEmbed, problem documents, files and answers without content. */
const FORMS = 12;

/** `2xx`, `3xx`, `4xx`, `429` and `5xx`. */
const STATUS_CLASSES = 5;

/** The events that an operator must know of. */
const OPERATOR_EVENTS = 6;

/** All documents are one operation, and all unknown routes are one. */
const OTHER_OPERATIONS = 2;

/** `search` and `fetch` of the research tools, and one value for every unknown name. */
const OTHER_TOOLS = 3;

const valuesOf = (dimensions: readonly string[], addresses: number): number => {
  const others = defaultProviders.length - 1;
  switch (dimensions.join(',')) {
    case 'service':
      return 1;
    case 'surface':
      return lambdaNames.length;
    case 'operation':
      return operationRows.length + OTHER_OPERATIONS;
    case 'form':
      return FORMS;
    case 'status_class':
      return STATUS_CLASSES;
    case 'tool':
      return TOOL_NAMES.length + OTHER_TOOLS;
    case 'provider,kind':
      return FIRST_PROVIDER_KINDS + others;
    case 'address':
      return addresses + others;
    default:
      throw new Error(`the values of the dimensions ${dimensions.join(', ')} are not counted`);
  }
};

/**
 * @param addresses base URLs of the first provider
 * @returns the most metrics that the default providers can have; a metric without data in an hour is not billed for it
 */
export const countMetricSeries = (detail: MetricDetail, addresses: number): number => {
  const level = metricDetails.indexOf(detail);
  const included = Object.values<MetricSet>(metricSets).filter((set) => metricDetails.indexOf(set.detail) <= level);
  const ofSets = included.flatMap(({ dimensions, metrics }) =>
    dimensions.map((names) => valuesOf(names, addresses) * Object.keys(metrics).length),
  );
  return level === 0 ? 0 : ofSets.reduce((sum, count) => sum + count, OPERATOR_EVENTS);
};
