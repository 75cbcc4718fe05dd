// The position in the list of replies to a post, and its text in the cursor of this provider.
import { answeredBy } from '../../model/conversation.ts';
import { isSameHandle } from '../../model/handle.ts';
import type { Post } from '../../model/post.ts';
import { byAge, packIds, unpackIds } from '../../model/snowflake.ts';
import { isOwnPart } from '../membership.ts';
import { addShown, formatShown, parseShown, SHOWN_POSTS, type ShownPosts, withoutShown } from './shown-posts.ts';

/** Each id takes 8 bytes of the cursor, whose size is bounded. With more ids, no further page of the conversation is read. */
const MAX_SEEN = 100;
/** With more ids, which one page of the conversation cannot have, no search is possible, nor without the first post. */
const MAX_EXCLUDED = 140;
/** After this number of consecutive pages of the search without a reply, the list ends. */
const MAX_IDLE_PAGES = 20;

export interface RepliesPosition {
  /** Id of the post. */
  readonly id: string;
  /** The pages of the conversation come first, then the pages of a search. */
  readonly phase: 'conversation' | 'search';
  /** The handle of the post's author; empty: not known. */
  readonly author: string;
  /** Id of the first post of the conversation; empty: not known. */
  readonly root: string;
  /** The number of answers to the post, as the post counts them; undefined: not known. */
  readonly expected?: number | undefined;
  /** The number of answers to the post that the pages had, with those of its author. */
  readonly shown: number;
  /** Ids of the posts in the pages of the conversation, without the parts of the author's thread below the first one. */
  readonly seen: readonly string[];
  /** The number of latest pages of the search without an answer to the post. */
  readonly idlePages: number;
  /** The posts in the pages of the search. */
  readonly found: ShownPosts;
  /** The cursor of FxTwitter; undefined: the first page of the phase. */
  readonly token?: string | undefined;
}

const NUMBER = '([0-9]{1,15})';
const CURSOR = new RegExp(
  `^(conversation|search)\\|([A-Za-z0-9_]{0,30})\\|([0-9]{0,20})\\|([0-9]{0,15})\\|${NUMBER}\\|${NUMBER}\\|([A-Za-z0-9_-]*)\\|(${SHOWN_POSTS})\\|(.*)$`,
  's',
);

/** A position of release 1.0.0: the author, and the cursor of FxTwitter in the conversation. */
const OLD_CURSOR = /^(?!(?:conversation|search)\|)([A-Za-z0-9_]{0,30})\|(.+)$/s;

const parseOldPosition = (cursor: string, id: string): RepliesPosition | undefined => {
  const [match, author = '', token] = OLD_CURSOR.exec(cursor) ?? [];
  if (match === undefined) return undefined;
  return { id, phase: 'conversation', author, root: '', shown: 0, idlePages: 0, seen: [], found: [], token };
};

export const formatPosition = (position: RepliesPosition): string => {
  const { phase, author, root, expected = '', shown, idlePages, seen, found, token = '' } = position;
  return [phase, author, root, expected, shown, idlePages, packIds(seen), formatShown(found), token].join('|');
};

/** @param id of the post @returns undefined if the text is no position */
export const parsePosition = (cursor: string, id: string): RepliesPosition | undefined => {
  const [match, phase, author = '', root = '', expected, shown, idlePages, seen = '', found = '', token] =
    CURSOR.exec(cursor) ?? [];
  if (match === undefined) return parseOldPosition(cursor, id);
  if (token === '' && phase === 'conversation') return undefined;
  return {
    id,
    phase: phase === 'search' ? 'search' : 'conversation',
    author,
    root,
    ...(expected !== '' && { expected: Number(expected) }),
    shown: Number(shown),
    idlePages: Number(idlePages),
    seen: unpackIds(seen),
    found: parseShown(found),
    ...(token !== '' && { token }),
  };
};

/** @returns true if the post has more answers than the pages had, or an unknown number */
const mayLackReplies = ({ shown, expected }: RepliesPosition): boolean => expected === undefined || shown < expected;

export interface AfterPage {
  /** Undefined: the end of the list. */
  readonly next: RepliesPosition | undefined;
  /** The list ends with fewer answers than the post has, or before the end of the search if that number is not known. */
  readonly isIncomplete: boolean;
}

/**
 * @param posts of a page of the conversation, with those that the list leaves out
 * @param token the cursor of FxTwitter after the page
 * @returns the position after the page, which is the search if the conversation has no further page
 */
export const afterConversation = (
  position: RepliesPosition,
  posts: readonly Post[],
  token: string | undefined,
): AfterPage => {
  const { id, author } = position;
  const seen = new Set(position.seen);
  let { shown } = position;
  for (const post of posts) {
    const isAnswer = answeredBy(post) === id;
    if (seen.has(post.id) || (!isAnswer && isOwnPart(post, author))) continue;
    seen.add(post.id);
    if (isAnswer) shown += 1;
  }
  const after = { ...position, shown, seen: [...seen] };
  if (token !== undefined && token !== position.token && seen.size <= MAX_SEEN)
    return { next: { ...after, token }, isIncomplete: false };
  if (!mayLackReplies(after)) return { next: undefined, isIncomplete: false };
  return seen.size > MAX_EXCLUDED || position.root === ''
    ? { next: undefined, isIncomplete: true }
    : { next: { ...after, phase: 'search', token: undefined }, isIncomplete: false };
};

export interface AfterSearch extends AfterPage {
  readonly replies: readonly Post[];
  /** Ids of the other posts. */
  readonly others: readonly string[];
}

/**
 * Selects the replies in a page of the search: the answers to the post, and the posts below an answer that the page or the
 * conversation has. The search ends with a page that has no new post, such as a page of a cursor that leads back, or only
 * posts older than the post.
 */
export const afterSearch = (
  position: RepliesPosition,
  posts: readonly Post[],
  next: string | undefined,
): AfterSearch => {
  const { id, author, seen, token } = position;
  const fresh = withoutShown(position.found, posts);
  const ofConversation = new Set(seen);
  const unseen = fresh.filter((post) => !ofConversation.has(post.id));
  const below = new Set([id]);
  const replies: Post[] = [];
  let shown = position.shown;
  for (const post of unseen.toSorted(byAge)) {
    const parent = answeredBy(post);
    if (parent === undefined) continue;
    if (parent === id) shown += 1;
    // A post of the author in the conversation can be a part of their thread, whose answers are not in this list.
    const answersOther = ofConversation.has(parent) && !isSameHandle(post.in_reply_to?.handle, author);
    if (isOwnPart(post, author) || !(below.has(parent) || answersOther)) continue;
    below.add(post.id);
    replies.push(post);
  }
  const after: RepliesPosition = {
    ...position,
    shown,
    idlePages: shown > position.shown ? 0 : position.idlePages + 1,
    found: addShown(position.found, fresh),
    token: next,
  };
  // X has a cursor after the last page too. Only an empty first page may have more pages behind it.
  const goesOn = posts.length === 0 ? token === undefined : fresh.some((post) => byAge(post, position) >= 0);
  const hasNext = next !== undefined && next !== token && goesOn;
  // The count of a post can be too small, and replies can come while the list is read.
  const mayHaveMore = mayLackReplies(after) || after.idlePages === 0;
  const continues = mayHaveMore && hasNext && after.idlePages < MAX_IDLE_PAGES;
  const kept = new Set(replies);
  return {
    replies,
    others: unseen.filter((post) => !kept.has(post)).map((post) => post.id),
    next: continues ? after : undefined,
    isIncomplete: !continues && (after.expected === undefined ? hasNext : mayLackReplies(after)),
  };
};
