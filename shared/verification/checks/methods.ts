// Checks HEAD, OPTIONS, refused methods and the choice of the representation.
import { codeOf, listOf, requestText, responseHeader } from '../answer.ts';
import { type Check, requireRead, statusText } from '../check.ts';
import { BROWSER_ACCEPT, convertTarget, postPermalink, postTarget, REFUSED_SEARCH, UNKNOWN_ROUTE } from './targets.ts';

const MARKDOWN = 'text/markdown; charset=utf-8';
const JSON_TYPE = 'application/json';
const HTML = 'text/html; charset=utf-8';

/** Accept of a v1 route, and the type that it chooses; undefined: nothing is acceptable. */
const V1: readonly (readonly [string, string | undefined])[] = [
  ['*/*', MARKDOWN],
  ['application/json', JSON_TYPE],
  ['application/json, text/plain, */*', JSON_TYPE],
  ['text/markdown;q=0.5, application/json', JSON_TYPE],
  ['application/json;q=0.1, */*;q=0.2', MARKDOWN],
  ['text/plain', MARKDOWN],
  [BROWSER_ACCEPT, MARKDOWN],
  ['image/png, audio/*', undefined],
  ['text/html', undefined],
];

export const negotiationChecks: readonly Check[] = [
  {
    name: 'accept',
    statement: 'Accept chooses Markdown or JSON, on a permalink also a page; 406 if nothing is acceptable',
    rows: ['negotiation 1', 'negotiation 3', 'negotiation 5'],
    run: async (service, verify) => {
      const target = postTarget(service);
      requireRead(await service.read(target));
      for (const [accept, type] of V1) {
        const answer = await service.read(target, accept);
        const seen = answer.status === 406 ? codeOf(answer) : responseHeader(answer, 'content-type');
        verify.equals(seen, type ?? 'not_acceptable', requestText(answer));
      }
      const page = await service.read(postPermalink(service), BROWSER_ACCEPT);
      verify.equals(responseHeader(page, 'content-type'), HTML, requestText(page));
      return `${V1.length + 1} values of Accept`;
    },
  },
  {
    name: 'format',
    statement: 'format overrides Accept',
    rows: ['negotiation 2'],
    run: async (service, verify) => {
      for (const [format, accept, type] of [
        ['json', 'text/markdown', JSON_TYPE],
        ['markdown', 'application/json', MARKDOWN],
        ['obsidian', 'application/json', MARKDOWN],
      ] as const) {
        const answer = requireRead(await service.read(`${postTarget(service)}&format=${format}`, accept));
        verify.equals(responseHeader(answer, 'content-type'), type, requestText(answer));
      }
      return 'json, markdown and obsidian';
    },
  },
];

/** Header fields that HEAD repeats. A cache may hold HEAD and GET for different times, so Age and X-Cache are not among them. */
const REPEATED = [
  'content-type',
  'cache-control',
  'etag',
  'vary',
  'access-control-allow-origin',
  'x-api-key-status',
  'sunset',
];

export const methodChecks: readonly Check[] = [
  {
    name: 'head',
    statement: 'HEAD answers with the status and header fields of GET and without a body',
    rows: ['methods 1', 'methods 2', 'lifecycle 10'],
    isInCanary: true,
    run: async (service, verify) => {
      const targets = [
        postTarget(service),
        postPermalink(service),
        convertTarget(service),
        '/api',
        '/docs',
        REFUSED_SEARCH,
        UNKNOWN_ROUTE,
      ];
      // A client cannot read on after a body that HEAD must not have, so this comes first.
      for (const target of [postTarget(service), UNKNOWN_ROUTE]) {
        verify.equals(await service.countHeadBytes(target), 0, `the body of HEAD ${target}, in bytes,`);
      }
      await Promise.all(
        targets.map(async (target) => {
          const [full, head] = [await service.read(target), await service.send(target, { method: 'HEAD' })];
          verify.equals(head.status, full.status, `the status of ${requestText(head)}`);
          for (const name of REPEATED) {
            verify.equals(responseHeader(head, name), responseHeader(full, name), `${name} of ${requestText(head)}`);
          }
        }),
      );
      return `${targets.length} routes`;
    },
  },
  {
    name: 'methods',
    statement: 'Other methods return 405 with Allow; on an unknown route they return 404',
    rows: ['methods 3', 'methods 4', 'mcp 1'],
    run: async (service, verify) => {
      const methods = ['POST', 'PUT', 'PATCH', 'DELETE'];
      for (const method of methods) {
        const refused = await service.send(postTarget(service), { method, body: '{}' });
        verify.equals(refused.status, 405, requestText(refused));
        for (const allowed of ['get', 'head']) {
          verify.holds(listOf(refused, 'allow').includes(allowed), `Allow of ${requestText(refused)} lacks ${allowed}`);
        }
        const unknown = await service.send(UNKNOWN_ROUTE, { method, body: '{}' });
        verify.equals(unknown.status, 404, requestText(unknown));
      }
      const mcp = await service.send('/mcp');
      verify.equals([mcp.status, ...listOf(mcp, 'allow')], [405, 'post', 'options'], 'GET /mcp with Allow');
      return `${methods.join(', ')}; GET /mcp`;
    },
  },
  {
    name: 'preflight',
    statement: 'Preflight answers name Authorization and the methods',
    rows: ['cors 3'],
    run: async (service, verify) => {
      const headers = {
        Origin: 'https://reader.example',
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'authorization',
      };
      for (const [target, wanted] of [
        [REFUSED_SEARCH, 'get'],
        [postTarget(service), 'get'],
        ['/mcp', 'post'],
      ] as const) {
        const answer = await service.send(target, { method: 'OPTIONS', headers });
        verify.holds(answer.status === 204, `${statusText(answer)}, expected 204`);
        verify.holds(
          listOf(answer, 'access-control-allow-headers').includes('authorization'),
          `${requestText(answer)} does not allow Authorization by name`,
        );
        verify.holds(
          listOf(answer, 'access-control-allow-methods').includes(wanted),
          `${requestText(answer)} does not allow ${wanted.toUpperCase()}`,
        );
      }
      return 'search, post and /mcp';
    },
  },
];
