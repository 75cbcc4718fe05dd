// Documents from memory, and the answer to every route that does not exist.
import { contentTypes, FOR_PROGRAMS, type Negotiable, negotiations } from '../../shared/contract/media-types.ts';
import {
  type Document,
  type DocumentName,
  documents as documentTable,
  routeKey,
} from '../../shared/contract/operations.ts';
import { problem } from '../../shared/contract/problems.ts';
import { chain, type Door, type LambdaHandler } from '../../shared/lambda/chain.ts';
import { type HttpEvent, headerOf, type Route } from '../../shared/lambda/event.ts';
import { chooseRepresentation } from '../../shared/lambda/negotiate.ts';
import { respond } from '../../shared/lambda/respond.ts';
import type { DoorPorts } from '../../shared/ports.ts';
import { BASE_URL_PLACEHOLDER, type PublishedDocuments } from '../../shared/publish/document.ts';
import { notFoundPage } from '../../shared/publish/not-found.ts';
import { PAGE_POLICY } from '../../shared/publish/page.ts';

const names = Object.keys(documentTable) as DocumentName[]; // exactly the keys of a constant table

interface DocumentRoute extends Route {
  readonly name: DocumentName;
  readonly document: Document;
}

const routes: ReadonlyMap<string, DocumentRoute> = new Map(
  names.map((name) => {
    const document: Document = documentTable[name];
    return [routeKey(document.path), { id: name, name, document, negotiated: document.kind === 'page' }];
  }),
);

const choose = (event: HttpEvent, { kind }: Document): Negotiable => {
  if (kind === 'json') return 'json';
  const chosen = chooseRepresentation(headerOf(event, 'accept'), negotiations.page);
  if (chosen === undefined)
    throw problem('not_acceptable', { detail: 'This page is offered as text/html and text/markdown.' });
  return chosen;
};

const pageHeaders = { 'Content-Security-Policy': PAGE_POLICY, 'Referrer-Policy': 'no-referrer' };

const notFound: Door['notFound'] = (event, document) => {
  if (FOR_PROGRAMS.test(event.rawPath)) return undefined;
  const chosen = chooseRepresentation(headerOf(event, 'accept'), negotiations.unknown);
  if (chosen === undefined || chosen === 'json') return undefined;
  return { body: notFoundPage(document)[chosen], headers: { 'Content-Type': contentTypes[chosen], ...pageHeaders } };
};

export const discoverySurface = (documents: PublishedDocuments, ports: DoorPorts): LambdaHandler => {
  const find = (event: HttpEvent): DocumentRoute | undefined => {
    const route = routes.get(event.routeKey);
    return route !== undefined && route.document.path === event.rawPath ? route : undefined;
  };
  const filled = new Map<string, string>();
  /** The placeholder is replaced once per instance and address. */
  const fill = (name: DocumentName, form: Negotiable, baseUrl: string): string => {
    const key = `${name} ${form} ${baseUrl}`;
    const known = filled.get(key);
    if (known !== undefined) return known;
    const body = (documents[name][form] ?? '').replaceAll(BASE_URL_PLACEHOLDER, baseUrl);
    if (filled.size > 100) filled.clear();
    filled.set(key, body);
    return body;
  };
  return chain(ports, {
    find,
    notFound,
    async answer(event, _route, { call: { baseUrl } }) {
      const route = find(event);
      if (route === undefined) throw problem('route_not_found');
      const format = choose(event, route.document);
      const body = fill(route.name, format, baseUrl);
      const headers = format === 'html' ? pageHeaders : {};
      return respond(
        event,
        { format, body, identity: body, cache: 'document', headers },
        ports.settings.cacheTtlSeconds,
      );
    },
  });
};
