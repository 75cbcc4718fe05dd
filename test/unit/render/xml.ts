// Parses XML strictly, for checks on the elements of an embed.

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly content: (Element | string)[];
}

const TOKEN = /<(\/?)([a-z][a-z0-9]*)((?: [a-z]+="[^"<]*")*)(\/?)>|([^<]+)/y;
const ATTRIBUTE = / ([a-z]+)="([^"]*)"/g;
/** XML 1.0 section 2.2. */
const CHARACTERS = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;
const REFERENCES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

const plain = (text: string): string =>
  text.replace(/&([^;]*);?/g, (reference, name: string) => {
    const character = REFERENCES[name];
    if (character === undefined || !reference.endsWith(';')) throw new Error(`no such reference: ${reference}`);
    return character;
  });

/** @throws if the text is not one well-formed element */
export const elementOf = (xml: string): Element => {
  if (!CHARACTERS.test(xml)) throw new Error('a character that XML cannot represent');
  const root: Element = { name: '', attributes: {}, content: [] };
  const open = [root];
  for (let at = 0; at < xml.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(xml);
    if (token === null) throw new Error(`broken at ${xml.slice(at, at + 40)}`);
    const [, end, name = '', attributes = '', empty, text] = token;
    const parent = open.at(-1) ?? root;
    if (text !== undefined) parent.content.push(plain(text));
    else if (end === '/') {
      if (parent.name !== name || attributes !== '' || empty === '/') throw new Error(`${name} closes ${parent.name}`);
      open.pop();
    } else {
      const pairs = [...attributes.matchAll(ATTRIBUTE)].map(([, key = '', value = '']) => [key, plain(value)] as const);
      if (new Set(pairs.map(([key]) => key)).size !== pairs.length) throw new Error('a duplicate attribute');
      const element: Element = { name, attributes: Object.fromEntries(pairs), content: [] };
      parent.content.push(element);
      if (empty !== '/') open.push(element);
    }
  }
  const [only, ...more] = root.content;
  if (open.length !== 1 || only === undefined || typeof only === 'string' || more.length > 0)
    throw new Error('not one element');
  return only;
};

/** Returns the element and all its descendants in document order. */
export const elementsIn = (element: Element): Element[] => [
  element,
  ...element.content.flatMap((child) => (typeof child === 'string' ? [] : elementsIn(child))),
];
