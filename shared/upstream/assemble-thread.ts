// Assembles the thread of a post from excerpts of a conversation. The functions are pure. Their time is linear in the size
// of the excerpts, except for sorting the answers to one post by age.
//
// A provider shows a conversation in excerpts: a chain (the ancestors of a post and the post) and other posts in no
// reliable order. The thread is what the author of the post wrote in answer to the post or to a part of the thread.
//
// 1. The ancestors come from the chain of the first excerpt. Chains of later excerpts fill the gaps between them.
// 2. thread-tree.ts arranges all other entries below the posts that they answer.
// 3. The thread is the branch of the author's posts below the post, with all its branches if the author answered the same
//    post twice. An entry of an unknown author, such as a tombstone of
//    a deleted post, belongs to the branch if it is in a chain or if the author continues below it.
// 4. Branches of the author below a post that is in no excerpt are unconnected. A later excerpt can connect them. Such a
//    branch is part of the thread if its first post names the author as the one that it answers; then the thread has a gap.
// 5. The other entries of the first excerpt are the replies.
//
// Missing or contradictory data never throws: the result names the missing parts, and follow-thread.ts requests them.
import { ancestorGap, isTombstone } from '../model/entries.ts';
import type { Post, PostOrTombstone } from '../model/post.ts';
import { byAge } from '../model/snowflake.ts';
import { distinct, type Excerpt, type Node, nodesOf, type Tree, treeOf } from './thread-tree.ts';

export interface AssembledThread {
  readonly ancestors: PostOrTombstone[];
  readonly thread: PostOrTombstone[];
  /** The entries of the first excerpt that are neither the post, nor an ancestor, nor a part of the thread. */
  readonly replies: PostOrTombstone[];
  /** Id of the last part, below which the thread can continue; id of the post if there is no thread. */
  readonly tip: string;
  /** Ids of the last parts of further branches that are so long that the provider can have cut them. */
  readonly sideTips: readonly string[];
  /** Ids of the last parts of unconnected branches. */
  readonly unconnected: readonly string[];
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

/** Fills the nearest gap between the ancestors from a chain. */
const fillGap = (ancestors: PostOrTombstone[], post: Post, chain: readonly PostOrTombstone[]): PostOrTombstone[] => {
  const gap = ancestorGap(post, ancestors);
  const end = gap === undefined ? -1 : chain.findIndex(({ id }) => id === gap.id);
  if (gap === undefined || end === -1) return ancestors;
  const found = distinct(chain.slice(0, end + 1), new Set([post.id, ...ancestors.map(({ id }) => id)]));
  return [...ancestors.slice(0, gap.index), ...found, ...ancestors.slice(gap.index)];
};

const ancestorsOf = (post: Post, [first, ...later]: readonly Excerpt[]): PostOrTombstone[] => {
  const chain = first?.chain ?? [];
  let ancestors = chain.slice(
    0,
    chain.findIndex(({ id }) => id === post.id),
  );
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

interface UnconnectedBranch extends Omit<Branch, 'sideTips'> {
  readonly tip: string;
  /** The first post names the author as the one that it answers, so it is a part of the thread. */
  readonly isClaimed: boolean;
}

/** Branches of the author that are younger than the post, below a post that is in no excerpt. */
const unconnectedBranches = (tree: Tree, post: Post): readonly UnconnectedBranch[] => {
  const handle = post.author?.handle.toLowerCase();
  return tree.roots.flatMap((root): UnconnectedBranch[] => {
    if (!root.isOther || byAge(root.entry, post) < 0) return [];
    const { nodes, tip } = branchFrom([root], tree);
    if (tip === undefined) return [];
    const uppermost = tree.ownership(root.entry) === 'own' ? [root] : tree.childrenOf(root.entry.id);
    const isClaimed = uppermost.some(
      ({ entry }) => !isTombstone(entry) && entry.in_reply_to?.handle?.toLowerCase() === handle,
    );
    return [{ nodes, tip, isClaimed }];
  });
};

/** @param excerpts the chain of the first excerpt has the ancestors and the post */
export const assembleThread = (post: Post, excerpts: readonly Excerpt[]): AssembledThread => {
  const [first = { chain: [], others: [] }, ...later] = excerpts;
  const focal = { chain: withPost(first.chain, post), others: first.others };
  const all = [focal, ...later.map(({ chain, others }) => ({ chain: distinct(chain), others }))];
  const ancestors = ancestorsOf(post, all);
  const tree = treeOf(post, nodesOf(post, all), ancestors);
  const branch = branchFrom(tree.childrenOf(post.id), tree);
  const unconnected = unconnectedBranches(tree, post);
  const claimed = unconnected.filter(({ isClaimed }) => isClaimed);
  const parts = [branch, ...claimed].flatMap(({ nodes }) => nodes);
  const thread = parts.map(({ entry }) => entry);
  const used = new Set([post, ...ancestors, ...thread].map(({ id }) => id));
  return {
    ancestors,
    thread,
    replies: distinct([...focal.others, ...focal.chain], used),
    tip: branch.tip ?? post.id,
    sideTips: branch.sideTips,
    unconnected: unconnected.map(({ tip }) => tip),
    above: ancestorGap(post, ancestors)?.id,
    hasGap: claimed.length > 0 || branch.nodes.some(tree.isDisplaced),
  };
};
