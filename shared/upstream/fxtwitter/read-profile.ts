// Reads profiles from FxTwitter. A 404 without a reason means an unknown user or an outage.
//
// The provider reads what X says about an account with a second query of X, and waits for both. If it does not answer in
// time, the profile is requested without that query.

import { isNamed, type UserName } from '../../model/handle.ts';
import type { TombstoneReason } from '../../model/post.ts';
import type { User } from '../../model/user.ts';
import type { Outcome } from '../../ports/upstream.ts';
import { getInterpreted } from '../base-urls.ts';
import type { FetchResult } from '../http-request.ts';
import { type CallBudget, withLimits } from '../json-client.ts';
import type { Provider, ProviderOptions } from '../provider.ts';
import { mapUser } from './map-user.ts';
import { ABOUT } from './query-kinds.ts';
import { parseFxTwitterResponse } from './response.ts';

const reasons: ReadonlyMap<unknown, TombstoneReason> = new Map([
  ['suspended', 'suspended'],
  ['deactivated', 'deleted'],
  ['deleted', 'deleted'],
  ['withheld', 'withheld'],
]);

const found = (value: unknown, name: UserName, source: string, now: number): Outcome<User> => {
  const user = mapUser(value);
  if (user === undefined) return { kind: 'failed', why: 'profile without usable content' };
  if (!isNamed(user, name)) return { kind: 'failed', why: 'wrong profile' };
  return { kind: 'found', value: user, source, fetchedAt: now, warnings: [] };
};

const outcomeOf = (fetched: FetchResult, name: UserName, source: string, now: number): Outcome<User> => {
  const response = parseFxTwitterResponse(fetched);
  if (response.kind !== 'response') return response;
  const { code, body } = response;
  if (code === 200) return found(body['user'], name, source, now);
  const reason = code === 404 ? reasons.get(body['reason']) : undefined;
  if (reason !== undefined) return { kind: 'gone', reason };
  return code === 404 ? { kind: 'ambiguous' } : { kind: 'failed', why: `code ${code} without a profile` };
};

export const createProfileReader = ({
  baseUrl,
  source,
  http,
  clock,
}: ProviderOptions<'fxtwitter'>): NonNullable<Provider['readProfile']> => {
  const read = (kind: 'about' | 'profile', name: UserName, budget: CallBudget): Promise<Outcome<User>> =>
    getInterpreted(
      http,
      { kind, url: `${baseUrl}/2/profile/${name}${kind === 'about' ? `?${ABOUT}` : ''}` },
      budget,
      (fetched) => outcomeOf(fetched, name, source, clock()),
    );

  return async (name, budget) => {
    const outcome = await withLimits(budget, { isLast: false }, () => read('about', name, budget));
    return outcome.kind === 'down' ? read('profile', name, budget) : outcome;
  };
};
