// Serves the operator's dashboard, a static page, and the operator API that the page calls. Every operation except the
// page and the sign-in requires an operator. No other function writes API keys.

import { type AdminOperation, type AdminOperationId, adminOperations } from '../../shared/contract/admin-operations.ts';
import { contentTypes, mediaTypes } from '../../shared/contract/media-types.ts';
import { isVariable, matchesTemplate } from '../../shared/contract/paths.ts';
import { problem } from '../../shared/contract/problems.ts';
import type { HandlerContext } from '../../shared/http/event.ts';
import { type HttpEvent, type HttpResult, methodOf, type Route, requestHeader } from '../../shared/http/event.ts';
import { createErrorPages } from '../../shared/http/middleware/error-pages.ts';
import { createPipeline, type LambdaHandler, withLambdaTimeout } from '../../shared/http/pipeline.ts';
import { errorKind, keysOf } from '../../shared/model/json.ts';
import type { HttpPorts } from '../../shared/ports/http.ts';
import { isStoreError } from '../../shared/stores/store-guard.ts';
import {
  type AuthenticatedOperator,
  type AuthenticationPorts,
  createAuthentication,
  networkOf,
} from './authentication.ts';
import { type Actor, createKeyManagement, type KeyManagementPorts } from './key-management.ts';
import { parseBody, parseCursor, parseToken, rejectUnknownMembers } from './request-body.ts';
import { createUsageReport, type UsageReportPorts } from './usage-report.ts';
import { createWithheldReport, type WithheldReportPorts } from './withheld-report.ts';

export interface AdminPage {
  readonly html: string;
  readonly script: string;
  readonly style: string;
}

export type AdminPorts = HttpPorts & AuthenticationPorts & KeyManagementPorts & UsageReportPorts & WithheldReportPorts;

interface AdminRoute extends Route {
  readonly operation: undefined;
  /** The operations of the path by method. */
  readonly offers: Readonly<Record<string, AdminOperationId>>;
  readonly pathId: string;
}

const AUDIT_ENTRIES = 100;

const PAGE_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
};

const rows = keysOf(adminOperations).map((name): [AdminOperationId, AdminOperation] => [name, adminOperations[name]]);

/** HEAD is answered as GET; the outermost middleware removes the content. */
const methodFor = (event: HttpEvent): string => (methodOf(event) === 'HEAD' ? 'GET' : methodOf(event));

/** Every path below the prefixes is a route: a caller who is not signed in cannot learn which paths exist. */
const find = (event: HttpEvent): AdminRoute => {
  const segments = event.rawPath.split('/');
  const matching = rows.filter(([, { path }]) => matchesTemplate(path.split('/'), segments));
  const template = matching[0]?.[1].path.split('/') ?? [];
  const [id] = matching[0] ?? ['admin'];
  return {
    id: matching.find(([, { method }]) => method === methodFor(event))?.[0] ?? id,
    operation: undefined,
    isPrivate: true,
    honoursKey: false,
    negotiated: false,
    offers: Object.fromEntries(matching.map(([name, { method }]) => [method, name])),
    pathId: segments[template.findIndex(isVariable)] ?? '',
  };
};

const json = (statusCode: number, value: unknown, headers: Readonly<Record<string, string>> = {}): HttpResult => ({
  statusCode,
  headers: { 'Content-Type': contentTypes.json, ...headers },
  body: `${JSON.stringify(value)}\n`,
});

const noContent = (): HttpResult => ({ statusCode: 204, headers: {} });

const asset = (type: string, body: string): HttpResult => ({
  statusCode: 200,
  headers: { 'Content-Type': `${type}; charset=utf-8`, ...PAGE_HEADERS },
  body,
});

const acceptsHtml = (event: HttpEvent): boolean =>
  (requestHeader(event, 'accept') ?? '').toLowerCase().includes(mediaTypes.html);

/** Logs only the kind of the error: messages of the store may quote the request. */
const mapStoreErrors = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (!isStoreError(error)) throw error;
    throw problem('upstream_unavailable', {
      detail: 'The store of keys and sessions does not answer.',
      cause: `the store: ${errorKind(error)}`,
    });
  }
};

interface AdminRequest {
  readonly event: HttpEvent;
  readonly isSecure: boolean;
  readonly id: string;
}

interface OperatorRequest extends AdminRequest {
  readonly signedIn: AuthenticatedOperator;
  readonly actor: Actor;
}

/**
 * The page is public only for clients that accept HTML; other clients need to sign in to learn that the path exists.
 */
const isPublicFor = (event: HttpEvent, id: PublicOperationId): boolean => id !== 'showDashboard' || acceptsHtml(event);

type PublicOperationId = 'showDashboard' | 'showScript' | 'showStyle' | 'signIn';

export const createAdminHandler = (page: AdminPage, ports: AdminPorts): LambdaHandler => {
  const authentication = createAuthentication(ports);
  const keys = createKeyManagement(ports);
  const usage = createUsageReport(ports);
  const withheld = createWithheldReport(ports);
  const { audit, wall } = ports;

  const sessionOf = ({ operator, expiresAt }: AuthenticatedOperator) => ({
    operator,
    expires_at: expiresAt === undefined ? null : new Date(expiresAt).toISOString(),
  });

  const actorOf = (event: HttpEvent, { operator }: AuthenticatedOperator): Actor => ({
    operator,
    requestId: event.requestContext.requestId,
    network: networkOf(event),
  });

  const publicOperations: Readonly<Record<PublicOperationId, (request: AdminRequest) => Promise<HttpResult>>> = {
    showDashboard: async () => asset(mediaTypes.html, page.html),
    showScript: async () => asset('text/javascript', page.script),
    showStyle: async () => asset('text/css', page.style),
    async signIn({ event, isSecure }) {
      const members = parseBody(event);
      rejectUnknownMembers(members, ['token']);
      const operator = await authentication.verifyToken(event, parseToken(members));
      await audit.append({ at: wall.now(), action: 'sign_in', ...actorOf(event, { operator: operator.name }) });
      const { cookie, ...signedIn } = await authentication.openSession(operator, isSecure);
      return { ...json(200, sessionOf(signedIn)), cookies: [cookie] };
    },
  };

  const operatorOperations: Readonly<
    Record<Exclude<AdminOperationId, PublicOperationId>, (request: OperatorRequest) => Promise<HttpResult>>
  > = {
    showSession: async ({ signedIn }) => json(200, sessionOf(signedIn)),
    async signOut({ signedIn, actor, isSecure }) {
      await audit.append({ at: wall.now(), action: 'sign_out', ...actor });
      return { ...noContent(), cookies: [await authentication.signOut(signedIn, isSecure)] };
    },
    listKeys: async () => json(200, await keys.list()),
    async createKey({ event, actor }) {
      const key = await keys.create(parseBody(event), actor);
      return json(201, key, { Location: adminOperations.changeKey.path.replace('{id}', key.id) });
    },
    changeKey: async ({ event, id, actor }) => json(200, await keys.change(id, parseBody(event), actor)),
    async deleteKey({ id, actor }) {
      await keys.delete(id, actor);
      return noContent();
    },
    showUsage: async () => json(200, await usage()),
    showWithheld: async () => json(200, withheld()),
    async showAudit({ event }) {
      // One more than the page shows that there is a next page.
      const entries = await audit.latest(AUDIT_ENTRIES + 1, parseCursor(event));
      const page = entries.slice(0, AUDIT_ENTRIES);
      return json(200, {
        entries: page.map(({ at, operator, action, keyId, label, before, after }) => ({
          at: new Date(at).toISOString(),
          operator,
          action,
          ...(keyId !== undefined && { key_id: keyId }),
          ...(label !== undefined && { label }),
          ...(before && { before }),
          ...(after && { after }),
        })),
        ...(entries.length > AUDIT_ENTRIES && { next_cursor: String(page.at(-1)?.at) }),
      });
    },
  };

  const isPublic = (id: AdminOperationId): id is PublicOperationId => Object.hasOwn(publicOperations, id);

  const answer = async (
    event: HttpEvent,
    { offers, pathId }: AdminRoute,
    { state }: HandlerContext,
  ): Promise<HttpResult> => {
    const request: AdminRequest = { event, isSecure: state.baseUrl.startsWith('https:'), id: pathId };
    const id = Object.hasOwn(offers, methodFor(event)) ? offers[methodFor(event)] : undefined;
    if (id !== undefined && isPublic(id) && isPublicFor(event, id)) return publicOperations[id](request);
    const signedIn = await authentication.requireOperator(event, request.isSecure);
    if (id !== undefined && !isPublic(id)) {
      return operatorOperations[id]({ ...request, signedIn, actor: actorOf(event, signedIn) });
    }
    if (id !== undefined) return publicOperations[id](request);
    const allowed = Object.keys(offers).flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    if (allowed.length === 0) throw problem('route_not_found');
    throw problem('method_not_allowed', { headers: { Allow: allowed.join(', ') } });
  };

  return createPipeline(ports, {
    lambda: 'admin',
    findErrorPage: createErrorPages(ports),
    findRoute: find,
    handleRequest: (event, route, context) => withLambdaTimeout(mapStoreErrors(answer(event, route, context)), context),
  });
};
