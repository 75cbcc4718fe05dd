// Lists the 14 faults of the store that `npm run measure -- faults` plants.
import {
  clockSkew,
  dropResponse,
  type Fault,
  garbage,
  neverAnswers,
  refusal,
  reset,
  serverError,
  slow,
  throttle,
  wrongChecksum,
} from '../../test/support/store-proxy.ts';

export interface StoreFault {
  readonly name: string;
  /** `down`: the store does not listen. */
  readonly plant: Fault | 'down';
  /** The store states that every counter is full, so callers are refused. */
  readonly refuses?: true;
}

export const storeFaults: readonly StoreFault[] = [
  { name: 'connection refused', plant: 'down' },
  { name: 'reset before the call', plant: reset },
  { name: 'no answer', plant: neverAnswers },
  { name: 'answer after 140 ms', plant: slow(140) },
  { name: 'answer after 160 ms', plant: slow(160) },
  { name: 'call done, answer lost', plant: dropResponse },
  { name: 'throttled', plant: throttle },
  { name: '500', plant: serverError },
  { name: 'access denied', plant: refusal('AccessDeniedException') },
  { name: 'wrong table', plant: refusal('ResourceNotFoundException') },
  { name: 'clock an hour behind', plant: clockSkew },
  { name: 'HTML in place of JSON', plant: garbage },
  { name: 'wrong checksum', plant: wrongChecksum },
  { name: 'every condition fails', plant: refusal('ConditionalCheckFailedException'), refuses: true },
];
