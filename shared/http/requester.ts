// On whose behalf a read asks providers, on whichever surface.
import { subjectOf } from '../contract/inputs.ts';
import type { UseCase } from '../contract/use-cases.ts';
import type { Caller, FairUse } from '../ports/access-control.ts';
import type { Requester } from '../ports/upstream.ts';

export interface RequesterContext {
  /** Unset where no read is bounded by it. */
  readonly fairUse: FairUse | undefined;
  /** Unset where no key is honoured. */
  readonly caller: Caller | undefined;
  /** Of the client, as the edge saw it. */
  readonly address: string | undefined;
}

/** Charged before a provider is asked: what an allowance governs by the key step, other reads by fair use. */
export const requesterFor = (
  { allowance }: UseCase,
  input: object,
  { fairUse, caller, address }: RequesterContext,
): Requester | undefined => {
  if (allowance === 'fair-use') return fairUse?.requesterAt(address);
  return caller && { caller: caller.identity, admit: () => caller.chargeAllowance(allowance, subjectOf(input)) };
};
