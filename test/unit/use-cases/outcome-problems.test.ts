// Tests the problem of each outcome: the code and the words that callers read, and the cause for the log.
import { expect, test } from 'vitest';
import { Problem } from '../../../shared/contract/problems.ts';
import type { TombstoneReason } from '../../../shared/model/post.ts';
import type { FailedOutcome } from '../../../shared/ports/upstream.ts';
import {
  POST_PROBLEMS,
  PROFILE_PROBLEMS,
  problemFromOutcome,
  rejectedParameter,
} from '../../../shared/use-cases/outcome-problems.ts';

const shown = ({ code, options }: Problem) => ({ code, ...options });

test.each<readonly [TombstoneReason, string, string, string, string]>([
  [
    'deleted',
    'post_not_found',
    'The post was deleted.',
    'profile_not_found',
    'The account was deactivated or deleted.',
  ],
  [
    'protected',
    'post_protected',
    'The author limits who can read the post.',
    'profile_protected',
    'The owner of the account limits who can read it.',
  ],
  [
    'suspended',
    'post_not_found',
    'The account of the author is suspended.',
    'profile_not_found',
    'The account is suspended.',
  ],
  [
    'withheld',
    'post_not_found',
    'The platform withholds the post from the public.',
    'profile_not_found',
    'The platform withholds the account from the public.',
  ],
  [
    'unknown',
    'post_not_found',
    'There is no post with this id, or it is not available to the public.',
    'profile_not_found',
    'There is no such profile, or it is not available to the public.',
  ],
])(
  'a post and a profile that are gone (%s) have a code, a reason and words',
  (reason, post, ofPost, profile, ofProfile) => {
    const gone: FailedOutcome = { kind: 'gone', reason };
    expect(shown(problemFromOutcome(gone, POST_PROBLEMS))).toEqual({ code: post, reason, detail: ofPost });
    expect(shown(problemFromOutcome(gone, PROFILE_PROBLEMS))).toEqual({ code: profile, reason, detail: ofProfile });
    if (reason === 'unknown')
      expect(shown(problemFromOutcome({ kind: 'absent' }, POST_PROBLEMS))).toEqual({
        code: post,
        reason,
        detail: ofPost,
      });
  },
);

test.each<readonly [FailedOutcome, string, string]>([
  [{ kind: 'ambiguous' }, 'upstream_unavailable', 'a bare 404 was not confirmed'],
  [{ kind: 'down', why: 'time-out' }, 'upstream_unavailable', 'time-out'],
  [{ kind: 'refused', why: '400' }, 'upstream_failed', '400'],
  [{ kind: 'failed', why: 'no JSON' }, 'upstream_failed', 'no JSON'],
])('the outcome %o is %s with the cause %o', (outcome, code, cause) => {
  expect(shown(problemFromOutcome(outcome, POST_PROBLEMS))).toEqual({ code, cause });
});

test.each([
  ['cursor', 'invalid_cursor', 'cursor', 'is no longer known to the source of the list'],
  ['until', 'invalid_parameter', 'until', 'is earlier than the source of the list reaches'],
  ['query', 'invalid_query', 'q', 'is not accepted by the source'],
] as const)('a refused %s names its parameter and says what is wrong', (name, code, parameter, message) => {
  const problem = problemFromOutcome({ kind: 'refused', why: '400' }, POST_PROBLEMS, rejectedParameter[name]);
  expect(shown(problem)).toEqual({
    code,
    errors: [{ parameter, message }],
    detail: `${parameter} ${message}.`,
    cause: '400',
  });
  expect(problemFromOutcome({ kind: 'down', why: 'a' }, POST_PROBLEMS, rejectedParameter[name])).toBeInstanceOf(
    Problem,
  );
});
