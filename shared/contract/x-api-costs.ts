// Lists the cost of each read of the official API, for operators. X bills every returned row, and the same post or account
// once per day (UTC). It also limits the requests of each endpoint.
import { DAY_MILLISECONDS } from '../model/instant-text.ts';

/** In US dollars, as documented in 2026. */
export const X_API_PRICES = { post: 0.005, user: 0.01 } as const;

export interface ReadCost {
  readonly read: string;
  /** The requests of the first page, or of the whole read if it has no pages. */
  readonly requests: number;
  /** The requests of a later page; unset: the read has no pages. */
  readonly laterRequests?: number;
  readonly row: keyof typeof X_API_PRICES;
  /** The least and the most rows that a request for rows returns, if X has as many. */
  readonly rows: readonly [least: number, most: number];
  /** Rows that are billed, but not part of an answer. */
  readonly unused?: string;
}

export const xApiCosts = {
  post: { read: 'a post alone', requests: 1, row: 'post', rows: [1, 1] },
  posts: { read: 'several posts at the same moment', requests: 1, row: 'post', rows: [1, 100] },
  profile: { read: 'a profile', requests: 1, row: 'user', rows: [1, 1] },
  timeline: {
    read: 'posts, or posts and replies, of a profile',
    requests: 2,
    laterRequests: 1,
    row: 'post',
    rows: [5, 100],
  },
  selectedTimeline: {
    read: 'media or articles of a profile',
    requests: 2,
    laterRequests: 1,
    row: 'post',
    rows: [5, 100],
    unused: 'posts of other kinds',
  },
  follows: { read: 'followers or followed accounts', requests: 2, laterRequests: 1, row: 'user', rows: [1, 1000] },
  search: { read: 'a search', requests: 1, laterRequests: 1, row: 'post', rows: [10, 100] },
  replies: {
    read: 'replies of a post',
    requests: 2,
    laterRequests: 1,
    row: 'post',
    rows: [10, 100],
    unused: 'the post, parts of its thread, and answers to other posts of the conversation',
  },
  xList: { read: 'a list of X', requests: 1, laterRequests: 1, row: 'post', rows: [1, 100] },
  quotes: { read: 'quotes of a post', requests: 1, laterRequests: 1, row: 'post', rows: [10, 100] },
  reposts: { read: 'reposts of a post', requests: 1, laterRequests: 1, row: 'user', rows: [1, 100] },
} as const satisfies Readonly<Record<string, ReadCost>>;

/** The partition of the counters table with the billed rows, one item per day. */
export const paidRowsPartition = 'rows#x_api';

/** @returns the day (UTC) of an instant, in milliseconds since the epoch */
export const paidRowsDay = (now: number): { readonly startsAt: number; readonly endsAt: number } => {
  const startsAt = Math.floor(now / DAY_MILLISECONDS) * DAY_MILLISECONDS;
  return { startsAt, endsAt: startsAt + DAY_MILLISECONDS };
};

/** The ceiling of rows that may be billed per day (UTC); 0: no ceiling. A page of 20 posts has 20 rows. */
export const paidRowsSetting = { variable: 'X_API_DAILY_ROWS', setting: 'xApiDailyRows', preset: '2000' } as const;
