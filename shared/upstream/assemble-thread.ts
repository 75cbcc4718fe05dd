// Assembles a thread from excerpts of a conversation. Pure; its time is linear in what the provider sent, apart from
// sorting the answers to one post by age.
//
// A provider shows a conversation in excerpts: a chain (the ancestors of a post and the post itself), and posts below
// it in no dependable order. The thread is what the author of the post wrote in answer to the post or to a part of the
// thread. Each post names the post that it answers; a tombstone names nothing, so that its place in a chain decides.
//
// A part whose parent is in no excerpt is loose: an excerpt about it shows where it belongs. Until then it is no reply,
// if it names its own author as the one who is answered.
import { ancestorGap, answeredBy } from '../model/ancestors.ts';
import type { Post, PostOrTombstone, TombstoneReason } from '../model/post.ts';
import { isTombstone } from '../model/tombstone.ts';

export interface Excerpt {
  /** Each entry stands below the entry before it. */
  readonly chain: readonly PostOrTombstone[];
  /** More posts of the conversation, in any order. */
  readonly others: readonly PostOrTombstone[];
}

export interface AssembledThread {
  readonly ancestors: PostOrTombstone[];
  readonly thread: PostOrTombstone[];
  /** The entries of the first excerpt that are neither the post, nor an ancestor, nor a part of the thread. */
  readonly replies: PostOrTombstone[];
  /** The id of the last part: more would stand below it. It is the post's own id if there is no thread. */
  readonly tip: string;
  /** The last parts of loose branches. */
  readonly unconnected: readonly string[];
  /** The id of a missing ancestor. */
  readonly above: string | undefined;
  /** A part between two other parts is missing. */
  readonly hasGap: boolean;
}

/** Later posts have larger ids, which may exceed a JavaScript number. */
export const byAge = (a: PostOrTombstone, b: PostOrTombstone): number =>
  a.id.length - b.id.length || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** The first of each id. */
const distinct = (entries: readonly PostOrTombstone[], seen = new Set<string>()): PostOrTombstone[] =>
  entries.filter(({ id }) => !seen.has(id) && seen.add(id));

/** The author is readable, so that a post of a suspended or protected account is not theirs. */
const FOREIGN: ReadonlySet<TombstoneReason> = new Set(['suspended', 'protected']);

type Ownership = 'own' | 'foreign' | 'unknown';

/** Who wrote an entry, compared with the author of the post. */
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

interface Node {
  entry: PostOrTombstone;
  /** The entry before it in a chain, but for entries of other authors. */
  previous: string | undefined;
  /** It stood outside of every chain at least once. */
  isOther: boolean;
}

/** A chain that lacks the post itself is completed by age. */
const withPost = (chain: readonly PostOrTombstone[], post: Post): readonly PostOrTombstone[] => {
  if (chain.some(({ id }) => id === post.id)) return distinct(chain);
  const isOlder = (entry: PostOrTombstone): boolean => byAge(entry, post) < 0;
  return distinct([...chain.filter(isOlder), post, ...chain.filter((entry) => !isOlder(entry))]);
};

/** @param excerpts with each entry of a chain once */
const nodesOf = (post: Post, excerpts: readonly Excerpt[]): ReadonlyMap<string, Node> => {
  const ownership = ownershipIn(post);
  const nodes = new Map<string, Node>();
  const add = (entry: PostOrTombstone, previous: string | undefined, isOther: boolean): void => {
    const known = nodes.get(entry.id);
    if (known === undefined) {
      if (entry.id !== post.id) nodes.set(entry.id, { entry, previous, isOther });
      return;
    }
    known.previous ??= previous;
    known.isOther ||= isOther;
    if (isTombstone(known.entry)) known.entry = entry;
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

/** Fills the nearest gap among the ancestors with what a chain says about it. */
const bridged = (ancestors: PostOrTombstone[], post: Post, chain: readonly PostOrTombstone[]): PostOrTombstone[] => {
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
  for (const excerpt of later) ancestors = bridged(ancestors, post, excerpt.chain);
  return ancestors;
};

/** The tree of what stands below the post. */
interface Tree {
  childrenOf(id: string): readonly Node[];
  /** Nodes below nothing that is known. */
  readonly roots: readonly Node[];
  /** The author goes on with this node below its parent. */
  continues(node: Node): boolean;
  ownership(entry: PostOrTombstone): Ownership;
  /** It is where it is by its place in a chain, and the post that it answers is not there. */
  isDisplaced(node: Node): boolean;
}

const treeOf = (post: Post, nodes: ReadonlyMap<string, Node>, ancestors: readonly PostOrTombstone[]): Tree => {
  const ownership = ownershipIn(post);
  const handle = post.author?.handle.toLowerCase();
  const entryOf = (id: string): PostOrTombstone | undefined => (id === post.id ? post : nodes.get(id)?.entry);
  /** The post that it answers, if that is in an excerpt. */
  const declaredOf = ({ entry }: Node): PostOrTombstone | undefined => {
    const id = answeredBy(entry);
    return id === undefined ? undefined : entryOf(id);
  };
  const above = new Set(ancestors.map(({ id }) => id));
  const children = new Map<string, Node[]>();
  const roots: Node[] = [];
  for (const node of nodes.values()) {
    if (above.has(node.entry.id)) continue;
    const parent = declaredOf(node)?.id ?? node.previous;
    const siblings = parent === undefined ? roots : (children.get(parent) ?? []);
    siblings.push(node);
    if (parent !== undefined) children.set(parent, siblings);
  }
  for (const siblings of children.values()) siblings.sort((a, b) => byAge(a.entry, b.entry));
  return {
    childrenOf: (id) => children.get(id) ?? [],
    roots: roots.sort((a, b) => byAge(a.entry, b.entry)),
    ownership,
    continues: (node) => {
      const whose = ownership(node.entry);
      if (whose !== 'own' || isTombstone(node.entry)) return whose === 'unknown';
      const parent = declaredOf(node);
      if (parent !== undefined && ownership(parent) === 'own') return true;
      const answered = node.entry.in_reply_to?.handle?.toLowerCase();
      return answered === undefined || answered === handle;
    },
    isDisplaced: (node) => answeredBy(node.entry) !== undefined && declaredOf(node) === undefined,
  };
};

interface Branch {
  /** Parents before their children, older siblings first. */
  readonly nodes: readonly Node[];
  /** The deepest post. */
  readonly tip: string | undefined;
}

interface TreeVisit {
  readonly node: Node;
  readonly depth: number;
  readonly parent: string | undefined;
}

/** An entry of an unknown author is a part if it stands in a chain, or if the author goes on below it. */
const carrying = (
  nodes: readonly Node[],
  parents: readonly (string | undefined)[],
  ownership: Tree['ownership'],
): readonly Node[] => {
  const carries = new Set<string | undefined>();
  for (const [index, { entry, previous }] of [...nodes.entries()].reverse()) {
    if (ownership(entry) !== 'own' && previous === undefined && !carries.has(entry.id)) continue;
    carries.add(entry.id);
    carries.add(parents[index]);
  }
  return nodes.filter(({ entry }) => carries.has(entry.id));
};

/** Collects what the author goes on with from here. Without recursion: a provider may send a chain of any length. */
const branchFrom = (start: readonly Node[], { childrenOf, continues, ownership }: Tree): Branch => {
  const nodes: Node[] = [];
  const parents: (string | undefined)[] = [];
  const seen = new Set<string>();
  let tip: string | undefined;
  let depthOfTip = 0;
  let hasUnknown = false;
  const stack: TreeVisit[] = start.map((node) => ({ node, depth: 1, parent: undefined })).reverse();
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { node, depth, parent } = next;
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
    for (const child of childrenOf(id).toReversed()) stack.push({ node: child, depth: depth + 1, parent: id });
  }
  return { nodes: hasUnknown ? carrying(nodes, parents, ownership) : nodes, tip };
};

interface UnconnectedBranch extends Branch {
  readonly tip: string;
  /** It says itself that it answers its own author: a part that was not shown. */
  readonly isClaimed: boolean;
}

/** Posts of the author, younger than the post, below something that is in no excerpt. */
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

/**
 * @param excerpts the first is about the post itself: its chain holds the ancestors, then the post
 */
export const assembleThread = (post: Post, excerpts: readonly Excerpt[]): AssembledThread => {
  const [first = { chain: [], others: [] }, ...later] = excerpts;
  const about = { chain: withPost(first.chain, post), others: first.others };
  const all = [about, ...later.map(({ chain, others }) => ({ chain: distinct(chain), others }))];
  const ancestors = ancestorsOf(post, all);
  const tree = treeOf(post, nodesOf(post, all), ancestors);
  const own = branchFrom(tree.childrenOf(post.id), tree);
  const loose = unconnectedBranches(tree, post);
  const claimed = loose.filter(({ isClaimed }) => isClaimed);
  const parts = [own, ...claimed].flatMap(({ nodes }) => nodes);
  const thread = parts.map(({ entry }) => entry);
  const taken = new Set([post, ...ancestors, ...thread].map(({ id }) => id));
  return {
    ancestors,
    thread,
    replies: distinct([...about.others, ...about.chain], taken),
    tip: own.tip ?? post.id,
    unconnected: loose.map(({ tip }) => tip),
    above: ancestorGap(post, ancestors)?.id,
    hasGap: claimed.length > 0 || own.nodes.some(tree.isDisplaced),
  };
};
