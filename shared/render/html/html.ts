// Makes HTML that the compiler knows: a text becomes part of a page only where the tag `html` escapes it.
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

/** Any character that may have to be escaped or left out. Most texts of a page have none. */
const HAS_OTHER_THAN_PLAIN = /[^\t\n !#-%(-;=?-~]/;

/** For text nodes and for quoted values of attributes. Also removes invisible characters. */
const escapeText = (text: string): string => {
  if (!HAS_OTHER_THAN_PLAIN.test(text)) return text;
  let visible = visibleText(text);
  if (!HAS_SPECIAL.test(visible)) return visible;
  // For a million quotation marks, an expression with a function takes twice as long, one with a text three times.
  for (const [character, entity] of ENTITIES) visible = visible.split(character).join(entity);
  return visible;
};

/** Strings are escaped. Nothing is written for undefined and false, and nothing between the contents of a list. */
export type HtmlContent = Markup | string | number | false | undefined | readonly HtmlContent[];

/** The private field keeps the compiler from taking a text for HTML. Static methods read it without a call. */
class Markup {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  static write(content: HtmlContent): string {
    if (typeof content === 'object') return content instanceof Markup ? content.#text : Markup.writeAll(content);
    if (typeof content === 'string') return escapeText(content);
    return typeof content === 'number' ? String(content) : '';
  }

  static writeAll(contents: readonly HtmlContent[]): string {
    let text = '';
    for (const content of contents) text += Markup.write(content);
    return text;
  }

  static fill(strings: TemplateStringsArray, contents: readonly HtmlContent[]): Markup {
    let text = strings[0] ?? '';
    let index = 0;
    for (const content of contents) {
      index += 1;
      text += (content instanceof Markup ? content.#text : Markup.write(content)) + (strings[index] ?? '');
    }
    return new Markup(text);
  }

  toString(): string {
    return this.#text;
  }

  toJSON(): string {
    return this.#text;
  }
}

/** HTML: elements, text, attributes with a space before them, or a part of an element. */
export type Html = Markup;

/** Within a tag, only a quoted value of an attribute may hold a string. */
export const html = (strings: TemplateStringsArray, ...contents: readonly HtmlContent[]): Html =>
  Markup.fill(strings, contents);

export const escaped = (text: string): Html => new Markup(escapeText(text));

/** @returns the contents that write something, with the separator between them; undefined if none does */
export const joinHtml = (contents: readonly HtmlContent[], separator: HtmlContent): Html | undefined => {
  const between = Markup.write(separator);
  let text = '';
  for (const content of contents) {
    const part = Markup.write(content);
    if (part !== '') text += text === '' ? part : between + part;
  }
  return text === '' ? undefined : new Markup(text);
};

/** For a text that is HTML already, and never for a text of others: it is not escaped. */
export const trustedHtml = (text: string): Html => new Markup(text);

/** XML cannot contain these characters, escaped or not (XML 1.0 section 2.2). A lone surrogate is none either. */
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const HAS_NOT_XML = new RegExp(NOT_XML.source);

export const xmlText = (text: string): string =>
  text.isWellFormed() && !HAS_NOT_XML.test(text) ? text : text.toWellFormed().replace(NOT_XML, '');

/** HTML that an XML document can hold. */
export const xmlHtml = (markup: Html): Html => new Markup(xmlText(markup.toString()));
