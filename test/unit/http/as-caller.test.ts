import { describe, expect, test, vi } from 'vitest';
import type { KeyStatus } from '../../../shared/contract/headers.ts';
import { type Problem, problem, type RequestOutcome } from '../../../shared/contract/problems.ts';
import { runAsCaller } from '../../../shared/http/caller.ts';
import type { Caller } from '../../../shared/ports/access-control.ts';

const unused = (): never => {
  throw new Error('not part of the test');
};

const callerWith = (status: Caller['status']): { readonly caller: Caller; readonly outcomes: RequestOutcome[] } => {
  const outcomes: RequestOutcome[] = [];
  const settle = async (outcome: RequestOutcome): Promise<void> => void outcomes.push(outcome);
  const caller = {
    network: 'a',
    status,
    chargeAllowance: unused,
    allowanceState: unused,
    chargeResult: unused,
    settle,
    forAnotherRead: unused,
  };
  return { caller, outcomes };
};

const failing = (error: unknown) => async (): Promise<never> => {
  throw error;
};

describe('runAsCaller', () => {
  test('returns the result of the work and settles it as answered', async () => {
    const { caller, outcomes } = callerWith('anonymous');
    expect(await runAsCaller(caller, async () => 'result')).toBe('result');
    expect(outcomes).toEqual(['answered']);
  });

  test.each<[string, unknown, RequestOutcome]>([
    ['a 400 as rejected', problem('invalid_parameter'), 'rejected'],
    ['a 404 as answered', problem('post_not_found'), 'answered'],
    ['a 502 as failed', problem('upstream_failed'), 'failed'],
    ['an unexpected error as failed', new Error('a defect'), 'failed'],
  ])('throws the error of the work and settles %s', async (_, error, outcome) => {
    const { caller, outcomes } = callerWith('valid');
    await expect(runAsCaller(caller, failing(error))).rejects.toBe(error);
    expect(outcomes).toEqual([outcome]);
  });

  test('does not start the work when the key is known to be invalid', async () => {
    const { caller, outcomes } = callerWith('invalid');
    await expect(runAsCaller(caller, unused)).rejects.toMatchObject({ code: 'invalid_key' } satisfies Partial<Problem>);
    expect(outcomes).toEqual(['answered']);
  });

  test.each<[string, () => Promise<string>]>([
    ['a result', async () => 'result'],
    ['a problem', failing(problem('invalid_parameter'))],
  ])('throws invalid_key instead of %s when the key store finds no key', async (_, work) => {
    const status = Promise.resolve<KeyStatus>('invalid');
    const { caller, outcomes } = callerWith(status);
    await expect(runAsCaller(caller, work)).rejects.toMatchObject({ code: 'invalid_key' } satisfies Partial<Problem>);
    expect(outcomes).toEqual(['answered']);
  });

  test('does not start work that charges the address before the key is known', async () => {
    const { caller, outcomes } = callerWith(Promise.resolve<KeyStatus>('invalid'));
    const work = vi.fn(async () => 'result');
    await expect(runAsCaller(caller, work, { waitsForKey: true })).rejects.toMatchObject({
      code: 'invalid_key',
    } satisfies Partial<Problem>);
    expect(work).not.toHaveBeenCalled();
    expect(outcomes).toEqual(['answered']);
  });

  test('settles nothing without a caller', async () => {
    expect(await runAsCaller(undefined, async () => 'result')).toBe('result');
  });
});
