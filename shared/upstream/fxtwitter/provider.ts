// Creates the provider for the FxTwitter API v2, and reads profiles from it.
import { warning } from '../../contract/warnings.ts';
import { isNamed, type UserName } from '../../model/handle.ts';
import type { Post, TombstoneReason } from '../../model/post.ts';
import type { User } from '../../model/user.ts';
import type { Outcome, PageRequest } from '../../ports/upstream.ts';
import type { FetchResult } from '../http-request.ts';
import { type CallBudget, countRepeat } from '../json-client.ts';
import { withPartWarnings } from '../part-warnings.ts';
import type { Provider, ProviderOptions, ProviderPage, ReadPage } from '../provider.ts';
import { asksSecondWay, failures } from './failures.ts';
import { mapUser } from './map-user.ts';
import { createConversationReader, createTranslator } from './read-conversation.ts';
import { createRepliesReader } from './read-replies.ts';
import { createTimelineReader } from './read-timeline.ts';
import { ABOUT } from './requests.ts';
import {
  listIn,
  MIN_ID_DIGITS,
  pageParameters,
  parseFxTwitterResponse,
  readPostPage,
  readProviderPage,
  suggestedUsers,
  users,
} from './responses.ts';

// A 404 without a reason means an unknown user or an outage. FxTwitter reads what X says about an account with a second
// query of X, and waits for both. If it does not answer in time, the profile is requested without that query.

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
  const { notFound, badRequest } = failures.profile;
  if (code === 404) return notFound;
  return code === 400 ? badRequest : { kind: 'failed', why: `code ${code} without a profile` };
};

export const createProfileReader = ({
  baseUrl,
  source,
  http,
  clock,
}: ProviderOptions<'fxtwitter'>): NonNullable<Provider['readProfile']> => {
  const read = async (kind: 'about' | 'profile', name: UserName, budget: CallBudget): Promise<Outcome<User>> => {
    const url = `${baseUrl}/2/profile/${name}${kind === 'about' ? `?${ABOUT}` : ''}`;
    return outcomeOf(await http.get({ kind, url }, budget), name, source, clock());
  };

  return async (name, budget) => {
    const outcome = await read('about', name, { ...budget, isLast: false });
    return asksSecondWay('about', outcome, budget) ? read(failures.about.secondWay.way, name, budget) : outcome;
  };
};

/** Pages of X have about 20 items. For more, FxTwitter calls X several times. */
const PAGE_SIZES = [20, 100] as const;

/** Reads a list of a post, if FxTwitter accepts its id. */
const ofPost =
  <T>(id: string, read: ReadPage<T>): ReadPage<T> =>
  async (page, budget) =>
    id.length < MIN_ID_DIGITS ? { kind: 'ambiguous' } : read(page, budget);

export const createFxTwitter = (options: ProviderOptions<'fxtwitter'>): Required<Provider> => {
  const readTimeline = createTimelineReader(options);
  const readReplies = createRepliesReader(options);
  const search =
    (q: string, feed: string, lang: string | undefined): ReadPage<Post> =>
    (page, budget) => {
      const parameters = { q, feed, ...pageParameters(page) };
      return readPostPage(options, { kind: 'search', path: 'search', parameters }, budget, lang);
    };
  const accounts =
    (kind: 'followers' | 'following' | 'reposts', path: string): ReadPage<User> =>
    (page, budget) =>
      readProviderPage(options, { kind, path, parameters: pageParameters(page) }, budget, listIn('results', users));
  /** The accounts that X suggests during typing: a short list with one page, and without counts. */
  const suggestUsers = async (q: string, budget: CallBudget): Promise<Outcome<ProviderPage<User>>> => {
    const query = { kind: failures.users.secondWay.way, path: 'typeahead', parameters: { q, result_type: 'users' } };
    const outcome = await readProviderPage(options, query, budget, listIn('users', suggestedUsers));
    return outcome.kind === 'found' ? { ...outcome, warnings: [warning('users_partial')] } : outcome;
  };
  /** Older releases of FxTwitter do not have the search for users. */
  const readUsers = async (
    q: string,
    { cursor }: Pick<PageRequest, 'cursor'>,
    budget: CallBudget,
  ): Promise<Outcome<ProviderPage<User>>> => {
    const isFirst = cursor === undefined;
    const query = { kind: 'users', path: 'search/users', parameters: { q, cursor } } as const;
    const limits = isFirst ? { ...budget, isLast: false, hasSecondWay: true } : budget;
    const outcome = await readProviderPage(options, query, limits, listIn('results', users));
    if (!isFirst || !asksSecondWay('users', outcome, budget)) return outcome;
    countRepeat(budget.calls);
    return suggestUsers(q, budget);
  };
  return withPartWarnings<Required<Provider>>({
    pageSize: (requested) => PAGE_SIZES.find((size) => requested <= size) ?? 100,
    readPost: createConversationReader(options),
    translatePost: createTranslator(options),
    readProfile: createProfileReader(options),
    listPosts(request): ReadPage<Post> | undefined {
      switch (request.list) {
        case 'posts':
          return (page, budget) => readTimeline(request, page, budget);
        case 'replies':
          return (page, budget) => readReplies(request, page, budget);
        case 'search':
          return search(request.query, request.feed, request.lang);
        case 'list of X': // X answers a search for a list that it does not show without results
          return async (page, budget) => {
            const outcome = await search(`list:${request.listId}`, 'latest', request.lang)(page, budget);
            const isMissing = outcome.kind === 'found' && page.cursor === undefined && outcome.value.items.length === 0;
            return isMissing ? { kind: 'refused', why: 'a list without results' } : outcome;
          };
        case 'quotes': // latest first; FxTwitter searches for them
          return ofPost(request.id, (page, budget) => {
            const query = { path: `status/${request.id}/quotes`, parameters: pageParameters(page) };
            return readPostPage(options, { kind: 'quotes', ...query }, budget, request.lang);
          });
        default:
          return undefined;
      }
    },
    listUsers(request): ReadPage<User> | undefined {
      switch (request.list) {
        case 'followers':
        case 'following':
          return accounts(request.list, `profile/${request.handle}/${request.list}`);
        case 'users':
          return (page, budget) => readUsers(request.query, page, budget);
        case 'reposts': // X lists the latest ones only
          return ofPost(request.id, accounts('reposts', `status/${request.id}/reposts`));
        default:
          return undefined;
      }
    },
  });
};
