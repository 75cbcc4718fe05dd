// Tests which base URLs of a provider a read asks, in which form, and which outcome it gets.
import { describe, expect, test } from 'vitest';
import { monotonic } from '../../../shared/model/time.ts';
import type { Outcome } from '../../../shared/ports/upstream.ts';
import { askProvider, createFallback, type FallbackSource } from '../../../shared/upstream/fallback.ts';
import type { CallBudget, Repeats, RequestCalls } from '../../../shared/upstream/json-client.ts';
import { found } from '../../support/test-app.ts';

interface Reply {
  readonly outcome: Outcome<string>;
  /** Unset: no call is sent. */
  readonly latest?: RequestCalls['latest'];
}

const REPLIES = {
  found: { outcome: found('a post'), latest: 'answered' },
  gone: { outcome: { kind: 'gone', reason: 'deleted' }, latest: 'answered' },
  'too large': { outcome: { kind: 'failed', why: 'body too large', isTooLarge: true }, latest: 'unanswered' },
  '404': { outcome: { kind: 'ambiguous' }, latest: 'answered' },
  wrong: { outcome: { kind: 'failed', why: 'wrong post' }, latest: 'answered' },
  dropped: { outcome: { kind: 'down', why: 'code 404' }, latest: 'answered' },
  refused: { outcome: { kind: 'down', why: 'ECONNREFUSED' }, latest: 'unanswered' },
  '429': { outcome: { kind: 'down', why: 'status 429' }, latest: 'unanswered' },
  open: { outcome: { kind: 'down', why: 'breaker open' } },
  starved: { outcome: { kind: 'down', why: 'too many in flight', isStarved: true } },
} as const satisfies Readonly<Record<string, Reply>>;

type ReplyName = keyof typeof REPLIES;

/** @param replies of each base URL, one after the other; the last one stays */
const create = (replies: readonly (readonly ReplyName[])[]) => {
  const log: string[] = [];
  const sources = replies.map((names, index): FallbackSource<string, string> => {
    let calls = 0;
    return {
      provider: 'fx',
      async call(_, { calls: state, isLast, hasNextBaseUrl }: CallBudget) {
        const reply: Reply = REPLIES[names[Math.min(calls, names.length - 1)] ?? 'open'];
        calls += 1;
        const facts = [hasNextBaseUrl && 'once', isLast && 'last', state.isFurther && 'further'];
        log.push([index, ...facts.filter((fact) => fact)].join(' '));
        state.latest = reply.latest;
        return reply.outcome;
      },
    };
  });
  return {
    log,
    sources,
    async ask(repeats?: Repeats, random = 0): Promise<string> {
      const calls: RequestCalls = { retries: 1, ...(repeats && { repeats }) };
      const budget: CallBudget = { deadline: monotonic(8000), isLast: true, calls };
      const { outcome } = await askProvider(sources, 'a', budget, () => random);
      return `${log.splice(0).join(', ')} -> ${'why' in outcome ? outcome.why : outcome.kind}`;
    },
  };
};

describe('a read', () => {
  test.each<readonly [readonly (ReplyName | readonly ReplyName[])[], string]>([
    [['found', 'found'], '0 once -> found'],
    [['gone', 'found'], '0 once -> gone'],
    [['too large', 'found'], '0 once -> body too large'],
    [['starved', 'found'], '0 once -> too many in flight'],
    [['404', 'found'], '0 once, 1 last further -> found'],
    [['refused', 'found'], '0 once, 1 last further -> found'],
    [['open', 'found'], '0 once, 1 last -> found'],
    [['429', '404', 'found'], '0 once, 1 once further, 2 last further -> found'],
    [['404', '404', 'found'], '0 once, 1 last further -> ambiguous'],
    [['refused', 'refused', 'refused', 'found'], '0 once, 1 once further, 2 last further -> ECONNREFUSED'],
    [['open', 'open', 'open', 'found'], '0 once, 1 once, 2 once, 3 last -> found'],
    [['open', 'open'], '0 once, 1 last -> breaker open'],
    [['dropped', 'dropped', 'found'], '0 once, 1 once further, 2 last further -> found'],
    [['wrong', 'refused'], '0 once, 1 last further, 0 last further -> ECONNREFUSED'],
    [['wrong', 'wrong'], '0 once, 1 last further -> wrong post'],
    [[['dropped', 'found'], 'refused'], '0 once, 1 last further, 0 last further -> found'],
    [[['404', 'found'], 'open'], '0 once, 1 last further, 0 last further -> found'],
    [[['refused', 'found'], 'open'], '0 once, 1 last further, 0 last further -> found'],
    [['refused', 'dropped'], '0 once, 1 last further -> ECONNREFUSED'],
  ])('[outages 9] asks base URLs that answer %j until one is conclusive', async (replies, line) => {
    const names = replies.map((each) => (typeof each === 'string' ? [each] : each));
    expect(await create(names).ask()).toBe(line);
  });

  test('[outages 9] begins at a base URL that is chosen at random', async () => {
    const { ask } = create([['found'], ['found'], ['404']]);
    expect(await ask(undefined, 0.4)).toBe('1 once -> found');
    expect(await ask(undefined, 0.99)).toBe('2 once, 0 last further -> found');
  });

  test('[outages 8] asks no other base URL when the request has no repetition left', async () => {
    const { ask } = create([['dropped'], ['found']]);
    expect(await ask({ left: 0 })).toBe('0 once -> code 404');
    expect(await create([['open'], ['found']]).ask({ left: 0 })).toBe('0 once, 1 last -> found');
  });
});

describe('[outages 9] the canary', () => {
  const absentIf = async (replies: readonly ReplyName[], found: readonly boolean[]) => {
    const asked: number[] = [];
    const sources = create(replies.map((reply) => [reply])).sources.map((source, index) => ({
      ...source,
      canary: async () => {
        asked.push(index);
        return found[index] === true;
      },
    }));
    const ask = createFallback(sources, 'profile', () => 0);
    const { kind } = await ask('a', { deadline: monotonic(8000), calls: { retries: 1 } });
    return [kind, asked];
  };

  test('is asked at the base URL that does not find the resource, when another one is down', async () => {
    expect(await absentIf(['refused', '404'], [false, true])).toEqual(['absent', [1]]);
    expect(await absentIf(['404', 'refused'], [false, true])).toEqual(['down', [0]]);
  });
});
