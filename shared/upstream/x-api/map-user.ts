// Maps user objects of the official API to accounts. Names and biographies are not escaped. Biographies have short links.
import { PROVIDER_HANDLE, profileUrl } from '../../model/handle.ts';
import { asRecord, type JsonRecord } from '../../model/json.ts';
import type { User } from '../../model/user.ts';
import { expandBio, facetAt, facetLocator } from '../facets.ts';
import {
  asArray,
  asAvatarUrl,
  asCount,
  asId,
  asLine,
  asShortText,
  asTarget,
  asText,
  asWebUrl,
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

const bioOf = (raw: JsonRecord): string | undefined => {
  const bio = asShortText(raw['description'], 'bio');
  if (bio === undefined) return undefined;
  const locate = facetLocator(bio);
  const replacements = urlsOf(raw, 'description').flatMap((entry) => {
    const facet = asRecord(entry);
    const original = asText(facet?.['url']);
    const by = asTarget(facet?.['expanded_url']);
    if (original === undefined || by === undefined) return [];
    const range = locate(facetAt([facet?.['start'], facet?.['end']], original));
    return range === undefined ? [] : [{ ...range, by }];
  });
  return expandBio(bio, replacements);
};

const verifiedTypes: ReadonlyMap<unknown, string> = new Map([
  ['blue', 'individual'],
  ['business', 'organization'],
  ['government', 'government'],
]);

export const mapUser = (value: unknown): User | undefined => {
  const raw = asRecord(value);
  const handle = asText(raw?.['username']);
  if (raw === undefined || handle === undefined || !PROVIDER_HANDLE.test(handle)) return undefined;
  const { verified, protected: isProtected } = raw;
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
    verified: typeof verified === 'boolean' ? verified : undefined,
    verified_type: verifiedTypes.get(raw['verified_type']),
    protected: typeof isProtected === 'boolean' ? isProtected : undefined,
    metrics: metrics === undefined ? undefined : metricsOf(metrics),
  };
};
