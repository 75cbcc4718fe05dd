// Decompresses the published documents. They are compressed in a file beside the bundle, so that the bundle loads fast; each
// document is decompressed at most once per instance. Says in the pages of a service with sample data that it runs on them,
// and on the front page which reads the sample answers.
import type { DocumentName } from '../../shared/contract/documents.ts';
import { SAMPLE_SENTENCE } from '../../shared/contract/sample.ts';
import { withSampleBar } from '../../shared/http/page-headers.ts';
import type { DocumentForm } from '../../shared/publish/document.ts';

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

const LINKS = reads.map(([label, path]) => `<a href="${path}">${label}</a>`).join(', ');
const LIST = reads.map(([label, path]) => `- [${label}]({base_url}${path})\n`).join('');

/** @param text may have placeholders */
export const sampleDocument = (name: DocumentName, form: DocumentForm, text: string): string => {
  const isHome = name === 'home';
  if (form === 'html')
    return withSampleBar(text, isHome ? `The sample has ${LINKS}, and what this page links to.` : undefined);
  return isHome && form === 'markdown' ? `${text}\n${SAMPLE_SENTENCE} The sample has:\n\n${LIST}` : text;
};
