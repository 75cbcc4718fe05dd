// Serializes a list of posts as a feed.
import type { FeedFormat } from '../../contract/media-types.ts';
import type { ResourceView } from '../presenters/view.ts';
import type { SerializedView } from './serialized-view.ts';

/** @throws Error if the view is no list of posts: no other input accepts the formats of feeds */
export const serializeFeed = (view: ResourceView<object>, format: FeedFormat): SerializedView => {
  const text = view.feed?.(format);
  if (text === undefined) throw new Error(`this resource has no ${format}`);
  return { format, ...text };
};
