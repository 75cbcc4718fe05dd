// What of the log wakes an operator, beside answers of 500 and above: how often an event must come, and what it means.
import type { Surface } from './surfaces.ts';

export interface AlarmingEvent {
  readonly meaning: string;
  /** So often within so many minutes, in one function. */
  readonly times: number;
  readonly minutes: number;
  /** Functions that can log it, by what they do with tables. */
  readonly tables: readonly Surface['tables'][];
}

export const alarmingEvents = {
  store_failed: {
    meaning: 'DynamoDB does not answer: keys go unverified, and each instance counts allowances for itself.',
    times: 5,
    minutes: 5,
    tables: ['access', 'operation'],
  },
  store_misused: {
    meaning: 'DynamoDB refuses what we ask: a fault of the deployment, with the effects of an outage.',
    times: 1,
    minutes: 5,
    tables: ['access', 'operation'],
  },
  repeated_invalid_key: {
    meaning: 'One caller keeps presenting keys that are none.',
    times: 1,
    minutes: 15,
    tables: ['access'],
  },
  operator_refused: {
    meaning: 'Somebody tries to sign in to the dashboard with wrong tokens.',
    times: 100,
    minutes: 60,
    tables: ['operation'],
  },
} as const satisfies Readonly<Record<string, AlarmingEvent>>;

export type AlarmingEventName = keyof typeof alarmingEvents;

export const alarmingEventRows: readonly (readonly [string, AlarmingEvent])[] =
  Object.entries<AlarmingEvent>(alarmingEvents);
