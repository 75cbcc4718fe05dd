// On whose behalf a read asks providers, on whichever surface.
import { subjectOf } from '../contract/inputs.ts';
import type { Read } from '../contract/operations.ts';
import type { Caller, FairUse, Requester } from '../ports.ts';

export interface RequestOrigin {
  /** Unset where no read is bounded by it. */
  readonly fairUse: FairUse | undefined;
  /** Unset where no key is honoured. */
  readonly caller: Caller | undefined;
  /** Of the client, as the edge saw it. */
  readonly address: string | undefined;
}

/** Charged before a provider is asked: what an allowance governs by the key step, other reads by fair use. */
export const requesterFor = (
  { spends }: Read,
  input: object,
  { fairUse, caller, address }: RequestOrigin,
): Requester | undefined => {
  if (spends === 'fair-use') return fairUse?.requesterAt(address);
  return caller && { caller: caller.identity, admit: () => caller.spend(spends, subjectOf(input)) };
};
