// The form of a fuzz target: a reader of the service together with a judge of its result.
import type fc from 'fast-check';

export interface FuzzTarget {
  /** @throws if the reader throws, or if its result is wrong */
  readonly judge: (input: string) => void;
  /** Inputs that the fuzzer starts from. */
  readonly seeds: fc.Arbitrary<string>;
}

/** @throws an error with this message unless the condition holds */
export const ensure = (condition: boolean, message: string): void => {
  if (!condition) throw new Error(message);
};
