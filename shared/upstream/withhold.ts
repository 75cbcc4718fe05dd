// Withholds posts and accounts that the operator lists. The upstream stands behind it with its cache, so a change of the
// list is in force at once, whatever is cached.
//
// A subject is looked up before the upstream is called, by what the request says, and again in what was read: only a read
// post or profile names its author. Around a subject, a withheld post is a tombstone, and items of a list are left out.
// Text that others wrote stays as it is, with the handles that it mentions.
//
// Parts such as an answered post can name an account without its id. So the accounts of an answer are remembered before it
// is shown, if an account is withheld by its id.
import { type AccountNames, ANSWERED, BROADCASTER } from '../model/account-names.ts';
import { entriesOf, isPost, isTombstone, mapAround } from '../model/conversation.ts';
import { idOfName } from '../model/handle.ts';
import type { Media, Post, PostOrTombstone, Tombstone } from '../model/post.ts';
import type { User } from '../model/user.ts';
import type { Withheld, WithheldReason } from '../model/withheld.ts';
import { parsePostUrl, parseProfileUrl } from '../model/x-urls.ts';
import type { Deadline } from '../ports/system.ts';
import type {
  FailedOutcome,
  Outcome,
  PostListRequest,
  Requester,
  Upstream,
  UpstreamPage,
  UserListRequest,
} from '../ports/upstream.ts';

/** A post, or the link to one: the author is in its URL. */
type NamedPost = Pick<Post, 'id' | 'url'> & Partial<Pick<Post, 'author'>>;

/** Old accounts have handles of up to 30 characters. */
const HANDLE_IN_URL = /^https:\/\/[^/]+\/(\w{1,30})\/status\//;

const authorOf = ({ author, url }: NamedPost): AccountNames => author ?? { handle: HANDLE_IN_URL.exec(url)?.[1] };

const reasonOfPost = (withheld: Withheld, post: NamedPost): WithheldReason | undefined =>
  withheld.post(post.id) ?? withheld.account(authorOf(post));

const isWithheldAccount = (withheld: Withheld, names: AccountNames | undefined): boolean =>
  names !== undefined && withheld.account(names) !== undefined;

/** The id in `in_reply_to` is that of the post. */
const answeredAccount = ({ in_reply_to: answered, [ANSWERED]: account }: Post): AccountNames | undefined =>
  answered && { handle: answered.handle, id: account?.id };

const accountsIn = (post: Post): readonly (AccountNames | undefined)[] => [
  post.author,
  post.reposted_by,
  answeredAccount(post),
  post.broadcast?.[BROADCASTER],
  ...post.media.map(({ publisher }) => publisher),
  ...(isPost(post.quote) ? accountsIn(post.quote) : []),
];

const seeAccounts = (withheld: Withheld, find: () => readonly (AccountNames | undefined)[]): void => {
  if (!withheld.hasIds()) return;
  for (const names of find()) if (names !== undefined) withheld.see(names);
};

const tombstone = (id: string): Tombstone => ({ id, unavailable: true, reason: 'withheld' });

const showQuote = (withheld: Withheld, quote: Post['quote']): Post['quote'] => {
  if (quote === undefined || 'unavailable' in quote) return quote;
  if (reasonOfPost(withheld, quote) !== undefined) return tombstone(quote.id);
  return 'text' in quote ? showPost(withheld, quote) : quote;
};

/** A video can be of another account than the post. */
const isShown =
  (withheld: Withheld) =>
  ({ publisher }: Media): boolean =>
    !isWithheldAccount(withheld, publisher);

/** A card has the title and the picture of the page to which it leads. */
const leadsToWithheld = (withheld: Withheld, { url }: NonNullable<Post['card']>): boolean => {
  const ref = parsePostUrl(url);
  if (!('error' in ref)) return (withheld.post(ref.id) ?? withheld.account({ handle: ref.handle })) !== undefined;
  return isWithheldAccount(withheld, { handle: parseProfileUrl(url) });
};

/** @returns the post itself if all of it may be shown */
const showPost = (withheld: Withheld, post: Post): Post => {
  const { in_reply_to: answered, reposted_by: reposter, broadcast, card, ...rest } = post;
  const quote = showQuote(withheld, post.quote);
  const hidesMedia = !post.media.every(isShown(withheld));
  const hidesAnswered = isWithheldAccount(withheld, answeredAccount(post));
  const hidesReposter = isWithheldAccount(withheld, reposter);
  const hidesBroadcast = isWithheldAccount(withheld, broadcast?.[BROADCASTER]);
  // X gives a post one card, so that of a post with a broadcast is the preview of the broadcast.
  const hidesCard = hidesBroadcast || (card !== undefined && leadsToWithheld(withheld, card));
  const hides = hidesMedia || hidesAnswered || hidesReposter || hidesBroadcast || hidesCard;
  if (quote === post.quote && !hides) return post;
  // The id stays: it says where in the conversation the post is, as the tombstone does.
  const inReplyTo = hidesAnswered ? { ...(answered?.id !== undefined && { id: answered.id }) } : answered;
  return {
    ...rest,
    ...(quote !== undefined && { quote }),
    ...(inReplyTo !== undefined && { in_reply_to: inReplyTo }),
    ...(reposter !== undefined && !hidesReposter && { reposted_by: reposter }),
    ...(broadcast !== undefined && !hidesBroadcast && { broadcast }),
    ...(card !== undefined && !hidesCard && { card }),
    ...(hidesMedia && { media: post.media.filter(isShown(withheld)) }),
  };
};

const showEntry = (withheld: Withheld, entry: PostOrTombstone): PostOrTombstone => {
  if (isTombstone(entry)) return entry;
  return reasonOfPost(withheld, entry) === undefined ? showPost(withheld, entry) : tombstone(entry.id);
};

const withholdItems = <T>(
  outcome: Outcome<UpstreamPage<T>>,
  { isEmpty }: Withheld,
  isWithheld: (item: T) => boolean,
  show: (item: T) => T,
): Outcome<UpstreamPage<T>> => {
  if (outcome.kind !== 'found' || isEmpty) return outcome;
  const { items } = outcome.value;
  const withheld = items.flatMap((item, index) => (isWithheld(item) ? [{ item, index }] : []));
  const shown = items.filter((item) => !isWithheld(item)).map(show);
  return { ...outcome, value: { ...outcome.value, items: shown, ...(withheld.length > 0 && { withheld }) } };
};

type OwnerArguments = readonly [deadline: Deadline, requester?: Requester | undefined];

const outcomeOf = (reason: WithheldReason | undefined): FailedOutcome | undefined =>
  reason === undefined ? undefined : { kind: 'withheld', reason };

/** @returns the request as the upstream knows it: the handle of a permalink is no part of the list */
const withoutHandle = <Request extends PostListRequest | UserListRequest>(request: Request): Request => {
  if (!('id' in request) || request.handle === undefined) return request;
  const { handle: _, ...rest } = request;
  return rest as Request; // the handle is optional
};

/**
 * @param findWithheld called for each lookup, so that a change of the list counts at once
 * @returns an upstream with the outcome `withheld`
 */
export const withhold = (upstream: Upstream, findWithheld: () => Withheld): Upstream => {
  const readPost: Upstream['readPost'] = async ({ handle, ...request }, deadline, requester) => {
    const asked = findWithheld();
    const known = outcomeOf(asked.post(request.id) ?? asked.account({ handle }));
    if (known !== undefined) return known;
    const outcome = await upstream.readPost(request, deadline, requester);
    const withheld = findWithheld();
    if (outcome.kind !== 'found' || withheld.isEmpty) return outcome;
    const { post } = outcome.value;
    seeAccounts(withheld, () =>
      entriesOf(outcome.value).flatMap((entry) => (isTombstone(entry) ? [] : accountsIn(entry))),
    );
    const found = outcomeOf(reasonOfPost(withheld, post));
    if (found !== undefined) return found;
    const around = mapAround(outcome.value, (entry) => showEntry(withheld, entry));
    return { ...outcome, value: { ...around, post: showPost(withheld, post) } };
  };

  const readProfile: Upstream['readProfile'] = async (name, deadline, requester) => {
    const id = idOfName(name);
    const asked = outcomeOf(findWithheld().account(id === undefined ? { handle: name } : { id }));
    if (asked !== undefined) return asked;
    const outcome = await upstream.readProfile(name, deadline, requester);
    if (outcome.kind !== 'found') return outcome;
    const withheld = findWithheld();
    seeAccounts(withheld, () => [outcome.value]);
    return outcomeOf(withheld.account(outcome.value)) ?? outcome;
  };

  /**
   * A list of a post does not name the author of the post, so the post is read too if an account is withheld. A list of
   * accounts does not name the id of its owner, so the profile is read too if an account is withheld by its id.
   *
   * @returns undefined: the owner is not withheld, or the items of the list name it
   */
  const readOwner = (
    request: PostListRequest | UserListRequest,
    ...rest: OwnerArguments
  ): Promise<Outcome<unknown>> | undefined => {
    const withheld = findWithheld();
    if ('id' in request)
      return withheld.hasProfiles() ? readPost({ id: request.id, thread: 'off', replies: 'off' }, ...rest) : undefined;
    const isOfAccount = request.list === 'followers' || request.list === 'following';
    return isOfAccount && withheld.hasIds() ? readProfile(request.handle, ...rest) : undefined;
  };

  /**
   * If the owner cannot be read, nor can the list: it may be withheld.
   *
   * @returns undefined: the list may be shown
   */
  const ownerOutcome = async (
    request: PostListRequest | UserListRequest,
    ...rest: OwnerArguments
  ): Promise<FailedOutcome | undefined> => {
    const owner = await readOwner(request, ...rest);
    switch (owner?.kind) {
      case undefined:
      case 'found':
      case 'gone':
      case 'absent':
        return undefined;
      case 'refused':
        return { kind: 'failed', why: owner.why };
      default:
        return owner;
    }
  };

  const subjectOutcome = (request: PostListRequest | UserListRequest): FailedOutcome | undefined => {
    const withheld = findWithheld();
    const id = 'id' in request ? request.id : undefined;
    const handle = 'handle' in request ? request.handle : undefined;
    return outcomeOf(withheld.post(id) ?? withheld.account({ handle }));
  };

  return {
    ...upstream,
    readPost,
    readProfile,
    async listPosts(request, page, deadline, requester) {
      const known = subjectOutcome(request);
      if (known !== undefined) return known;
      const [owner, outcome] = await Promise.all([
        ownerOutcome(request, deadline, requester),
        upstream.listPosts(withoutHandle(request), page, deadline, requester),
      ]);
      const withheld = findWithheld();
      if (outcome.kind === 'found') seeAccounts(withheld, () => outcome.value.items.flatMap(accountsIn));
      const isWithheld = (post: Post): boolean =>
        reasonOfPost(withheld, post) !== undefined || isWithheldAccount(withheld, post.reposted_by);
      // The posts of a timeline name the id of its owner.
      const found = owner ?? subjectOutcome(request);
      return found ?? withholdItems(outcome, withheld, isWithheld, (post) => showPost(withheld, post));
    },
    async listUsers(request, page, deadline, requester) {
      const known = subjectOutcome(request);
      if (known !== undefined) return known;
      const [owner, outcome] = await Promise.all([
        ownerOutcome(request, deadline, requester),
        upstream.listUsers(withoutHandle(request), page, deadline, requester),
      ]);
      const withheld = findWithheld();
      if (outcome.kind === 'found') seeAccounts(withheld, () => outcome.value.items);
      const isWithheld = (user: User): boolean => isWithheldAccount(withheld, user);
      return owner ?? withholdItems(outcome, withheld, isWithheld, (user) => user);
    },
  };
};
