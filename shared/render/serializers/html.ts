// Serializes a view as an HTML page.
import type { ResourceView } from '../presenters/view.ts';
import type { SerializedView } from './serialized-view.ts';

/** @throws Error if the view has no page: no route offers one for it */
export const serializeHtml = (view: ResourceView<object>): SerializedView => {
  const html = view.html?.();
  if (html === undefined) throw new Error('this resource has no page');
  return { format: 'html', body: html };
};
