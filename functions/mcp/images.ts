// Gives the pictures of a post to models that see: MCP image blocks after the text, small, from X alone, none of a sensitive
// post. A picture that cannot be read harms nothing: the text says so.
import { warning } from '../../shared/contract/warnings.ts';
import type { Media, Post, PostOrTombstone } from '../../shared/model/post.ts';
import type { Conversation, Warning } from '../../shared/model/resources.ts';
import type { FairUsePorts } from '../../shared/ports/access-control.ts';
import type { PicturePorts } from '../../shared/ports/pictures.ts';
import { truncateText } from '../../shared/render/content/cut.ts';
import { byteLength } from '../../shared/render/content/format.ts';
import { ownMedia, shownPicture, stillUrl } from '../../shared/render/content/media-files.ts';
import { createMarkdownContext } from '../../shared/render/markdown/context.ts';
import { destination, escapeSpan } from '../../shared/render/markdown/escape.ts';
import type { ImageContent, ToolContext } from './registry.ts';

const MAX_IMAGE_BYTES = 300_000;

/** The line of the text that names an image. The alternative text stands whole beside the picture. */
const MAX_LINE_BYTES = 220;
const MAX_ALT_BYTES = 100;

/** The bytes that the lines take of the budget of the text, at most. */
export const imageLineBytes = (count: number): number => count * MAX_LINE_BYTES;

export interface ImageRow {
  readonly url: string;
  readonly alt_text?: string;
}

/** Blocks and rows are in the same order. */
export interface PostImages {
  readonly rows: readonly ImageRow[];
  readonly blocks: readonly ImageContent[];
  readonly warnings: readonly Warning[];
}

export const NO_IMAGES: PostImages = { rows: [], blocks: [], warnings: [] };

const mediaOf = (post: Post): readonly Media[] => {
  const { quote } = post;
  return [...ownMedia(post), ...(quote !== undefined && 'media' in quote && !quote.sensitive ? mediaOf(quote) : [])];
};

const isPost = (entry: PostOrTombstone): entry is Post => 'media' in entry;

/** Its own first, then those of the thread after it. */
const picturesOf = ({ post, thread }: Conversation): ReadonlyMap<string, ImageRow> => {
  const found = new Map<string, ImageRow>();
  for (const entry of [post, ...thread].filter(isPost).filter(({ sensitive }) => !sensitive)) {
    for (const media of mediaOf(entry)) {
      const url = stillUrl(media);
      const small = url === undefined ? undefined : shownPicture(url)?.src;
      const alt = media.alt_text && cutAlt(media.alt_text);
      if (url !== undefined && small !== undefined && byteLength(url) <= MAX_LINE_BYTES - MAX_ALT_BYTES - 20)
        found.set(small, { url, ...(alt && { alt_text: alt }) });
    }
  }
  return found;
};

const context = /* @__PURE__ */ createMarkdownContext('markdown');

/** Escaped, it still fits. */
const cutAlt = (alt: string): string => {
  const fits = (text: string): boolean => byteLength(escapeSpan(context, text, 'brackets')) <= MAX_ALT_BYTES;
  return fits(alt) ? alt : (truncateText(alt.slice(0, 2 * MAX_ALT_BYTES), fits)?.text ?? '');
};

/** Third-party text: it belongs into the quote. */
export const imageLines = (rows: readonly ImageRow[]): string =>
  rows
    .map(({ url, alt_text: alt = '' }, index) => {
      const label = escapeSpan(context, alt, 'brackets');
      return `\n\n[Image ${index + 1}${label === '' ? '' : `: ${label}`}](${destination(url)})`;
    })
    .join('');

const unavailable = (message: string): readonly Warning[] => [warning('image_unavailable', message)];

/** Reads the first pictures of a post. Each counts one of the fair-use bound. Never rejects. */
export const readImages = async (
  conversation: Conversation,
  count: number,
  { clientIp, isInBatch }: ToolContext,
  { fairUse, readPicture }: FairUsePorts & PicturePorts,
): Promise<PostImages> => {
  if (count === 0) return NO_IMAGES;
  const pictures = [...picturesOf(conversation)].slice(0, count);
  const hidden = conversation.post.sensitive
    ? unavailable('The images of a post that is marked as sensitive are left out.')
    : [];
  if (pictures.length === 0) return { ...NO_IMAGES, warnings: hidden };
  if (isInBatch) return { ...NO_IMAGES, warnings: unavailable('A call in a batch gets no images.') };
  try {
    await fairUse.requesterAt(clientIp, pictures.length).admit();
  } catch {
    const message = 'The images are left out: the fair use of this client network is spent. Ask again in a minute.';
    return { ...NO_IMAGES, warnings: unavailable(message) };
  }
  const files = await Promise.all(
    pictures.map(async ([small, row]) => ({ row, file: await readPicture(small, MAX_IMAGE_BYTES) })),
  );
  const read = files.flatMap(({ row, file }) => (file === undefined ? [] : [{ row, file }]));
  const missing = files.length - read.length;
  return {
    rows: read.map(({ row }) => row),
    blocks: read.map(({ file: { mimeType, bytes } }) => ({ type: 'image', data: bytes.toString('base64'), mimeType })),
    warnings: [
      ...hidden,
      ...(missing === 0 ? [] : unavailable(`${missing} of ${files.length} images could not be read.`)),
    ],
  };
};
