// Checks HTTPS, that the origins behind CloudFront refuse everyone else, and that the edge normalizes requests: without it
// every answer is right, but nearly every request misses the cache.
import { type Answer, codeOf, responseHeader } from '../answer.ts';
import { type Check, requireRead, Skipped } from '../check.ts';
import { postTarget } from './targets.ts';

const isHit = (answer: Answer): boolean => /hit/i.test(responseHeader(answer, 'x-cache') ?? '');

const isStorable = (answer: Answer): boolean => /\bs-maxage=[1-9]/.test(responseHeader(answer, 'cache-control') ?? '');

/** One location of CloudFront has several caches, so the second request may miss as well. */
const MAX_REQUESTS = 6;

export const edgeChecks: readonly Check[] = [
  {
    name: 'edge-normalizes',
    statement: 'A request with another unknown parameter is answered from the cache',
    rows: ['caching 7', 'caching 11'],
    isInCanary: true,
    run: async (service, verify) => {
      // Other names than those of an earlier run, whose answers may be stored.
      const run = service.wall.now().toString(36);
      const answers: Answer[] = [];
      while (answers.length < MAX_REQUESTS && !answers.some(isHit))
        answers.push(requireRead(await service.send(`${postTarget(service)}&verify_${run}_${answers.length}=1`)));
      const [first] = answers;
      if (first !== undefined && !isStorable(first)) throw new Skipped('shared caches may not keep a post');
      if (answers.every((answer) => responseHeader(answer, 'x-cache') === undefined))
        throw new Skipped('no answer has X-Cache');
      verify.holds(
        answers.some(isHit),
        `none of ${answers.length} requests with different unknown parameters is a hit: the edge function fails or is missing`,
      );
      return 'unknown parameters are not in the cache key';
    },
  },
];

const requireHttps = (protocol: string): void => {
  if (protocol !== 'https:') throw new Skipped('the address is not https');
};

export const transportChecks: readonly Check[] = [
  {
    name: 'https',
    statement: 'http leads to https or is refused',
    rows: ['platform 1'],
    run: async ({ origin, client }, verify) => {
      requireHttps(origin.protocol);
      const plain = new URL(`http://${origin.hostname}`);
      const [page, private_] = [
        await client.sendProbe(plain, '/docs', {}),
        await client.sendProbe(plain, '/api/admin/keys', {}),
      ];
      for (const answer of [page, private_]) {
        const location = responseHeader(answer, 'location') ?? '';
        const isRedirect = [301, 302, 307, 308].includes(answer.status) && location.startsWith('https://');
        verify.holds(isRedirect || answer.status === 403, `http${answer.target} is ${answer.status}`);
      }
      return `http is ${page.status}`;
    },
  },
  {
    name: 'hsts',
    statement: 'Answers over https have Strict-Transport-Security',
    rows: ['platform 1'],
    run: async (service, verify) => {
      requireHttps(service.origin.protocol);
      for (const target of ['/docs', '/api', '/api/v1/search', '/api/convert']) {
        const field = responseHeader(await service.read(target), 'strict-transport-security') ?? 'absent';
        verify.holds(/^max-age=[1-9]\d{6,}/.test(field), `Strict-Transport-Security of ${target} is ${field}`);
      }
      return 'on pages, documents and errors';
    },
  },
  {
    name: 'direct-origin',
    statement: 'An origin refuses requests that do not come from CloudFront',
    rows: ['platform 1'],
    run: async ({ directOrigin, client }, verify) => {
      if (directOrigin === undefined) throw new Skipped('no --origin');
      for (const target of ['/api', '/', '/api/v1/search?q=a']) {
        const forged = { headers: { 'X-Origin-Secret': 'forged', 'X-Viewer-Ip': '192.0.2.1' } };
        for (const probe of [{}, forged]) {
          const answer = await client.sendProbe(directOrigin, target, probe);
          verify.equals([answer.status, codeOf(answer)], [403, 'forbidden_origin'], `${target} of the origin`);
        }
      }
      return '403 forbidden_origin';
    },
  },
];
