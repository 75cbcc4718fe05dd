// Defines the resources of the engagements of a post: its replies, its quotes, and the accounts that reposted it.
import * as z from 'zod';
import { Markdown, Provenance } from './conversation.ts';
import { NextCursor } from './next-cursor.ts';
import { Post } from './post.ts';
import { User } from './user.ts';

const SubjectId = z.string().describe('Id of the post that they belong to.');

/** Replies or quotes. */
export const RelatedPosts = z.object({ id: SubjectId, posts: z.array(Post), next_cursor: NextCursor });
export type RelatedPosts = z.infer<typeof RelatedPosts>;

export const Reposters = z.object({ id: SubjectId, users: z.array(User), next_cursor: NextCursor });
export type Reposters = z.infer<typeof Reposters>;

export const RelatedPostsBody = z.object({ ...Provenance.shape, ...RelatedPosts.shape, markdown: Markdown });

export const RepostersBody = z.object({ ...Provenance.shape, ...Reposters.shape, markdown: Markdown });
