// Documents from memory, and the answer to every route that does not exist.
import { fillBaseUrl } from '../../shared/contract/addresses.ts';
import { type Negotiable, negotiations } from '../../shared/contract/media-types.ts';
import { type Document, type DocumentName, documentRows, routeKey } from '../../shared/contract/operations.ts';
import { chain, type LambdaHandler } from '../../shared/lambda/chain.ts';
import type { HttpEvent, Route } from '../../shared/lambda/event.ts';
import { representationFor } from '../../shared/lambda/representation-for.ts';
import { respond } from '../../shared/lambda/respond.ts';
import type { DoorPorts } from '../../shared/ports.ts';
import type { PublishedDocuments } from '../../shared/publish/document.ts';
import { PAGE_HEADERS } from '../../shared/render/page.ts';

interface DocumentRoute extends Route {
  readonly name: DocumentName;
  readonly document: Document;
}

const routes: ReadonlyMap<string, DocumentRoute> = new Map(
  documentRows.map(([name, document]) => [
    routeKey(document.path),
    { id: name, name, document, honoursKey: false, negotiated: document.kind === 'page' },
  ]),
);

const find = (event: HttpEvent): DocumentRoute | undefined => {
  const route = routes.get(event.routeKey);
  return route?.document.path === event.rawPath ? route : undefined;
};

/** One deployment has few addresses. */
const MAX_FILLED = 100;

export const discoverySurface = (documents: PublishedDocuments, ports: DoorPorts): LambdaHandler => {
  const filled = new Map<string, string>();
  /** The placeholder is replaced once per instance and address. */
  const fill = (name: DocumentName, form: Negotiable, baseUrl: string): string => {
    const key = `${name} ${form} ${baseUrl}`;
    const known = filled.get(key);
    if (known !== undefined) return known;
    const body = fillBaseUrl(documents[name][form] ?? '', baseUrl);
    if (filled.size >= MAX_FILLED) filled.clear();
    filled.set(key, body);
    return body;
  };
  return chain(ports, {
    find,
    async answer(event, { name, document }, { call: { baseUrl } }) {
      const format = document.kind === 'json' ? 'json' : representationFor(event, negotiations.page);
      const body = fill(name, format, baseUrl);
      const headers = format === 'html' ? PAGE_HEADERS : {};
      return respond(
        event,
        { format, body, identity: body, cache: 'document', headers },
        ports.settings.cacheTtlSeconds,
      );
    },
  });
};
