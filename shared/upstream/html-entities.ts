// Decodes the HTML entities in texts of providers.

const characters: ReadonlyMap<string, string> = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#34;', '"'],
  ['&#39;', "'"],
]);

/** Matches each entity that a provider writes. */
export const HTML_ENTITY = /&(?:amp|lt|gt|quot|#34|#39);/g;

/** @param entity such as `&amp;` */
export const characterOf = (entity: string): string => characters.get(entity) ?? entity;

/** Decodes once: `&amp;lt;` is `&lt;`. */
export const decodeEntities = (escaped: string): string => escaped.replace(HTML_ENTITY, characterOf);
