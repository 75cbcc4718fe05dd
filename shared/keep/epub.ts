// Writes a book as EPUB 3.3 (W3C): title page, contents, sections, and a last page about the book. The same book with the same
// pictures gives the same bytes.
import { warning } from '../contract/warnings.ts';
import { formatDate } from '../render/content/format.ts';
import { mediumPicture } from '../render/content/media-files.ts';
import { type Html, html, joinHtml, xmlHtml } from '../render/html/html.ts';
import { warningsHtml } from '../render/html/warnings.ts';
import type { Book, BookSection } from './book.ts';
import { type MarkupOptions, toXhtml } from './markup.ts';
import type { KeptPictures } from './pictures.ts';
import { writeZip, type ZipFile } from './zip.ts';

export interface EpubOptions extends Pick<MarkupOptions, 'links' | 'proxyPath'> {
  readonly pictures: KeptPictures;
}

const STYLE = `body { margin: 0 5%; line-height: 1.5; hyphens: auto; -epub-hyphens: auto; overflow-wrap: break-word }
h1, h2, h3, h4, h5, h6 { line-height: 1.25; hyphens: none; page-break-after: avoid; break-after: avoid }
h2.n { margin: 2em 0 0; font-size: 1em; font-weight: normal; opacity: .6 }
section { margin-bottom: 1.5em }
.text, pre { white-space: pre-wrap }
pre { font-size: .85em; overflow-wrap: anywhere }
blockquote, aside { margin: 1em 0; padding-left: 1em; border-left: 2px solid; page-break-inside: avoid; break-inside: avoid }
img { max-width: 100%; height: auto; display: block; margin: .75em 0 }
.meta, small, .omitted { font-size: .85em }
.meta > span + span::before { content: '· ' }
.name { font-weight: bold; margin-bottom: 0 }
.name + .meta { margin-top: 0 }
.poll { list-style: none; padding: 0 }
.poll span + span { float: right }
.card { display: block; padding: .5em .75em; border: 1px solid }
.card b, .card small { display: block }
.title-page { text-align: center; margin-top: 20% }
`;

const XML = html`<?xml version="1.0" encoding="utf-8"?>\n`;

/** @param body XHTML */
const pageXhtml = ({ lang, isRightToLeft }: Book, title: string, body: Html): Html => {
  // HTML 5 in XML syntax: both attributes, equal.
  const direction = isRightToLeft && html` dir="rtl"`;
  return html`${XML}<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="${lang}" xml:lang="${lang}"${direction}>
<head><meta charset="utf-8"/><title>${title}</title><link rel="stylesheet" href="style.css"/></head>
<body>
${body}
</body>
</html>
`;
};

/** Old readers take no larger files. In characters. */
const FILE_LENGTH = 200_000;

interface TextFile {
  readonly name: string;
  readonly sections: readonly BookSection[];
  /** XHTML. */
  readonly body: Html;
  readonly length: number;
}

const textFiles = ({ sections }: Book, options: MarkupOptions): readonly TextFile[] => {
  const files: { name: string; sections: BookSection[]; body: Html; length: number }[] = [];
  for (const section of sections) {
    const body = html`<section id="${section.id}">${toXhtml(section.html, options)}</section>\n`;
    const { length } = String(body);
    const last = files.at(-1);
    if (last !== undefined && last.length + length <= FILE_LENGTH) {
      last.sections.push(section);
      last.body = html`${last.body}${body}`;
      last.length += length;
    } else files.push({ name: `text-${files.length + 1}.xhtml`, sections: [section], body, length });
  }
  return files;
};

const titleBody = (book: Book, cover: string | undefined): Html =>
  html`${[
    html`<div class="title-page">`,
    cover !== undefined && html`<img src="${cover}" alt=""/>`,
    html`<h1 dir="auto">${book.title}</h1>`,
    html`<p dir="auto">${book.byline}</p>`,
    book.publishedAt !== undefined && html`<p>${formatDate(book.publishedAt)}</p>`,
    html`<p><a href="${book.url}">${book.url}</a></p>`,
    html`</div>`,
  ]}`;

const ABOUT = 'About this book';

/** English, like the pages of the service. */
const aboutBody = (book: Book, { links, pictures: { omitted } }: EpubOptions): Html => {
  const warnings = omitted === 0 ? book.warnings : [...book.warnings, warning('pictures_omitted')];
  const page = links.isAlone ? undefined : `${links.baseUrl}${book.path}`;
  return html`${[
    html`<section lang="en" xml:lang="en" dir="ltr"><h2>${ABOUT}</h2>`,
    html`<p>${book.byline} published this on X: <a href="${book.url}">${book.url}</a></p>`,
    page === undefined
      ? html`<p>Postern made the book of it.</p>`
      : html`<p>Postern made the book of its public page: <a href="${page}">${page}</a></p>`,
    warningsHtml(warnings, undefined),
    html`</section>`,
  ]}`;
};

/** A line of the contents. */
interface NavEntry {
  readonly href: string;
  /** Plain text. */
  readonly title: string;
  readonly level: number;
}

const NO_ENTRY: NavEntry = { href: '', title: '', level: 0 };

/** Each entry, with a list of those that belong to it. @returns undefined without entries */
const navList = (entries: readonly NavEntry[]): Html | undefined => {
  const items: Html[] = [];
  for (let at = 0; at < entries.length; ) {
    const { href, title, level } = entries[at] ?? NO_ENTRY;
    let end = at + 1;
    while ((entries[end] ?? NO_ENTRY).level > level) end += 1;
    items.push(html`<li><a href="${href}" dir="auto">${title}</a>${navList(entries.slice(at + 1, end))}</li>`);
    at = end;
  }
  return items.length === 0 ? undefined : html`<ol>\n${joinHtml(items, '\n')}\n</ol>`;
};

const navBody = (files: readonly TextFile[]): Html => {
  const entries = files.flatMap(({ name, sections }) =>
    sections
      .flatMap((section) => [section, ...section.headings])
      .map(({ id, title, level }): NavEntry => ({ href: `${name}#${id}`, title, level })),
  );
  const all = [
    { href: 'title.xhtml', title: 'Title page', level: 1 },
    ...entries,
    { href: 'about.xhtml', title: ABOUT, level: 1 },
  ];
  return html`<nav epub:type="toc" id="toc"><h2>Contents</h2>${navList(all)}</nav>`;
};

interface ManifestItem {
  readonly id: string;
  readonly href: string;
  readonly type: string;
  readonly properties?: string;
  readonly isInSpine?: boolean;
}

const itemXml = ({ id, href, type, properties }: ManifestItem): Html =>
  html`<item id="${id}" href="${href}" media-type="${type}"${properties !== undefined && html` properties="${properties}"`}/>`;

/** RFC 3339 with whole seconds, as EPUB wants `dcterms:modified`. */
const seconds = (instant: string): string => new Date(instant).toISOString().replace(/\.\d+Z$/, 'Z');

const packageXml = (book: Book, items: readonly ManifestItem[], hasPictures: boolean): Html => {
  const { title, author, lang, isRightToLeft, publishedAt, modifiedAt, url } = book;
  const meta = (property: string, value: string): Html => html`<meta property="${property}">${value}</meta>`;
  return html`${XML}<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="${lang}">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">${url}</dc:identifier>
<dc:title dir="${isRightToLeft ? 'rtl' : 'ltr'}">${title}</dc:title>
<dc:creator>${author}</dc:creator>
<dc:language>${lang}</dc:language>
${publishedAt !== undefined && html`<dc:date>${seconds(publishedAt)}</dc:date>\n`}<dc:source>${url}</dc:source>
${meta('dcterms:modified', seconds(modifiedAt))}
${meta('schema:accessMode', 'textual')}
${hasPictures && html`${meta('schema:accessMode', 'visual')}\n`}${meta('schema:accessibilityFeature', 'tableOfContents')}
${meta('schema:accessibilityHazard', 'none')}
</metadata>
<manifest>
${joinHtml(items.map(itemXml), '\n')}
</manifest>
<spine${isRightToLeft && html` page-progression-direction="rtl"`}>
${joinHtml(
  items.map(({ id, isInSpine }) => isInSpine && html`<itemref idref="${id}"/>`),
  '\n',
)}
</spine>
</package>
`;
};

const CONTAINER = html`${XML}<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
`;

const XHTML = 'application/xhtml+xml';

/** @returns the file */
export const writeEpub = (book: Book, options: EpubOptions): Buffer => {
  const { links, proxyPath, pictures } = options;
  const files = [...pictures.files].map(([url, { mimeType, bytes }], index) => ({
    url,
    bytes,
    id: `picture-${index + 1}`,
    href: `pictures/${index + 1}.${mimeType.replace('image/', '').replace('jpeg', 'jpg')}`,
    type: mimeType,
  }));
  const names = new Map(files.map(({ url, href }) => [url, href]));
  const markup: MarkupOptions = { links, proxyPath, sourceOf: (url) => names.get(url) };
  const cover = book.coverUrl === undefined ? undefined : mediumPicture(book.coverUrl)?.url;
  const coverName = cover === undefined ? undefined : names.get(cover);
  const texts = textFiles(book, markup);
  const pages = [
    { id: 'title', name: 'title.xhtml', title: book.title, body: titleBody(book, coverName) },
    { id: 'nav', name: 'nav.xhtml', title: 'Contents', body: navBody(texts), properties: 'nav' },
    ...texts.map(({ name, body }, index) => ({ id: `text-${index + 1}`, name, title: book.title, body })),
    { id: 'about', name: 'about.xhtml', title: ABOUT, body: aboutBody(book, options) },
  ];
  const items: readonly ManifestItem[] = [
    ...pages.map(({ name, body: _, title: __, ...page }) => ({ ...page, href: name, type: XHTML, isInSpine: true })),
    { id: 'style', href: 'style.css', type: 'text/css' },
    ...files.map(({ url, bytes: _, ...picture }) => ({
      ...picture,
      ...(url === cover && { properties: 'cover-image' }),
    })),
  ];
  const file = (name: string, text: string): ZipFile => ({ name, bytes: Buffer.from(text) });
  const xmlFile = (name: string, markup: Html): ZipFile => file(name, String(xmlHtml(markup)));
  return writeZip([
    { ...file('mimetype', 'application/epub+zip'), isStored: true },
    xmlFile('META-INF/container.xml', CONTAINER),
    xmlFile('EPUB/package.opf', packageXml(book, items, files.length > 0)),
    ...pages.map((page) => xmlFile(`EPUB/${page.name}`, pageXhtml(book, page.title, page.body))),
    file('EPUB/style.css', STYLE),
    ...files.map(({ href, bytes }) => ({ name: `EPUB/${href}`, bytes, isStored: true })),
  ]);
};

/** @returns the URLs of the pictures that the book shows, in its order */
export const bookPictures = (
  book: Book,
  { links, proxyPath }: Pick<EpubOptions, 'links' | 'proxyPath'>,
): ReadonlySet<string> => {
  const urls = new Set<string>();
  const cover = book.coverUrl === undefined ? undefined : mediumPicture(book.coverUrl)?.url;
  if (cover !== undefined) urls.add(cover);
  const sourceOf = (url: string): undefined => void urls.add(url);
  textFiles(book, { links, proxyPath, sourceOf });
  return urls;
};
