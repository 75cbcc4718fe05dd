// Tests on every route of the contract what one pipeline answers for all of them, with and without an API key.
import { describe, expect, test } from 'vitest';
import { buildAllowances } from '../../shared/contract/allowances.ts';
import { acceptsApiKey, isNegotiated, queryNames, versionedPath } from '../../shared/contract/operations.ts';
import type { ProblemCode } from '../../shared/contract/problems.ts';
import { type UseCaseName, useCases } from '../../shared/contract/use-cases.ts';
import type { CounterStore } from '../../shared/ports/stores.ts';
import type { FailedOutcome, Upstream } from '../../shared/ports/upstream.ts';
import { createMemoryCounterStore } from '../../shared/stores/memory-counter-store.ts';
import { issuedKey } from '../support/access-control.ts';
import { BEARER_FORMS, comparableAnswer, OTHER_CREDENTIALS, withQuery } from '../support/browse-routes.ts';
import type { RequestOptions } from '../support/event.ts';
import { sampleOf } from '../support/full-form.ts';
import { expectLifecycle, expectNoLifecycle } from '../support/lifecycle-headers.ts';
import {
  chargingUpstream,
  counterStoreNotCalled,
  keyReaderNotCalled,
  parseRateLimitField,
} from '../support/limited-app.ts';
import { expectErrorPage, expectProblem } from '../support/problem.ts';
import { documentTargets, type Route, routes } from '../support/routes.ts';
import {
  createTestApp,
  type TestAppOptions,
  type TestResponse,
  upstreamNotCalled,
  upstreamReturning,
} from '../support/test-app.ts';

/** In `npm test`, for what takes many requests of each route. */
const someRoutes = sampleOf(routes);

const keyedRoutes = someRoutes.filter(({ operation }) => acceptsApiKey(operation));

const per = (count: number) => ({ count, seconds: 60 });
const allowances = buildAllowances({ searchAnonymous: per(1000), searchKeyed: per(2000), browse: per(3000) });

const policyOf = (useCase: UseCaseName, isKeyed: boolean) => {
  const { allowance } = useCases[useCase];
  if (allowance === 'fair-use') return {};
  const { anonymous, keyed } = allowances[allowance];
  return { [allowance]: { q: (isKeyed ? keyed : anonymous).count, w: 60 } };
};

const parsePolicy = (answer: TestResponse) =>
  answer.headers['ratelimit-policy'] === undefined ? {} : parseRateLimitField(answer, 'ratelimit-policy');

/** A query that is wrong on the route, of a parameter that it has. */
const wrongQuery = ({ operation }: Route): string => {
  const names = queryNames(operation);
  if (names.includes('limit')) return 'limit=0';
  return names.includes('max_tokens') ? 'max_tokens=0' : 'maxwidth=wide';
};

const broken = (): never => {
  throw new Error('secret detail');
};
const throwing: Upstream = { readPost: broken, readProfile: broken, listPosts: broken, listUsers: broken };
const hanging = () => new Promise<never>(() => undefined);
const neverAnswering: Upstream = { readPost: hanging, readProfile: hanging, listPosts: hanging, listUsers: hanging };
const refuseCharge: CounterStore['charge'] = async () => ({ admitted: false, full: 'window' });
const down: FailedOutcome = { kind: 'down', why: '' };

/** The answers of one status on each route. */
interface Situation {
  readonly title: string;
  readonly status: number;
  readonly code?: ProblemCode;
  readonly options?: RequestOptions;
  readonly app?: TestAppOptions;
  readonly targetOf?: (route: Route) => string;
  readonly isOf?: (route: Route) => boolean;
  /** Answered before the key is looked up. */
  readonly isBeforeKey?: true;
}

const upstream = upstreamNotCalled;
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const OF_REPRESENTATION = ['content-type', 'content-security-policy', 'referrer-policy', 'x-request-id'];

const commonHeaders = (answer: TestResponse): object =>
  Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !OF_REPRESENTATION.includes(name)));

const isPage = ({ operation }: Route): boolean => operation.surface === 'permalink' && isNegotiated(operation);
const isNegotiatedRoute = ({ operation }: Route): boolean => isNegotiated(operation);

const situations: readonly Situation[] = [
  { title: 'GET', status: 200 },
  { title: 'OPTIONS', status: 204, options: { method: 'OPTIONS' }, app: { upstream }, isBeforeKey: true },
  { title: 'a matching If-None-Match', status: 304, options: { headers: { 'if-none-match': '*' } } },
  {
    title: 'a wrong parameter',
    status: 400,
    code: 'invalid_parameter',
    targetOf: (route) => withQuery(route.target, wrongQuery(route)),
    app: { upstream },
  },
  {
    title: 'an unknown key',
    status: 401,
    code: 'invalid_key',
    options: { headers: { authorization: 'Bearer x' } },
    app: { upstream },
    targetOf: (route) => withQuery(route.target, wrongQuery(route)),
    isOf: ({ operation }) => acceptsApiKey(operation),
  },
  ...[null, 'locall'].map(
    (secret): Situation => ({
      title: `the origin secret ${secret}`,
      status: 403,
      code: 'forbidden_origin',
      options: { secret },
      app: { upstream },
      isBeforeKey: true,
    }),
  ),
  ...['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'get'].map(
    (method): Situation => ({
      title: method,
      status: 405,
      code: 'method_not_allowed',
      options: { method },
      app: { upstream },
      isBeforeKey: true,
    }),
  ),
  {
    title: 'an unacceptable type',
    status: 406,
    code: 'not_acceptable',
    options: { headers: { accept: 'image/png' } },
    app: { upstream },
    isOf: isNegotiatedRoute,
  },
  {
    title: 'a target of 10 kB',
    status: 414,
    code: 'uri_too_long',
    targetOf: ({ target }) => withQuery(target, `x=${'a'.repeat(10_000)}`),
    app: { upstream },
    isBeforeKey: true,
  },
  {
    title: 'a spent allowance',
    status: 429,
    code: 'rate_limited',
    app: { access: { counters: { ...createMemoryCounterStore(Date.now), charge: refuseCharge } } },
    isOf: ({ useCase }) => useCases[useCase].allowance !== 'fair-use',
  },
  { title: 'an exception', status: 500, code: 'internal_error', app: { upstream: throwing } },
  {
    title: 'an unusable answer of the provider',
    status: 502,
    code: 'upstream_failed',
    app: { upstream: upstreamReturning({ kind: 'failed', why: '' }) },
  },
  {
    title: 'an outage of the provider',
    status: 503,
    code: 'upstream_unavailable',
    app: { upstream: upstreamReturning(down) },
  },
  {
    title: 'a request without time',
    status: 503,
    code: 'upstream_unavailable',
    app: { upstream: neverAnswering, remainingMilliseconds: 0 },
  },
];

const appOf = ({ app: { upstream: methods, ...app } = {} }: Situation, access: TestAppOptions['access']) =>
  createTestApp({ ...app, upstream: chargingUpstream(methods), access: { allowances, ...app.access, ...access } });

/** Retry-After, the body and RateLimit agree on the seconds to wait, and RateLimit says that nothing is left. */
const expectDenied = ({ useCase }: Route, answer: TestResponse): void => {
  const seconds = Number(answer.headers['retry-after']);
  expect(seconds).toBeGreaterThan(0);
  expect(answer.json()).toMatchObject({ retry_after: seconds, detail: expect.stringMatching(/allowance/) });
  const { [useCases[useCase].allowance]: left = {}, ...others } = parseRateLimitField(answer, 'ratelimit');
  expect([left['r'], others]).toEqual([0, {}]);
  expect(left['t']).toBeLessThanOrEqual(seconds);
};

/** The successor of an alias; undefined: the route is not deprecated. */
const successorOf = ({ operation, useCase }: Route): string | undefined =>
  operation.surface === 'alias' ? versionedPath(useCase).replace('{handle}', 'jack') : undefined;

const expectCommonHeaders = (route: Route, { headers }: TestResponse): void => {
  const { operation } = route;
  expect(headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-expose-headers':
      'Deprecation, Sunset, Link, X-Api-Key-Status, Retry-After, RateLimit, RateLimit-Policy, ETag, X-Request-Id, X-Markdown-Tokens, X-Warnings',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(/./),
    vary: ['Accept', 'Authorization', 'Accept-Encoding']
      .filter((name) => name !== 'Accept' || isNegotiated(operation))
      .filter((name) => name !== 'Authorization' || acceptsApiKey(operation))
      .join(', '),
  });
  expect(headers['x-robots-tag']).toBe(operation.surface === 'permalink' ? 'noindex, nofollow' : undefined);
  expect(Object.keys(headers).filter((name) => /authenticate|allow-credentials/.test(name))).toEqual([]);
  if (headers['content-type']?.startsWith('text/')) expect(headers['content-type']).toMatch(/; charset=utf-8$/);
  const successor = successorOf(route);
  if (successor === undefined) expectNoLifecycle({ headers } as TestResponse);
  else expectLifecycle({ headers } as TestResponse, successor);
};

describe.each(situations)('$title: $status on every route', (situation) => {
  const { status, code, options = {}, isOf = () => true, targetOf = ({ target }) => target, isBeforeKey } = situation;
  // If-None-Match never replaces an error.
  const ifNoneMatch: Readonly<Record<string, string>> = status >= 400 ? { 'if-none-match': '*' } : {};
  const ask = async (route: Route, access: TestAppOptions['access'], more: RequestOptions = {}) => {
    const { get } = appOf(situation, access);
    const headers = { ...ifNoneMatch, ...more.headers, ...options.headers };
    const answer = await get(targetOf(route), { ...options, ...more, headers });
    expect(answer.status, route.target).toBe(status);
    return answer;
  };

  test('[pages 7] [cors 1] [cors 2] [cors 4] [caching 5] [caching 17] [headers 6] [problems 8] [problems 9] [lifecycle 1] [lifecycle 2] [lifecycle 5] [lifecycle 10] [lifecycle 12] [lifecycle 18] [allowances 1] [allowances 2] [allowances 3] [allowances 6] [keys 1] has the headers of every answer, the policy of callers without a key, and their key status once the key counts', async () => {
    for (const route of routes.filter(isOf)) {
      const answer = await ask(route, {});
      expectCommonHeaders(route, answer);
      if (code !== undefined) expectProblem(answer, status, code);
      if (status >= 400) expect(answer.headers['cache-control']).toMatch(/^(private, )?no-store$/);
      const keyStatus =
        acceptsApiKey(route.operation) && !isBeforeKey ? (status === 401 ? 'invalid' : 'anonymous') : undefined;
      expect(answer.headers['x-api-key-status'], route.target).toBe(keyStatus);
      expect(parsePolicy(answer), route.target).toEqual(policyOf(route.useCase, false));
      if (status === 429) expectDenied(route, answer);
      else expect(answer.headers).not.toHaveProperty('ratelimit');
    }
  });

  test('[caching 1] [keys 8] [keys 9] [problems 10] with a key is private where keys count, and the same elsewhere', async () => {
    for (const route of routes.filter(isOf)) {
      const { bearer, keys } = issuedKey();
      const access = { keys: acceptsApiKey(route.operation) && !isBeforeKey ? keys : keyReaderNotCalled };
      const answer = await ask(route, access, { headers: { authorization: bearer } });
      if (!acceptsApiKey(route.operation)) {
        expect(comparableAnswer(answer)).toEqual(comparableAnswer(await ask(route, {})));
        continue;
      }
      const { headers } = answer;
      if (status !== 204) expect(headers['cache-control'], route.target).toBe('private, no-store');
      const keyStatus = status === 401 ? 'invalid' : 'valid';
      expect(headers['x-api-key-status'], route.target).toBe(isBeforeKey ? undefined : keyStatus);
      const isPolicyOfKey = isBeforeKey !== true && status !== 401;
      expect(parsePolicy(answer)).toEqual(policyOf(route.useCase, isPolicyOfKey));
      expect('ratelimit' in headers, route.target).toBe([200, 304, 429].includes(status));
    }
  });

  // Without the origin secret, HEAD has no body that names the problem.
  if (options.method === undefined && options.secret === undefined)
    test('[methods 1] answers HEAD with the headers of GET and no body', async () => {
      for (const route of routes.filter(isOf)) {
        const head = await ask(route, {}, { method: 'HEAD' });
        expect(comparableAnswer(head), route.target).toEqual({
          ...Object(comparableAnswer(await ask(route, {}))),
          body: '',
        });
      }
    });

  // The guard of the origin secret answers before anything else.
  if (status >= 400 && status !== 406 && options.secret === undefined)
    test('[pages 2] [methods 1] is a page for a browser on permalinks, with the headers of the problem document', async () => {
      for (const route of routes.filter(isOf).filter(isPage)) {
        const page = await ask(route, {}, { headers: { accept: BROWSER } });
        expectErrorPage(page, status, code ?? '');
        expect(commonHeaders(page), route.target).toEqual(commonHeaders(await ask(route, {})));
        const programs = await ask(route, {}, { headers: { accept: 'text/html;q=0.5, application/json' } });
        expectProblem(programs, status, code ?? '');
        if (options.method !== undefined) continue;
        const head = await ask(route, {}, { method: 'HEAD', headers: { accept: BROWSER } });
        expect(comparableAnswer(head)).toEqual({ ...Object(comparableAnswer(page)), body: '' });
      }
    });
});

test('[cors 3] [keys 9] [allowances 5] a preflight names Authorization and the methods, and calls no store or provider', async () => {
  const access = { keys: keyReaderNotCalled, counters: counterStoreNotCalled };
  const { get } = createTestApp({ upstream, access });
  for (const { target } of routes) {
    for (const authorization of ['', 'Bearer x']) {
      const { body, headers } = await get(target, {
        method: 'OPTIONS',
        headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'GET', authorization },
      });
      expect(body).toBe('');
      expect(headers).toMatchObject({
        'access-control-allow-headers': expect.stringMatching(/(?:^|, )Authorization(?:,|$)/),
        'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      });
    }
  }
});

test('[headers 7] Markdown, and no other form, says its size in tokens of 4 bytes', async () => {
  const { get } = createTestApp();
  let count = 0;
  for (const target of [...routes.map(({ target }) => target), ...documentTargets, '/missing/route'])
    for (const accept of ['text/markdown', 'text/html', '*/*']) {
      const { status, headers, body } = await get(target, { headers: { accept } });
      const isMarkdown = status === 200 && headers['content-type']?.startsWith('text/markdown') === true;
      const tokens = isMarkdown ? String(Math.ceil(Buffer.byteLength(body) / 4)) : undefined;
      expect([target, headers['x-markdown-tokens']]).toEqual([target, tokens]);
      count += Number(isMarkdown);
    }
  expect(count).toBeGreaterThan(40);
});

describe('If-None-Match', () => {
  const { get } = createTestApp();
  const targets = [...routes.map(({ target }) => target), ...documentTargets];
  const someTargets = sampleOf(targets);

  test('[caching 5] that matches gets 304 with the headers of the 200 and no body', async () => {
    for (const target of targets) {
      const full = await get(target);
      const { 'content-type': _type, 'x-request-id': _id, 'content-disposition': _name, ...headers } = full.headers;
      const { 'x-markdown-tokens': _tokens, ...kept } = headers;
      for (const method of ['GET', 'HEAD']) {
        const answer = await get(target, { method, headers: { 'if-none-match': full.headers['etag'] ?? '' } });
        expect([answer.status, answer.body], target).toEqual([304, '']);
        expect(answer.headers).toMatchObject(kept);
      }
    }
  });

  test('[caching 6] matches lists, strong tags and *, and not malformed values', async () => {
    for (const target of someTargets) {
      const etag = (await get(target)).headers['etag'] ?? '';
      const status = async (field: string) => (await get(target, { headers: { 'if-none-match': field } })).status;
      for (const field of ['*', ' * ', etag, etag.replace(/^W\//, ''), `"x", ${etag}`, `W/"a,b",${etag} , "c"`])
        expect(await status(field), `${target} ${field}`).toBe(304);
      for (const field of ['', '"x"', 'W/"x"', etag.slice(3, -1), 'garbage', '"', ',,,', '**'])
        expect(await status(field), `${target} ${field}`).toBe(200);
    }
  });
});

test('[methods 3] Allow names the methods of a route and of a document, and an unknown route gets 404', async () => {
  const { get } = createTestApp({ upstream });
  for (const target of [...routes.map((route) => route.target), ...documentTargets]) {
    const answer = await get(target, { method: 'DELETE' });
    expectProblem(answer, 405, 'method_not_allowed');
    expect(answer.headers['allow']).toBe('GET, HEAD, OPTIONS');
  }
  for (const target of ['/api/nope', '/api/v1/profiles/jack/likes', '/docs/followers', '/Search'])
    expectProblem(await get(target, { method: 'POST' }), 404, 'route_not_found');
});

describe('Accept', () => {
  const negotiated = routes.filter(isNegotiatedRoute);

  test('[negotiation 5] browsers and link previews never get 406', async () => {
    const { get } = createTestApp();
    for (const accept of [BROWSER, 'text/html, */*', '*/*', 'application/json, text/plain, */*']) {
      for (const { target } of someRoutes)
        expect((await get(target, { headers: { accept } })).status, target).toBe(200);
    }
  });

  test('[negotiation 5] the 406 names the offered types, and a wrong parameter is reported before it', async () => {
    const { get } = createTestApp({ upstream });
    const headers = { accept: 'image/png' };
    for (const route of negotiated) {
      expect((await get(route.target, { headers })).json()['detail']).toMatch(/text\/markdown.*application\/json/);
      const wrong = await get(withQuery(route.target, wrongQuery(route)), { headers });
      expectProblem(wrong, 400, 'invalid_parameter');
    }
  });

  test('[negotiation 3] selects Markdown with a charset, or JSON without a charset and with the Markdown', async () => {
    const { get } = createTestApp();
    for (const { target } of negotiated) {
      const markdown = await get(target);
      expect(markdown.headers['content-type']).toBe('text/markdown; charset=utf-8');
      const json = await get(target, { headers: { accept: 'application/json' } });
      expect(json.headers['content-type']).toBe('application/json');
      expect(json.json()).toMatchObject({ source: 'fxtwitter', markdown: markdown.body });
    }
  });

  test('[caching 4] each representation has a tag of its own', async () => {
    const { get } = createTestApp();
    for (const { target } of negotiated) {
      const types = ['text/markdown', 'application/json', ...(target.startsWith('/api/') ? [] : ['text/html'])];
      const tags = await Promise.all(
        types.map(async (accept) => (await get(target, { headers: { accept } })).headers['etag']),
      );
      for (const tag of tags) expect(tag).toMatch(/^W\/"[\w-]{22}"$/);
      expect(new Set(tags).size, target).toBe(types.length);
    }
  });
});

describe('one use case', () => {
  test('[negotiation 4] [lifecycle 16] has the same bytes and caching on every negotiated route', async () => {
    const { get } = createTestApp();
    // The permalinks of a timeline determine the kind, and the one of a translation the language.
    const groups = Map.groupBy(
      routes.filter(
        (route) =>
          isNegotiatedRoute(route) && route.operation.fixed?.kind === undefined && !route.target.endsWith('/de'),
      ),
      ({ useCase }) => useCase,
    );
    for (const [useCase, group] of groups) {
      for (const accept of ['text/markdown', 'application/json']) {
        const answers = await Promise.all(group.map(({ target }) => get(target, { headers: { accept } })));
        expect(new Set(answers.map(({ body }) => body)).size, useCase).toBe(1);
        for (const name of ['etag', 'cache-control', 'content-type', 'vary', 'x-api-key-status'])
          expect(new Set(answers.map(({ headers }) => headers[name])).size, `${useCase} ${name}`).toBe(1);
      }
    }
  });

  test('[caching 7] [caching 11] unknown parameters change nothing, repeated or not', async () => {
    const { get } = createTestApp();
    for (const { target } of routes)
      expect(comparableAnswer(await get(withQuery(target, 'utm_source=a&utm_source=b&a[]=1')))).toEqual(
        comparableAnswer(await get(target)),
      );
  });
});

describe('a key', () => {
  test.each([...OTHER_CREDENTIALS, ...BEARER_FORMS.map((authorization) => ({ authorization }))])(
    '[keys 4] [keys 8] [oembed 4] counts only as a Bearer token, and only where keys count: %o',
    async (headers) => {
      const { get, log } = createTestApp();
      const isBearer = BEARER_FORMS.includes(Object.values(headers)[0] ?? '');
      for (const { target, operation } of someRoutes) {
        const answer = await get(target, { headers });
        if (isBearer && acceptsApiKey(operation)) expectProblem(answer, 401, 'invalid_key');
        else expect(comparableAnswer(answer)).toEqual(comparableAnswer(await get(target)));
      }
      expect(JSON.stringify(log)).not.toContain('pstn_');
    },
  );

  test('[keys 4] in the query changes nothing and is not logged', async () => {
    const { get, log } = createTestApp({ access: { keys: keyReaderNotCalled } });
    for (const { target } of keyedRoutes) {
      for (const name of ['api_key', 'access_token', 'key', 'token', 'authorization'])
        expect(comparableAnswer(await get(withQuery(target, `${name}=pstn_x`)))).toEqual(
          comparableAnswer(await get(target)),
        );
    }
    expect(JSON.stringify(log)).not.toContain('pstn_x');
  });
});

test('[problems 7] the message of an exception is logged, and not in the answer', async () => {
  const { get, log } = createTestApp({ upstream: throwing });
  for (const { target } of routes) {
    log.length = 0;
    expect((await get(target)).body).not.toContain('secret detail');
    expect(log).toContainEqual(
      expect.objectContaining({ level: 'error', event: 'problem', cause: expect.stringContaining('secret detail') }),
    );
    expect(log).toContainEqual(expect.objectContaining({ level: 'error', event: 'request', status: 500 }));
  }
});

describe('[pages 7] search engines', () => {
  const page = { headers: { accept: 'text/html' } };
  const ROBOTS = /<meta name="robots" content="([^"]*)">/g;

  test.each([false, true])('every page says once what they may index: %s', async (isIndexed) => {
    for (const { target } of routes.filter(isPage)) {
      const { get } = createTestApp({ upstream: chargingUpstream(), settings: { isIndexed } });
      const { body, headers, status } = await get(target, page);
      expect(status).toBe(200);
      expect(
        [...body.matchAll(ROBOTS)].map(([, rules]) => rules),
        target,
      ).toEqual(isIndexed ? [] : ['noindex']);
      expect(headers['x-robots-tag']).toBe(isIndexed ? undefined : 'noindex, nofollow');
    }
  });

  test.each(documentTargets)('%s may be indexed', async (path) => {
    const { headers, body } = await createTestApp().get(path, page);
    expect(headers).not.toHaveProperty('x-robots-tag');
    expect(body).not.toMatch(/name="robots"/);
  });

  test('the form of the search is not for them', async () => {
    const { headers, body } = await createTestApp().get('/search', page);
    expect(headers['x-robots-tag']).toBe('noindex, nofollow');
    expect(body.match(ROBOTS)).toHaveLength(1);
  });
});
