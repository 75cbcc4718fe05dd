// Reads a post for an embed.
import type { OembedInput } from '../../contract/inputs.ts';
import type { Embed } from '../../model/resources.ts';
import type { Requester, SourcedResult } from '../../ports/upstream.ts';
import { readPost } from '../post/read.ts';

/** Reads the post without its conversation. @throws Problem as readPost does */
export const readOembed = async (
  { ref, maxWidth, maxHeight }: OembedInput,
  ports: Parameters<typeof readPost>[1],
  requester?: Requester,
): Promise<SourcedResult<Embed>> => {
  const { value, parts: _, ...provenance } = await readPost({ ref, thread: 'off', replies: 'off' }, ports, requester);
  return { ...provenance, value: { post: value.post, maxWidth, maxHeight } };
};
