// Decompresses the published documents. They are compressed in a file beside the bundle, so that the bundle loads fast; each
// document is decompressed at most once per instance. Says in the pages of a service with sample data that it runs on them,
// and on the front page which reads the sample answers.
import type { DocumentName } from '../../shared/contract/documents.ts';
import { SAMPLE_SENTENCE } from '../../shared/contract/sample.ts';
import type { ProxyPath } from '../../shared/model/picture-hosts.ts';
import type { DocumentForm } from '../../shared/publish/document.ts';
import { type Html, html, joinHtml } from '../../shared/render/html/html.ts';
import { sampleBarHtml } from '../../shared/render/html/page.ts';

/** The forms of each document as JSON, compressed with Brotli. */
export type CompressedDocuments = Readonly<Record<DocumentName, Uint8Array>>;

export type DocumentTexts = Partial<Readonly<Record<DocumentForm, string>>>;

export const decompress = (compressed: Uint8Array): DocumentTexts => {
  // The module is loaded with the first document: a 404 does not need it.
  const { brotliDecompressSync } = process.getBuiltinModule('node:zlib');
  return JSON.parse(brotliDecompressSync(compressed).toString());
};

/** The accounts are invented, so these links are on no page of live data. */
const reads = [
  ['a thread', '/lena_quay/status/2100000000000000401'],
  ['a thread with replies', '/ada_larsson/status/2034932961899447678'],
  ['an article', '/ada_larsson/status/2033845798302647530'],
  ['a quote', '/desk_reuben/status/2033121022571447271'],
  ['a profile', '/ada_larsson'],
  ['its followers', '/ada_larsson/followers'],
  ['a search', '/search?q=tide'],
] as const;

const LINKS = joinHtml(
  reads.map(([label, path]) => html`<a href="${path}">${label}</a>`),
  ', ',
);
const LIST = reads.map(([label, path]) => `- [${label}]({base_url}${path})\n`).join('');

/** The bar of a page on a service with sample data. */
export const sampleBarOf = (name: DocumentName): Html =>
  sampleBarHtml(name === 'home' ? html`The sample has ${LINKS}, and what this page links to.` : undefined);

/** The place of the avatar of the example. The build writes the address of the picture on X into it. */
const AVATAR = /\{avatar (\S+)\}/;

/**
 * The front page loads no picture from X that its reader has not asked for.
 *
 * @param proxyPath undefined: pictures come from X, so the avatar is a letter
 */
export const fillAvatar = (text: string, proxyPath: ProxyPath | undefined): string =>
  text.replace(AVATAR, (_, url: string) => {
    const path = proxyPath?.(url);
    const avatar =
      path === undefined
        ? html`<span class="avatar" aria-hidden="true">j</span>`
        : html`<img class="avatar" src="${path}" alt="" width="48" height="56" loading="lazy">`;
    return String(avatar);
  });

/** What Markdown on a service with sample data says at its end. May have placeholders. */
export const sampleEnd = (name: DocumentName, form: DocumentForm): string =>
  name === 'home' && form === 'markdown' ? `\n${SAMPLE_SENTENCE} The sample has:\n\n${LIST}` : '';
