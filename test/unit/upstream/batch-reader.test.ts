// Tests how reads of single posts are coalesced into calls for several posts.
import { describe, expect, test } from 'vitest';
import { monotonic } from '../../../shared/model/time.ts';
import type { FailedOutcome } from '../../../shared/ports/upstream.ts';
import type { CallBudget } from '../../../shared/upstream/json-client.ts';
import { createBatchReader, type ReadBatch } from '../../../shared/upstream/x-api/read-post.ts';

const budget = (caller?: string, { deadline = 8000, retries = 1 } = {}): CallBudget => ({
  deadline: monotonic(deadline),
  calls: { retries, caller },
});

interface Answer {
  readonly kind: 'answer';
  readonly id: string;
}

/** Creates a reader that records its calls. */
const recordingReader = (
  answer: (budget: CallBudget) => FailedOutcome | undefined = () => undefined,
  outcomeOf: (id: string) => Answer | FailedOutcome = (id) => ({ kind: 'answer', id }),
) => {
  const calls: (readonly string[])[] = [];
  const budgets: CallBudget[] = [];
  const readBatch: ReadBatch<Answer> = async (ids, shared) => {
    calls.push(ids);
    budgets.push(structuredClone(shared));
    return answer(shared) ?? outcomeOf;
  };
  return { calls, budgets, read: createBatchReader(readBatch) };
};

describe('reads of one caller in one turn', () => {
  test('that start after several promises of the turn share the call', async () => {
    const { calls, read } = recordingReader();
    const later = async (id: string, promises: number) => {
      for (let index = 0; index < promises; index += 1) await Promise.resolve();
      return read(id, budget('ada'));
    };
    await Promise.all([later('1', 0), later('2', 5), later('3', 50)]);
    expect(calls).toEqual([['1', '2', '3']]);
  });

  test('of the same post are requested once', async () => {
    const { calls, read } = recordingReader();
    const outcomes = await Promise.all([read('1', budget('ada')), read('1', budget('ada'))]);
    expect(outcomes).toEqual([
      { kind: 'answer', id: '1' },
      { kind: 'answer', id: '1' },
    ]);
    expect(calls).toEqual([['1']]);
  });

  test('of more than 100 posts take two calls', async () => {
    const { calls, read } = recordingReader();
    const ids = Array.from({ length: 101 }, (_, index) => String(index + 1));
    const outcomes = await Promise.all(ids.map((id) => read(id, budget('ada'))));
    expect(outcomes).toEqual(ids.map((id) => ({ kind: 'answer', id })));
    expect(calls.map((call) => call.length)).toEqual([100, 1]);
  });

  test('all reject if the call throws', async () => {
    const read = createBatchReader(async () => {
      throw new Error('a bug');
    });
    const outcomes = await Promise.allSettled(['1', '2'].map((id) => read(id, budget('ada'))));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  test('share a budget: the earliest deadline, and a retry that counts for all', async () => {
    const { budgets, read } = recordingReader((shared) => {
      shared.calls.retries -= 1;
      shared.calls.isStarved = true;
      return undefined;
    });
    const own = [budget('ada', { deadline: 9000 }), budget('ada', { deadline: 5000, retries: 2 })];
    await Promise.all(own.map((each, index) => read(String(index + 1), each)));
    expect(budgets).toEqual([{ deadline: 5000, calls: { retries: 1, caller: 'ada' } }]);
    expect(own).toMatchObject([{ calls: { retries: 0, isStarved: true } }, { calls: { retries: 1, isStarved: true } }]);
  });
});
