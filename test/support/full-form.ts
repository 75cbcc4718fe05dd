// A proof that needs minutes has two forms. By default the short one runs, with `TEST_FORM=full` the full one, with the same
// seed.

const { TEST_FORM } = process.env;

export const isFullForm = TEST_FORM === 'full';

/** The number of cases of a property: `short` by default, `full` with `TEST_FORM=full`. */
export const cases = (short: number, full: number): number => (isFullForm ? full : short);

const SHARE = 5;

/** A fifth of the items by default, all with `TEST_FORM=full`. */
export const sampleOf = <T>(items: readonly T[]): readonly T[] =>
  isFullForm ? items : items.filter((_, index) => index % SHARE === 0);
