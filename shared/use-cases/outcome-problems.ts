// What becomes of what was not found: the one place where an outcome is turned into a problem. An outage is never "not
// found".
import { type Problem, type ProblemCode, problem } from '../contract/problems.ts';
import type { TombstoneReason } from '../model/post.ts';
import type { FailedOutcome } from '../ports/upstream.ts';

/** Words for what is gone, and the codes that it has. */
export interface ResourceProblems {
  readonly notFound: ProblemCode;
  readonly notPublic: ProblemCode;
  readonly details: Readonly<Record<TombstoneReason, string>>;
}

export const POST_PROBLEMS: ResourceProblems = {
  notFound: 'post_not_found',
  notPublic: 'post_protected',
  details: {
    deleted: 'The post was deleted.',
    protected: 'The author limits who can read the post.',
    suspended: 'The account of the author is suspended.',
    withheld: 'The platform withholds the post from the public.',
    unknown: 'There is no post with this id, or it is not available to the public.',
  },
};

export const PROFILE_PROBLEMS: ResourceProblems = {
  notFound: 'profile_not_found',
  notPublic: 'profile_protected',
  details: {
    deleted: 'The account was deactivated or deleted.',
    protected: 'The owner of the account limits who can read it.',
    suspended: 'The account is suspended.',
    withheld: 'The platform withholds the account from the public.',
    unknown: 'There is no profile with this handle, or it is not available to the public.',
  },
};

export const goneProblem = ({ notFound, notPublic, details }: ResourceProblems, reason: TombstoneReason): Problem =>
  problem(reason === 'protected' ? notPublic : notFound, { reason, detail: details[reason] });

export const unavailableProblem = (cause: string): Problem => problem('upstream_unavailable', { cause });

const refused = (code: ProblemCode, parameter: string, message: string, cause: string): Problem =>
  problem(code, { errors: [{ parameter, message }], detail: `${parameter} ${message}.`, cause });

/** A provider refused what only this caller can have got wrong. */
export const rejectedParameter = {
  cursor: (cause: string) => refused('invalid_cursor', 'cursor', 'is no longer known to the source of the list', cause),
  query: (cause: string) => refused('invalid_query', 'q', 'is not accepted by the source', cause),
} as const;

/** @param refusal what it means when the provider does not accept the request; our own mistake unless said otherwise */
export const problemFromOutcome = (
  miss: FailedOutcome,
  subject: ResourceProblems,
  refusal?: (cause: string) => Problem,
): Problem => {
  switch (miss.kind) {
    case 'gone':
      return goneProblem(subject, miss.reason);
    case 'absent':
      return goneProblem(subject, 'unknown');
    case 'ambiguous':
      return unavailableProblem('a bare 404 was not confirmed');
    case 'down':
      return unavailableProblem(miss.why);
    case 'refused':
      return refusal === undefined ? problem('upstream_failed', { cause: miss.why }) : refusal(miss.why);
    case 'failed':
      return problem('upstream_failed', { cause: miss.why });
    default:
      return miss satisfies never;
  }
};
