// Follows the circuit breakers of all instances by their log lines, to find one that stays open: it has an answer and does not
// close, or it admits no probe although reads need it.
import type { LogFields } from '../../shared/ports/system.ts';
import type { VirtualTime } from './virtual-time.ts';

/** The longest Retry-After of the simulated providers, and a probe. Until then a circuit must probe, and an answer closes it. */
const MAX_OPEN_MILLISECONDS = 130_000;

/**
 * The kinds of query that a read of a post asks, in this order. A call of one shows that the read has passed the circuits of
 * those before it. A circuit of another kind has no replacement, so a read that it rejects fails, and the answer is checked.
 */
const KINDS_OF_A_POST = ['fxtwitter conversation', 'fxtwitter status', 'syndication post'];

const kindsBefore = (kind: string): readonly string[] =>
  KINDS_OF_A_POST.slice(0, Math.max(0, KINDS_OF_A_POST.indexOf(kind)));

interface OpenCircuit {
  /** Opened, or opened again by a failed probe. */
  readonly since: number;
  /** When the line of the last call was written, or `since`. */
  calledAt: number;
}

export const createCircuitWatch = (time: Pick<VirtualTime, 'now' | 'after'>) => {
  const openCircuits = new Map<string, OpenCircuit>();
  const errors = new Set<string>();
  let opened = 0;
  let closed = 0;

  const observeChange = (circuit: string, state: unknown): void => {
    if (state === 'open') {
      if (!openCircuits.has(circuit)) opened += 1;
      openCircuits.set(circuit, { since: time.now(), calledAt: time.now() });
    } else if (openCircuits.delete(circuit)) closed += 1;
  };

  const observeCall = (instance: string, kind: string, isAnswered: boolean): void => {
    for (const before of kindsBefore(kind)) {
      const circuit = `${instance} ${before}`;
      const calledAt = openCircuits.get(circuit)?.calledAt ?? Number.POSITIVE_INFINITY;
      if (time.now() - calledAt > MAX_OPEN_MILLISECONDS)
        errors.add(`the circuit ${circuit} stays open without a probe`);
    }
    const circuit = `${instance} ${kind}`;
    const open = openCircuits.get(circuit);
    if (open === undefined) return;
    open.calledAt = time.now();
    if (!isAnswered) return;
    // The line of the call can come before that of the circuit which it closes.
    time.after(1000, () => {
      const isStuck = openCircuits.get(circuit) === open && time.now() - open.since > MAX_OPEN_MILLISECONDS;
      if (isStuck) errors.add(`the circuit ${circuit} stays open after an answer`);
    });
  };

  return {
    observe(instance: string, { event, provider, kind, state, calls = [], role }: LogFields): void {
      if (event === 'circuit') observeChange(`${instance} ${provider} ${kind}`, state);
      if (role !== undefined) return;
      for (const call of calls) observeCall(instance, `${call.provider} ${call.kind}`, call.outcome === 'answered');
    },
    /** Circuits that opened; a failed probe is no further opening. */
    opened: () => opened,
    closed: () => closed,
    stuck: (): readonly string[] => [...errors],
  };
};
