// Defines the resource of a lookup: several posts by id.
import * as z from 'zod';
import { Markdown, Provenance } from './conversation.ts';
import { Post, Tombstone } from './post.ts';

/** A post that could not be read, because the provider failed. It may exist. */
export const UnreadPost = z.object({
  id: z.string(),
  unavailable: z.literal(true),
  reason: z.literal('failed'),
});
export type UnreadPost = z.infer<typeof UnreadPost>;

export const LookupEntry = z.union([Post, Tombstone, UnreadPost]);
export type LookupEntry = z.infer<typeof LookupEntry>;

export const PostLookup = z.object({
  posts: z.array(LookupEntry).describe('In the order of the request, each post once.'),
});
export type PostLookup = z.infer<typeof PostLookup>;

export const PostLookupBody = z.object({ ...Provenance.shape, ...PostLookup.shape, markdown: Markdown });
