// Serializes a view as Markdown, or as a note for Obsidian.
import type { ResourceView } from '../presenters/view.ts';
import type { SerializedView, SerializerOptions } from './serialized-view.ts';

export const serializeMarkdown = (
  view: ResourceView<object>,
  format: 'markdown' | 'obsidian',
  { maxTokens, layout, metrics, part }: SerializerOptions,
): SerializedView => {
  const { markdown, warning, nextCursor } = view.markdown({ dialect: format, maxTokens, layout, metrics, part });
  const fileName = format === 'obsidian' ? view.noteName?.(layout) : undefined;
  return {
    format,
    body: markdown,
    nextCursor,
    ...(warning && { truncation: warning }),
    ...(fileName && { fileName }),
  };
};
