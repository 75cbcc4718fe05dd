// Says which media type an error must have: the problem document, or one of its two exceptions for people
// (requirements: pages).
import { linkPreviewClients } from '../../shared/contract/link-preview-clients.ts';
import {
  linkPreviewNegotiation,
  MACHINE_PATHS,
  mediaTypes,
  negotiations,
  withFeeds,
} from '../../shared/contract/media-types.ts';
import { operationRows, pathsOf, useCasesOf } from '../../shared/contract/operations.ts';
import { useCases } from '../../shared/contract/use-cases.ts';
import { negotiateFormat } from '../../shared/http/content-negotiation.ts';
import { MAX_TARGET_BYTES } from '../../shared/http/pipeline.ts';
import { isReserved } from '../../shared/model/handle.ts';

const PROBLEM = 'application/problem+json';

/** The local edge rejects these requests before it reads their fields. */
const REJECTED_BEFORE_ACCEPT: ReadonlySet<string> = new Set([
  'malformed_request',
  'header_fields_too_large',
  'service_busy',
]);

export interface FailedRequest {
  /** Path and query as sent. */
  readonly target: string;
  readonly accept: string | undefined;
  /** Set if the edge function sees the request: it chooses for link preview clients. */
  readonly userAgent?: string | undefined;
  /** The local edge passes a target that is too long as it is sent without its Accept field. */
  readonly isAtEdge?: boolean;
  /** The problem code in the answer. */
  readonly code: string;
}

/** The path of a feed has no page. */
const permalinks = operationRows
  .filter(([, { surface, fixed }]) => surface === 'permalink' && fixed?.format === undefined)
  .flatMap(([, operation]) =>
    pathsOf(operation).map((path) => ({
      path,
      pattern: new RegExp(
        `^${path.replace('{lang}', '[A-Za-z]{2}(?:-[A-Za-z0-9]+)*').replaceAll(/\{[a-z]+\}/g, '[^/]+')}$`,
      ),
      formats: useCasesOf(operation).flatMap((name): readonly string[] => useCases[name].formats),
    })),
  );

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
};

/** `/{handle}` is only the path of a handle. Other names with one segment are documents, and `/hashtag/media` redirects. */
const permalinkAt = (path: string): (typeof permalinks)[number] | undefined => {
  const [, first = '', ...more] = path.split('/');
  const isTag = first === 'hashtag' && more.length > 0;
  const isHandle = !isTag && !isReserved(first.replace(/^@/, '')) && (more.length > 0 || /^@?\w{1,15}$/.test(first));
  const isList = first.includes(',') && /^[@, ]*\w[\w@, ]*$/.test(first);
  return path === '/search' || isHandle || isList
    ? (permalinks.find((permalink) => permalink.path === path) ?? permalinks.find(({ pattern }) => pattern.test(path)))
    : undefined;
};

const valuesOf = (query: string, name: string): readonly string[] =>
  query
    .split('&')
    .map((pair) => pair.split('='))
    .flatMap(([key = '', ...value]) => (decode(key) === name ? [decode(value.join('='))] : []));

const winsHtml = (
  accept: string | undefined,
  {
    userAgent = '',
    formats = [],
    feed,
  }: Partial<Record<'userAgent' | 'feed', string | undefined>> & {
    readonly formats?: readonly string[];
  } = {},
): boolean => {
  const isPreview = linkPreviewClients.some(({ token }) => userAgent.toLowerCase().includes(token));
  const negotiation = isPreview ? linkPreviewNegotiation : negotiations.permalink;
  return negotiateFormat(accept, withFeeds(negotiation, formats, feed)) === 'html';
};

export const errorTypeOf = ({ target, accept, userAgent, isAtEdge, code }: FailedRequest): string => {
  // A target can become too long when the edge function encodes it, which reads Accept.
  if (isAtEdge && (REJECTED_BEFORE_ACCEPT.has(code) || target.length > MAX_TARGET_BYTES)) return PROBLEM;
  const [rawPath = '', ...rest] = target.split('?');
  const path = decode(rawPath);
  const query = rest.join('?');
  if (code === 'route_not_found') {
    // Only POST has no route here: it asks for OAuth.
    if (/^\/(?:register|token|authorize)$/.test(path)) return PROBLEM;
    // The edge function chooses before the path is decoded.
    const chosen = MACHINE_PATHS.test(isAtEdge ? rawPath : path)
      ? undefined
      : negotiateFormat(accept, negotiations.unknown);
    return chosen === undefined || chosen === 'json' ? PROBLEM : mediaTypes[chosen];
  }
  if (path === '/') {
    const texts = valuesOf(query, 'q');
    const isText = texts.length > 1 || texts.some((text) => text.trim() !== '');
    return isText && winsHtml(accept) ? mediaTypes.html : PROBLEM;
  }
  const permalink = permalinkAt(path);
  const [format, ...more] = valuesOf(query, 'format');
  const isChosen = format !== undefined && more.length === 0 && permalink?.formats.includes(format);
  if (permalink === undefined || isChosen) return PROBLEM;
  const [feed] = path === '/search' ? valuesOf(query, 'feed') : [];
  return winsHtml(accept, { userAgent, formats: permalink.formats, feed }) ? mediaTypes.html : PROBLEM;
};
