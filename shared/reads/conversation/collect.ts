// Reads a conversation by excerpts and a search, until it is complete or its calls are used.
//
// An excerpt shows a post with what is near it: its ancestors, the rest of its thread, and replies. A search for the conversation has
// all of its posts, latest first, so the answers of a post come before it. The excerpt of the root comes first. If its posts
// count more replies, the search follows, and then an excerpt for each gap. For a root within a conversation the gaps come
// before the search, which has the whole conversation.

import { MAX_CONVERSATION_CALLS } from '../../contract/bounds.ts';
import type { IdInput } from '../../contract/list-inputs.ts';
import type { Problem } from '../../contract/problems.ts';
import type { WarningCode } from '../../contract/warnings.ts';
import { answeredBy, isTombstone } from '../../model/conversation.ts';
import { createFindings, type Tree, treeOf } from '../../model/conversation-tree.ts';
import { definedMembers } from '../../model/json.ts';
import type { ListPosition } from '../../model/lists.ts';
import type { Post, TombstoneReason } from '../../model/post.ts';
import type { Conversation, Warning } from '../../model/resources.ts';
import { byAge, isBeforeVersions } from '../../model/snowflake.ts';
import { later } from '../../model/time.ts';
import type { Deadline } from '../../ports/system.ts';
import type { Outcome, PostRequest, Requester, SourcedResult } from '../../ports/upstream.ts';
import {
  POST_PROBLEMS,
  problemFromOutcome,
  rejectedParameter,
  USE_CASE_MILLISECONDS,
  unavailableProblem,
} from '../outcome-problems.ts';
import type { ListUseCasePorts } from '../paging/list-pages.ts';
import { namesOf } from '../paging/related.ts';
import { requestedLanguage, translatedLists } from '../paging/translated-lists.ts';
import { requesterOfCall } from '../requester-of-call.ts';

/** Excerpts that are read at the same time. */
const MAX_EXCERPTS = 4;
/** A call can take as many requests, of providers with one base URL each: repetitions, the next provider, smaller pages. */
const MOST_OF_CALL = 5;
/** Rounds of excerpts before the search: a small branch of a large conversation is whole after them. */
const ROUNDS_BEFORE_SEARCH = 2;
/** The posts of a page of the search. */
export const SEARCH_SIZE = 100;
/** The search ends after this number of consecutive pages without a new post. */
const MAX_IDLE_PAGES = 3;

/** What one excerpt lacks, other calls may have read. `replies_incomplete` says what the tree lacks. */
const OF_EXCERPTS: ReadonlySet<string> = new Set<WarningCode>(['conversation_unavailable', 'replies_unavailable']);

interface Calls {
  /** @returns whether another call fits, with all requests that it can take */
  hasRoom(): boolean;
  /** The number of excerpts that may be read at the same time. */
  parallel(): number;
  /** @returns the requester of one more call, which charges a unit */
  next(): Requester | undefined;
  /** Charges what calls took beyond one request of a provider. Rejects with the Problem of the caller */
  settle(): Promise<void>;
}

const createCalls = (requester: Requester | undefined): Calls => {
  let made = 0;
  let extra = 0;
  let uncharged = 0;
  const left = (): number => MAX_CONVERSATION_CALLS - made - extra;
  return {
    hasRoom: () => left() >= MOST_OF_CALL,
    parallel: () => Math.min(MAX_EXCERPTS, Math.floor(left() / MOST_OF_CALL)),
    next() {
      made += 1;
      if (requester === undefined) return undefined;
      let requests = 0;
      return {
        ...requesterOfCall(requester, () => requester.admitReads?.(1) ?? requester.admit()),
        recordCall: (call) => {
          requests += 1;
          if (requests > 1) {
            extra += 1;
            uncharged += 1;
          }
          return requester.recordCall?.(call) ?? true;
        },
      };
    },
    async settle() {
      const count = uncharged;
      uncharged = 0;
      if (count > 0) await requester?.admitReads?.(count);
    },
  };
};

type Excerpt = Pick<PostRequest, 'id' | 'handle' | 'replies'>;

const keyOf = ({ id, replies }: Excerpt): string => `${id} ${replies}`;

/** Where the search goes on. */
type SearchPlace = Pick<ListPosition, 'provider' | 'cursor'>;

type Facts = Pick<SourcedResult<unknown>, 'source' | 'fetchedAt' | 'warnings'>;

export interface CollectedConversation extends Facts {
  readonly root: Post;
  readonly tree: Tree;
  /** The ids of the root's excerpt, which the first page has. */
  readonly nearRoot: ReadonlySet<string>;
  /** The ids that the search gave. */
  readonly searched: ReadonlySet<string>;
  /** The number of pages of the search. */
  readonly pages: number;
  /** Where the search goes on. Unset: it is over. */
  readonly next: SearchPlace | undefined;
  /** Posts are missing that only the source, or a later request, can give. */
  readonly isIncomplete: boolean;
}

interface Ways {
  /** The excerpts that may place or explain missing posts. */
  readonly ofMissing: readonly Excerpt[];
  /** The excerpts of posts that count more replies than were found. Those that lack the most come first. */
  readonly ofCounted: readonly Excerpt[];
}

/** @returns one excerpt for each gap, of those that were not read */
const waysFor = ({ posts, missing }: Tree, root: Post, wasRead: (excerpt: Excerpt) => boolean): Ways => {
  const answers = new Map(posts.map(({ id, in_reply_to: answered }) => [answered?.id, id]));
  const ofMissing = missing.flatMap(({ id, parent, reason }) => {
    if (id === undefined || (parent !== undefined && reason !== 'not_given')) return [];
    const own: Excerpt = { id, replies: 'top' };
    // The ancestors of an answer say what the missing post answers, and mostly why it is missing.
    const above: Excerpt = { id: answers.get(id) ?? id, replies: 'top' };
    return (parent === undefined ? [above, own] : [own]).find((excerpt) => !wasRead(excerpt)) ?? [];
  });
  const counted = missing.filter(({ id }) => id === undefined).sort((a, b) => b.count - a.count);
  const ofCounted = counted
    .map(({ parent = root.id }): Excerpt => ({ id: parent, replies: parent === root.id ? 'recent' : 'top' }))
    .filter((excerpt) => !wasRead(excerpt));
  return { ofMissing, ofCounted };
};

/** @returns the id of the first post of the conversation, also of a missing one; undefined: the ancestors do not reach it */
const conversationIdOf = ({ post, ancestors: [top = post] }: Conversation): string | undefined =>
  post.conversation_id ?? (isTombstone(top) || top.in_reply_to === undefined ? top.id : undefined);

/** A provider that counts no replies, or that did not show any, may have more. */
const isComplete = ({ posts, missing }: Tree, warnings: readonly Warning[]): boolean =>
  missing.length === 0 &&
  posts.every(({ replies_said: said }) => said !== null) &&
  warnings.every(({ code }) => code !== 'conversation_unavailable');

/** Fills the id of the conversation of all of its posts: providers tell it of few. */
const namedTree = (tree: Tree, conversation: string | undefined): Tree =>
  conversation === undefined
    ? tree
    : {
        ...tree,
        posts: tree.posts.map((post) => ({ ...post, conversation_id: post.conversation_id ?? conversation })),
      };

/** Cursors of 2.11.0 have the number, and one more, as that of empty pages. */
const searchPagesOf = ({
  isPartial = false,
  emptyPages = 0,
  searchPages,
}: Partial<ListPosition> = {}): number | undefined => {
  if (!isPartial) return undefined;
  return searchPages ?? (emptyPages > 0 ? emptyPages - 1 : undefined);
};

/** @throws Problem of the post, of the page, or of the caller */
export const collectConversation = async (
  input: IdInput,
  ports: ListUseCasePorts,
  requester: Requester | undefined,
): Promise<CollectedConversation> => {
  const { upstream, clock } = ports;
  const language = requestedLanguage(input, ports);
  const deadline: Deadline = later(clock(), USE_CASE_MILLISECONDS);
  const calls = createCalls(requester);
  const findings = createFindings();
  const facts: Facts[] = [];
  const read = new Set<string>();
  let isCut = false;
  const mayCall = (): boolean => calls.hasRoom() && clock() < deadline;

  const noted = async <T>(call: Promise<Outcome<T>>): Promise<Outcome<T>> => {
    const outcome = await call;
    if (outcome.kind === 'found') facts.push(outcome);
    await calls.settle();
    return outcome;
  };

  const readExcerpt = (excerpt: Excerpt): Promise<Outcome<Conversation>> => {
    read.add(keyOf(excerpt));
    return upstream.readPost({ ...excerpt, ...language, thread: 'off', isExcerpt: true }, deadline, calls.next());
  };

  /** @returns whether a post is new */
  const addExcerpt = ({ post, ancestors, thread, replies }: Conversation): boolean => {
    const chain = [...ancestors, post, ...thread];
    const added = chain.map((entry, index) => findings.add(entry, chain[index - 1]?.id));
    // Nothing says what a tombstone among the replies answers.
    return [...added, ...replies.map((reply) => findings.add(reply))].includes(true);
  };

  /**
   * A search can give posts of other conversations. One that answers nothing is kept all the same, so that what answers it is not
   * taken for an answer to a missing post.
   *
   * @returns whether the post is new, and can be of the conversation
   */
  const addFound = (post: Post, conversation: string): boolean => {
    const { conversation_id: named = conversation, in_reply_to: answered } = post;
    const isForeign = byAge({ id: named }, { id: conversation }) > 0 || isBeforeVersions(named, conversation);
    if (isForeign && answered !== undefined) return false;
    return findings.add(post) && !isForeign;
  };

  const first = await noted(readExcerpt({ ...namesOf(input), replies: 'top' }));
  if (first.kind !== 'found') throw problemFromOutcome(first, POST_PROBLEMS);
  addExcerpt(first.value);
  const { post: root } = first.value;
  const nearRoot = new Set(findings.entries.keys());
  const conversation = conversationIdOf(first.value);
  // The conversation of a post that was edited has the id of its first version.
  const isWhole = conversation === root.id || root.in_reply_to === undefined;
  const build = (): Tree => treeOf(root, findings, isWhole);

  const start = input.position?.cursor === undefined ? undefined : input.position;
  let place: SearchPlace | undefined = start;
  let failure: Problem | undefined;
  let pages = 0;
  // The rest of a page that was too large is that of the same search: one that goes on to another place has other posts.
  const pagesBefore = searchPagesOf(input.position);
  /** The ids that the search gave. */
  const searched = new Set<string>();
  /** @returns whether the search is over. Until then, `place` says where it goes on, if it has begun */
  const search = async (): Promise<boolean> => {
    if (place === undefined && isComplete(build(), first.warnings)) return true;
    if (conversation === undefined) return false;
    const request = { list: 'search', query: `conversation_id:${conversation}`, feed: 'latest' } as const;
    for (let idle = 0; mayCall() && pages !== pagesBefore; ) {
      const page = definedMembers({ size: SEARCH_SIZE, provider: place?.provider, cursor: place?.cursor });
      const outcome = await noted(translatedLists(input, ports)(request, page, deadline, calls.next()));
      if (outcome.kind !== 'found') {
        failure = problemFromOutcome(outcome, POST_PROBLEMS, rejectedParameter.cursor);
        return false;
      }
      const { items, withheld = [], next, provider } = outcome.value;
      // The conversation has at least its first post, so a search without any has failed.
      if (place === undefined && next === undefined && items.length + withheld.length === 0) return false;
      pages += 1;
      const hasNew = items.map((item) => addFound(item, conversation)).includes(true);
      for (const { id } of items) searched.add(id);
      for (const { item } of withheld)
        findings.add({ id: item.id, unavailable: true, reason: 'withheld' }, answeredBy(item));
      idle = hasNew ? 0 : idle + 1;
      const isEnd = next === undefined || next === place?.cursor || idle === MAX_IDLE_PAGES;
      place = { provider, ...(next !== undefined && { cursor: next }) };
      if (isEnd || (start === undefined && isComplete(build(), []))) return true;
    }
    return false;
  };

  const fillGap = async (excerpt: Excerpt): Promise<boolean> => {
    const outcome = await noted(readExcerpt(excerpt));
    const addTombstone = (reason: TombstoneReason): boolean =>
      findings.add({ id: excerpt.id, unavailable: true, reason });
    switch (outcome.kind) {
      case 'found':
        return addExcerpt(outcome.value);
      case 'gone':
        return addTombstone(outcome.reason);
      case 'withheld':
        return addTombstone('withheld');
      default:
        isCut ||= outcome.kind === 'down' || outcome.kind === 'failed';
        return false;
    }
  };

  const fillGaps = async (rounds = MAX_CONVERSATION_CALLS): Promise<void> => {
    let isWorth = true;
    for (let round = 0; round < rounds; round += 1) {
      const { ofMissing, ofCounted } = waysFor(build(), root, (excerpt) => read.has(keyOf(excerpt)));
      // X also counts replies that it shows to nobody: the posts are asked for as long as that brings some.
      const excerpts: readonly Excerpt[] = [...ofMissing, ...(isWorth ? ofCounted : [])];
      if (excerpts.length === 0) return;
      if (!mayCall()) {
        isCut = true;
        return;
      }
      isWorth = (await Promise.all(excerpts.slice(0, calls.parallel()).map(fillGap))).includes(true);
    }
  };

  if (start === undefined && !isWhole) await fillGaps(ROUNDS_BEFORE_SEARCH);
  const isSearched = await search();
  // A page that goes on has only what the search gives.
  const lacksPage = pagesBefore === undefined ? start !== undefined && place === start : pages < pagesBefore;
  if (!isSearched && lacksPage) throw failure ?? unavailableProblem('no time was left for the search');
  // Only in a whole conversation has a post a place before what it answers is found.
  const next = isSearched || !isWhole ? undefined : place;
  if (start === undefined && next === undefined) await fillGaps();
  const tree = namedTree(build(), conversation);
  const lacksPosts =
    tree.missing.some(({ reason }) => reason === 'not_given') ||
    tree.posts.some(({ replies_said: said }) => said === null && (!isSearched || isCut));
  return {
    root,
    tree,
    nearRoot,
    searched,
    pages,
    next,
    isIncomplete: next === undefined && (lacksPosts || conversation === undefined),
    source: [...new Set(facts.map(({ source }) => source))].join(', '),
    fetchedAt: Math.min(...facts.map((each) => each.fetchedAt)),
    warnings: facts.flatMap(({ warnings }) => warnings).filter(({ code }) => !OF_EXCERPTS.has(code)),
  };
};
