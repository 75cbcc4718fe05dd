// Builds the tree of a conversation from what was read of it: posts in any order, with gaps, repetitions and strangers. Pure.
// Its time is linear in the number of posts, but for sorting the answers to a post by age.
//
// A post belongs to the tree if what it answers leads to the root. A post that leads to one that nothing gave belongs only if
// the conversation was asked as a whole (`isWhole`), and not if the missing post is older than the root. Posts that answer each
// other in a circle lead nowhere. A tombstone does not say what it answers: its place in a chain does.
import { answeredBy, isTombstone } from './conversation.ts';
import type { Post, PostOrTombstone } from './post.ts';
import type { ConversationGap, TreePost } from './resources.ts';
import { byAge, isBeforeVersions, timeInId } from './snowflake.ts';

/** What was read of a conversation, by id. */
export interface Findings {
  readonly entries: ReadonlyMap<string, PostOrTombstone>;
  /** What a tombstone answers. */
  readonly parents: ReadonlyMap<string, string>;
  /**
   * Keeps the first post with an id; a post replaces a tombstone.
   *
   * @param parent id of the entry before it in a chain. It counts for a tombstone
   * @returns whether the entry is a post that was not known
   */
  add(entry: PostOrTombstone, parent?: string): boolean;
}

export const createFindings = (): Findings => {
  const entries = new Map<string, PostOrTombstone>();
  const parents = new Map<string, string>();
  return {
    entries,
    parents,
    add(entry, parent) {
      const known = entries.get(entry.id);
      if (isTombstone(entry) && parent !== undefined && !parents.has(entry.id)) parents.set(entry.id, parent);
      if (known !== undefined && (isTombstone(entry) || !isTombstone(known))) return false;
      entries.set(entry.id, entry);
      return !isTombstone(entry);
    },
  };
};

export interface Tree {
  /** In reading order; the first is the root. */
  readonly posts: readonly TreePost[];
  /** In the order of their parents; those without a parent come last. */
  readonly missing: readonly ConversationGap[];
}

/** Ids of answers by the id of what they answer, oldest first. The root answers nothing here. */
const answersIn = (
  root: Post,
  { entries, parents }: Findings,
  isWhole: boolean,
): ReadonlyMap<string, readonly string[]> => {
  /** Nothing in a conversation is older than its first post, but the versions of that before it was edited. */
  const isVersion = (id: string): boolean =>
    isWhole && byAge({ id }, root) < 0 && timeInId(id) !== undefined && !isBeforeVersions(id, root.id);
  const answers = new Map<string, string[]>();
  for (const [id, entry] of entries) {
    const named = isTombstone(entry) ? parents.get(id) : answeredBy(entry);
    const parent = named !== undefined && isVersion(named) ? root.id : named;
    if (parent === undefined || id === root.id || isVersion(id)) continue;
    const siblings = answers.get(parent);
    if (siblings === undefined) answers.set(parent, [id]);
    else siblings.push(id);
  }
  for (const siblings of answers.values()) siblings.sort((a, b) => byAge({ id: a }, { id: b }));
  return answers;
};

/** A missing post, of which nothing says what it answers, answers an answer of the root or a later one, if not the root itself. */
const FEWEST_STEPS_TO_GAP = 1;

/** @param isWhole the root is the first post of the conversation that was asked, so posts below a missing post belong to it */
export const treeOf = (root: Post, findings: Findings, isWhole: boolean): Tree => {
  const { entries, parents } = findings;
  const answers = answersIn(root, findings, isWhole);
  const posts: TreePost[] = [];
  const missing: ConversationGap[] = [];
  const visited = new Set<string>();

  const postWith = (id: string): Post | undefined => {
    const entry = id === root.id ? root : entries.get(id);
    return entry === undefined || isTombstone(entry) ? undefined : entry;
  };

  const addGap = (id: string, parent?: string): void => {
    const entry = entries.get(id);
    const reason = entry !== undefined && isTombstone(entry) ? entry.reason : 'not_given';
    missing.push({ id, ...(parent !== undefined && { parent }), reason, count: 1 });
  };

  /** Adds what has an id, and all below it. Each post answers one, so none is reached twice, and no circle is reached. */
  const addBranch = (start: string, startDepth: number): void => {
    const stack = [{ id: start, depth: startDepth }];
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const { id, depth } = next;
      visited.add(id);
      const below = answers.get(id) ?? [];
      const gaps = below.filter((answer) => postWith(answer) === undefined);
      const post = postWith(id);
      const known = below.length - gaps.length;
      const said = post?.metrics.replies ?? null;
      if (post !== undefined) posts.push({ ...post, depth, replies_known: known, replies_said: said });
      for (const gap of gaps) addGap(gap, id);
      const untold = (said ?? 0) - below.length;
      if (untold > 0) missing.push({ parent: id, reason: 'not_given', count: untold });
      for (const answer of below.toReversed()) stack.push({ id: answer, depth: depth + 1 });
    }
  };

  addBranch(root.id, 0);
  if (!isWhole) return { posts, missing };
  const heads = [...answers.keys()].filter(
    (id) => postWith(id) === undefined && !visited.has(id) && !parents.has(id) && !isBeforeVersions(id, root.id),
  );
  for (const head of heads.sort((a, b) => byAge({ id: a }, { id: b }))) {
    addGap(head);
    addBranch(head, FEWEST_STEPS_TO_GAP);
  }
  return { posts, missing };
};

/**
 * Places the posts of all pages of a conversation, of which each page has its own: a page before the last one has the fewest
 * possible depths. A post that several pages have is there once.
 *
 * @param pages from the first, which has the root
 */
export const joinedTree = ([first, ...more]: readonly [Tree, ...Tree[]]): Tree => {
  const [root] = first.posts;
  if (root === undefined || more.length === 0) return first;
  const findings = createFindings();
  for (const { posts, missing } of [first, ...more]) {
    for (const post of posts) findings.add(post);
    for (const { id, parent, reason } of missing)
      if (id !== undefined && reason !== 'not_given') findings.add({ id, unavailable: true, reason }, parent);
  }
  return treeOf(root, findings, root.in_reply_to === undefined || root.conversation_id === root.id);
};
