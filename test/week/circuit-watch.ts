// Follows the circuit breakers of all instances by their log lines, to find one that stays open.
import type { LogFields } from '../../shared/ports/system.ts';
import type { VirtualTime } from './virtual-time.ts';

/** The longest Retry-After of the simulated providers, and a probe. A later answer must have closed the circuit. */
const MAX_OPEN_MILLISECONDS = 130_000;

export const createCircuitWatch = (time: VirtualTime) => {
  const openSince = new Map<string, number>();
  const errors: string[] = [];
  let opened = 0;
  return {
    observe(instance: string, fields: LogFields): void {
      const { event, provider, kind, state, outcome, role } = fields;
      const name = `${instance} ${provider} ${kind}`;
      if (event === 'circuit' && state === 'open') {
        opened += 1;
        openSince.set(name, time.now());
      }
      if (event === 'circuit' && state === 'closed') openSince.delete(name);
      const since = openSince.get(name);
      if (event !== 'upstream' || outcome !== 'answered' || role !== undefined || since === undefined) return;
      // The line of the call comes before that of the circuit which it closes.
      time.after(1000, () => {
        const stillSince = openSince.get(name);
        if (stillSince === since && time.now() - since > MAX_OPEN_MILLISECONDS) {
          errors.push(`the circuit ${name} stays open after an answer`);
        }
      });
    },
    opened: () => opened,
    stuck: (): readonly string[] => [...new Set(errors)],
  };
};
