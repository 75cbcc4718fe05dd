// Documents from memory, and the answer to every route that does not exist.
import { fillAddresses } from '../../shared/contract/addresses.ts';
import { cacheControl } from '../../shared/contract/caching.ts';
import { type Document, type DocumentName, documentRows } from '../../shared/contract/documents.ts';
import { contentTypes, negotiations } from '../../shared/contract/media-types.ts';
import { routeKey } from '../../shared/contract/path-template.ts';
import { chain, type LambdaHandler } from '../../shared/lambda/chain.ts';
import { answerConditionally } from '../../shared/lambda/conditional.ts';
import type { HttpEvent, Route } from '../../shared/lambda/event.ts';
import { representationFor } from '../../shared/lambda/representation-for.ts';
import type { DoorPorts } from '../../shared/ports.ts';
import type { DocumentForm } from '../../shared/publish/document.ts';
import { type PackedDocuments, type Texts, unpack } from './packed.ts';
import { pageHeaders } from './page-headers.ts';

export interface DiscoveryPorts extends DoorPorts {
  /** Where holes can be reported, a URI; @default a page that says how */
  readonly securityContact: string | undefined;
}

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

const formOf = ({ kind }: Document, event: HttpEvent): DocumentForm => {
  if (kind === 'file') return 'file';
  return representationFor(event, negotiations.page) === 'html' ? 'html' : 'markdown';
};

/** RFC 8288: what a program that has found one document should know of. */
const linksTo = (baseUrl: string): string =>
  documentRows
    .flatMap(([, { path, rel }]) => (rel === undefined ? [] : [`<${baseUrl}${path}>; rel="${rel}"`]))
    .join(', ');

/** FNV-1a, 32 bits: tells apart the few addresses of one deployment. */
const fingerprint = (text: string): string => {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(36);
};

/** One deployment has few addresses. */
const MAX_FILLED = 200;

export const discoverySurface = (
  documents: PackedDocuments,
  { securityContact, ...ports }: DiscoveryPorts,
): LambdaHandler => {
  const unpacked = new Map<DocumentName, Texts>();
  const filled = new Map<string, string>();

  const textsOf = (name: DocumentName): Texts => {
    const texts = unpacked.get(name) ?? unpack(documents[name]);
    unpacked.set(name, texts);
    return texts;
  };

  /** Placeholders are replaced once per instance and address. */
  const textOf = (name: DocumentName, form: DocumentForm, baseUrl: string): string => {
    const key = `${name} ${form} ${baseUrl}`;
    const known = filled.get(key);
    if (known !== undefined) return known;
    const text = fillAddresses(textsOf(name)[form] ?? '', baseUrl, securityContact);
    if (filled.size >= MAX_FILLED) filled.clear();
    filled.set(key, text);
    return text;
  };

  return chain(ports, {
    find,
    async answer(event, { name, document }, { call: { baseUrl } }) {
      const form = formOf(document, event);
      return answerConditionally(event, {
        etag: `W/"${form.charAt(0)}${documents[name].hashes[form]}${fingerprint(`${baseUrl} ${securityContact}`)}"`,
        contentType: form === 'file' ? (document.type ?? '') : contentTypes[form],
        body: textOf(name, form, baseUrl),
        headers: {
          ...(form === 'html' && pageHeaders(name)),
          Link: linksTo(baseUrl),
          'Cache-Control': cacheControl('document', ports.settings.cacheTtlSeconds),
        },
      });
    },
  });
};
