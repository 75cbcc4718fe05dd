// Defines the resource of a timeline: the posts of a profile by kind and period.
import * as z from 'zod';
import { Markdown, Provenance } from './conversation.ts';
import { NextCursor } from './next-cursor.ts';
import { Post } from './post.ts';
import { TIMELINE_KINDS } from './timeline.ts';

export const ProfilePosts = z.object({
  handle: z.string().describe('Whose posts they are.'),
  kind: z.enum(TIMELINE_KINDS),
  posts: z.array(Post).describe('In the order of X, mostly newest first; without reposts.'),
  next_cursor: NextCursor,
});
export type ProfilePosts = z.infer<typeof ProfilePosts>;

export const ProfilePostsBody = z.object({ ...Provenance.shape, ...ProfilePosts.shape, markdown: Markdown });
