import { inspect } from 'node:util';

/** @returns all of a value as text, also the places of its texts, which `toEqual` refuses where both sides have none */
export const whole = (value: unknown): string =>
  inspect(value, { depth: null, maxArrayLength: null, maxStringLength: null });
