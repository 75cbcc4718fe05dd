// Decompresses the published documents. They are compressed in a file beside the bundle, so that the bundle loads fast; each
// document is decompressed at most once per instance.
import type { DocumentName } from '../../shared/contract/documents.ts';
import type { DocumentForm } from '../../shared/publish/document.ts';

export interface CompressedDocument {
  /** For each form, a hash of the text with its placeholders. */
  readonly hashes: Partial<Readonly<Record<DocumentForm, string>>>;
  /** All forms as JSON, compressed with Brotli. */
  readonly texts: Uint8Array;
}

export type CompressedDocuments = Readonly<Record<DocumentName, CompressedDocument>>;

export type DocumentTexts = Partial<Readonly<Record<DocumentForm, string>>>;

export const decompress = ({ texts }: CompressedDocument): DocumentTexts => {
  // The module is loaded with the first document: a 404 does not need it.
  const { brotliDecompressSync } = process.getBuiltinModule('node:zlib');
  return JSON.parse(brotliDecompressSync(texts).toString());
};
