// Decides whether a series of measurements grows: the slope of a linear regression with an interval of confidence. Memory
// after a collection is autocorrelated: caches fill and empty. The standard error is therefore that of Newey and West
// (Econometrica 55, 1987), which an autocorrelation of the residuals widens.

export interface Trend {
  /** In units per second. */
  readonly slope: number;
  /** The bounds of the 95 % interval of the slope. */
  readonly low: number;
  readonly high: number;
}

export interface Point {
  readonly seconds: number;
  readonly value: number;
}

/** Two-sided 95 % of the normal distribution. */
const Z = 1.96;

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** @param points at least 3, at equal distances */
export const trendOf = (points: readonly Point[]): Trend => {
  const meanX = mean(points.map(({ seconds }) => seconds));
  const meanY = mean(points.map(({ value }) => value));
  const centred = points.map(({ seconds, value }) => ({ x: seconds - meanX, y: value - meanY }));
  const sumXX = centred.reduce((sum, { x }) => sum + x * x, 0);
  const slope = centred.reduce((sum, { x, y }) => sum + x * y, 0) / sumXX;
  const scores = centred.map(({ x, y }) => x * (y - slope * x));
  const lags = Math.floor(4 * (points.length / 100) ** (2 / 9)) + 1;
  const covariance = (lag: number): number =>
    scores.slice(lag).reduce((sum, score, index) => sum + score * (scores[index] ?? 0), 0);
  let variance = covariance(0);
  for (let lag = 1; lag <= lags; lag += 1) variance += 2 * (1 - lag / (lags + 1)) * covariance(lag);
  const error = (Z * Math.sqrt(Math.max(0, variance))) / sumXX;
  return { slope, low: slope - error, high: slope + error };
};
