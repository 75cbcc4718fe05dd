// What a provider of posts is to the fallback.
import type { Conversation } from '../model/conversation.ts';
import type { Outcome, PostRequest } from '../ports.ts';
import type { Budget } from './http.ts';

export interface PostProvider {
  /** Never throws. */
  readPost(request: PostRequest, budget: Budget): Promise<Outcome<Conversation>>;
}
