import { expect, test } from 'vitest';
import { seededRandom } from '../support/random.ts';
import { type Completed, percentile, runOpenLoop } from './open-loop.ts';

const load = { rate: 400, seconds: 0.1 };

test('the generator sends every request of its schedule while no request is answered', async () => {
  const waiting: ((completed: Completed) => void)[] = [];
  let most = 0;
  const { sent, results } = await runOpenLoop({
    ...load,
    random: seededRandom(),
    send(index) {
      const { promise, resolve } = Promise.withResolvers<Completed>();
      waiting.push(resolve);
      most = Math.max(most, waiting.length);
      // A generator that waits for answers would never send the thirtieth request.
      if (index >= 29) for (const answer of waiting.splice(0)) answer({ result: '200' });
      return promise;
    },
  });
  expect(most).toBe(30);
  expect(sent).toBeGreaterThan(30);
  expect([...results]).toEqual([['200', sent]]);
});

test('the latency of a request contains the time for which an earlier request stopped the generator', async () => {
  const stop = (): void => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  };
  const { latencies, lateness } = await runOpenLoop({
    ...load,
    random: seededRandom(),
    async send(index) {
      if (index === 0) stop();
      return { result: '200' };
    },
  });
  // The requests that were due during the stop: more than a tenth of all.
  expect(percentile(latencies, 0.9)).toBeGreaterThan(1);
  expect(lateness).toBeGreaterThan(1);
});

test.each([
  [0.5, 2],
  [0.95, 4],
  [1, 4],
  [0.01, 1],
])('the %s percentile of 1 to 4 is %s', (share, expected) => {
  expect(percentile([1, 2, 3, 4], share)).toBe(expected);
});
