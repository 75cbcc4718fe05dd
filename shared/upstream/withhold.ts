// Withholds posts and accounts that the operator lists. The upstream stands behind it with its cache, so a change of the
// list is in force at once, whatever is cached.
//
// A subject is looked up before the upstream is called, by what the request says, and again in what was read: only a read
// post or profile names its author. Around a subject, a withheld post is a tombstone, and items of a list are left out.
// Text that others wrote stays as it is, with the handles that it mentions.
import { isTombstone, mapAround } from '../model/conversation.ts';
import { idOfName } from '../model/handle.ts';
import type { Media, Post, PostOrTombstone, Tombstone } from '../model/post.ts';
import type { User } from '../model/user.ts';
import type { Withheld, WithheldReason } from '../model/withheld.ts';
import type {
  FailedOutcome,
  Outcome,
  PostListRequest,
  Upstream,
  UpstreamPage,
  UserListRequest,
} from '../ports/upstream.ts';

/** A post, or the link to one: the author is in its URL. */
type NamedPost = Pick<Post, 'id' | 'url'> & Partial<Pick<Post, 'author'>>;

/** Old accounts have handles of up to 30 characters. */
const HANDLE_IN_URL = /^https:\/\/[^/]+\/(\w{1,30})\/status\//;

const authorOf = ({ author, url }: NamedPost): string | undefined => author?.handle ?? HANDLE_IN_URL.exec(url)?.[1];

const reasonOfPost = (withheld: Withheld, post: NamedPost): WithheldReason | undefined =>
  withheld.post(post.id) ?? withheld.profile(authorOf(post));

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
    withheld.profile(publisher?.handle) === undefined;

/** @returns the post itself if all of it may be shown */
const showPost = (withheld: Withheld, post: Post): Post => {
  const { in_reply_to: answered, reposted_by: reposter, ...rest } = post;
  const quote = showQuote(withheld, post.quote);
  const hidesMedia = !post.media.every(isShown(withheld));
  const hidesAnswered = withheld.profile(answered?.handle) !== undefined;
  const hidesReposter = withheld.profile(reposter?.handle) !== undefined;
  if (quote === post.quote && !hidesMedia && !hidesAnswered && !hidesReposter) return post;
  // The id stays: it says where in the conversation the post is, as the tombstone does.
  const inReplyTo = hidesAnswered ? { ...(answered?.id !== undefined && { id: answered.id }) } : answered;
  return {
    ...rest,
    ...(quote !== undefined && { quote }),
    ...(inReplyTo !== undefined && { in_reply_to: inReplyTo }),
    ...(reposter !== undefined && !hidesReposter && { reposted_by: reposter }),
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
    const known = outcomeOf(asked.post(request.id) ?? asked.profile(handle));
    if (known !== undefined) return known;
    const outcome = await upstream.readPost(request, deadline, requester);
    const withheld = findWithheld();
    if (outcome.kind !== 'found' || withheld.isEmpty) return outcome;
    const { post } = outcome.value;
    const found = outcomeOf(reasonOfPost(withheld, post));
    if (found !== undefined) return found;
    const around = mapAround(outcome.value, (entry) => showEntry(withheld, entry));
    return { ...outcome, value: { ...around, post: showPost(withheld, post) } };
  };

  /**
   * A list of a post does not name the author of the post, so the post is read too if an account is withheld. If it cannot
   * be read, nor can its list: it may be withheld.
   *
   * @returns undefined: the list may be shown
   */
  const ownerOutcome = async (
    request: PostListRequest | UserListRequest,
    ...rest: readonly [deadline: Parameters<Upstream['readPost']>[1], requester?: Parameters<Upstream['readPost']>[2]]
  ): Promise<FailedOutcome | undefined> => {
    if (!('id' in request) || !findWithheld().hasProfiles()) return undefined;
    const owner = await readPost({ id: request.id, thread: 'off', replies: 'off' }, ...rest);
    switch (owner.kind) {
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
    return outcomeOf(withheld.post(id) ?? withheld.profile(handle));
  };

  return {
    ...upstream,
    readPost,
    async readProfile(name, deadline, requester) {
      const asked = idOfName(name) === undefined ? outcomeOf(findWithheld().profile(name)) : undefined;
      if (asked !== undefined) return asked;
      const outcome = await upstream.readProfile(name, deadline, requester);
      if (outcome.kind !== 'found') return outcome;
      return outcomeOf(findWithheld().profile(outcome.value.handle)) ?? outcome;
    },
    async listPosts(request, page, deadline, requester) {
      const known = subjectOutcome(request);
      if (known !== undefined) return known;
      const [owner, outcome] = await Promise.all([
        ownerOutcome(request, deadline, requester),
        upstream.listPosts(withoutHandle(request), page, deadline, requester),
      ]);
      const withheld = findWithheld();
      const isWithheld = (post: Post): boolean =>
        (reasonOfPost(withheld, post) ?? withheld.profile(post.reposted_by?.handle)) !== undefined;
      return owner ?? withholdItems(outcome, withheld, isWithheld, (post) => showPost(withheld, post));
    },
    async listUsers(request, page, deadline, requester) {
      const known = subjectOutcome(request);
      if (known !== undefined) return known;
      const [owner, outcome] = await Promise.all([
        ownerOutcome(request, deadline, requester),
        upstream.listUsers(withoutHandle(request), page, deadline, requester),
      ]);
      const withheld = findWithheld();
      const isWithheld = ({ handle }: User): boolean => withheld.profile(handle) !== undefined;
      return owner ?? withholdItems(outcome, withheld, isWithheld, (user) => user);
    },
  };
};
