// Checks HEAD, OPTIONS and refused methods.
import { headerOf, listOf, requestText } from '../answer.ts';
import { type Check, statusText } from '../check.ts';
import { convertTarget, postPermalink, postTarget, REFUSED_SEARCH, UNKNOWN_ROUTE } from './targets.ts';

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
            verify.equals(headerOf(head, name), headerOf(full, name), `${name} of ${requestText(head)}`);
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
