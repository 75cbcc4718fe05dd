import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Problem } from '../../../shared/contract/problems.ts';
import { withLambdaTimeout } from '../../../shared/http/pipeline.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const context = { getRemainingTimeInMillis: () => 12_000 };

test('[provider-fault S1] a request that does not end is upstream_unavailable half a second before the function times out', async () => {
  const answer = withLambdaTimeout(new Promise(() => undefined), context).catch((error: unknown) => error);
  const settled = vi.fn();
  void answer.then(settled);
  await vi.advanceTimersByTimeAsync(11_499);
  expect(settled).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  const error = await answer;
  expect(error).toBeInstanceOf(Problem);
  expect(error).toMatchObject({ code: 'upstream_unavailable' });
});

test('a request that ends in time keeps its result or its error, and leaves no timer', async () => {
  expect(await withLambdaTimeout(Promise.resolve('answer'), context)).toBe('answer');
  await expect(withLambdaTimeout(Promise.reject(new Error('bug')), context)).rejects.toThrow('bug');
  expect(vi.getTimerCount()).toBe(0);
});

test('a function that has less time left than the problem document needs ends at once', async () => {
  const late = { getRemainingTimeInMillis: () => 100 };
  const answer = withLambdaTimeout(new Promise(() => undefined), late).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(0);
  expect(await answer).toMatchObject({ code: 'upstream_unavailable' });
});
