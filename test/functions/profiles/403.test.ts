import { expect, test } from 'vitest';
import type { User } from '../../../shared/model/user.ts';
import type { Outcome, Upstream, UpstreamPage } from '../../../shared/ports/upstream.ts';
import { PROFILE_TARGETS, routesOf } from '../../support/browse-routes.ts';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp, found, page, user } from '../../support/test-app.ts';

const [, ...lists] = PROFILE_TARGETS;

const isProtected = { readProfile: async () => found(user('jack', { protected: true })) };

test.each<readonly [string, Outcome<UpstreamPage<User>>]>([
  ['is empty', found(page<User>([]))],
  ['returns 404', { kind: 'ambiguous' }],
  ['is reported as protected', { kind: 'gone', reason: 'protected' }],
])(
  '[problems 4] GET of a list of a protected profile returns 403 with the reason, never 401, when the list %s',
  async (_, outcome) => {
    const upstream: Partial<Upstream> = { ...isProtected, listUsers: async () => outcome };
    const { get } = createTestApp({ upstream });
    for (const route of routesOf(lists)) {
      const answer = await get(route);
      expect(expectProblem(answer, 403, 'profile_protected')).toMatchObject({ reason: 'protected' });
      expect(answer.headers).toMatchObject({
        'cache-control': 'public, max-age=30, s-maxage=30',
        'x-api-key-status': 'anonymous',
      });
    }
  },
);
