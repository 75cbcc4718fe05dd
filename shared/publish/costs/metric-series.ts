// Counts the metrics that CloudWatch bills for the default providers, of which the first can have several base URLs.
import { countMetricSeries as countSeriesOf } from '../../contract/metric-series.ts';
import { defaultProviders } from '../../contract/providers.ts';

/**
 * @param addresses base URLs of the first provider
 * @returns the most metrics that the default providers can have; a metric without data in an hour is not billed for it
 */
export const countMetricSeries = (addresses: number): number =>
  countSeriesOf(defaultProviders.map((name, index) => ({ name, addresses: index === 0 ? addresses : 1 })));
