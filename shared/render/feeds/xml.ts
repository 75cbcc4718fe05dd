// Writes XML 1.0. All text of a feed passes through one escaping function.

const entities: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&apos;'],
]);

/** XML cannot contain these characters, escaped or not (XML 1.0 section 2.2). A lone surrogate is none either. */
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** For text and for attribute values. */
export const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(NOT_XML, '')
    .replace(/[&<>"']/g, (character) => entities.get(character) ?? '');

/** XML that is already written. */
export interface Xml {
  readonly xml: string;
}

/** Undefined values are left out. */
type Attributes = Readonly<Record<string, string | undefined>>;

const startOf = (name: string, attributes: Attributes): string =>
  Object.entries(attributes).reduce(
    (start, [key, value]) => (value === undefined ? start : `${start} ${key}="${escapeXml(value)}"`),
    `<${name}`,
  );

/** An element that contains text only. @returns no element if the text is undefined */
export const textElement = (name: string, text: string | undefined, attributes: Attributes = {}): readonly Xml[] =>
  text === undefined ? [] : [{ xml: `${startOf(name, attributes)}>${escapeXml(text)}</${name}>` }];

export const emptyElement = (name: string, attributes: Attributes): Xml => ({ xml: `${startOf(name, attributes)}/>` });

/** An element that contains elements only, each on a line. */
export const element = (name: string, attributes: Attributes, children: readonly Xml[]): Xml => ({
  xml: `${startOf(name, attributes)}>\n${children.map(({ xml }) => `${xml}\n`).join('')}</${name}>`,
});

export const xmlDocument = ({ xml }: Xml): string => `<?xml version="1.0" encoding="utf-8"?>\n${xml}\n`;
