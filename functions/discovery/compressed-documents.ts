// The published documents as the bundle holds them: compressed, so that loading it costs next to nothing. What is
// asked for is unpacked once per instance.
import type { DocumentName } from '../../shared/contract/documents.ts';
import type { DocumentForm } from '../../shared/publish/document.ts';

export interface CompressedDocument {
  /** Of each form: a hash of the text, placeholders included. */
  readonly hashes: Partial<Readonly<Record<DocumentForm, string>>>;
  /** All forms: JSON, Brotli, base64. */
  readonly texts: string;
}

export type CompressedDocuments = Readonly<Record<DocumentName, CompressedDocument>>;

export type DocumentTexts = Partial<Readonly<Record<DocumentForm, string>>>;

export const decompress = ({ texts }: CompressedDocument): DocumentTexts => {
  // Loaded when the first document is asked for: a 404 needs none.
  const { brotliDecompressSync } = process.getBuiltinModule('node:zlib');
  return JSON.parse(brotliDecompressSync(Buffer.from(texts, 'base64')).toString());
};
