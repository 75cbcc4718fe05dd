// Defines the Cache-Control field of each cache class.

/** The default number of seconds for which shared caches keep a new post. The operator can change it. */
export const DEFAULT_CACHE_TTL_SECONDS = 300;

/** The maximum of the setting and of the edge cache: one day. */
export const MAX_CACHE_TTL_SECONDS = 86_400;

/** Posts that are older than an age, the oldest first. Old posts are rarely deleted, and rarely get new replies. */
const AGED_POSTS = [
  { cacheClass: 'monthOldPost', afterDays: 30, ttlSeconds: 21_600 },
  { cacheClass: 'dayOldPost', afterDays: 1, ttlSeconds: 3600 },
] as const;

export const cacheClasses = [
  ...(['post', 'dayOldPost', 'monthOldPost', 'list', 'feed', 'timelineFeed', 'degraded', 'missing'] as const),
  ...(['route', 'document', 'none', 'private'] as const),
];

export type CacheClass = (typeof cacheClasses)[number];

const DAY_MILLISECONDS = 86_400_000;

/** @param milliseconds the age of the newest post of the answer */
export const postClassOfAge = (milliseconds: number): CacheClass =>
  AGED_POSTS.find(({ afterDays }) => milliseconds > afterDays * DAY_MILLISECONDS)?.cacheClass ?? 'post';

/** A setting below the default bounds posts of every age. Any other setting is the least for old posts. */
const postTtl = (cacheClass: CacheClass, ttlSeconds: number): number => {
  const aged = AGED_POSTS.find((row) => row.cacheClass === cacheClass)?.ttlSeconds ?? 0;
  return ttlSeconds < DEFAULT_CACHE_TTL_SECONDS ? ttlSeconds : Math.max(ttlSeconds, aged);
};

const LIST_TTL_SECONDS = 60;

/** Readers poll by the quarter of an hour or less often. */
const FEED_TTL_SECONDS = 300;

/** The feed of several accounts costs a call for each of them. A setting below the default bounds it. */
const TIMELINE_FEED_TTL_SECONDS = 900;

/** @param ttlSeconds seconds for which shared caches keep a new post; 0 turns shared caching of resources off */
export const cacheControl = (cacheClass: CacheClass, ttlSeconds: number): string => {
  switch (cacheClass) {
    case 'route':
      return 'public, max-age=60, s-maxage=60';
    case 'document':
      return 'public, max-age=3600, s-maxage=3600';
    case 'none':
      return 'no-store';
    case 'private':
      return 'private, no-store';
  }
  if (ttlSeconds === 0) return 'public, max-age=0, s-maxage=0';
  const list = Math.min(ttlSeconds, LIST_TTL_SECONDS);
  const feed = Math.min(ttlSeconds, FEED_TTL_SECONDS);
  switch (cacheClass) {
    case 'post':
    case 'dayOldPost':
    case 'monthOldPost':
      return `public, max-age=60, s-maxage=${postTtl(cacheClass, ttlSeconds)}, stale-while-revalidate=3600, stale-if-error=86400`;
    case 'list':
      return `public, max-age=30, s-maxage=${list}, stale-while-revalidate=300, stale-if-error=3600`;
    case 'feed':
      return `public, max-age=${feed}, s-maxage=${feed}, stale-while-revalidate=300, stale-if-error=86400`;
    case 'timelineFeed': {
      const seconds = ttlSeconds < DEFAULT_CACHE_TTL_SECONDS ? ttlSeconds : TIMELINE_FEED_TTL_SECONDS;
      return `public, max-age=${feed}, s-maxage=${seconds}, stale-while-revalidate=300, stale-if-error=86400`;
    }
    case 'degraded':
      return `public, max-age=30, s-maxage=${list}`;
    case 'missing':
      return 'public, max-age=30, s-maxage=30';
  }
};
