// Runs work for an authenticated caller and settles what the work charged (requirements: keys and allowances).
import { problem, requestOutcome } from '../contract/problems.ts';
import type { Caller } from '../ports/access-control.ts';

type Attempt<T> = { readonly value: T } | { readonly error: unknown };

const attempt = async <T>(work: () => Promise<T>): Promise<Attempt<T>> => {
  try {
    return { value: await work() };
  } catch (error) {
    return { error }; // thrown again after the charges are settled
  }
};

/**
 * The key store is read while the work runs. An unknown key is rejected whatever else is wrong with the request; if it
 * is known to be unknown, the work does not start.
 *
 * @param caller undefined: no API key counts here, and nothing is charged
 * @param options.waitsForKey the work also charges the address, which does not wait for the API key. @default false
 * @throws Problem `invalid_key`, or whatever the work throws
 */
export const runAsCaller = async <T>(
  caller: Caller | undefined,
  work: () => Promise<T>,
  { waitsForKey = false } = {},
): Promise<T> => {
  if (caller === undefined) return work();
  const known = waitsForKey ? await caller.status : caller.status;
  const attempted = known === 'invalid' ? undefined : await attempt(work);
  const isInvalid = (await caller.status) === 'invalid';
  const result = isInvalid || attempted === undefined ? { error: problem('invalid_key') } : attempted;
  await caller.settle('error' in result ? requestOutcome(result.error) : 'answered');
  if ('error' in result) throw result.error;
  return result.value;
};
