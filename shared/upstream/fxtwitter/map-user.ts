// Maps author objects of FxTwitter to accounts.
import { PROVIDER_HANDLE, profileUrl } from '../../model/handle.ts';
import { asRecord, type JsonRecord } from '../../model/json.ts';
import type { User } from '../../model/user.ts';
import { asAvatarUrl, asCount, asId, asLine, asText, asWebUrl, parseDate } from '../json-readers.ts';

const verifiedTypes: ReadonlySet<unknown> = new Set(['individual', 'organization', 'government']);

/** Profiles, lists and authors have counts and a biography. A reposter has neither. */
export const mapUser = (value: unknown): User | undefined => {
  const raw = asRecord(value);
  const handle = asText(raw?.['screen_name']);
  if (raw === undefined || handle === undefined || !PROVIDER_HANDLE.test(handle)) return undefined;
  const verification = asRecord(raw['verification']);
  const verified = verification?.['verified'];
  const verifiedType = verification?.['type'];
  const isProtected = raw['protected'];
  // Absent members are undefined, so that all accounts have one hidden class in V8. JSON leaves them out.
  return {
    handle,
    name: asLine(raw['name']) ?? handle,
    url: profileUrl(handle),
    id: asId(raw['id']),
    bio: asText(raw['description']),
    location: asText(raw['location']),
    website: asWebUrl(asRecord(raw['website'])?.['url']),
    avatar_url: asAvatarUrl(raw['avatar_url']),
    banner_url: asWebUrl(raw['banner_url']),
    created_at: parseDate(raw['joined']),
    verified: typeof verified === 'boolean' ? verified : undefined,
    verified_type: verifiedTypes.has(verifiedType) ? asText(verifiedType) : undefined,
    protected: typeof isProtected === 'boolean' ? isProtected : undefined,
    metrics: hasCounts(raw) ? metricsOf(raw) : undefined,
  };
};

const hasCounts = (raw: JsonRecord): boolean => 'followers' in raw;

const metricsOf = (raw: JsonRecord): NonNullable<User['metrics']> => ({
  followers: asCount(raw['followers']),
  following: asCount(raw['following']),
  posts: asCount(raw['statuses']),
  likes: asCount(raw['likes']),
  media: asCount(raw['media_count']),
});

/**
 * Maps the authors of one response, each once.
 *
 * The counts of two copies in one response can differ slightly; the first copy is used. A copy without counts is never
 * used for a copy with counts.
 */
export const createUserMapper = (): ((value: unknown) => User | undefined) => {
  const mappedUsers = new Map<unknown, User | undefined>();
  return (value) => {
    const raw = asRecord(value);
    const id = raw?.['id'];
    if (raw === undefined || id === undefined) return mapUser(value);
    const user = mappedUsers.get(id);
    if (user !== undefined && (user.metrics !== undefined || !hasCounts(raw))) return user;
    const mapped = mapUser(value);
    mappedUsers.set(id, mapped);
    return mapped;
  };
};
