// Reads a post for an embed, without its conversation.
import type { OembedInput } from '../contract/inputs.ts';
import type { Embed } from '../model/resources.ts';
import type { Requester, SourcedResult } from '../ports/upstream.ts';
import { readPost } from './read-post.ts';

/** @throws Problem as readPost does */
export const readOembed = async (
  { ref, maxWidth, maxHeight }: OembedInput,
  ports: Parameters<typeof readPost>[1],
  requester?: Requester,
): Promise<SourcedResult<Embed>> => {
  const { value, parts: _, ...provenance } = await readPost({ ref, thread: 'off', replies: 'off' }, ports, requester);
  return { ...provenance, value: { post: value.post, maxWidth, maxHeight } };
};
