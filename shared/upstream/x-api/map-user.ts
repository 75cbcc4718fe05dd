// User objects of the official API -> User. Names and biographies are not escaped; links in them are short.
import { NAMED_HANDLE, parseId, profileUrl } from '../../model/handle.ts';
import type { User } from '../../model/user.ts';
import { visibleLine } from '../../model/visible.ts';
import { facetAt, facetLocator, replaceLocated } from '../facets.ts';
import { avatarAddress, count, httpDate, list, type RawRecord, record, text, webAddress } from '../wire.ts';

const metricsOf = (raw: RawRecord): NonNullable<User['metrics']> => ({
  followers: count(raw['followers_count']),
  following: count(raw['following_count']),
  posts: count(raw['tweet_count']),
  likes: count(raw['like_count']),
  media: count(raw['media_count']),
});

const urlsOf = (raw: RawRecord, member: 'url' | 'description'): readonly unknown[] =>
  list(record(record(raw['entities'])?.[member])?.['urls']);

const bioOf = (raw: RawRecord): string | undefined => {
  const bio = text(raw['description']);
  if (bio === undefined) return undefined;
  const locate = facetLocator(bio);
  const replacements = urlsOf(raw, 'description').flatMap((entry) => {
    const facet = record(entry);
    const original = text(facet?.['url']);
    const by = text(facet?.['expanded_url']);
    if (original === undefined || by === undefined) return [];
    const at = locate(facetAt([facet?.['start'], facet?.['end']], original));
    return at === undefined ? [] : [{ ...at, by }];
  });
  return replaceLocated(bio, replacements);
};

export const mapUser = (value: unknown): User | undefined => {
  const raw = record(value);
  const handle = text(raw?.['username']);
  if (raw === undefined || handle === undefined || !NAMED_HANDLE.test(handle)) return undefined;
  const { verified, protected: isProtected } = raw;
  const metrics = record(raw['public_metrics']);
  // Every member, absent ones as undefined: one shape for all users, and JSON leaves them out.
  return {
    handle,
    name: visibleLine(text(raw['name']) ?? '') || handle,
    url: profileUrl(handle),
    id: parseId(text(raw['id']) ?? ''),
    bio: bioOf(raw),
    location: text(raw['location']),
    website: webAddress(record(urlsOf(raw, 'url')[0])?.['expanded_url']) ?? webAddress(raw['url']),
    avatar_url: avatarAddress(raw['profile_image_url']),
    banner_url: webAddress(raw['profile_banner_url']),
    created_at: httpDate(raw['created_at']),
    verified: typeof verified === 'boolean' ? verified : undefined,
    protected: typeof isProtected === 'boolean' ? isProtected : undefined,
    metrics: metrics === undefined ? undefined : metricsOf(metrics),
  };
};
