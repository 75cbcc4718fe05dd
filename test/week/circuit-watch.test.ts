// Gives the watch of the circuits log lines of breakers with a defect, which it must notice.
import { expect, test } from 'vitest';
import { createCircuitWatch } from './circuit-watch.ts';

const OPEN_MILLISECONDS = 140_000;

/** Opens the circuit of the query for conversations, and much later reads a post from the second provider. */
const observeOpenCircuit = (probes: readonly string[]) => {
  let now = 0;
  const later: (() => void)[] = [];
  const watch = createCircuitWatch({ now: () => now, after: (_, fire) => void later.push(fire) });
  const conversation = { level: 'info', provider: 'fxtwitter', kind: 'conversation' } as const;
  watch.observe('posts 1', { ...conversation, event: 'circuit', state: 'open' });
  now += OPEN_MILLISECONDS;
  for (const outcome of probes) watch.observe('posts 1', { ...conversation, event: 'upstream', outcome });
  watch.observe('posts 1', {
    level: 'info',
    event: 'upstream',
    provider: 'syndication',
    kind: 'post',
    outcome: 'answered',
  });
  for (const fire of later) fire();
  return watch;
};

test('a circuit that never probes is stuck', () => {
  expect(observeOpenCircuit([]).stuck()).toEqual([
    'the circuit posts 1 fxtwitter conversation stays open without a probe',
  ]);
});

test('a circuit whose probe has failed is not stuck', () => {
  const watch = observeOpenCircuit(['down']);
  expect(watch.stuck()).toEqual([]);
  expect([watch.opened(), watch.closed()]).toEqual([1, 0]);
});

test('a circuit that an answered probe does not close is stuck', () => {
  expect(observeOpenCircuit(['answered']).stuck()).toEqual([
    'the circuit posts 1 fxtwitter conversation stays open after an answer',
  ]);
});
