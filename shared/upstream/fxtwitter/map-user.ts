// FxTwitter's author objects -> User.
import { NAMED_HANDLE, parseId, profileUrl } from '../../model/handle.ts';
import type { User } from '../../model/user.ts';
import { visibleLine } from '../../model/visible.ts';
import { avatarAddress, count, httpDate, type RawRecord, record, text, webAddress } from '../wire.ts';

/** Profiles, lists and authors carry counts and biography; a reposter does not. */
export const mapUser = (value: unknown): User | undefined => {
  const raw = record(value);
  const handle = text(raw?.['screen_name']);
  if (raw === undefined || handle === undefined || !NAMED_HANDLE.test(handle)) return undefined;
  const verified = record(raw['verification'])?.['verified'];
  const isProtected = raw['protected'];
  // Every member, absent ones as undefined: one shape for all users, and JSON leaves them out.
  return {
    handle,
    name: visibleLine(text(raw['name']) ?? '') || handle,
    url: profileUrl(handle),
    id: parseId(text(raw['id']) ?? ''),
    bio: text(raw['description']),
    location: text(raw['location']),
    website: webAddress(record(raw['website'])?.['url']),
    avatar_url: avatarAddress(raw['avatar_url']),
    banner_url: webAddress(raw['banner_url']),
    created_at: httpDate(raw['joined']),
    verified: typeof verified === 'boolean' ? verified : undefined,
    protected: typeof isProtected === 'boolean' ? isProtected : undefined,
    metrics: hasCounts(raw) ? metricsOf(raw) : undefined,
  };
};

const hasCounts = (raw: RawRecord): boolean => 'followers' in raw;

const metricsOf = (raw: RawRecord): NonNullable<User['metrics']> => ({
  followers: count(raw['followers']),
  following: count(raw['following']),
  posts: count(raw['statuses']),
  likes: count(raw['likes']),
  media: count(raw['media_count']),
});

/**
 * Maps the authors of one answer: who appears twice is mapped once.
 *
 * Counts may differ by a few between two copies within one answer; the first one stands for both. One
 * without any counts never stands for one that has them.
 */
export const userMapper = (): ((value: unknown) => User | undefined) => {
  const known = new Map<unknown, User | undefined>();
  return (value) => {
    const raw = record(value);
    const id = raw?.['id'];
    if (raw === undefined || id === undefined) return mapUser(value);
    const user = known.get(id);
    if (user !== undefined && (user.metrics !== undefined || !hasCounts(raw))) return user;
    const mapped = mapUser(value);
    known.set(id, mapped);
    return mapped;
  };
};
