// Defines an account on X. A member that the provider does not return is absent. Counts are integers or null.
import * as z from 'zod';
import { Instant } from './instant.ts';

export const UserMetrics = z.object({
  followers: z.int().nullable(),
  following: z.int().nullable(),
  posts: z.int().nullable(),
  likes: z.int().nullable(),
  media: z.int().nullable(),
});

export const User = z.object({
  handle: z.string().describe('Without @, in the spelling that its owner chose.'),
  id: z.string().optional().describe('Decimal digits.'),
  name: z.string(),
  url: z.string().describe('On X.'),
  bio: z.string().optional(),
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
  metrics: UserMetrics.optional(),
});
export type User = z.infer<typeof User>;
