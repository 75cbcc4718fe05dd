// Decides by evidence which entries belong to a conversation.
//
// A provider sends posts that X recommends or advertises beside a conversation, in the same list as its replies. They can be
// of the same author. What an entry answers is the evidence:
//
// - An entry is below the post if it answers the post or another entry below it.
// - If it answers an ancestor, or a post that is in no excerpt, its place is uncertain: it is a reply at most, and never a
//   part of the thread. A later excerpt can connect it.
// - Every other entry is foreign: it answers nothing, leads to an entry that answers nothing, or answers a post of which only
//   the id is known, and which is older than the post.
//
// A tombstone does not name what it answers. Its place in a chain says it, for it and for the entry after it.
import { answeredBy, isTombstone } from '../model/conversation.ts';
import { isSameHandle } from '../model/handle.ts';
import type { Post, PostOrTombstone } from '../model/post.ts';
import { isBeforeVersions } from '../model/snowflake.ts';

export interface Node {
  entry: PostOrTombstone;
  /** Id of the entry before it in a chain, without entries of other authors. */
  previous: string | undefined;
}

/** Of entries outside of chains. */
export const nodesById = (entries: readonly PostOrTombstone[]): ReadonlyMap<string, Node> =>
  new Map(entries.map((entry) => [entry.id, { entry, previous: undefined }]));

const answersNothing = (entry: PostOrTombstone): boolean => !isTombstone(entry) && entry.in_reply_to === undefined;

/** @returns true if the place of an entry in a chain shows that it continues the entry before it */
export const isLinked = (entry: PostOrTombstone, before: PostOrTombstone | undefined): boolean =>
  !answersNothing(entry) || (before !== undefined && isTombstone(before));

/** @returns the id of the answered post if an excerpt has it, else of the entry before it in a chain, else of the unseen post */
const parentOf = ({ entry, previous }: Node, isSeen: (id: string) => boolean): string | undefined => {
  const answered = answeredBy(entry);
  return answered !== undefined && isSeen(answered) ? answered : (previous ?? answered);
};

export type Standing = 'below' | 'uncertain' | 'foreign';

/**
 * @param known ids of other posts of the conversation, such as the ancestors
 * @param nodes the other entries by id, without the post
 * @returns the standing of a node; linear in time for all nodes together
 */
export const standingsIn = (
  post: Pick<Post, 'id'>,
  known: ReadonlySet<string>,
  nodes: ReadonlyMap<string, Node>,
): ((entry: PostOrTombstone) => Standing) => {
  const standings = new Map<string, Standing>();
  const isSeen = (id: string): boolean => id === post.id || known.has(id) || nodes.has(id);

  /** @returns the standing of what has this id, or the id that it leads to */
  const step = (id: string): Standing | { readonly next: string } => {
    if (id === post.id) return 'below';
    if (known.has(id)) return 'uncertain';
    const node = nodes.get(id);
    if (node === undefined) return isBeforeVersions(id, post.id) ? 'foreign' : 'uncertain';
    const next = parentOf(node, isSeen);
    if (next !== undefined) return { next };
    return answersNothing(node.entry) ? 'foreign' : 'uncertain';
  };

  return (entry) => {
    const path: string[] = [];
    let reached: ReturnType<typeof step> = { next: entry.id };
    while (typeof reached === 'object') {
      const { next }: { readonly next: string } = reached;
      reached = standings.get(next) ?? step(next);
      standings.set(next, 'foreign'); // entries that answer each other in a circle
      path.push(next);
    }
    for (const id of path) standings.set(id, reached);
    return reached;
  };
};

/** @returns true if the author wrote the post in answer to themselves, so that it is a part of their thread */
export const isOwnPart = ({ author: writer, in_reply_to: answered }: Post, author: string | undefined): boolean =>
  isSameHandle(writer?.handle, author) && isSameHandle(answered?.handle, author);

/** @param entry no part of the thread @param author handle of the author of the post */
export const isReply = (entry: PostOrTombstone, standing: Standing, author: string | undefined): boolean =>
  standing === 'below' || (standing === 'uncertain' && !isTombstone(entry) && !isOwnPart(entry, author));
