// Finds out if a source is frozen: X can show guests timelines of months ago, without an error, for as long.
//
// An account can be quiet, so its timeline proves nothing. If a page has no post of the last two days, the same kind of query is
// asked for an account that posts many times a day, at most once in ten minutes. If its newest post is older than two days
// as well, the kind is frozen: its answers have a warning until that account has a younger post. One fresh post of another
// account ends nothing: X can freeze some timelines and not others. An account that cannot be read, or has no posts, says
// nothing.
import { warning } from '../contract/warnings.ts';
import { DAY_MILLISECONDS } from '../model/instant-text.ts';
import type { Post } from '../model/post.ts';
import type { Instant } from '../model/time.ts';
import type { Outcome } from '../ports/upstream.ts';
import { within } from './wait.ts';

const FRESH_MILLISECONDS = 2 * DAY_MILLISECONDS;
const INTERVAL_MILLISECONDS = 600_000;
const MAX_WAIT_MILLISECONDS = 500;

interface Posts {
  readonly items: readonly Post[];
}

export interface Freshness {
  /** Handle of an account that posts many times a day. */
  readonly profile: string;
  /**
   * @param kind the kind of query
   * @param ask reads the newest posts of the account by the same kind; unset: the page has old posts anyway
   * @returns the outcome, with a warning if the kind is frozen
   */
  judge<Page extends Posts>(
    kind: string,
    outcome: Outcome<Page>,
    ask?: () => Promise<Outcome<Posts>>,
  ): Promise<Outcome<Page>>;
}

interface KindState {
  askedAt: Instant;
  answer: Promise<void>;
  isFrozen: boolean;
}

export const createFreshness = (profile: string, clock: () => Instant): Freshness => {
  const states = new Map<string, KindState>();

  const stateOf = (kind: string): KindState => {
    const state = states.get(kind) ?? {
      askedAt: Number.NEGATIVE_INFINITY,
      answer: Promise.resolve(),
      isFrozen: false,
    };
    states.set(kind, state);
    return state;
  };

  const isFresh = ({ created_at: at }: Post): boolean =>
    at !== undefined && clock() - Date.parse(at) <= FRESH_MILLISECONDS;

  const askOnce = (state: KindState, ask: () => Promise<Outcome<Posts>>): Promise<void> => {
    if (clock() - state.askedAt < INTERVAL_MILLISECONDS) return state.answer;
    state.askedAt = clock();
    state.answer = ask()
      .then((outcome) => {
        if (outcome.kind !== 'found' || outcome.value.items.length === 0) return;
        state.isFrozen = !outcome.value.items.some(isFresh);
      })
      .catch(() => undefined); // a bug of the mapper says nothing about the source
    return state.answer;
  };

  return {
    profile,
    async judge(kind, outcome, ask) {
      if (outcome.kind !== 'found') return outcome;
      const state = stateOf(kind);
      if (!state.isFrozen && outcome.value.items.some(isFresh)) return outcome;
      // The question must not hold up an answer: its result counts for the next ones.
      if (ask !== undefined) await within(MAX_WAIT_MILLISECONDS, askOnce(state, ask));
      return state.isFrozen ? { ...outcome, warnings: [...outcome.warnings, warning('timeline_stale')] } : outcome;
    },
  };
};
