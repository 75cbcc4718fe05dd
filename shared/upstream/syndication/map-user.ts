// Maps user objects of the syndication CDN to accounts. They have no counts and no biography.
import { profileUrl } from '../../model/handle.ts';
import { asRecord } from '../../model/json.ts';
import type { User } from '../../model/user.ts';
import { asAvatarUrl, asId, asLine, asText, namedHandle, optionalMember } from '../json-readers.ts';

const verifiedTypes: ReadonlyMap<unknown, string> = new Map([
  ['Business', 'organization'],
  ['Government', 'government'],
]);

export const mapUser = (value: unknown): User | undefined => {
  const raw = asRecord(value);
  const handle = namedHandle(raw?.['screen_name']);
  if (raw === undefined || handle === undefined) return undefined;
  const isPaid = raw['is_blue_verified'] === true;
  return {
    handle,
    ...optionalMember('id', asId(raw['id_str'])),
    name: asLine(raw['name']) ?? handle,
    url: profileUrl(handle),
    ...optionalMember('avatar_url', asAvatarUrl(raw['profile_image_url_https'])),
    verified: raw['verified'] === true || isPaid || asText(raw['verified_type']) !== undefined,
    ...optionalMember('verified_type', verifiedTypes.get(raw['verified_type']) ?? (isPaid ? 'individual' : undefined)),
  };
};
