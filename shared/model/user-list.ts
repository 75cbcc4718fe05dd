// Defines the resource of the followers and of the followed accounts of a profile.
import * as z from 'zod';
import { Markdown, Provenance } from './conversation.ts';
import { NextCursor } from './next-cursor.ts';
import { User } from './user.ts';

export const UserList = z.object({
  handle: z.string().describe('Whose list it is.'),
  users: z.array(User),
  next_cursor: NextCursor,
});
export type UserList = z.infer<typeof UserList>;

export const UserListBody = z.object({ ...Provenance.shape, ...UserList.shape, markdown: Markdown });
