// A published document in every form that it is offered in, with the placeholder for the address of the deployment.
import type { DocumentName } from '../contract/operations.ts';

export interface PublishedDocument {
  readonly json?: string;
  readonly html?: string;
  readonly markdown?: string;
}

export type PublishedDocuments = Readonly<Record<DocumentName, PublishedDocument>>;
