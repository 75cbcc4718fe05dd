// Converts failed outcomes to problems. An outage never becomes "not found". Also bounds the duration of every use case.
import { type Problem, type ProblemCode, problem } from '../contract/problems.ts';
import type { TombstoneReason } from '../model/post.ts';
import type { WithheldReason } from '../model/withheld.ts';
import type { FailedOutcome } from '../ports/upstream.ts';

/** The maximum duration of every use case. */
export const USE_CASE_MILLISECONDS = 8000;

/** The problem codes and the details of a kind of resource. */
export interface ResourceProblems {
  readonly notFound: ProblemCode;
  readonly notPublic: ProblemCode;
  readonly noun: 'post' | 'account';
  readonly details: Readonly<Record<TombstoneReason, string>>;
}

export const POST_PROBLEMS: ResourceProblems = {
  notFound: 'post_not_found',
  notPublic: 'post_protected',
  noun: 'post',
  details: {
    deleted: 'The post was deleted.',
    protected: 'The author limits who can read the post.',
    suspended: 'The account of the author is suspended.',
    withheld: 'The platform withholds the post from the public.',
    unknown: 'X does not give this post, and not why: it may not exist, or not be public.',
  },
};

export const PROFILE_PROBLEMS: ResourceProblems = {
  notFound: 'profile_not_found',
  notPublic: 'profile_protected',
  noun: 'account',
  details: {
    deleted: 'The account was deactivated or deleted.',
    protected: 'The owner of the account limits who can read it.',
    suspended: 'The account is suspended.',
    withheld: 'The platform withholds the account from the public.',
    unknown: 'There is no such profile, or it is not available to the public.',
  },
};

export const goneProblem = ({ notFound, notPublic, details }: ResourceProblems, reason: TombstoneReason): Problem =>
  problem(reason === 'protected' ? notPublic : notFound, { reason, detail: details[reason] });

const withheldBecause: Readonly<Record<WithheldReason, string>> = {
  copyright: ' after a claim of copyright',
  court: ' because of a court order',
  privacy: ' to protect the privacy of a person',
  terms: ' because of its terms of use',
  other: '',
};

export const unavailableProblem = (cause: string): Problem => problem('upstream_unavailable', { cause });

const parameterProblem = (code: ProblemCode, parameter: string, message: string, cause: string): Problem =>
  problem(code, { errors: [{ parameter, message }], detail: `${parameter} ${message}.`, cause });

/** The problems of a parameter that only the provider can validate. */
export const rejectedParameter = {
  cursor: (cause: string) =>
    parameterProblem('invalid_cursor', 'cursor', 'is no longer known to the source of the list', cause),
  until: (cause: string) =>
    parameterProblem('invalid_parameter', 'until', 'is earlier than the source of the list reaches', cause),
  query: (cause: string) => parameterProblem('invalid_query', 'q', 'is not accepted by the source', cause),
} as const;

/** @param rejection the problem if the provider rejects the request; @default `upstream_failed`, a fault of the service */
export const problemFromOutcome = (
  outcome: FailedOutcome,
  resource: ResourceProblems,
  rejection?: (cause: string) => Problem,
): Problem => {
  switch (outcome.kind) {
    case 'gone':
      return goneProblem(resource, outcome.reason);
    case 'withheld': {
      const detail = `The operator of this service withholds this ${resource.noun}${withheldBecause[outcome.reason]}.`;
      return problem('withheld_by_operator', { detail });
    }
    case 'absent':
      return goneProblem(resource, 'unknown');
    case 'ambiguous':
      return unavailableProblem('a bare 404 was not confirmed');
    case 'down':
      return unavailableProblem(outcome.why);
    case 'refused':
      return rejection === undefined ? problem('upstream_failed', { cause: outcome.why }) : rejection(outcome.why);
    case 'failed':
      return problem('upstream_failed', { cause: outcome.why });
    default:
      return outcome satisfies never;
  }
};
