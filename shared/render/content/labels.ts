// Labels of posts and accounts that Markdown and HTML share.
import { isPost } from '../../model/conversation.ts';
import { keysOf } from '../../model/json.ts';
import type { Media, Poll, Post, PostMetrics, TombstoneReason } from '../../model/post.ts';
import type { User } from '../../model/user.ts';
import { visibleLine } from '../../model/visible-text.ts';
import { formatCount, formatDate, formatInstant, formatNumber } from './format.ts';

export const SENSITIVE = 'Marked as sensitive.';
export const COMMUNITY_NOTE = 'Community note';

/** @returns one line of visible text; the handle if the name has none */
export const displayName = ({ name, handle }: Pick<User, 'name' | 'handle'>, onRemoved?: () => void): string =>
  visibleLine(name, onRemoved) || handle;

/** @returns name and handle, as the provider wrote them */
export const userTitle = ({ name, handle }: User): string => `${name} (@${handle})`;

/** @returns one line of visible text, such as `Ada Larsson (@ada)` */
export const nameAndHandle = (user: Pick<User, 'name' | 'handle'>): string => `${displayName(user)} (@${user.handle})`;

const verifiedLabels: ReadonlyMap<string | undefined, string> = new Map([
  ['organization', 'verified organization'],
  ['government', 'verified government account'],
]);

/** The meaning of the badge in words. Empty if the account has none. */
export const verifiedLabel = ({ verified, verified_type: type }: User): string =>
  verified ? (verifiedLabels.get(type) ?? 'verified') : '';

export const tombstoneReasons: Readonly<Record<TombstoneReason, string>> = {
  deleted: 'was deleted',
  protected: 'is not public',
  suspended: 'belongs to a suspended account',
  withheld: 'is withheld from the public',
  unknown: 'is not available',
};

/** @param subject of the sentence, in the syntax of the output */
export const tombstoneSentence = (reason: TombstoneReason, subject: string): string =>
  `${subject} ${tombstoneReasons[reason]}.`;

/** The words of pages, if they are others. */
const goneReasons: Readonly<Partial<Record<TombstoneReason, string>>> = {
  suspended: 'is by a suspended account',
  protected: 'is protected: only followers of its author can read it',
};

/** @param subject with a capital letter @returns the sentence of a page */
export const goneSentence = (reason: TombstoneReason, subject: string): string =>
  `${subject} ${goneReasons[reason] ?? tombstoneReasons[reason]}.`;

/** The label of a link to a photo, a video or a GIF. */
export const mediaLabel = (type: Media['type']): string => (type === 'photo' ? 'Photo' : `Play ${type}`);

/** @returns the label with the description of the author, as plain text */
export const mediaText = ({ type, alt_text: alt }: Media): string =>
  mediaLabel(type) + (alt === undefined ? '' : `: ${alt}`);

type Metric = keyof PostMetrics;

/** In the order of a line: the singular, and a plural that does not only add an s. */
export const metricNames: Readonly<Record<Metric, readonly [singular: string, plural?: string]>> = {
  likes: ['like'],
  reposts: ['repost'],
  quotes: ['quote'],
  replies: ['reply', 'replies'],
  bookmarks: ['bookmark'],
  views: ['view'],
};

/** The metrics that lines show. */
export type ShownMetrics = ReadonlySet<Metric>;

/** The metrics that are not zero in every post of a list, quoted posts included. */
export const metricsOf = (posts: readonly Pick<Post, 'metrics' | 'quote'>[]): ShownMetrics => {
  const shown = new Set<Metric>();
  const add = ({ metrics, quote }: Pick<Post, 'metrics' | 'quote'>): void => {
    for (const name of keysOf(metricNames)) if ((metrics[name] ?? 0) > 0) shown.add(name);
    if (isPost(quote)) add(quote);
  };
  posts.forEach(add);
  return shown;
};

/** The counts of a post, each after a dot. Unknown counts are omitted; zero is shown. @param shown @default all */
export const postCounts = (metrics: PostMetrics, shown?: ShownMetrics): string => {
  let counts = '';
  for (const name of keysOf(metricNames)) {
    const number = metrics[name];
    const [singular, plural] = metricNames[name];
    if (number !== null && shown?.has(name) !== false) counts += ` · ${formatCount(number, singular, plural)}`;
  }
  return counts;
};

/** The counts of an account. Unknown counts are omitted; zero is shown. */
export const userCounts = ({ metrics }: User): readonly string[] => {
  const count = (number: number | null | undefined, singular: string, plural?: string): string =>
    number === null || number === undefined ? '' : formatCount(number, singular, plural);
  return [
    count(metrics?.followers, 'follower'),
    count(metrics?.following, 'following', 'following'),
    count(metrics?.posts, 'post'),
    count(metrics?.likes, 'like'),
  ].filter((text) => text !== '');
};

/** @param open of a poll that is not closed */
const votesAndState = ({ total_votes: total, closed }: Poll, open: string): string =>
  [total === null ? '' : formatCount(total, 'vote'), closed === undefined ? '' : closed ? 'closed' : open]
    .filter((fact) => fact !== '')
    .join(', ');

/** @returns ` (1,611 votes, closed)`, or an empty string if nothing is known */
export const pollState = (poll: Poll): string => {
  const facts = votesAndState(poll, `open until ${poll.ends_at === undefined ? 'later' : formatInstant(poll.ends_at)}`);
  return facts === '' ? '' : ` (${facts})`;
};

/** @returns `1,611 votes, open until 21 August 2027`; empty if nothing is known */
export const pollFacts = (poll: Poll): string =>
  votesAndState(poll, poll.ends_at === undefined ? 'open' : `open until ${formatDate(poll.ends_at)}`);

/** The figures of an open poll are left out, and those of a closed one stay: so a vote changes no feed. */
export const withoutOpenVotes = (poll: Poll): Poll =>
  poll.closed === true
    ? poll
    : {
        ...poll,
        total_votes: null,
        choices: poll.choices.map(({ label }) => ({ label, votes: null, percentage: null })),
      };

const TENTHS = 10;

const roundShare = (percentage: number): number => Math.round(percentage * TENTHS) / TENTHS;

/** @returns `: 74.5 % (1,201)` without the parts that are unknown */
export const choiceResult = ({ votes, percentage }: Poll['choices'][number]): string => {
  const share = percentage === null ? '' : ` ${roundShare(percentage)} %`;
  const count = votes === null ? '' : ` (${formatNumber(votes)})`;
  return share + count === '' ? '' : `:${share}${count}`;
};

/** @returns `74.5 %`; the number of votes if the share is unknown */
export const choiceShare = ({ votes, percentage }: Poll['choices'][number]): string =>
  percentage !== null ? `${roundShare(percentage)} %` : votes === null ? '' : formatCount(votes, 'vote');

/** Which part of a text a document is. */
export interface PartPosition {
  /** From 1. Undefined: the document starts within the text. */
  readonly number: number | undefined;
  readonly count: number;
}

/** @param wayTo how to get a part */
export const partSentence = ({ number, count }: PartPosition, wayTo: (part: number) => string): string => {
  if (number === undefined)
    return `The posts above the first one here are left out. The whole text has ${count} parts, from its start: ${wayTo(1)}`;
  return `Part ${number} of ${count}${number < count ? `. Next: ${wayTo(number + 1)}` : ', the last.'}`;
};
