// A published document in every form that it is offered in. `{base_url}` stands for the address of the deployment,
// known only when a request comes.
import type { DocumentName } from '../contract/operations.ts';

export const BASE_URL_PLACEHOLDER = '{base_url}';

export interface PublishedDocument {
  readonly json?: string;
  readonly html?: string;
  readonly markdown?: string;
}

export type PublishedDocuments = Readonly<Record<DocumentName, PublishedDocument>>;
