// Defines the oEmbed response (oEmbed 1.0, type rich). It has only members of the standard.
import * as z from 'zod';
import type { Post } from './post.ts';

/** A post and the maximum size of its embed in pixels. */
export interface Embed {
  readonly post: Post;
  readonly maxWidth?: number | undefined;
  readonly maxHeight?: number | undefined;
}

export const OembedBody = z.object({
  version: z.literal('1.0'),
  type: z.literal('rich'),
  html: z.string().describe('Needs no script and loads nothing but pictures of X.'),
  width: z.int32().describe('Pixels; at most maxwidth.'),
  height: z.int32().describe('Pixels, estimated from the words; at most maxheight.'),
  title: z.string(),
  author_name: z.string().optional(),
  author_url: z.string().optional(),
  provider_name: z.string(),
  provider_url: z.string(),
  cache_age: z.int32().describe('Seconds for which it may be kept.'),
  thumbnail_url: z.string().optional(),
  thumbnail_width: z.int().optional(),
  thumbnail_height: z.int().optional(),
});
export type OembedBody = z.infer<typeof OembedBody>;
