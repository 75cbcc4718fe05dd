// Maps user objects of the official API to accounts. Names and biographies are not escaped. Biographies have short links.
import { profileUrl } from '../../model/handle.ts';
import { asRecord, type JsonRecord } from '../../model/json.ts';
import type { User } from '../../model/user.ts';
import { expandBio } from '../facets.ts';
import {
  asArray,
  asAvatarUrl,
  asBoolean,
  asCount,
  asId,
  asLine,
  asShortText,
  asTarget,
  asText,
  asWebUrl,
  namedHandle,
  parseDate,
} from '../json-readers.ts';

const metricsOf = (raw: JsonRecord): NonNullable<User['metrics']> => ({
  followers: asCount(raw['followers_count']),
  following: asCount(raw['following_count']),
  posts: asCount(raw['tweet_count']),
  likes: asCount(raw['like_count']),
  media: asCount(raw['media_count']),
});

const urlsOf = (raw: JsonRecord, member: 'url' | 'description'): readonly unknown[] =>
  asArray(asRecord(asRecord(raw['entities'])?.[member])?.['urls']);

const bioOf = (raw: JsonRecord): string | undefined =>
  expandBio(raw['description'], urlsOf(raw, 'description'), (facet) => ({
    original: asText(facet['url']),
    by: asTarget(facet['expanded_url']),
    indices: [facet['start'], facet['end']],
  }));

const verifiedTypes: ReadonlyMap<unknown, string> = new Map([
  ['blue', 'individual'],
  ['business', 'organization'],
  ['government', 'government'],
]);

export const mapUser = (value: unknown): User | undefined => {
  const raw = asRecord(value);
  const handle = namedHandle(raw?.['username']);
  if (raw === undefined || handle === undefined) return undefined;
  const metrics = asRecord(raw['public_metrics']);
  // Absent members are undefined, so that all accounts have one hidden class in V8. JSON leaves them out.
  return {
    handle,
    name: asLine(raw['name']) ?? handle,
    url: profileUrl(handle),
    id: asId(raw['id']),
    bio: bioOf(raw),
    location: asShortText(raw['location'], 'line'),
    website: asWebUrl(asRecord(urlsOf(raw, 'url')[0])?.['expanded_url']) ?? asWebUrl(raw['url']),
    avatar_url: asAvatarUrl(raw['profile_image_url']),
    banner_url: asWebUrl(raw['profile_banner_url']),
    created_at: parseDate(raw['created_at']),
    verified: asBoolean(raw['verified']),
    verified_type: verifiedTypes.get(raw['verified_type']),
    protected: asBoolean(raw['protected']),
    metrics: metrics === undefined ? undefined : metricsOf(metrics),
  };
};
