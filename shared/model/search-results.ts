// Defines the resource of a search: posts or, with the feed `users`, accounts.
import * as z from 'zod';
import { Markdown, Provenance } from './conversation.ts';
import { FEEDS } from './feed.ts';
import { NextCursor } from './next-cursor.ts';
import { Post } from './post.ts';
import { User } from './user.ts';

export const SearchResults = z.object({
  query: z.string(),
  feed: z.enum(FEEDS),
  posts: z.array(Post).optional().describe('Absent with the feed users.'),
  users: z.array(User).optional().describe('With the feed users alone.'),
  next_cursor: NextCursor,
  degraded: z.boolean().optional().describe('true: a fallback with less data answered.'),
});
export type SearchResults = z.infer<typeof SearchResults>;

export const SearchBody = z.object({ ...Provenance.shape, ...SearchResults.shape, markdown: Markdown });
