// Assembles the thread of a post from excerpts of a conversation. The functions are pure. Their time is linear in the size
// of the excerpts, except for sorting the answers to one post by age.
//
// A provider shows a conversation in excerpts: a chain (the ancestors of a post and the post) and other posts in no
// reliable order. The thread is what the author of the post wrote in answer to the post or to a part of the thread.
//
// 1. The ancestors come from the chain of the first excerpt. Chains of later excerpts fill the gaps between them.
// 2. All other entries form a tree below the posts that they answer.
// 3. The thread is the branch of the author's posts below the post, with all its branches if the author answered the same
//    post twice. An entry of an unknown author, such as a tombstone of a deleted post, belongs to the branch if it is in a
//    chain or if the author continues below it.
// 4. Branches of the author below a post that is in no excerpt are unconnected. They are parts only if a later excerpt
//    connects them.
// 5. The replies are the other entries of the first excerpt that belong to the conversation (membership.ts).
//
// Missing or contradictory data never throws: the result names the missing parts, and follow-thread.ts requests them.
import { ancestorGap, answeredBy, isTombstone } from '../model/conversation.ts';
import type { Post, PostOrTombstone, TombstoneReason } from '../model/post.ts';
import { byAge } from '../model/snowflake.ts';
import { isLinked, isReply, type Node, type Standing, standingsIn } from './membership.ts';

// The tree. The post that an entry answers is its parent. If that post is in no excerpt, or the entry is a tombstone,
// the parent is the entry before it in a chain. Chains skip entries of other authors, because only the author's posts
// form a thread.

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

/** @param excerpts chains without repeated entries @returns nodes by id, in the order of the excerpts */
const nodesOf = (post: Post, excerpts: readonly Excerpt[]): ReadonlyMap<string, Node> => {
  const ownership = ownershipIn(post);
  const nodes = new Map<string, Node>();
  const add = (entry: PostOrTombstone, previous: string | undefined): void => {
    const existing = nodes.get(entry.id);
    if (existing === undefined) {
      if (entry.id !== post.id) nodes.set(entry.id, { entry, previous });
      return;
    }
    existing.previous ??= previous;
    if (isTombstone(existing.entry)) existing.entry = entry;
  };
  for (const { chain, others } of excerpts) {
    let previous: string | undefined;
    for (const [index, entry] of chain.entries()) {
      add(entry, isLinked(entry, chain[index - 1]) ? previous : undefined);
      if (ownership(entry) !== 'foreign') previous = entry.id;
    }
    for (const entry of others) add(entry, undefined);
  }
  return nodes;
};

/** The tree of the entries below the post. */
interface Tree {
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

const treeOf = (post: Post, nodes: ReadonlyMap<string, Node>, ancestors: readonly PostOrTombstone[]): Tree => {
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

export interface UnconnectedBranch {
  /** Id of its last part. */
  readonly tip: string;
  /** It has only one post. */
  readonly isSingle: boolean;
}

export interface AssembledThread {
  readonly ancestors: PostOrTombstone[];
  readonly thread: PostOrTombstone[];
  readonly replies: PostOrTombstone[];
  /** Id of the last part, below which the thread can continue; id of the post if there is no thread. */
  readonly tip: string;
  /** Ids of the last parts of further branches that are so long that the provider can have cut them. */
  readonly sideTips: readonly string[];
  /** Of the author, below a post that is in no excerpt. */
  readonly unconnected: readonly UnconnectedBranch[];
  /** Id of a missing ancestor. */
  readonly above: string | undefined;
  /** A part between two other parts is missing. */
  readonly hasGap: boolean;
}

/** If a chain lacks the post, the post is inserted by age. */
const withPost = (chain: readonly PostOrTombstone[], post: Post): readonly PostOrTombstone[] => {
  if (chain.some(({ id }) => id === post.id)) return distinct(chain);
  const isOlder = (entry: PostOrTombstone): boolean => byAge(entry, post) < 0;
  return distinct([...chain.filter(isOlder), post, ...chain.filter((entry) => !isOlder(entry))]);
};

const indexIn = (chain: readonly PostOrTombstone[], { id }: Post): number =>
  chain.findIndex((entry) => entry.id === id);

/** @returns the last entries of a chain, each of which continues the one before it */
const linkedEnd = (chain: readonly PostOrTombstone[], end: number): readonly PostOrTombstone[] => {
  let start = end;
  for (let entry = chain[start]; start > 0 && entry !== undefined && isLinked(entry, chain[start - 1]); ) {
    start -= 1;
    entry = chain[start];
  }
  return chain.slice(start, end + 1);
};

/** Fills the nearest gap between the ancestors from a chain. */
const fillGap = (ancestors: PostOrTombstone[], post: Post, chain: readonly PostOrTombstone[]): PostOrTombstone[] => {
  const gap = ancestorGap(post, ancestors);
  const end = gap === undefined ? -1 : chain.findIndex(({ id }) => id === gap.id);
  if (gap === undefined || end === -1) return ancestors;
  const found = distinct(linkedEnd(chain, end), new Set([post.id, ...ancestors.map(({ id }) => id)]));
  return [...ancestors.slice(0, gap.index), ...found, ...ancestors.slice(gap.index)];
};

const ancestorsOf = (post: Post, [first, ...later]: readonly Excerpt[]): PostOrTombstone[] => {
  const chain = first?.chain ?? [];
  let ancestors = linkedEnd(chain, indexIn(chain, post)).slice(0, -1);
  for (const excerpt of later) ancestors = fillGap(ancestors, post, excerpt.chain);
  return ancestors;
};

interface Branch {
  /** Parents are before their children, and older siblings before younger ones. */
  readonly nodes: readonly Node[];
  /** Id of the deepest post of the author. */
  readonly tip: string | undefined;
  /** Ids of the last posts of other long branches. */
  readonly sideTips: readonly string[];
}

/** A provider shows about 10 posts of a branch. A shorter branch is whole, so it costs no further call. */
const LONG_BRANCH = 8;

interface TreeVisit {
  readonly node: Node;
  readonly depth: number;
  /** The number of posts since the author answered a post twice. */
  readonly length: number;
  readonly parent: string | undefined;
}

/** Keeps an entry of an unknown author only if it is in a chain or if the author continues below it. */
const withoutUnrelated = (
  nodes: readonly Node[],
  parents: readonly (string | undefined)[],
  ownership: Tree['ownership'],
): readonly Node[] => {
  const related = new Set<string | undefined>();
  for (const [index, { entry, previous }] of [...nodes.entries()].reverse()) {
    if (ownership(entry) !== 'own' && previous === undefined && !related.has(entry.id)) continue;
    related.add(entry.id);
    related.add(parents[index]);
  }
  return nodes.filter(({ entry }) => related.has(entry.id));
};

/** Collects the author's posts below a post. It is not recursive, because a chain can have any length. */
const branchFrom = (start: readonly Node[], { childrenOf, continues, ownership }: Tree): Branch => {
  const nodes: Node[] = [];
  const parents: (string | undefined)[] = [];
  const seen = new Set<string>();
  let tip: string | undefined;
  let depthOfTip = 0;
  let hasUnknown = false;
  const longTips: string[] = [];
  const stack: TreeVisit[] = start.map((node) => ({ node, depth: 1, length: 1, parent: undefined })).reverse();
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { node, depth, length, parent } = next;
    const { id } = node.entry;
    if (seen.has(id) || !continues(node)) continue;
    seen.add(id);
    nodes.push(node);
    parents.push(parent);
    const isOwn = ownership(node.entry) === 'own';
    hasUnknown ||= !isOwn;
    if (isOwn && depth > depthOfTip) {
      tip = id;
      depthOfTip = depth;
    }
    const children = childrenOf(id).filter(continues);
    if (children.length === 0 && isOwn && length >= LONG_BRANCH) longTips.push(id);
    const lengthBelow = children.length > 1 ? 1 : length + 1;
    for (const child of children.toReversed())
      stack.push({ node: child, depth: depth + 1, length: lengthBelow, parent: id });
  }
  const sideTips = longTips.filter((id) => id !== tip);
  return { nodes: hasUnknown ? withoutUnrelated(nodes, parents, ownership) : nodes, tip, sideTips };
};

/** Branches of the author that are younger than the post, below a post that is in no excerpt. */
const unconnectedBranches = (
  tree: Tree,
  post: Post,
  standingOf: (entry: PostOrTombstone) => Standing,
): readonly UnconnectedBranch[] =>
  tree.roots.flatMap((root) => {
    if (standingOf(root.entry) === 'foreign' || byAge(root.entry, post) < 0) return [];
    const { nodes, tip } = branchFrom([root], tree);
    return tip === undefined ? [] : [{ tip, isSingle: nodes.length === 1 }];
  });

/** @param excerpts the chain of the first excerpt has the ancestors and the post */
export const assembleThread = (post: Post, excerpts: readonly Excerpt[]): AssembledThread => {
  const [first = { chain: [], others: [] }, ...later] = excerpts;
  const focal = { chain: withPost(first.chain, post), others: first.others };
  const all = [focal, ...later.map(({ chain, others }) => ({ chain: distinct(chain), others }))];
  const ancestors = ancestorsOf(post, all);
  const nodes = nodesOf(post, all);
  const tree = treeOf(post, nodes, ancestors);
  const branch = branchFrom(tree.childrenOf(post.id), tree);
  const thread = branch.nodes.map(({ entry }) => entry);
  const used = new Set([post, ...ancestors, ...thread].map(({ id }) => id));
  const standingOf = standingsIn(post, new Set(ancestors.map(({ id }) => id)), nodes);
  return {
    ancestors,
    thread,
    replies: distinct([...focal.others, ...focal.chain.slice(indexIn(focal.chain, post))], used).filter((entry) =>
      isReply(entry, standingOf(entry), post.author?.handle),
    ),
    tip: branch.tip ?? post.id,
    sideTips: branch.sideTips,
    unconnected: unconnectedBranches(tree, post, standingOf),
    above: ancestorGap(post, ancestors)?.id,
    hasGap: branch.nodes.some(tree.isDisplaced),
  };
};
