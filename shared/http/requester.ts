// Creates the requester of a use case: the caller on whose behalf providers are called.
import { subjectOf } from '../contract/inputs.ts';
import type { UseCase } from '../contract/use-cases.ts';
import type { Caller, FairUse } from '../ports/access-control.ts';
import type { Requester } from '../ports/upstream.ts';
import { type ReadFacts, recordingRequester } from './read-facts.ts';

export interface RequesterContext {
  /** Unset: every use case charges an allowance. */
  readonly fairUse: FairUse | undefined;
  /** Unset: the route ignores API keys. */
  readonly caller: Caller | undefined;
  /** The IP address of the client, as the edge saw it. */
  readonly clientAddress: string | undefined;
  /** Records what the requester does. */
  readonly facts: ReadFacts;
}

/** Charged before a provider is called: an allowance of the caller, or the fair-use bound. */
export const requesterFor = (
  { allowance }: UseCase,
  input: object,
  { fairUse, caller, clientAddress, facts }: RequesterContext,
): Requester | undefined => {
  const isFairUse = allowance === 'fair-use';
  const requester = isFairUse
    ? fairUse?.requesterAt(clientAddress)
    : caller && { caller: caller.network, admit: () => caller.chargeAllowance(allowance, subjectOf(input)) };
  return requester && recordingRequester(requester, facts, isFairUse);
};
