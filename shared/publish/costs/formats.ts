// Formats quantities for the tables of costs.

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** US dollars: with cents below 100. */
export const dollars = (usd: number): string =>
  usd > 0 && usd < 0.005 ? 'below $0.01' : `$${usd < 100 ? usd.toFixed(2) : whole.format(usd)}`;

/** A price, with as many digits as it has. */
export const unitPrice = (usd: number): string => `$${usd.toFixed(10).replace(/(\.\d\d\d*?)0+$/, '$1')}`;

const SCALES = [
  [1e12, 'trillion'],
  [1e9, 'billion'],
  [1e6, 'million'],
] as const;

/** A large number in words: 8.6 million. */
export const large = (count: number): string => {
  const [size, word] = SCALES.find(([scale]) => count >= scale) ?? [1, ''];
  if (word === '') return whole.format(count);
  return `${(count / size).toFixed(count / size < 100 ? 1 : 0).replace(/\.0$/, '')} ${word}`;
};

export const number = (count: number): string => whole.format(count);

export const percent = (share: number): string => `${Math.round(share * 100)} %`;
