// Decompresses the published documents. They are compressed in a file beside the bundle, so that the bundle loads fast; each
// document is decompressed at most once per instance.
import type { DocumentName } from '../../shared/contract/documents.ts';
import type { DocumentForm } from '../../shared/publish/document.ts';

/** The forms of each document as JSON, compressed with Brotli. */
export type CompressedDocuments = Readonly<Record<DocumentName, Uint8Array>>;

export type DocumentTexts = Partial<Readonly<Record<DocumentForm, string>>>;

export const decompress = (compressed: Uint8Array): DocumentTexts => {
  // The module is loaded with the first document: a 404 does not need it.
  const { brotliDecompressSync } = process.getBuiltinModule('node:zlib');
  return JSON.parse(brotliDecompressSync(compressed).toString());
};
