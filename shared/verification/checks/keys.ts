// Checks API keys from outside. A random key of the right form is refused; at most five such requests are sent, since
// the service warns its operator of every tenth from one network.
import { randomBytes } from 'node:crypto';
import { generateApiKey } from '../../auth/api-key.ts';
import { type Answer, codeOf, listOf, requestText, responseHeader } from '../answer.ts';
import { type Check, requireRead, Skipped, statusText, type Verifier } from '../check.ts';
import { JSON_ACCEPT, postTarget, profileTarget, REFUSED_SEARCH } from './targets.ts';

const KEY_STATUS = 'x-api-key-status';

const bearer = (key: string): Readonly<Record<string, string>> => ({ Authorization: `Bearer ${key}` });

/** Tells whether CloudFront says that it served the answer from its cache. */
const isFromCache = (answer: Answer): boolean =>
  responseHeader(answer, 'age') !== undefined || /hit/i.test(responseHeader(answer, 'x-cache') ?? '');

const requirePrivate = (verify: Verifier, answer: Answer): void => {
  verify.equals(
    responseHeader(answer, 'cache-control'),
    'private, no-store',
    `Cache-Control of ${requestText(answer)} with a key`,
  );
  verify.holds(!isFromCache(answer), `${requestText(answer)} with a key comes from a cache`);
};

export const keyChecks: readonly Check[] = [
  {
    name: 'unknown-key',
    statement:
      'An unknown key returns 401 invalid_key, which no cache stores, also after an anonymous answer was stored',
    rows: ['keys 3', 'caching 1', 'caching 2', 'keys 10'],
    isInCanary: true,
    run: async (service, verify) => {
      // The anonymous answer of this target may be in the shared cache, which must not answer the key from it.
      await service.read(profileTarget(service), JSON_ACCEPT);
      const headers = { ...bearer(generateApiKey(randomBytes)), Accept: JSON_ACCEPT };
      const refused = await service.send(profileTarget(service), { headers });
      const status = responseHeader(refused, KEY_STATUS);
      verify.holds(
        status !== 'unverified',
        'the key was not read: the key store does not answer, or this network has sent many unknown keys',
      );
      verify.equals([refused.status, codeOf(refused)], [401, 'invalid_key'], requestText(refused));
      verify.equals(status, 'invalid', 'X-Api-Key-Status');
      requirePrivate(verify, refused);
      const anonymous = await service.send(profileTarget(service), { headers: { Accept: JSON_ACCEPT } });
      verify.equals(
        responseHeader(anonymous, KEY_STATUS),
        'anonymous',
        'X-Api-Key-Status of the next anonymous request',
      );
      return '401 invalid_key, private, no-store';
    },
  },
  {
    name: 'malformed-key',
    statement: 'A malformed Bearer value returns 401, before parameters are looked at',
    rows: ['keys 5', 'keys 10'],
    run: async (service, verify) => {
      const refused = await service.send(REFUSED_SEARCH, { headers: bearer('malformed') });
      verify.equals([refused.status, codeOf(refused)], [401, 'invalid_key'], requestText(refused));
      requirePrivate(verify, refused);
      return '401 invalid_key';
    },
  },
  {
    name: 'other-credentials',
    statement: 'Other schemes and other places for a key are ignored',
    rows: ['keys 4', 'keys 1'],
    run: async (service, verify) => {
      const newKey = () => generateApiKey(randomBytes);
      for (const [target, headers] of [
        [REFUSED_SEARCH, { Authorization: 'Basic dXNlcjpwYXNz' }],
        [REFUSED_SEARCH, { 'X-Api-Key': newKey() }],
        [`${REFUSED_SEARCH}?api_key=${newKey()}`, {}],
      ] as const) {
        const answer = await service.send(target, { headers });
        verify.equals(
          [answer.status, codeOf(answer)],
          [400, 'missing_query'],
          `the answer to ${Object.keys(headers)[0] ?? 'api_key'}`,
        );
        verify.equals(responseHeader(answer, KEY_STATUS), 'anonymous', 'X-Api-Key-Status');
      }
      return 'Basic, X-Api-Key and api_key';
    },
  },
  {
    name: 'posts-ignore-keys',
    statement: 'Authorization changes nothing on post routes',
    rows: ['keys 8', 'keys 9', 'problems 10'],
    run: async (service, verify) => {
      const [anonymous, keyed] = [
        requireRead(await service.read(postTarget(service))),
        await service.send(postTarget(service), { headers: bearer('malformed') }),
      ];
      verify.holds(keyed.status === 200, `${statusText(keyed)} with a key`);
      for (const name of ['cache-control', 'etag', 'vary', KEY_STATUS]) {
        verify.equals(responseHeader(keyed, name), responseHeader(anonymous, name), `${name} with a key`);
      }
      verify.equals(responseHeader(anonymous, KEY_STATUS), undefined, 'X-Api-Key-Status');
      verify.holds(keyed.body === anonymous.body, 'the body with a key is another');
      return 'same answer with and without';
    },
  },
  {
    name: 'vary-of-keys',
    statement: 'Vary names Authorization on every route that honours keys, and Accept where the form is negotiated',
    rows: ['caching 4'],
    isLast: true,
    isInCanary: true,
    run: async (service, verify) => {
      const browse = service.answers.filter((answer) => responseHeader(answer, KEY_STATUS) !== undefined);
      const negotiated = service.answers.filter(({ target }) =>
        /^\/(?:api\/v1\/(?:posts|profiles|search)|i\/status|api\/convert|api\/browse)(?:[/?]|$)/.test(target),
      );
      const lacking = (answers: readonly Answer[], name: string): readonly string[] => [
        ...new Set(answers.filter((answer) => !listOf(answer, 'vary').includes(name)).map(requestText)),
      ];
      verify.equals(lacking(browse, 'authorization'), [], 'answers without Vary: Authorization');
      verify.equals(lacking(negotiated, 'accept'), [], 'answers without Vary: Accept');
      verify.holds(browse.length > 0, 'no answer has X-Api-Key-Status');
      return `${browse.length} answers of browse routes, ${negotiated.length} negotiated ones`;
    },
  },
  {
    name: 'valid-key',
    statement: 'A valid key has the key status valid and the same data, and no cache stores the answer',
    rows: ['keys 2', 'keys 13', 'caching 1'],
    run: async (service, verify) => {
      if (service.key === undefined) throw new Skipped('API_KEY is not set');
      const target = `${profileTarget(service)}?format=json`;
      const anonymous = await service.read(target);
      const keyed = await service.send(target, { headers: { Authorization: `bearer  ${service.key}` } });
      verify.equals(responseHeader(keyed, KEY_STATUS), 'valid', 'X-Api-Key-Status');
      requirePrivate(verify, keyed);
      requireRead(anonymous);
      requireRead(keyed);
      // A count may change between two reads of the provider.
      const member = /"profile":\{"handle":"[^"]*","name":"(?:[^"\\]|\\.)*","url":"[^"]*","id":"[^"]*"/;
      verify.equals(member.exec(keyed.body)?.[0], member.exec(anonymous.body)?.[0], 'the profile');
      return 'valid, private, no-store';
    },
  },
];
