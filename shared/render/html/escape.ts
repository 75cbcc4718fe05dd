// Escapes text for HTML, in text nodes and in attribute values, and leaves out what XML cannot contain.
import { visibleText } from '../../model/visible-text.ts';

/** The ampersand comes first, because the entities have one. */
const ENTITIES = [
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
] as const;

const HAS_SPECIAL = /[&<>"']/;

/** Also removes invisible characters. */
export const escapeHtml = (text: string): string => {
  let visible = visibleText(text);
  if (!HAS_SPECIAL.test(visible)) return visible;
  // For a million quotation marks, an expression with a function takes twice as long, one with a text three times.
  for (const [character, entity] of ENTITIES) visible = visible.split(character).join(entity);
  return visible;
};

/** XML cannot contain these characters, escaped or not (XML 1.0 section 2.2). A lone surrogate is none either. */
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const HAS_NOT_XML = new RegExp(NOT_XML.source);

export const xmlText = (text: string): string =>
  text.isWellFormed() && !HAS_NOT_XML.test(text) ? text : text.toWellFormed().replace(NOT_XML, '');
