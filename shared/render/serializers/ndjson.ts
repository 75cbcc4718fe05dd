// Serializes a list as newline-delimited JSON: one item a line, and a last line with `next_cursor` and `warnings`.
import type { ResourceView } from '../presenters/view.ts';
import type { SerializedView } from './serialized-view.ts';

/** Some line readers also end a line at these characters, which JSON does not escape. */
const LINE_ENDS = /[\u0085\u2028\u2029]/g;

const line = (value: object): string =>
  `${JSON.stringify(value).replace(LINE_ENDS, (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;

/** @throws Error if the resource is no list */
export const serializeNdjson = ({ items, nextCursor, warnings }: ResourceView<object>): SerializedView => {
  if (items === undefined) throw new Error('only a list has the format ndjson');
  // The last line of every page has the same members, so clients recognize it and notice that it is missing.
  const last = { next_cursor: nextCursor ?? null, warnings };
  return { format: 'ndjson', body: [...items(), last].map(line).join('') };
};
