// Recognizes what clients of MCP ask a service with OAuth for. Some take any 401 for the begin of a sign-in, and then ask for
// its documents and endpoints. They learn that there is none, and what the 401 means.
import type { ProblemOptions } from '../contract/problems.ts';
import { type HttpEvent, methodOf } from './event.ts';

/**
 * Accounts of X can have these names, so that only POST asks for OAuth here. GET of `/authorize` is what a browser opens in an
 * OAuth flow, too; but no client comes so far without a registration, and an answer does not depend on parameters that its route
 * does not know, because the edge takes them away.
 */
const ENDPOINT = /^\/(?:register|token|authorize)$/;

const UNROUTED = /^\/(?:mcp\/(?:register|token|authorize)|(?:mcp\/)?\.well-known\/(?:oauth-|openid-).*)$/;

export const asksForOAuth = (event: HttpEvent): boolean =>
  UNROUTED.test(event.rawPath) || (methodOf(event) === 'POST' && ENDPOINT.test(event.rawPath));

/** The 404 of a request for OAuth. */
export const NO_OAUTH: ProblemOptions = {
  detail:
    'This service has no OAuth and no sign-in. A 401 at /mcp means that the API key in Authorization is not valid.',
  resolution: 'Call {base_url}/mcp without Authorization, or with a valid API key as `Bearer`.',
};
