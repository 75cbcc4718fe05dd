import { describe, expect, test } from 'vitest';
import type { Conversation } from '../../../shared/model/conversation.ts';
import type { LogFields } from '../../../shared/ports/system.ts';
import type { Outcome, PostRequest } from '../../../shared/ports/upstream.ts';
import { createCanary } from '../../../shared/upstream/canary.ts';
import { type AbsenceRule, catchErrors, createFallback } from '../../../shared/upstream/fallback.ts';
import type { CallBudget } from '../../../shared/upstream/json-client.ts';
import { conversation, found } from '../../support/test-app.ts';

const CANARY = '20';
const ID = '2028036267832246272';
const ATTEMPT = 3500;

type Answer = Outcome<Conversation>;
type Says = Answer | (() => Answer | Promise<Answer>);

const FOUND = found(conversation(ID));
const AMBIGUOUS: Answer = { kind: 'ambiguous' };
const ABSENT: Answer = { kind: 'absent' };
const FAILED: Answer = { kind: 'failed', why: 'not JSON' };
const DOWN: Answer = { kind: 'down', why: 'time-out' };
const REFUSED: Answer = { kind: 'refused', why: 'bad id' };
const DELETED: Answer = { kind: 'gone', reason: 'deleted' };
const PROTECTED: Answer = { kind: 'gone', reason: 'protected' };

/** Providers that say what they are told to, and the calls that they got. */
const bench = (says: readonly Says[], canaries: readonly Says[] = [], absence: AbsenceRule = 'post') => {
  let now = 1_000_000;
  const calls: string[] = [];
  const budgets: CallBudget[] = [];
  const log: LogFields[] = [];
  const say = async (what: Says | undefined): Promise<Answer> => {
    if (what === undefined) throw new Error('nobody expected this call');
    return typeof what === 'function' ? what() : what;
  };
  const clock = () => now;
  const sources = says.map((answer, index) => {
    const readPost = ({ id }: PostRequest, budget: CallBudget) => {
      calls.push(id === CANARY ? `canary ${index}` : `${index}`);
      budgets.push(budget);
      return say(id === CANARY ? canaries[index] : answer);
    };
    const source = catchErrors(readPost, (fields) => void log.push(fields));
    const canary = { id: CANARY, thread: 'off', replies: 'off' } as const;
    return {
      call: source,
      canary: createCanary((budget) => source(canary, budget), { clock, attemptMilliseconds: ATTEMPT }),
    };
  });
  const ask = createFallback(sources, absence);
  return {
    calls,
    budgets,
    log,
    wait: (milliseconds: number) => {
      now += milliseconds;
    },
    ask: (left = 8000) => ask({ id: ID, thread: 'off', replies: 'off' }, { deadline: now + left, retries: 1 }),
  };
};

const outcome = async (says: readonly Says[], canaries?: readonly Says[], absence?: AbsenceRule) => {
  const at = bench(says, canaries, absence);
  const { kind } = await at.ask();
  return [kind, at.calls.join(', ')];
};

describe('an outage is never reported as "not found"', () => {
  test.each<readonly [string, readonly Says[], readonly Says[], string, string]>([
    ['the preferred source found it', [FOUND, DELETED], [], 'found', '0'],
    ['a definite tombstone is believed at once', [DELETED, FOUND], [], 'gone', '0'],
    ['the second source knows better than a bare 404', [AMBIGUOUS, FOUND], [], 'found', '0, 1'],
    ['the second source has a tombstone', [AMBIGUOUS, PROTECTED], [], 'gone', '0, 1'],
    ['an outage and a tombstone', [DOWN, DELETED], [], 'gone', '0, 1'],
    ['a bare 404 alone', [AMBIGUOUS], [], 'down', '0'],
    ['a bare 404, a second one, and the canary is found', [AMBIGUOUS, ABSENT], [FOUND], 'absent', '0, 1, canary 0'],
    ['a bare 404, a second one, and the canary is missing', [AMBIGUOUS, ABSENT], [AMBIGUOUS], 'down', '0, 1, canary 0'],
    ['a bare 404, a second one, and the canary is gone', [AMBIGUOUS, ABSENT], [DELETED], 'down', '0, 1, canary 0'],
    ['a bare 404, a second one, and the canary fails', [AMBIGUOUS, ABSENT], [FAILED], 'down', '0, 1, canary 0'],
    ['a bare 404, and the second source is down', [AMBIGUOUS, DOWN], [], 'down', '0, 1'],
    ['a bare 404, and the second source is unusable', [AMBIGUOUS, FAILED], [], 'down', '0, 1'],
    ['an outage, and the second source knows of no such post', [DOWN, ABSENT], [], 'down', '0, 1'],
    ['an unusable answer, and the second source knows of no such post', [FAILED, ABSENT], [], 'down', '0, 1'],
    ['only one source, which knows of no such post', [ABSENT], [], 'down', '0'],
    [
      'the order is turned round: the doubted source sings',
      [ABSENT, AMBIGUOUS],
      [FAILED, FOUND],
      'absent',
      '0, 1, canary 1',
    ],
    ['unusable, then down', [FAILED, DOWN], [], 'down', '0, 1'],
    ['down, then unusable', [DOWN, FAILED], [], 'down', '0, 1'],
    ['both unusable', [FAILED, FAILED], [], 'failed', '0, 1'],
    ['both down', [DOWN, DOWN], [], 'down', '0, 1'],
    ['a refusal is nobody else’s business', [REFUSED, FOUND], [], 'failed', '0'],
    ['no source at all', [], [], 'down', ''],
  ])('%s', async (_, says, canaries, kind, calls) => {
    expect(await outcome(says, canaries)).toEqual([kind, calls]);
  });
});

describe('of a profile, "not found" takes a source that is well', () => {
  test.each<readonly [string, readonly Says[], readonly Says[], string, string]>([
    ['a bare 404, and the canary is found', [AMBIGUOUS], [FOUND], 'absent', '0, canary 0'],
    ['a bare 404, and the canary is missing', [AMBIGUOUS], [AMBIGUOUS], 'down', '0, canary 0'],
    ['a bare 404, and the canary fails', [AMBIGUOUS], [FAILED], 'down', '0, canary 0'],
    ['two bare 404s, and the first canary is found', [AMBIGUOUS, AMBIGUOUS], [FOUND], 'absent', '0, 1, canary 0'],
    ['a bare 404, and the next source knows it', [AMBIGUOUS, FOUND], [], 'found', '0, 1'],
    ['a bare 404, and the next source is down', [AMBIGUOUS, DOWN], [], 'down', '0, 1'],
    ['a definite answer', [DELETED], [], 'gone', '0'],
    ['no answer', [DOWN], [], 'down', '0'],
    ['no source at all', [], [], 'down', ''],
  ])('%s', async (_, says, canaries, kind, calls) => {
    expect(await outcome(says, canaries, 'profile')).toEqual([kind, calls]);
  });
});

describe('of a list', () => {
  test.each<readonly [string, readonly Says[], string, string]>([
    ['a bare 404 is for who knows the profile to judge, and no canary is asked', [AMBIGUOUS], 'ambiguous', '0'],
    ['two of them as well', [AMBIGUOUS, AMBIGUOUS], 'ambiguous', '0, 1'],
    ['a bare 404 and an outage are an outage', [AMBIGUOUS, DOWN], 'down', '0, 1'],
    ['a refusal of all is the caller’s to hear', [REFUSED, REFUSED], 'refused', '0, 1'],
    ['what one refuses another may find', [REFUSED, FOUND], 'found', '0, 1'],
    ['a refusal beside an outage may be the outage’s', [DOWN, REFUSED], 'down', '0, 1'],
    ['a refusal before an outage as well', [REFUSED, DOWN], 'down', '0, 1'],
    ['the next source answers', [DOWN, FOUND], 'found', '0, 1'],
    ['all unusable', [FAILED, FAILED], 'failed', '0, 1'],
    ['no source has such lists', [], 'down', ''],
  ])('%s', async (_, says, kind, calls) => {
    expect(await outcome(says, [], 'list')).toEqual([kind, calls]);
  });
});

describe('[provider-fault #11] the canary', () => {
  test('is asked at most every 30 s, however many need to know', async () => {
    const at = bench([AMBIGUOUS, ABSENT], [FOUND]);
    expect(await Promise.all([at.ask(), at.ask(), at.ask()])).toEqual([ABSENT, ABSENT, ABSENT]);
    at.wait(29_999);
    expect(await at.ask()).toEqual(ABSENT);
    expect(at.calls.filter((call) => call === 'canary 0')).toHaveLength(1);
    at.wait(1);
    await at.ask();
    expect(at.calls.filter((call) => call === 'canary 0')).toHaveLength(2);
  });

  test('that was not found makes every bare 404 an outage until it is asked again', async () => {
    let canary: Answer = AMBIGUOUS;
    const at = bench([AMBIGUOUS, ABSENT], [() => canary]);
    expect(await at.ask()).toMatchObject({ kind: 'down' });
    canary = FOUND;
    expect(await at.ask()).toMatchObject({ kind: 'down' });
    at.wait(30_000);
    expect(await at.ask()).toEqual(ABSENT);
  });

  test('being asked again, what it said before is no longer believed', async () => {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const says = [FOUND, promise];
    const at = bench([AMBIGUOUS, ABSENT], [async () => says.shift() ?? FAILED]);
    expect(await at.ask()).toEqual(ABSENT);
    at.wait(30_000);
    const both = [at.ask(), at.ask()];
    resolve(AMBIGUOUS);
    expect(await Promise.all(both)).toMatchObject([{ kind: 'down' }, { kind: 'down' }]);
  });

  test('is not asked, and nothing is remembered, when the caller has no time for it', async () => {
    const at = bench([AMBIGUOUS, ABSENT], [FOUND]);
    expect(await at.ask(ATTEMPT - 1)).toMatchObject({ kind: 'down' });
    expect(at.calls).toEqual(['0', '1']);
    expect(await at.ask()).toEqual(ABSENT);
    // Known by now: no time is needed.
    expect(await at.ask(10)).toEqual(ABSENT);
  });

  test('keeps no caller beyond the time that it has', async () => {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const at = bench([AMBIGUOUS, ABSENT], [() => promise]);
    const patient = at.ask();
    expect(await at.ask(100)).toMatchObject({ kind: 'down' });
    resolve(FOUND);
    expect(await patient).toEqual(ABSENT);
  });

  test('has its own time and no retry, so that what it says is about the source alone', async () => {
    const at = bench([AMBIGUOUS, ABSENT], [FOUND]);
    await at.ask();
    expect(at.budgets.at(-1)).toEqual({ deadline: 1_000_000 + ATTEMPT, retries: 0 });
  });
});

describe('a provider that throws', () => {
  const bug = (): never => {
    throw new TypeError('mapper bug');
  };

  test('has given an unusable answer, the next one is asked, and it is logged', async () => {
    const at = bench([bug, FOUND]);
    expect(await at.ask()).toBe(FOUND);
    expect(at.log).toEqual([expect.objectContaining({ level: 'error', cause: expect.stringContaining('mapper bug') })]);
  });

  test('is an unusable answer when there is no other', async () => {
    expect(await outcome([bug])).toEqual(['failed', '0']);
    expect(await outcome([bug, bug])).toEqual(['failed', '0, 1']);
    expect(await outcome([async () => Promise.reject('no error at all')])).toEqual(['failed', '0']);
  });

  test('does not stand in for the canary', async () => {
    const at = bench([AMBIGUOUS, ABSENT], [bug]);
    expect(await at.ask()).toMatchObject({ kind: 'down' });
    expect(await at.ask()).toMatchObject({ kind: 'down' });
    expect(at.calls.filter((call) => call === 'canary 0')).toHaveLength(1);
  });
});

test('every source draws on one budget', async () => {
  const at = bench([DOWN, DOWN]);
  await at.ask();
  expect(new Set(at.budgets).size).toBe(1);
});
