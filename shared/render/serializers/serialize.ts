// Serializes a view in the format that the request chose.
import type { View } from '../presenters/view.ts';
import { serializeFeed } from './feed.ts';
import { serializeHtml } from './html.ts';
import { serializeJson, serializeOembed } from './json.ts';
import { serializeMarkdown } from './markdown.ts';
import { serializeNdjson } from './ndjson.ts';
import type { SerializedView, SerializerOptions } from './serialized-view.ts';

/** An embed is JSON in any case. */
export const serialize = (view: View, options: SerializerOptions): SerializedView => {
  if (view.kind === 'oembed') return serializeOembed(view);
  switch (options.format) {
    case 'html':
      return serializeHtml(view);
    case 'json':
      return serializeJson(view, options);
    case 'ndjson':
      return serializeNdjson(view);
    case 'markdown':
    case 'obsidian':
      return serializeMarkdown(view, options.format, options);
    case 'rss':
    case 'atom':
    case 'jsonfeed':
      return serializeFeed(view, options.format);
    default:
      return options.format satisfies never;
  }
};
