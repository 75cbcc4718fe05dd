// Turns HTML of the pages into HTML that stands alone: a picture is a file beside it or within it, or its description as a
// link; URLs are absolute; nothing else is loaded. If no service is there for its readers, links lead to X. The renderers of
// pages escape third-party text and quote every attribute, so each `<` begins a tag of theirs, and each `>` ends one.
import { warning } from '../contract/warnings.ts';
import { fileUrl, type ProxyPath, parseProxyPath } from '../model/picture-hosts.ts';
import { mediumPicture } from '../render/content/media-files.ts';
import { escaped, type Html, html, trustedHtml, xmlHtml } from '../render/html/html.ts';
import { type LinkBase, pageUrlOnX } from '../render/html/inner-links.ts';
import { warningsHtml } from '../render/html/warnings.ts';
import type { KeptPictures } from './pictures.ts';

export interface MarkupOptions {
  readonly links: LinkBase;
  /** Links to the files of pictures and videos lead through the service. */
  readonly proxyPath: ProxyPath | undefined;
  /** @param url of a picture of X @returns the `src` of the file; undefined: there is none */
  readonly sourceOf: (url: string) => string | undefined;
}

const entities: ReadonlyMap<string, string> = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#39;', "'"],
]);

/** The inverse of escaped(). */
const unescaped = (text: string): string =>
  text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities.get(entity) ?? '');

/** @returns the value of an attribute, still escaped */
const attributeOf = (tag: string, name: string): string | undefined => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];

/** @returns the value of an attribute of a page, where it is escaped already */
const writtenValue = (tag: string, name: string): Html | undefined => {
  const value = attributeOf(tag, name);
  return value === undefined ? undefined : trustedHtml(value);
};

/** @param url escaped; on a page with proxied pictures it is a path of the proxy @returns a URL of X */
const fileOnX = (url: string): string => {
  const plain = unescaped(url);
  const [path = '', query = ''] = plain.split('?');
  const file = parseProxyPath(path, query);
  return typeof file === 'string' ? plain : fileUrl(file);
};

const IMAGE = /<img [^>]*>/g;

/** A picture without a file is its description. The link to it stands around it already, if there is one. */
const imageHtml = (tag: string, { sourceOf }: MarkupOptions): Html | undefined => {
  const url = fileOnX(attributeOf(tag, 'src') ?? '');
  const alt = writtenValue(tag, 'alt');
  const [, width, height] = / width="(\d+)" height="(\d+)"/.exec(tag) ?? [];
  const isSized = width !== undefined && attributeOf(tag, 'class') !== 'unsized';
  const size = isSized && html` width="${width}" height="${height}"`;
  const source = sourceOf(mediumPicture(url)?.url ?? url);
  if (source !== undefined) return html`<img src="${source}"${size} alt="${alt}">`;
  return String(alt ?? '') === '' ? undefined : html`<span class="omitted">${alt}</span>`;
};

const VIDEO = /<video [^>]*>.*?(<a [^>]*>)(.*?)<\/a><\/video>/gs;

/** A video is its still with a link, and a line below says what it is: files of videos are too large, and only a player would load them. */
const videoHtml = (video: string, link: Html, label: Html): Html => {
  const poster = writtenValue(video, 'poster');
  const name = writtenValue(video, 'aria-label') ?? label;
  return poster === undefined
    ? html`${link}${name}</a>`
    : html`${link}<img src="${poster}" alt="${name}"><span>▶</span></a>`;
};

const LINK = /<(?:a|link) [^>]*>/g;
const ACTION = / action="\//g;

const HOST = /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.|$))+$/i;

/** Characters that no URL has (RFC 3986 appendix A), and a percent sign that escapes nothing. */
const NOT_IN_URL = /[^\w\-.~:/?@!$&'()*+,;=%]|%(?![0-9a-f]{2})/gi;

/** @returns the URL by the stricter rules of RFC 3986; undefined if a reader of books might refuse it */
const strictUrl = (url: string): string | undefined => {
  if (!URL.canParse(url)) return undefined;
  const { protocol, host, hostname, pathname, search, hash } = new URL(url);
  if (!/^https?:$/.test(protocol) || !HOST.test(hostname)) return undefined;
  const strict = (text: string): string => text.replace(NOT_IN_URL, (character) => encodeURIComponent(character));
  const fragment = hash === '' ? '' : `#${strict(hash.slice(1))}`;
  return `${protocol}//${host}${strict(pathname + search)}${fragment}`;
};

/** @param path escaped: of a page of the service, or of a file of X that goes through it */
const targetOnX = (path: string): string | undefined => {
  const url = fileOnX(path);
  return url.startsWith('/') ? pageUrlOnX(url) : url;
};

/** @param value of `href`, escaped @returns a plain URL; undefined if it cannot be linked */
const linkTarget = (value: string, { links, proxyPath }: MarkupOptions): string | undefined => {
  if (value.startsWith('#')) return value;
  if (value.startsWith('/') && !links.isAlone) return links.baseUrl + unescaped(value);
  const url = value.startsWith('/') ? targetOnX(value) : unescaped(value);
  if (url === undefined) return undefined;
  if (url.startsWith('obsidian://new?')) return url;
  const own = links.isAlone ? undefined : proxyPath?.(url);
  const target = own === undefined ? strictUrl(url) : links.baseUrl + own;
  return target;
};

const linkTag = (tag: string, options: MarkupOptions): string => {
  const value = attributeOf(tag, 'href');
  if (value === undefined) return tag;
  const target = linkTarget(value, options);
  return target === undefined ? '<a>' : tag.replace(/ href="[^"]*"/, () => String(html` href="${target}"`));
};

/** @param part of a page */
const standAlone = (part: string, options: MarkupOptions): string =>
  part
    .replace(VIDEO, (video: string, link: string, label: string) =>
      String(videoHtml(video, trustedHtml(link), trustedHtml(label))),
    )
    .replace(IMAGE, (tag) => String(imageHtml(tag, options) ?? ''))
    .replace(LINK, (tag) => linkTag(tag, options))
    .replace(ACTION, ` action="${String(escaped(options.links.baseUrl))}/`);

/** Drawings refer to symbols of the page; the pictures of accounts are decoration. */
const DRAWING = /<svg.*?<\/svg>/gs;
const AVATAR = /<(a|span)(?: [^>]*)? class="avatar"[^>]*>.*?<\/\1>/gs;
const VOID = /<(br|hr|img|wbr)( [^>]*)?>/g;

/** Readers of books show everything, also what a page folds. */
const unfolded = (part: string): string =>
  part
    .replace(/<(\/?)details/g, '<$1div')
    .replace(/<summary>/g, '<p class="meta">')
    .replace(/<\/summary>/g, '</p>');

/** @returns the same part of a page as XHTML (HTML 5, XML syntax) */
export const toXhtml = (part: Html, options: MarkupOptions): Html =>
  xmlHtml(
    trustedHtml(
      unfolded(standAlone(String(part).replace(AVATAR, '').replace(DRAWING, ''), options))
        .replace(VOID, (_, name: string, attributes = '') => `<${name}${attributes}/>`)
        .replace(/ lang="([^"]*)"/g, ' lang="$1" xml:lang="$1"'),
    ),
  );

// Turns the page of a post into one file that loads nothing: pictures are data: URLs.

interface SingleFileOptions extends Pick<MarkupOptions, 'links' | 'proxyPath'> {
  readonly pictures: KeptPictures;
}

/** The file has no header fields, so the page itself says that it loads nothing. */
const POLICY =
  '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; img-src data:; style-src \'unsafe-inline\'">';

/** Icons, other forms and link previews. */
const LOADED = /<link (?!rel="canonical")[^>]*>\n?|<meta (?:property=|name="twitter)[^>]*>\n?/g;

/** @param page of a post */
export const writeSingleFile = (page: Html, { pictures, ...options }: SingleFileOptions): Html => {
  const dataUrlOf = (url: string): string | undefined => {
    const file = pictures.files.get(url);
    return file && `data:${file.mimeType};base64,${file.bytes.toString('base64')}`;
  };
  const notes = pictures.omitted === 0 ? '' : String(warningsHtml([warning('pictures_omitted')], undefined));
  const [head = '', ...body] = String(page).split('<body>');
  const parts = [
    standAlone(head.replace(LOADED, '').replace('<meta charset="utf-8">', `$&\n${POLICY}`), {
      ...options,
      sourceOf: () => undefined,
    }),
    standAlone(body.join('<body>'), { ...options, sourceOf: dataUrlOf }).replace(
      /<main[^>]*>/,
      (tag) => `${tag}\n${notes}`,
    ),
  ];
  return trustedHtml(parts.join('<body>'));
};

/** @returns by URL how often the page shows a picture */
export const pagePictures = (
  page: Html,
  options: Pick<MarkupOptions, 'links' | 'proxyPath'>,
): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  const sourceOf = (url: string): undefined => void counts.set(url, (counts.get(url) ?? 0) + 1);
  standAlone(String(page), { ...options, sourceOf });
  return counts;
};
