// Reads HTML, XML and JSON with two independent parsers each, into one comparable form: elements with their attributes and
// texts. parse5 reads HTML as the standard says, htmlparser2 by rules of its own; sax and fast-xml-parser read XML.
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { parseDocument } from 'htmlparser2';
import { type DefaultTreeAdapterMap, parseFragment, parse as parseHtml } from 'parse5';
import sax from 'sax';
import { parse as parseYaml } from 'yaml';
import { type Flat, mergeTexts } from './markdown-oracle.ts';

type Attributes = Readonly<Record<string, string>>;

/** The addresses of an element decide what it does, so they are a part of its kind; other values are texts. */
const IN_KIND = /^(?:href|src|srcset|poster|action|xmlns|rel|class|id|type)$/;

/** Texts that the renderer shortens or combines, so their content differs from what the author wrote. */
const DERIVED = new Set(['title', 'summary', 'description', 'meta', 'link', 'style']);

/** The letter that stands for the picture of an account, and the links to copy, which are Markdown. */
const DERIVED_CLASSES = /\b(?:avatar|other-forms)\b/;

/** The name of the link of an item has only the first words of its text. */
const isDerivedName = (name: string, attributes: Attributes): boolean =>
  name === 'aria-label' && attributes['class'] === 'at';

const attributeNodes = (attributes: Attributes): readonly Flat[] =>
  Object.entries(attributes)
    .filter(([name]) => !IN_KIND.test(name))
    .map(([name, value]) => ({ kind: `@${name}`, content: isDerivedName(name, attributes) ? [] : [value] }));

/** A link that shows its target counts as text: a URL, a mention, a hashtag or a cashtag that the text contains. */
const showsTarget = (href: string | undefined, content: readonly Flat[]): boolean => {
  const [text, ...more] = content.filter((entry) => typeof entry === 'string' || !entry.kind.startsWith('@'));
  if (href === undefined || typeof text !== 'string' || more.length > 0) return false;
  if (/^[#＃$][^\s#＃$]+$/u.test(text)) {
    const query = `/search?q=${encodeURIComponent(text.replace('＃', '#'))}`;
    return href === query || href === `https://x.com${query}&f=live`;
  }
  if (/^[@＠]\w{1,20}$/.test(text)) return href === `/${text.slice(1)}` || href === `https://x.com/${text.slice(1)}`;
  return href === text || (URL.canParse(text) && URL.canParse(href) && new URL(text).href === new URL(href).href);
};

const withoutTexts = (content: readonly Flat[]): readonly Flat[] =>
  content.flatMap((entry) =>
    typeof entry === 'string' ? [] : [{ kind: entry.kind, content: withoutTexts(entry.content) }],
  );

const elementOf = (name: string, attributes: Attributes, content: readonly Flat[]): readonly Flat[] => {
  if (name === 'br') return ['\n'];
  if (name === 'bdi') return content;
  if (name === 'a' && showsTarget(attributes['href'], content)) return content;
  // A short text is larger.
  const named = Object.entries(attributes)
    .filter(([attribute]) => IN_KIND.test(attribute))
    // The link of a note has the text in its query.
    .map(
      ([attribute, value]) => ` ${attribute}=${value.replace(' short', '').replace(/^(obsidian:\/\/new\?).*/s, '$1')}`,
    )
    .join('');
  const parts = [...attributeNodes(attributes), ...content];
  const isDerived = DERIVED.has(name) || DERIVED_CLASSES.test(attributes['class'] ?? '');
  return [{ kind: name + named, content: isDerived ? withoutTexts(parts) : parts }];
};

/** White space between elements is of the renderer; within a text it counts as one space. */
const squeezed = (content: readonly Flat[]): Flat[] =>
  mergeTexts(content).flatMap((entry): readonly Flat[] => {
    if (typeof entry !== 'string') return [{ kind: entry.kind, content: squeezed(entry.content) }];
    const text = entry.replace(/\s+/g, ' ').trim();
    return text === '' ? [] : [text];
  });

type Parse5Node = DefaultTreeAdapterMap['node'];

const fromParse5 = (node: Parse5Node): readonly Flat[] => {
  if (node.nodeName === '#text') return 'value' in node ? [node.value] : [];
  if (node.nodeName === '#comment') return [{ kind: 'comment', content: [] }];
  if (node.nodeName === '#documentType') return [];
  const children = 'childNodes' in node ? node.childNodes.flatMap(fromParse5) : [];
  const inside = 'content' in node ? node.content.childNodes.flatMap(fromParse5) : [];
  if (!('tagName' in node)) return children;
  const attributes = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]));
  return elementOf(node.tagName, attributes, mergeTexts([...children, ...inside]));
};

type DomNode = ReturnType<typeof parseDocument>['children'][number];

const fromDom = (node: DomNode): readonly Flat[] => {
  if (node.type === 'text' && 'data' in node) return [node.data];
  if (node.type === 'comment') return [{ kind: 'comment', content: [] }];
  if (!('name' in node) || !('attribs' in node)) return 'children' in node ? node.children.flatMap(fromDom) : [];
  return elementOf(node.name, node.attribs, mergeTexts(node.children.flatMap(fromDom)));
};

/** parse5 adds elements that the source leaves out, so one reader sees a page without them. */
const isPage = (html: string): boolean => /^<!doctype html>/i.test(html);

export const readHtml: Readonly<Record<string, (html: string) => Flat[]>> = {
  parse5: (html) => squeezed(fromParse5(isPage(html) ? parseHtml(html) : parseFragment(html))),
  htmlparser2: (html) => squeezed(parseDocument(html, { decodeEntities: true }).children.flatMap(fromDom)),
};

/** Elements of RSS and Atom whose text is HTML. */
const HOLDS_HTML = new Set(['content:encoded', 'content']);

const xmlElement = (name: string, attributes: Attributes, content: readonly Flat[], html: string): readonly Flat[] => {
  if (!HOLDS_HTML.has(name)) return elementOf(name, attributes, content);
  const text = content.filter((entry) => typeof entry === 'string').join('');
  return elementOf(name, attributes, readHtml[html]?.(text) ?? []);
};

const readWithSax = (xml: string): Flat[] => {
  const parser = sax.parser(true);
  const stack: { name: string; attributes: Attributes; content: Flat[] }[] = [
    { name: '', attributes: {}, content: [] },
  ];
  const add = (...content: readonly Flat[]): void => void stack.at(-1)?.content.push(...content);
  parser.onerror = (error) => {
    throw error;
  };
  parser.onopentag = ({ name, attributes }) => void stack.push({ name, attributes, content: [] });
  parser.onclosetag = () => {
    const closed = stack.pop();
    if (closed !== undefined) add(...xmlElement(closed.name, closed.attributes, mergeTexts(closed.content), 'parse5'));
  };
  parser.ontext = (text) => add(text);
  parser.oncdata = (text) => add(text);
  parser.oncomment = () => add({ kind: 'comment', content: [] });
  parser.onprocessinginstruction = ({ name }) => add({ kind: `instruction ${name}`, content: [] });
  parser.write(xml).close();
  return squeezed(stack[0]?.content ?? []);
};

const fastParser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  processEntities: {
    enabled: true,
    maxTotalExpansions: Number.POSITIVE_INFINITY,
    maxExpandedLength: Number.POSITIVE_INFINITY,
  },
  htmlEntities: true,
  commentPropName: '#comment',
});

const fromFast = (entry: Readonly<Record<string, unknown>>): readonly Flat[] => {
  const [name = ''] = Object.keys(entry).filter((key) => key !== ':@');
  const value = entry[name];
  if (name === '#text') return [String(value)];
  if (name === '#comment') return [{ kind: 'comment', content: [] }];
  if (name.startsWith('?')) return [{ kind: `instruction ${name.slice(1)}`, content: [] }];
  const given = entry[':@'];
  const attributes = Object.fromEntries(
    Object.entries(typeof given === 'object' && given !== null ? given : {}).map(([key, text]) => [key, String(text)]),
  );
  const content = Array.isArray(value) ? value.flatMap(fromFast) : [];
  return xmlElement(name, attributes, mergeTexts(content), 'htmlparser2');
};

const readWithFastXml = (xml: string): Flat[] => {
  const verdict = XMLValidator.validate(xml);
  if (verdict !== true) throw new Error(verdict.err.msg);
  const parsed: unknown = fastParser.parse(xml);
  return squeezed(Array.isArray(parsed) ? parsed.flatMap(fromFast) : []);
};

/** XML 1.0 section 2.2. */
const CHARACTERS = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;

const strictly =
  (read: (xml: string) => Flat[]) =>
  (xml: string): Flat[] => {
    if (!CHARACTERS.test(xml)) throw new Error('a character that XML cannot represent');
    return read(xml);
  };

export const readXml = { sax: strictly(readWithSax), 'fast-xml-parser': strictly(readWithFastXml) };

/** Members of JSON whose text is HTML. */
const HTML_MEMBERS = new Set(['content_html', 'html']);

const fromJson = (name: string, value: unknown, html: string): Flat => {
  if (typeof value === 'string' && HTML_MEMBERS.has(name))
    return { kind: name, content: readHtml[html]?.(value) ?? [] };
  if (typeof value === 'string') return { kind: name, content: DERIVED.has(name) ? [] : squeezed([value]) };
  if (Array.isArray(value)) return { kind: `${name}[]`, content: value.map((item) => fromJson(name, item, html)) };
  // A number can depend on the length of a text.
  if (typeof value === 'number') return { kind: `${name}: number`, content: [] };
  if (typeof value !== 'object' || value === null) return { kind: `${name}=${String(value)}`, content: [] };
  return { kind: `${name}{}`, content: Object.entries(value).map(([key, member]) => fromJson(key, member, html)) };
};

export const readJson: Readonly<Record<string, (text: string) => Flat[]>> = {
  'JSON.parse': (text) => [fromJson('', JSON.parse(text), 'parse5')],
  // JSON is a subset of YAML 1.2.
  yaml: (text) => [fromJson('', parseYaml(text), 'htmlparser2')],
};
