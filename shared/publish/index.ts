// Every published document, made from the contract when the bundle is built.
import type { DocumentName } from '../contract/operations.ts';
import { apiIndex } from './api-index.ts';
import type { PublishedDocument, PublishedDocuments } from './document.ts';
import { docsPage, errorsPage, homePage, versioningPage } from './pages.ts';

export interface PublishOptions {
  readonly version: string;
  /** Markdown -> a whole HTML page. */
  readonly toHtml: (markdown: string) => string;
}

export const publishDocuments = ({ version, toHtml }: PublishOptions): PublishedDocuments => {
  const page = (markdown: string): PublishedDocument => ({ markdown, html: toHtml(markdown) });
  return {
    home: page(homePage()),
    apiIndex: { json: apiIndex(version) },
    docs: page(docsPage()),
    errors: page(errorsPage()),
    versioning: page(versioningPage()),
  } satisfies Record<DocumentName, PublishedDocument>;
};
