// Serializes a view as an HTML page.
import type { ResourceView } from '../presenters/view.ts';
import type { SerializedView } from './serialized-view.ts';

export const serializeHtml = (view: ResourceView<object>): SerializedView => {
  const html = view.html();
  return { format: 'html', body: html, identity: html };
};
