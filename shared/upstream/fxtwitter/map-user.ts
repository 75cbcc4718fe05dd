// Maps author objects of FxTwitter to accounts.
import { profileUrl } from '../../model/handle.ts';
import { asRecord, type JsonRecord } from '../../model/json.ts';
import { PLACES } from '../../model/text-places.ts';
import type { User, UserAbout } from '../../model/user.ts';
import { expandBio } from '../expand-links.ts';
import {
  asAvatarUrl,
  asBoolean,
  asCount,
  asId,
  asLine,
  asRecords,
  asShortText,
  asText,
  asWebUrl,
  namedHandle,
  optionalMember,
  parseDate,
} from '../json-readers.ts';
import type { MayInclude } from '../repeats.ts';
import { entitiesIn } from './post-text.ts';

const verifiedTypes: ReadonlySet<unknown> = new Set(['individual', 'organization', 'government']);

/** Biographies are not escaped. The provider's own text lacks links, as that of posts does. */
const bioOf = (raw: JsonRecord): Pick<User, 'bio' | typeof PLACES> => {
  const source = asRecord(raw['raw_description']);
  const facets = source?.['facets'];
  const expanded = expandBio(Array.isArray(facets) ? source?.['text'] : undefined, facets, {
    read: (facet) => ({
      original: facet['type'] === 'url' ? asText(facet['original']) : undefined,
      by: asWebUrl(facet['replacement']),
      indices: facet['indices'],
    }),
    entities: (locate) => entitiesIn(locate, asRecords(facets)),
  });
  return expanded ?? { bio: asShortText(raw['description'], 'bio') };
};

const aboutOf = (value: unknown): UserAbout | undefined => {
  const raw = asRecord(value);
  if (raw === undefined) return undefined;
  const changes = asRecord(raw['username_changes']);
  const about: UserAbout = {
    ...optionalMember('based_in', asLine(raw['based_in'])),
    ...optionalMember('based_in_accurate', asBoolean(raw['location_accurate'])),
    ...optionalMember('connected_via', asLine(raw['source'])),
    ...optionalMember('handle_changes', asCount(changes?.['count']) ?? undefined),
    ...optionalMember('handle_changed_at', parseDate(changes?.['last_changed_at'])),
  };
  return Object.keys(about).length === 0 ? undefined : about;
};

/** Profiles, lists and authors have counts and a biography. A reposter has neither. */
export const mapUser = (value: unknown): User | undefined => {
  const raw = asRecord(value);
  const handle = namedHandle(raw?.['screen_name']);
  if (raw === undefined || handle === undefined) return undefined;
  const verification = asRecord(raw['verification']);
  const verifiedType = verification?.['type'];
  const { bio, [PLACES]: places } = bioOf(raw);
  // Absent members are undefined, so that all accounts have one hidden class in V8. JSON leaves them out.
  return {
    handle,
    name: asLine(raw['name']) ?? handle,
    url: profileUrl(handle),
    id: asId(raw['id']),
    bio,
    [PLACES]: places,
    location: asShortText(raw['location'], 'line'),
    website: asWebUrl(asRecord(raw['website'])?.['url']),
    avatar_url: asAvatarUrl(raw['avatar_url']),
    banner_url: asWebUrl(raw['banner_url']),
    created_at: parseDate(raw['joined']),
    verified: asBoolean(verification?.['verified']),
    verified_type: verifiedTypes.has(verifiedType) ? asText(verifiedType) : undefined,
    verified_at: parseDate(verification?.['verified_at']),
    protected: asBoolean(raw['protected']),
    about: aboutOf(raw['about_account']),
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

interface MappedUser {
  readonly raw: JsonRecord;
  readonly user: User | undefined;
}

/**
 * Maps the authors of one response, each once.
 *
 * The counts of two copies in one response can differ slightly; the first copy is used. A copy without counts is never
 * used for a copy with counts. A copy that is another object draws on the budget of repeats.ts; read-json.ts parses
 * equal authors of a large response once.
 */
export const createUserMapper = (mayInclude: MayInclude): ((value: unknown) => User | undefined) => {
  const mappedUsers = new Map<unknown, MappedUser>();
  return (value) => {
    const raw = asRecord(value);
    const id = raw?.['id'];
    if (raw === undefined || id === undefined) return mapUser(value);
    const first = mappedUsers.get(id);
    const isUsable = first?.user !== undefined && (first.user.metrics !== undefined || !hasCounts(raw));
    if (isUsable && (raw === first.raw || mayInclude(first.raw))) return first.user;
    const user = mapUser(value);
    if (!isUsable) mappedUsers.set(id, { raw, user });
    return user;
  };
};
