// Reads the one post that a page wants to embed, without what is around it.
import type { EmbedInput } from '../contract/inputs.ts';
import type { Embed } from '../model/oembed.ts';
import type { ReadResult } from '../ports.ts';
import { readPost } from './read-post.ts';

/** @throws Problem as readPost does */
export const readOembed = async (
  { ref, maxWidth, maxHeight }: EmbedInput,
  ports: Parameters<typeof readPost>[1],
): Promise<ReadResult<Embed>> => {
  const { value, ...provenance } = await readPost({ ref, thread: 'off', replies: 'off' }, ports);
  return { ...provenance, value: { post: value.post, maxWidth, maxHeight } };
};
