// Presents a post for pages that embed it (oEmbed 1.0, type rich).
import { DEFAULT_CACHE_TTL_SECONDS } from '../../contract/caching.ts';
import type { Embed, OembedBody } from '../../model/resources.ts';
import { newestPostTime } from '../../model/snowflake.ts';
import { visibleLine } from '../../model/visible-text.ts';
import { displayName } from '../../render/content/labels.ts';
import { thumbnailOf } from '../../render/content/media-files.ts';
import { authorName } from '../../render/embed/post-lines.ts';
import type { OembedView, Presenter } from '../../render/presenters/view.ts';
import { embedHtml } from './embed.ts';

/** The width of X's own embeds, in pixels. */
const DEFAULT_WIDTH = 550;

const bodyOf = ({ post, maxWidth, maxHeight }: Embed, baseUrl: string): OembedBody => {
  const { author } = post;
  const bounds = { width: maxWidth ?? Number.POSITIVE_INFINITY, height: maxHeight ?? Number.POSITIVE_INFINITY };
  const width = Math.min(DEFAULT_WIDTH, bounds.width);
  const { html, height } = embedHtml(post, { width, height: bounds.height });
  const thumbnail = post.sensitive ? undefined : thumbnailOf(post.media, bounds);
  return {
    version: '1.0',
    type: 'rich',
    html: String(html),
    width,
    height,
    title: `${visibleLine(authorName(post))} on X`,
    ...(author !== undefined && { author_name: displayName(author), author_url: author.url }),
    provider_name: 'Postern',
    provider_url: `${baseUrl}/`,
    cache_age: DEFAULT_CACHE_TTL_SECONDS,
    ...(thumbnail !== undefined && {
      thumbnail_url: thumbnail.url,
      thumbnail_width: thumbnail.width,
      thumbnail_height: thumbnail.height,
    }),
  };
};

export const presentOembed: Presenter<Embed, OembedView> = ({ value, warnings }, { baseUrl }) => ({
  kind: 'oembed',
  warnings,
  newestPostAt: newestPostTime([value.post]),
  body: bodyOf(value, baseUrl),
});
