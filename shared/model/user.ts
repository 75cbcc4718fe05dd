// Defines instants and accounts on X. A member that the provider does not return is absent. Counts are integers or null.
import * as z from 'zod';
import { PLACES, type TextPlace } from './text-places.ts';

/** RFC 3339 in UTC, such as `2026-09-15T00:00:00Z`. */
export const Instant = z.string().meta({ format: 'date-time' });

export const UserMetrics = z.object({
  followers: z.int().nullable(),
  following: z.int().nullable(),
  posts: z.int().nullable(),
  likes: z.int().nullable(),
  media: z.int().nullable(),
});

/** X says this about an account, not its owner. */
export const UserAbout = z.object({
  based_in: z.string().optional().describe('Country or region, as X found it.'),
  based_in_accurate: z.boolean().optional().describe('false: X says that the country or region can be wrong.'),
  connected_via: z.string().optional().describe('Such as an app store of a country.'),
  handle_changes: z.int().optional(),
  handle_changed_at: Instant.optional().describe('The last change.'),
});
export type UserAbout = z.infer<typeof UserAbout>;

export const User = z.object({
  handle: z.string().describe('Without @, in the spelling that its owner chose.'),
  id: z.string().optional().describe('Decimal digits.'),
  name: z.string(),
  url: z.string().describe('On X.'),
  bio: z.string().optional(),
  [PLACES]: z.custom<readonly TextPlace[]>().optional(), // of the biography
  location: z.string().optional(),
  website: z.string().optional(),
  avatar_url: z.string().optional(),
  banner_url: z.string().optional(),
  created_at: Instant.optional(),
  verified: z.boolean().optional(),
  verified_type: z
    .string()
    .optional()
    .describe('Whom the badge is for: individual, organization or government. New values may appear.'),
  verified_at: Instant.optional(),
  protected: z.boolean().optional().describe('true: only approved followers see the posts.'),
  about: UserAbout.optional().describe('Only of the account of a profile.'),
  metrics: UserMetrics.optional(),
});
export type User = z.infer<typeof User>;
