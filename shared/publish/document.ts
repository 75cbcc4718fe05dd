// A published document in every form that it is offered in, with placeholders for what only a deployment knows.
import { type DocumentName, documentRows, documents } from '../contract/documents.ts';

export interface PublishedPage {
  readonly html: string;
  readonly markdown: string;
}

export interface PublishedFile {
  readonly file: string;
}

/** A page or a file, as the row of the table says. */
export type PublishedDocuments = {
  readonly [Name in keyof typeof documents]: (typeof documents)[Name]['kind'] extends 'page'
    ? PublishedPage
    : PublishedFile;
};

/** The documents that are pages. */
export type PageName = {
  [Name in DocumentName]: (typeof documents)[Name]['kind'] extends 'page' ? Name : never;
}[DocumentName];

const isPageName = (name: DocumentName): name is PageName => documents[name].kind === 'page';

/** In the order of the table. */
export const pageNames: readonly PageName[] = documentRows.map(([name]) => name).filter(isPageName);

/** `html` and `markdown` of a page, `file` of a file. */
export type DocumentForm = keyof PublishedPage | keyof PublishedFile;
