// Checks HTTPS, and that the origins behind CloudFront refuse everyone else.
import { codeOf, headerOf } from '../answer.ts';
import { type Check, Skipped } from '../check.ts';

/** Tells whether a version is at least another: `0.10.0` is after `0.9.0`. */
const isAtLeast = (version: string | undefined, least: string): boolean =>
  (version ?? '').localeCompare(least, 'en', { numeric: true }) >= 0;

/** The first version that sends Strict-Transport-Security. */
const FIRST_WITH_HSTS = '0.9.0';

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
        const location = headerOf(answer, 'location') ?? '';
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
      const version = await service.version();
      if (!isAtLeast(version, FIRST_WITH_HSTS)) throw new Skipped(`version ${version} does not send it`);
      for (const target of ['/docs', '/api', '/api/v1/search', '/api/convert']) {
        const field = headerOf(await service.read(target), 'strict-transport-security') ?? 'absent';
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
