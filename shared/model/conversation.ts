// Defines the resource of a post: the focal post and the conversation around it, in reading order.
import * as z from 'zod';
import { Instant } from './instant.ts';
import { Post, PostOrTombstone } from './post.ts';
import { MAX_CONVERSATION_REPLIES } from './replies.ts';

export const Warning = z.object({
  code: z.string().describe('Stable; new codes may appear.'),
  message: z.string().describe('For people.'),
});
export type Warning = z.infer<typeof Warning>;

export const Conversation = z.object({
  post: Post,
  ancestors: z.array(PostOrTombstone).describe('The chain of posts before the post, by any author.'),
  thread: z.array(PostOrTombstone).describe("The author's continuation after the post."),
  replies: z.array(PostOrTombstone).describe(`At most ${MAX_CONVERSATION_REPLIES}.`),
});
export type Conversation = z.infer<typeof Conversation>;

/** The Markdown representation, truncated to `max_tokens`. */
export const Markdown = z.string().describe('The same as Markdown. Its wording and layout are no contract.');

/** The members that every JSON body of a resource has. */
export const Provenance = z.object({
  source: z.string().describe('The provider that answered. Open-ended: new values may appear.'),
  fetched_at: Instant.describe('When the provider was read; survives caches.'),
  warnings: z.array(Warning).describe('Empty when the answer is complete.'),
});
export type Provenance = z.infer<typeof Provenance>;

export const PostBody = z.object({ ...Provenance.shape, ...Conversation.shape, markdown: Markdown });
export type PostBody = z.infer<typeof PostBody>;
