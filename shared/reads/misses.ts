// What the misses of profiles and lists are to the caller. An outage is never "not found".
import { type Problem, type ProblemCode, problem } from '../contract/problems.ts';
import type { TombstoneReason } from '../model/post.ts';
import type { Outcome } from '../ports.ts';

export type Miss = Exclude<Outcome<unknown>, { kind: 'found' }>;

const goneDetails: Readonly<Record<TombstoneReason, string>> = {
  deleted: 'The account was deactivated or deleted.',
  protected: 'The owner of the account limits who can read it.',
  suspended: 'The account is suspended.',
  withheld: 'The platform withholds the account from the public.',
  unknown: 'There is no profile with this handle, or it is not available to the public.',
};

export const profileGone = (reason: TombstoneReason): Problem =>
  problem(reason === 'protected' ? 'profile_protected' : 'profile_not_found', { reason, detail: goneDetails[reason] });

export const unavailable = (cause: string): Problem => problem('upstream_unavailable', { cause });

const refused = (code: ProblemCode, parameter: string, message: string, cause: string): Problem =>
  problem(code, { errors: [{ parameter, message }], detail: `${parameter} ${message}.`, cause });

/** A provider refused what only this caller can have got wrong. */
export const refusedBy = {
  cursor: (cause: string) => refused('invalid_cursor', 'cursor', 'is no longer known to the source of the list', cause),
  query: (cause: string) => refused('invalid_query', 'q', 'is not accepted by the source', cause),
} as const;

/** @param refusal what it means when the provider does not accept the request; our own mistake unless said otherwise */
export const missProblem = (miss: Miss, refusal?: (cause: string) => Problem): Problem => {
  switch (miss.kind) {
    case 'gone':
      return profileGone(miss.reason);
    case 'absent':
      return profileGone('unknown');
    case 'ambiguous':
      return unavailable('a bare 404 was not confirmed');
    case 'down':
      return unavailable(miss.why);
    case 'refused':
      return refusal === undefined ? problem('upstream_failed', { cause: miss.why }) : refusal(miss.why);
    case 'failed':
      return problem('upstream_failed', { cause: miss.why });
    default:
      return miss satisfies never;
  }
};
