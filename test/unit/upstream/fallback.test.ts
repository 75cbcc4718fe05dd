import { describe, expect, test } from 'vitest';
import type { Conversation } from '../../../shared/model/resources.ts';
import { monotonic } from '../../../shared/model/time.ts';
import type { LogFields } from '../../../shared/ports/system.ts';
import type { Outcome, PostRequest } from '../../../shared/ports/upstream.ts';
import { type AbsenceRule, catchErrors, createCanary, createFallback } from '../../../shared/upstream/fallback.ts';
import type { CallBudget } from '../../../shared/upstream/json-client.ts';
import { conversation, found } from '../../support/test-app.ts';

const CANARY = '20';
const ID = '2028036267832246272';
const ATTEMPT = 4500;

type Answer = Outcome<Conversation>;
type ScriptedOutcome = Answer | (() => Answer | Promise<Answer>);

const FOUND = found(conversation(ID));
const AMBIGUOUS: Answer = { kind: 'ambiguous' };
const ABSENT: Answer = { kind: 'absent' };
const FAILED: Answer = { kind: 'failed', why: 'not JSON' };
const DOWN: Answer = { kind: 'down', why: 'time-out' };
const REFUSED: Answer = { kind: 'refused', why: 'bad id' };
const DELETED: Answer = { kind: 'gone', reason: 'deleted' };

/** Creates providers with given outcomes and records their calls. */
const createTestFallback = (
  outcomes: readonly ScriptedOutcome[],
  canaries: readonly ScriptedOutcome[] = [],
  absence: AbsenceRule = 'post',
) => {
  let now = 1_000_000;
  const calls: string[] = [];
  const budgets: CallBudget[] = [];
  const log: LogFields[] = [];
  const say = async (what: ScriptedOutcome | undefined): Promise<Answer> => {
    if (what === undefined) throw new Error('unexpected call');
    return typeof what === 'function' ? what() : what;
  };
  const clock = () => monotonic(now);
  const sources = outcomes.map((answer, index) => {
    const readPost = ({ id }: PostRequest, budget: CallBudget) => {
      calls.push(id === CANARY ? `canary ${index}` : `${index}`);
      budgets.push(budget);
      return say(id === CANARY ? canaries[index] : answer);
    };
    const source = catchErrors(readPost, (fields) => void log.push(fields));
    const canary = { id: CANARY, thread: 'off', replies: 'off' } as const;
    return {
      provider: `${index}`,
      call: source,
      canary: createCanary((budget) => source(canary, budget), { clock, attemptMilliseconds: ATTEMPT }),
    };
  });
  const ask = createFallback(sources, absence, () => 0);
  return {
    calls,
    budgets,
    log,
    wait: (milliseconds: number) => {
      now += milliseconds;
    },
    ask: (left = 8000) =>
      ask({ id: ID, thread: 'off', replies: 'off' }, { deadline: monotonic(now + left), calls: { retries: 1 } }),
  };
};

const outcome = async (
  outcomes: readonly ScriptedOutcome[],
  canaries?: readonly ScriptedOutcome[],
  absence?: AbsenceRule,
) => {
  const fallback = createTestFallback(outcomes, canaries, absence);
  const { kind } = await fallback.ask();
  return [kind, fallback.calls.join(', ')];
};

test.each<readonly [string, readonly ScriptedOutcome[], readonly ScriptedOutcome[], string, string]>([
  ['a bare 404, and the canary is found', [AMBIGUOUS], [FOUND], 'absent', '0, canary 0'],
  ['a bare 404, and the canary is missing', [AMBIGUOUS], [AMBIGUOUS], 'down', '0, canary 0'],
  ['a bare 404, and the canary fails', [AMBIGUOUS], [FAILED], 'down', '0, canary 0'],
  ['two bare 404s, and the first canary is found', [AMBIGUOUS, AMBIGUOUS], [FOUND], 'absent', '0, 1, canary 0'],
  ['a bare 404, and the next provider finds it', [AMBIGUOUS, FOUND], [], 'found', '0, 1'],
  ['a bare 404, and the next provider is down', [AMBIGUOUS, DOWN], [], 'down', '0, 1'],
  ['a definite answer', [DELETED], [], 'gone', '0'],
  ['no answer', [DOWN], [], 'down', '0'],
  ['no provider', [], [], 'down', ''],
])('a profile is absent only if the canary is found: %s', async (_, outcomes, canaries, kind, calls) => {
  expect(await outcome(outcomes, canaries, 'profile')).toEqual([kind, calls]);
});

test.each<readonly [string, readonly ScriptedOutcome[], string, string]>([
  ['a bare 404 stays ambiguous, and no canary is requested', [AMBIGUOUS], 'ambiguous', '0'],
  ['two bare 404s stay ambiguous', [AMBIGUOUS, AMBIGUOUS], 'ambiguous', '0, 1'],
  ['a bare 404 and an outage are an outage', [AMBIGUOUS, DOWN], 'down', '0, 1'],
  ['all providers refuse the request', [REFUSED, REFUSED], 'refused', '0, 1'],
  ['a second provider finds a list that the first one refused', [REFUSED, FOUND], 'found', '0, 1'],
  ['an outage and then a refusal', [DOWN, REFUSED], 'down', '0, 1'],
  ['a refusal and then an outage', [REFUSED, DOWN], 'down', '0, 1'],
  ['the next provider answers', [DOWN, FOUND], 'found', '0, 1'],
  ['all unusable', [FAILED, FAILED], 'failed', '0, 1'],
  ['no provider supports the list', [], 'down', ''],
])('the combined outcome of a list: %s', async (_, outcomes, kind, calls) => {
  expect(await outcome(outcomes, [], 'list')).toEqual([kind, calls]);
});

test.each<readonly [readonly Answer[], AbsenceRule, Answer]>([
  [[], 'post', { kind: 'down', why: 'no provider can do this', isUnsupported: true }],
  [[AMBIGUOUS, DOWN, FAILED], 'post', { kind: 'down', why: 'ambiguous; down: time-out; failed: not JSON' }],
  [[FAILED, REFUSED], 'profile', { kind: 'failed', why: 'failed: not JSON; refused: bad id' }],
  [[REFUSED, FAILED], 'list', { kind: 'failed', why: 'refused: bad id; failed: not JSON' }],
  [[REFUSED, { kind: 'refused', why: 'another reason' }], 'list', REFUSED],
  [[ABSENT, AMBIGUOUS], 'list', AMBIGUOUS],
])('the outcomes of all providers are the reason: %j as a %s', async (outcomes, absence, combined) => {
  expect(await createTestFallback(outcomes, [], absence).ask()).toEqual(combined);
});

test('an exception of a provider has a reason without its text, and one of the canary is not found', async () => {
  const bug = (): never => {
    throw new TypeError('mapper bug');
  };
  const fallback = createTestFallback([bug]);
  expect(await fallback.ask()).toEqual({ kind: 'failed', why: 'failed: the answer was not understood' });
  expect(fallback.log).toEqual([
    { level: 'error', event: 'upstream_bug', cause: expect.stringContaining('TypeError: mapper bug') },
  ]);
  expect(await outcome([AMBIGUOUS, ABSENT], [bug])).toEqual(['down', '0, 1, canary 0']);
});

describe('[provider-faults 11] the canary', () => {
  test('the canary is requested at most every 30 s for any number of calls', async () => {
    const fallback = createTestFallback([AMBIGUOUS, ABSENT], [FOUND]);
    expect(await Promise.all([fallback.ask(), fallback.ask(), fallback.ask()])).toEqual([ABSENT, ABSENT, ABSENT]);
    fallback.wait(29_999);
    expect(await fallback.ask()).toEqual(ABSENT);
    expect(fallback.calls.filter((call) => call === 'canary 0')).toHaveLength(1);
    fallback.wait(1);
    await fallback.ask();
    expect(fallback.calls.filter((call) => call === 'canary 0')).toHaveLength(2);
  });

  test('the previous result of the canary is not used during the next request for it', async () => {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const outcomes = [FOUND, promise];
    const fallback = createTestFallback([AMBIGUOUS, ABSENT], [async () => outcomes.shift() ?? FAILED]);
    expect(await fallback.ask()).toEqual(ABSENT);
    fallback.wait(30_000);
    const both = [fallback.ask(), fallback.ask()];
    resolve(AMBIGUOUS);
    expect(await Promise.all(both)).toMatchObject([{ kind: 'down' }, { kind: 'down' }]);
  });

  test('the canary is not requested, and nothing is stored, when the caller has too little time', async () => {
    const fallback = createTestFallback([AMBIGUOUS, ABSENT], [FOUND]);
    expect(await fallback.ask(ATTEMPT - 1)).toMatchObject({ kind: 'down' });
    expect(fallback.calls).toEqual(['0', '1']);
    expect(await fallback.ask()).toEqual(ABSENT);
    // The stored result needs no time.
    expect(await fallback.ask(10)).toEqual(ABSENT);
  });

  test('the canary does not delay a caller beyond its deadline', async () => {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const fallback = createTestFallback([AMBIGUOUS, ABSENT], [() => promise]);
    const patient = fallback.ask();
    expect(await fallback.ask(100)).toMatchObject({ kind: 'down' });
    resolve(FOUND);
    expect(await patient).toEqual(ABSENT);
  });

  test('a request for the canary has its own deadline and no retry', async () => {
    const fallback = createTestFallback([AMBIGUOUS, ABSENT], [FOUND]);
    await fallback.ask();
    expect(fallback.budgets.at(-1)).toEqual({ deadline: 1_000_000 + ATTEMPT, calls: { retries: 0 } });
  });
});
