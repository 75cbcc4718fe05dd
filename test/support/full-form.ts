// A proof that needs minutes has two forms. `npm test` runs the short one with the same seed, `TEST_FORM=full npm test` both.

const { TEST_FORM } = process.env;

export const isFullForm = TEST_FORM === 'full';

/** The number of cases of a property: `short` in `npm test`, `full` in `TEST_FORM=full npm test`. */
export const cases = (short: number, full: number): number => (isFullForm ? full : short);

const SHARE = 5;

/** A fifth of the items in `npm test`, all in `TEST_FORM=full npm test`. */
export const sampleOf = <T>(items: readonly T[]): readonly T[] =>
  isFullForm ? items : items.filter((_, index) => index % SHARE === 0);
