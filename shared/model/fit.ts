// Finds how much fits into a bound: parts, characters or tokens, measured as the caller likes.
// - findLargest: the largest number that fits, for attempts that cost little
// - shrinkToFit: about as much as fits, for attempts that render a whole answer

/**
 * The most is attempted first, because nearly always it fits. Without a bound the steps double instead, so that no attempt
 * is much larger than the one that fits.
 *
 * @param most can be infinite
 * @param attempt undefined: the number does not fit, and no larger one does
 * @returns the attempt at the largest number that fits; undefined: not even the fewest fit
 */
export const findLargest = <T>(
  fewest: number,
  most: number,
  attempt: (count: number) => T | undefined,
): T | undefined => {
  let low = fewest;
  let high = most;
  let step = 1;
  let largest: T | undefined;
  for (let count = Number.isFinite(most) ? most : fewest; low <= high; ) {
    const made = attempt(count);
    if (made === undefined) high = count - 1;
    else {
      largest = made;
      low = count + 1;
      step *= 2;
    }
    count = Number.isFinite(high) ? Math.ceil((low + high) / 2) : low + step - 1;
  }
  return largest;
};

/** Each attempt after the first aims a little below the bound. */
const SAFETY_FACTOR = 0.95;

/** @returns the amount that would fit if the size grows with it; infinite if the size is within the bound */
export const fittingAmount = (amount: number, size: number, bound: number): number =>
  size <= bound ? Number.POSITIVE_INFINITY : (amount * SAFETY_FACTOR * bound) / size;

interface Attempt<T> {
  readonly value: T;
  /** The amount to attempt next, if it is smaller. */
  readonly fitting: number;
}

/** Attempts smaller amounts until one fits. @returns the attempt at the fewest if none fits */
export const shrinkToFit = <T>(most: number, fewest: number, attempt: (amount: number) => Attempt<T>): T => {
  for (let amount = Math.floor(most); ; ) {
    const { value, fitting } = attempt(amount);
    if (fitting >= amount || amount <= fewest) return value;
    amount = Math.max(fewest, Math.floor(fitting));
  }
};
