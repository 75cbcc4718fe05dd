// Provided by infra/build/documents-plugin.ts when the bundle is built.
declare module 'postern:documents' {
  export const documents: import('./published-documents.ts').CompressedDocuments;
  export const permalinkPaths: readonly string[];
}
