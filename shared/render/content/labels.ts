// What Markdown and the page say in the same words.
import type { Poll, PostMetrics, TombstoneReason } from '../../model/post.ts';
import type { User } from '../../model/user.ts';
import { formatCount, formatInstant, formatNumber } from './format.ts';

/** The rest of a sentence about a post that cannot be read. */
export const tombstoneLabels: Readonly<Record<TombstoneReason, string>> = {
  deleted: 'was deleted',
  protected: 'is not public',
  suspended: 'belongs to a suspended account',
  withheld: 'is withheld by the platform',
  unknown: 'is not available',
};

const metric = (number: number | null, singular: string, plural: string): string =>
  number === null || number === 0 ? '' : ` · ${formatNumber(number)} ${number === 1 ? singular : plural}`;

/** The counts of a post, each after a dot; none and zero say nothing. */
export const postCounts = ({ likes, reposts, quotes, replies, bookmarks, views }: PostMetrics): string =>
  metric(likes, 'like', 'likes') +
  metric(reposts, 'repost', 'reposts') +
  metric(quotes, 'quote', 'quotes') +
  metric(replies, 'reply', 'replies') +
  metric(bookmarks, 'bookmark', 'bookmarks') +
  metric(views, 'view', 'views');

/** The counts of an account; zero says something here. */
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

/** `(1,611 votes, closed)`, or nothing. */
export const pollState = ({ total_votes: total, closed, ends_at: ends }: Poll): string => {
  const facts = [
    total === null ? '' : formatCount(total, 'vote'),
    closed === undefined ? '' : closed ? 'closed' : `open until ${ends === undefined ? 'later' : formatInstant(ends)}`,
  ].filter((fact) => fact !== '');
  return facts.length === 0 ? '' : ` (${facts.join(', ')})`;
};

const TENTHS = 10;

/** `: 74.5 % (1,201)`, or as much of it as is known. */
export const choiceResult = ({ votes, percentage }: Poll['choices'][number]): string => {
  const share = percentage === null ? '' : ` ${Math.round(percentage * TENTHS) / TENTHS} %`;
  const count = votes === null ? '' : ` (${formatNumber(votes)})`;
  return share + count === '' ? '' : `:${share}${count}`;
};
