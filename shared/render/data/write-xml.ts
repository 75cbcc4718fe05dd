// Writes XML 1.0. All text passes through these escaping functions.
import { xmlText } from '../html/html.ts';

/** For text. The ampersand comes first, because the entities have one. Readers take a bare CR for a line feed (XML 1.0 section 2.11). */
const escapeText = (text: string): string =>
  xmlText(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#13;');

/** For the values of attributes. */
const escapeValue = (text: string): string => escapeText(text).replaceAll('"', '&quot;').replaceAll("'", '&apos;');

/** XML that is already written. */
export interface Xml {
  readonly xml: string;
}

/** Undefined values are left out. */
type Attributes = Readonly<Record<string, string | undefined>>;

const startOf = (name: string, attributes: Attributes): string =>
  Object.entries(attributes).reduce(
    (start, [key, value]) => (value === undefined ? start : `${start} ${key}="${escapeValue(value)}"`),
    `<${name}`,
  );

/** An element that contains text only. @returns no element if the text is undefined */
export const textElement = (name: string, text: string | undefined, attributes: Attributes = {}): readonly Xml[] =>
  text === undefined ? [] : [{ xml: `${startOf(name, attributes)}>${escapeText(text)}</${name}>` }];

export const emptyElement = (name: string, attributes: Attributes): Xml => ({ xml: `${startOf(name, attributes)}/>` });

/** An element that contains elements only, each on a line. */
export const element = (name: string, attributes: Attributes, children: readonly Xml[]): Xml => ({
  xml: `${startOf(name, attributes)}>\n${children.map(({ xml }) => `${xml}\n`).join('')}</${name}>`,
});

export const xmlDocument = ({ xml }: Xml): string => `<?xml version="1.0" encoding="utf-8"?>\n${xml}\n`;
