// Makes the requester of one provider call among several of a request.
import type { Requester } from '../ports/upstream.ts';

/**
 * @param charge charges for the call. It is called at the first time that the call asks for admission, and only then
 * @returns the same caller with a charge of its own
 */
export const requesterOfCall = (requester: Requester, charge: () => Promise<void>): Requester => {
  let admitted: Promise<void> | undefined;
  return {
    ...requester,
    ofRequest: requester.ofRequest ?? requester,
    admit: () => {
      admitted ??= charge();
      return admitted;
    },
  };
};
