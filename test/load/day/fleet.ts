// Simulates the instances of the Lambdas in virtual time: an instance has one request at a time, a request without an idle
// instance starts one, and an instance that was idle for long ends.
import { coldStart } from '../../../shared/publish/costs/bill.ts';
import { IDLE_MILLISECONDS, isIn, OWN_MILLISECONDS, outage } from './day-assumptions.ts';
import {
  createInstance,
  type Instance,
  type ReadKindOfInstance,
  type ReadResult,
  type Visitor,
  type World,
} from './instance.ts';

interface CallTime {
  calls: number;
  seconds: number;
}

export interface FleetFigures {
  calls: number;
  starts: number;
  /** Seconds of execution, by kind of request. */
  readonly seconds: Record<ReadKindOfInstance, number>;
  busy: number;
  /** The most concurrent executions outside of the outage, and in it. */
  readonly busiest: { outside: number; during: number };
  /** Calls that ended, and their seconds, by the time at which they started. */
  readonly ended: { outside: CallTime; during: CallTime };
  instances: number;
  mostInstances: number;
}

export interface Fleet {
  readonly figures: FleetFigures;
  read(kind: ReadKindOfInstance, subject: number, visitor: Visitor): Promise<ReadResult>;
}

interface IdleInstance {
  readonly instance: Instance;
  readonly since: number;
}

export const createFleet = (world: World): Fleet => {
  const { time } = world;
  /** Per Lambda, the most recently used one last. */
  const idle: Record<ReadKindOfInstance, IdleInstance[]> = { post: [], list: [], search: [], tool: [] };
  const figures: FleetFigures = {
    calls: 0,
    starts: 0,
    seconds: { post: 0, list: 0, search: 0, tool: 0 },
    busy: 0,
    busiest: { outside: 0, during: 0 },
    ended: { outside: { calls: 0, seconds: 0 }, during: { calls: 0, seconds: 0 } },
    instances: 0,
    mostInstances: 0,
  };

  const removeOld = (kind: ReadKindOfInstance): void => {
    const instances = idle[kind];
    const keep = instances.findIndex(({ since }) => time.now() - since < IDLE_MILLISECONDS);
    const old = keep === -1 ? instances.length : keep;
    instances.splice(0, old);
    figures.instances -= old;
  };

  return {
    figures,
    async read(kind, subject, visitor) {
      removeOld(kind);
      figures.calls += 1;
      const startedAt = time.now();
      const waiting = idle[kind].pop();
      if (waiting === undefined) {
        figures.starts += 1;
        figures.instances += 1;
        figures.mostInstances = Math.max(figures.mostInstances, figures.instances);
      }
      const instance = waiting?.instance ?? createInstance(world);
      figures.busy += 1;
      const phase = isIn(outage, startedAt) ? 'during' : 'outside';
      figures.busiest[phase] = Math.max(figures.busiest[phase], figures.busy);
      await time.wait(OWN_MILLISECONDS + (waiting === undefined ? coldStart.milliseconds : 0));
      const result = await instance.read(kind, subject, visitor);
      figures.busy -= 1;
      const seconds = (time.now() - startedAt) / 1000;
      figures.seconds[kind] += seconds;
      const ended = figures.ended[phase];
      ended.calls += 1;
      ended.seconds += seconds;
      idle[kind].push({ instance, since: time.now() });
      return result;
    },
  };
};
