// Builds the tree of the posts below a post from excerpts of a conversation.
//
// The post that an entry answers is its parent. If that post is in no excerpt, or the entry is a tombstone, the parent is
// the entry before it in a chain. Chains skip entries of other authors, because only the author's posts form a thread.
import { answeredBy, isTombstone } from '../model/entries.ts';
import type { Post, PostOrTombstone, TombstoneReason } from '../model/post.ts';
import { byAge } from '../model/snowflake.ts';

export interface Excerpt {
  /** Each entry answers the entry before it. */
  readonly chain: readonly PostOrTombstone[];
  /** Other posts of the conversation, in any order. */
  readonly others: readonly PostOrTombstone[];
}

/** @returns the first entry of each id that is not in `seen`; adds the ids to `seen` */
export const distinct = (entries: readonly PostOrTombstone[], seen = new Set<string>()): PostOrTombstone[] =>
  entries.filter(({ id }) => !seen.has(id) && seen.add(id));

/** The author of the post can be read, so a tombstone with one of these reasons belongs to another account. */
const FOREIGN: ReadonlySet<TombstoneReason> = new Set(['suspended', 'protected']);

type Ownership = 'own' | 'foreign' | 'unknown';

/** Compares the author of an entry with the author of the post. */
const ownershipIn = ({ author }: Post): ((entry: PostOrTombstone) => Ownership) => {
  const handle = author?.handle;
  const lowerCase = handle?.toLowerCase();
  return (entry) => {
    if (isTombstone(entry)) return FOREIGN.has(entry.reason) ? 'foreign' : 'unknown';
    if (entry.author === undefined) return 'unknown';
    const other = entry.author.handle;
    return other === handle || other.toLowerCase() === lowerCase ? 'own' : 'foreign';
  };
};

export interface Node {
  entry: PostOrTombstone;
  /** Id of the entry before it in a chain, without entries of other authors. */
  previous: string | undefined;
  /** At least one excerpt has the entry outside its chain. */
  isOther: boolean;
}

/** @param excerpts chains without repeated entries @returns nodes by id, in the order of the excerpts */
export const nodesOf = (post: Post, excerpts: readonly Excerpt[]): ReadonlyMap<string, Node> => {
  const ownership = ownershipIn(post);
  const nodes = new Map<string, Node>();
  const add = (entry: PostOrTombstone, previous: string | undefined, isOther: boolean): void => {
    const existing = nodes.get(entry.id);
    if (existing === undefined) {
      if (entry.id !== post.id) nodes.set(entry.id, { entry, previous, isOther });
      return;
    }
    existing.previous ??= previous;
    existing.isOther ||= isOther;
    if (isTombstone(existing.entry)) existing.entry = entry;
  };
  for (const { chain, others } of excerpts) {
    let previous: string | undefined;
    for (const entry of chain) {
      add(entry, previous, false);
      if (ownership(entry) !== 'foreign') previous = entry.id;
    }
    for (const entry of others) add(entry, undefined, true);
  }
  return nodes;
};

/** The tree of the entries below the post. */
export interface Tree {
  /** Oldest first. */
  childrenOf(id: string): readonly Node[];
  /** Nodes without a known parent, oldest first. */
  readonly roots: readonly Node[];
  /** @returns true if the node continues the thread below its parent */
  continues(node: Node): boolean;
  ownership(entry: PostOrTombstone): Ownership;
  /** @returns true if the parent comes from a chain, because the answered post is in no excerpt */
  isDisplaced(node: Node): boolean;
}

export const treeOf = (post: Post, nodes: ReadonlyMap<string, Node>, ancestors: readonly PostOrTombstone[]): Tree => {
  const ownership = ownershipIn(post);
  const handle = post.author?.handle.toLowerCase();
  const entryOf = (id: string): PostOrTombstone | undefined => (id === post.id ? post : nodes.get(id)?.entry);
  /** @returns the answered post, if it is in an excerpt */
  const answeredEntry = ({ entry }: Node): PostOrTombstone | undefined => {
    const id = answeredBy(entry);
    return id === undefined ? undefined : entryOf(id);
  };
  const above = new Set(ancestors.map(({ id }) => id));
  const children = new Map<string, Node[]>();
  const roots: Node[] = [];
  for (const node of nodes.values()) {
    if (above.has(node.entry.id)) continue;
    const parent = answeredEntry(node)?.id ?? node.previous;
    const siblings = parent === undefined ? roots : children.get(parent);
    if (siblings !== undefined) siblings.push(node);
    else if (parent !== undefined) children.set(parent, [node]);
  }
  for (const siblings of children.values()) siblings.sort((a, b) => byAge(a.entry, b.entry));
  return {
    childrenOf: (id) => children.get(id) ?? [],
    roots: roots.sort((a, b) => byAge(a.entry, b.entry)),
    ownership,
    continues: (node) => {
      const owner = ownership(node.entry);
      if (owner !== 'own' || isTombstone(node.entry)) return owner === 'unknown';
      const parent = answeredEntry(node);
      if (parent !== undefined && ownership(parent) === 'own') return true;
      const answeredHandle = node.entry.in_reply_to?.handle?.toLowerCase();
      return answeredHandle === undefined || answeredHandle === handle;
    },
    isDisplaced: (node) => answeredBy(node.entry) !== undefined && answeredEntry(node) === undefined,
  };
};
