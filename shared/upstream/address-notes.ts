// Records what a pool of addresses learns about its addresses from the responses to one request of a caller. A provider
// with a single address needs none of it.
import type { FetchResult } from './http-request.ts';

/**
 * A response as evidence about the address that gave it.
 * - `usable`: it answers the query
 * - `doubtful`: it says "not found" or "refused", which a faulty address also says
 * - `unusable`: it cannot be the answer, such as the wrong post or an HTML page
 */
export type Verdict = 'usable' | 'doubtful' | 'unusable';

export type Judge = (fetched: FetchResult) => Verdict;

/** Addresses of a pool, as base URLs. */
export interface AddressNotes {
  /** Only this address is asked: a canary. */
  readonly only?: string;
  /** Failed in this request, so that they are asked again only if no other address is left. */
  readonly failed: Set<string>;
  /** Gave the last doubtful answer, such as a "not found". */
  doubtful: readonly string[];
  /** Call them if a canary confirms the doubtful answers. */
  onConfirmed: readonly ((caller: string | undefined) => void)[];
}

/** @param only unset: every address may be asked */
export const createAddressNotes = (only?: string): AddressNotes => ({
  ...(only !== undefined && { only }),
  failed: new Set(),
  doubtful: [],
  onConfirmed: [],
});
