// Checks the answers to wrong requests. None of them calls a provider or costs a unit.
import { ERRORS_PATH } from '../../contract/paths.ts';
import { codeOf, jsonOf, requestText, responseHeader, textMember } from '../answer.ts';
import { type Check, statusText } from '../check.ts';
import { REFUSED_SEARCH, UNKNOWN_ROUTE } from './targets.ts';

const LONG_QUERY = 'a'.repeat(600);

/** Target, status and code. */
const WRONG_REQUESTS: readonly (readonly [string, number, string])[] = [
  ['/api/v1/posts', 400, 'missing_parameter'],
  ['/api/v1/posts?url=https%3A%2F%2F', 400, 'invalid_url'],
  ['/api/v1/posts?url=https%3A%2F%2Fx.com.evil.example%2Fa%2Fstatus%2F20', 400, 'unsupported_host'],
  ['/api/v1/posts?url=https%3A%2F%2Fx.com%2Fhome%2Fsettings', 400, 'invalid_path'],
  ['/api/v1/posts?handle=jack&id=020', 400, 'invalid_id'],
  ['/api/v1/posts?handle=not%20a%20handle&id=20', 400, 'invalid_handle'],
  ['/api/v1/posts?handle=jack&id=20&format=', 400, 'invalid_format'],
  ['/api/v1/posts?id=20&id=21&handle=jack', 400, 'repeated_parameter'],
  ['/api/v1/posts?handle=jack&id=20&thread=1', 400, 'invalid_parameter'],
  ['/api/v1/search', 400, 'missing_query'],
  ['/api/v1/search?q=%20', 400, 'missing_query'],
  [`/api/v1/search?q=${LONG_QUERY}`, 400, 'invalid_query'],
  ['/api/v1/search?q=a&feed=newest', 400, 'invalid_feed'],
  ['/api/v1/search?q=a&cursor=forged', 400, 'invalid_cursor'],
  ['/api/v1/profiles/not-a-handle', 400, 'invalid_handle'],
  ['/api/browse', 400, 'invalid_resource'],
  ['/api/v1/oembed?url=https%3A%2F%2Fx.com%2Fi%2Fstatus%2F20&format=xml', 501, 'format_not_implemented'],
];

const UNKNOWN = [
  UNKNOWN_ROUTE,
  '/api/v2/posts',
  '/api/v1',
  '/api/v1/profiles',
  '/api/v1/profiles/a/b',
  '/API',
  '/api/',
];

const HOSTILE = [
  '/api/%00',
  '/..%2f..%2fetc/passwd',
  '/api//v1/posts',
  `/${'a'.repeat(2000)}`,
  '/constructor/__proto__',
];

const ABSENT = [
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-authorization-server/mcp',
  '/.well-known/openid-configuration',
];

const ROUTE_NOT_FOUND = 'route_not_found';

export const problemChecks: readonly Check[] = [
  {
    name: 'wrong-requests',
    statement: 'Each wrong request has its status and its problem code, which the errors page explains',
    rows: ['problems 1', 'problems 2', 'problems 3', 'inputs 2', 'inputs 3'],
    isInCanary: true,
    run: async (service, verify) => {
      const [base, page] = [await service.baseUrl(), await service.read(ERRORS_PATH, 'text/html')];
      await Promise.all(
        WRONG_REQUESTS.map(async ([target, status, code]) => {
          const answer = await service.send(target);
          verify.equals([answer.status, codeOf(answer)], [status, code], requestText(answer));
          verify.equals(textMember(jsonOf(answer), 'type'), `${base}${ERRORS_PATH}#${code}`, `type of ${code}`);
          verify.holds(page.body.includes(`id="${code}"`), `${ERRORS_PATH} has no section ${code}`);
        }),
      );
      return `${WRONG_REQUESTS.length} requests`;
    },
  },
  {
    name: 'unknown-routes',
    statement: 'Unknown paths return route_not_found and name the documents',
    rows: ['problems 5', 'platform 3'],
    run: async (service, verify) => {
      for (const target of UNKNOWN) {
        const answer = await service.read(target);
        verify.equals([answer.status, codeOf(answer)], [404, ROUTE_NOT_FOUND], requestText(answer));
        verify.holds((textMember(jsonOf(answer), 'resolution') ?? '').includes('/api'), `${target} does not name /api`);
      }
      return `${UNKNOWN.length} paths`;
    },
  },
  {
    name: 'hostile-paths',
    statement: 'Malformed paths return a problem document of the service',
    rows: ['problems 7'],
    run: async (service, verify) => {
      for (const target of HOSTILE) {
        const answer = await service.read(target);
        verify.holds([400, 404, 414].includes(answer.status) && codeOf(answer) !== undefined, statusText(answer));
      }
      return `${HOSTILE.length} paths`;
    },
  },
  {
    name: 'no-authorization-server',
    statement: 'The documents of an authorization server are unknown routes',
    rows: ['keys 14'],
    run: async (service, verify) => {
      for (const target of ABSENT) {
        const answer = await service.read(target);
        verify.equals([answer.status, codeOf(answer)], [404, ROUTE_NOT_FOUND], requestText(answer));
        verify.equals((await service.send(target, { method: 'HEAD' })).status, 404, `HEAD ${target}`);
      }
      return `${ABSENT.length} paths`;
    },
  },
  {
    name: 'request-ids',
    statement: 'Every request has its own id, whichever id the caller sends',
    rows: ['problems 8'],
    isInCanary: true,
    run: async (service, verify) => {
      const headers = { 'X-Request-Id': 'postern-verify' };
      // Two requests to one function, which could have one id for all. No cache stores its answers.
      const [first, second] = [
        await service.send(REFUSED_SEARCH, { headers }),
        await service.send('/api/v1/search?q=%20', { headers }),
      ];
      const [id, other] = [responseHeader(first, 'x-request-id'), responseHeader(second, 'x-request-id')];
      verify.holds(id !== other, `two requests have the id ${id ?? '(none)'}`);
      verify.holds(id !== headers['X-Request-Id'], 'the id is the one that the caller sent');
      return 'two ids';
    },
  },
  {
    name: 'private-routes',
    statement: 'The routes of the operator are closed without a token, and not stored',
    rows: ['problems 9'],
    run: async (service, verify) => {
      const answer = await service.send('/api/admin/keys');
      verify.equals([answer.status, codeOf(answer)], [401, 'unauthorized'], requestText(answer));
      verify.holds(
        responseHeader(answer, 'cache-control')?.includes('no-store') === true,
        'Cache-Control lacks no-store',
      );
      return '/api/admin/keys is 401';
    },
  },
];
