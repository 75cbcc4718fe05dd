// What Markdown and pages share of a conversation: its branches, and the words about its gaps.
import { answeredBy } from '../../model/conversation.ts';
import type { ConversationGap, ConversationTree, TreePost } from '../../model/resources.ts';
import { byAge } from '../../model/snowflake.ts';
import { formatCount, formatNumber } from '../../render/content/format.ts';
import { tombstoneSentence } from '../../render/content/labels.ts';

/** A post or a gap, with what is below it: oldest first, and gaps without an id last. */
export interface Branch {
  readonly entry: TreePost | ConversationGap;
  below: readonly Branch[];
  /** The number of posts below. */
  count: number;
}

export const isGap = (entry: Branch['entry']): entry is ConversationGap => 'reason' in entry;

interface PlacedBranch {
  readonly branch: Branch;
  /** The depth of a post. */
  readonly level: number;
}

/** A gap without a parent answers as little as what is below it says, at least the root. */
const levelOf = ({ entry, below: [first] }: Branch): number => {
  if (!isGap(entry)) return entry.depth;
  return first === undefined || isGap(first.entry) ? 1 : first.entry.depth - 1;
};

/**
 * Without recursion: a conversation can be thousands of answers deep.
 *
 * @param maxLevel deeper branches are left out, but the outermost ones, which have this level: what they answer is on another page
 * @returns each branch before those below it
 */
export const readingOrder = (
  branches: readonly Branch[],
  maxLevel = Number.POSITIVE_INFINITY,
): readonly PlacedBranch[] => {
  const order: PlacedBranch[] = [];
  const stack = branches.map((branch) => ({ branch, level: Math.min(levelOf(branch), maxLevel) })).reverse();
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { branch, level } = next;
    order.push(next);
    if (level < maxLevel)
      for (const below of branch.below.toReversed()) stack.push({ branch: below, level: level + 1 });
  }
  return order;
};

const byPlace = ({ entry: a }: Branch, { entry: b }: Branch): number =>
  a.id === undefined || b.id === undefined
    ? Number(a.id === undefined) - Number(b.id === undefined)
    : byAge({ id: a.id }, { id: b.id });

const parentOf = (entry: Branch['entry']): string | undefined => {
  if (isGap(entry)) return entry.parent;
  return entry.depth === 0 ? undefined : answeredBy(entry);
};

/** @returns the outermost branches: the root, and on a later page the posts whose parents are on another one */
export const branchesOf = ({ posts, missing }: ConversationTree): readonly Branch[] => {
  const all = [...posts, ...missing].map((entry): Branch => ({ entry, below: [], count: 0 }));
  const byId = new Map(all.map((branch) => [branch.entry.id, branch]));
  const aboveOf = ({ entry }: Branch): Branch | undefined => {
    const parent = parentOf(entry);
    return parent === undefined ? undefined : byId.get(parent);
  };
  const below = Map.groupBy(all, aboveOf);
  for (const branch of all) branch.below = below.get(branch)?.toSorted(byPlace) ?? [];
  const topOf = (branch: Branch): Branch => {
    const above = aboveOf(branch);
    return above === undefined ? branch : topOf(above);
  };
  // The posts say the order: a gap stands before the first post below it, and gaps without posts come last.
  const tops = new Map<Branch, Branch>();
  for (const branch of all) {
    const above = aboveOf(branch);
    tops.set(branch, above === undefined ? branch : (tops.get(above) ?? topOf(above)));
  }
  const outermost = new Set(tops.values());
  // Backwards, so that what is below a branch is counted before it.
  for (const { branch } of readingOrder([...outermost]).toReversed())
    branch.count = branch.below.reduce((sum, { entry, count }) => sum + count + Number(!isGap(entry)), 0);
  return [...outermost];
};

/** @param handle of the author of the post, if it is known */
export const conversationTitle = (handle?: string): string =>
  handle === undefined ? 'Conversation' : `Conversation below a post of @${handle}`;

const countReplies = (count: number): string => formatCount(count, 'reply', 'replies');

/** @returns such as `12 of 15 replies` */
export const completenessWords = ({ found, said }: ConversationTree['completeness']): string =>
  found === said ? countReplies(found) : `${formatNumber(found)} of ${countReplies(said)}`;

/** @param subject of a sentence about one post @returns such as `3 more replies: not given by the source.` */
export const gapSentence = ({ id, reason, count }: ConversationGap, subject: string): string => {
  if (reason !== 'not_given') return tombstoneSentence(reason, subject);
  return id === undefined
    ? `${formatCount(count, 'more reply', 'more replies')}: not given by the source.`
    : `${subject} is not given by the source.`;
};
