// Defines the resource of a profile: the account and its recent posts.
import * as z from 'zod';
import { Markdown, Provenance } from './conversation.ts';
import { NextCursor } from './next-cursor.ts';
import { Post } from './post.ts';
import { User } from './user.ts';

export const Profile = z.object({
  profile: User,
  posts: z.array(Post).describe('In the order of X, mostly newest first; without reposts and replies.'),
  next_cursor: NextCursor,
});
export type Profile = z.infer<typeof Profile>;

export const ProfileBody = z.object({ ...Provenance.shape, ...Profile.shape, markdown: Markdown });
