// Serves the published documents from memory, redirects the text of the box and paths without a route, and answers 404
// for every other path.
import { hash } from 'node:crypto';
import { cacheControl } from '../../shared/contract/caching.ts';
import { type DocumentName, type DocumentRow, documentRows } from '../../shared/contract/documents.ts';
import { contentTypes, negotiations } from '../../shared/contract/media-types.ts';
import { DOCUMENT_OPERATION } from '../../shared/contract/metrics.ts';
import { fillPlaceholders, type OperatorValues, SKILL_DIGEST_PLACEHOLDER } from '../../shared/contract/placeholders.ts';
import { conditionalResponse } from '../../shared/http/conditional-request.ts';
import { type HttpEvent, type Route, requireFormat } from '../../shared/http/event.ts';
import { createErrorPages } from '../../shared/http/middleware/error-pages.ts';
import { pageSecurityHeaders } from '../../shared/http/page-headers.ts';
import { createPipeline, type LambdaHandler } from '../../shared/http/pipeline.ts';
import { type RedirectRoute, redirectTo } from '../../shared/http/redirect.ts';
import { formOfType } from '../../shared/http/request-log.ts';
import { requestedReading } from '../../shared/http/requested-reading.ts';
import type { HttpPorts } from '../../shared/ports/http.ts';
import type { DocumentForm } from '../../shared/publish/document.ts';
import { trustedHtml } from '../../shared/render/html/html.ts';
import { inSameLanguage } from '../../shared/render/html/page.ts';
import { createBoundedMap } from '../../shared/resilience/bounded-map.ts';
import { BOX_PAGES, boxRedirect, usesBox } from './box.ts';
import {
  type CompressedDocuments,
  type DocumentTexts,
  decompress,
  fillAvatar,
  sampleBarOf,
  sampleEnd,
} from './published-documents.ts';
import { createRedirectFinder, describeUnknown } from './unrouted-paths.ts';

// Sets the security headers of the HTML pages. Every page may load and run only the service's own files, and send its
// form only to the service; only the front page may also show pictures of X.

const ownParts = {
  style: "'self'",
  pictures: ["'self'"],
  script: "'self'",
  connect: "'self'",
  forms: "'self'",
} as const;

const documentation = pageSecurityHeaders(ownParts);

const frontPage = { ...ownParts, manifest: "'self'" };

/** With proxied pictures, the front page loads nothing from another origin either. */
const frontPageHeaders = {
  direct: pageSecurityHeaders({ ...frontPage, showsPosts: true }),
  proxied: pageSecurityHeaders(frontPage),
};

const documentHeaders = (name: DocumentName, proxiesPictures: boolean): Readonly<Record<string, string>> =>
  name === 'home' ? frontPageHeaders[proxiesPictures ? 'proxied' : 'direct'] : documentation;

export interface DiscoveryPorts extends HttpPorts {
  readonly operator: OperatorValues;
  readonly permalinkPaths: readonly string[];
}

interface DocumentRoute extends Route {
  readonly document: DocumentName;
  readonly row: DocumentRow;
}

/** By path: most documents have no route of their own at API Gateway. */
const routes: ReadonlyMap<string, DocumentRoute> = new Map(
  documentRows.map(([document, row]) => [
    row.path,
    { id: DOCUMENT_OPERATION, document, row, honoursKey: false, negotiated: row.kind === 'page' },
  ]),
);

const findDocument = (event: HttpEvent): DocumentRoute | undefined => {
  const route = routes.get(event.rawPath);
  return route?.document === 'home' && usesBox(event) ? { ...route, errorPages: BOX_PAGES } : route;
};

const formOf = ({ kind }: DocumentRow, event: HttpEvent): DocumentForm => {
  if (kind === 'file') return 'file';
  return requireFormat(event, negotiations.page) === 'html' ? 'html' : 'markdown';
};

/** RFC 8288: leads a program from one document to the others. */
const linksTo = (baseUrl: string): string =>
  documentRows
    .flatMap(([, { path, rel }]) => (rel === undefined ? [] : [`<${baseUrl}${path}>; rel="${rel}"`]))
    .join(', ');

const HASH_CHARACTERS = 16; // 96 bits

const etagOf = (form: DocumentForm, text: string): string =>
  `W/"${form.charAt(0)}${hash('sha256', text, 'base64url').slice(0, HASH_CHARACTERS)}"`;

interface FilledDocument {
  readonly text: string;
  readonly etag: string;
}

/** One deployment has few base URLs, but behind a trusted proxy a caller of the local service can name many. */
const MAX_CACHED_TEXTS = 200;
const MAX_CACHED_BYTES = 8 * 1024 * 1024;

export const createDiscoveryHandler = (
  documents: CompressedDocuments,
  { operator, permalinkPaths, ...ports }: DiscoveryPorts,
): LambdaHandler => {
  const { isSample, isIndexed, isUntranslated = false, proxyPath } = ports.settings;
  const proxiesPictures = proxyPath !== undefined;
  const decompressed = new Map<DocumentName, DocumentTexts>();
  const filledDocuments = createBoundedMap<FilledDocument>(MAX_CACHED_TEXTS, undefined, {
    maxBytes: MAX_CACHED_BYTES,
    bytesOf: ({ text }) => 2 * text.length,
  });

  const textsOf = (name: DocumentName): DocumentTexts => {
    const texts = decompressed.get(name) ?? decompress(documents[name]);
    decompressed.set(name, texts);
    return texts;
  };

  const filledText = (name: DocumentName, form: DocumentForm, baseUrl: string): string => {
    const published = textsOf(name)[form] ?? '';
    const text = fillPlaceholders(isSample ? published + sampleEnd(name, form) : published, baseUrl, {
      ...operator,
      isHtml: form === 'html',
      isIndexed,
      proxiesPictures,
      ...(isSample && { sampleBar: String(sampleBarOf(name)) }),
    });
    if (name === 'home' && form === 'html') return fillAvatar(text, proxyPath);
    return name === 'skills'
      ? text.replace(SKILL_DIGEST_PLACEHOLDER, hash('sha256', filledText('skill', 'file', baseUrl)))
      : text;
  };

  /** Placeholders are replaced once per instance and base URL. Base64 contains none. */
  const documentOf = (name: DocumentName, form: DocumentForm, baseUrl: string): FilledDocument => {
    const key = `${name} ${form} ${baseUrl}`;
    const cached = filledDocuments.get(key);
    if (cached !== undefined) return cached;
    const text = filledText(name, form, baseUrl);
    const etag = etagOf(form, text);
    filledDocuments.set(key, { text, etag });
    return { text, etag };
  };

  /** The links and the boxes of the front page keep the language of the reader. Its own words stay the same. */
  const inLanguageOf = (event: HttpEvent, whole: FilledDocument, isFrontPage: boolean): FilledDocument => {
    const reading = isFrontPage && !isUntranslated ? requestedReading(event) : {};
    if (reading.lang === undefined) return whole;
    const text = String(inSameLanguage(trustedHtml(whole.text), reading));
    return { text, etag: etagOf('html', text) };
  };

  const findRedirect = createRedirectFinder(permalinkPaths);

  return createPipeline<DocumentRoute | RedirectRoute>(ports, {
    lambda: 'discovery',
    findErrorPage: createErrorPages(ports),
    findRoute: (event) => findDocument(event) ?? findRedirect(event),
    describeUnknown,
    async handleRequest(event, route, { state: { baseUrl, facts } }) {
      if ('location' in route) return redirectTo(route.statusCode, route.location);
      const { document, row } = route;
      const redirect = document === 'home' ? boxRedirect(event, baseUrl) : undefined;
      if (redirect !== undefined) return redirect;
      const form = formOf(row, event);
      const contentType = form === 'file' ? (row.type ?? '') : contentTypes[form];
      facts.form = formOfType(contentType);
      const { text, etag } = inLanguageOf(
        event,
        documentOf(document, form, baseUrl),
        document === 'home' && form === 'html',
      );
      return conditionalResponse(event, {
        etag,
        contentType,
        body: text,
        isBase64Encoded: row.isBinary === true,
        headers: {
          ...(form === 'html' && documentHeaders(document, proxiesPictures)),
          Link: linksTo(baseUrl),
          'Cache-Control': cacheControl('document', ports.settings.cacheTtlSeconds),
        },
      });
    },
  });
};
