import { describe, expect, test } from 'vitest';
import {
  cursorOf,
  invalidParameters,
  routesOf,
  SEARCH_TARGETS,
  upstreamWithLists,
  withQuery,
} from '../../support/browse-routes.ts';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp, upstreamFindingAll, upstreamNotCalled } from '../../support/test-app.ts';

const ROUTES = routesOf(SEARCH_TARGETS);
/** The same routes without a query. */
const ROUTES_WITHOUT_QUERY = ['/api/v1/search', '/search', '/api/browse?resource=search'];
const WHALE = '%F0%9F%90%8B';

const REFUSED: readonly (readonly [query: string, code: string, parameters: readonly string[]])[] = [
  ['', 'missing_query', ['q']],
  ['q', 'missing_query', ['q']],
  ['q=', 'missing_query', ['q']],
  ['q=%20', 'missing_query', ['q']],
  ['q=+++', 'missing_query', ['q']],
  ['q=%09%0D%0A%C2%A0%E3%80%80', 'missing_query', ['q']],
  ['Q=fjord', 'missing_query', ['q']],
  [`q=${'x'.repeat(513)}`, 'invalid_query', ['q']],
  ['q=%00', 'invalid_query', ['q']],
  ['q=a%00b', 'invalid_query', ['q']],
  ['q=a%1B%5B31mb', 'invalid_query', ['q']],
  [`q=${WHALE.repeat(257)}`, 'invalid_query', ['q']],
  [`q=${WHALE.repeat(256)}x`, 'invalid_query', ['q']],
  [`q=${'x'.repeat(257)}%20${'x'.repeat(256)}`, 'invalid_query', ['q']],
  ['q=a&q=b', 'repeated_parameter', ['q']],
  ['q=&q=', 'repeated_parameter', ['q']],
  ['q=a&%71=b', 'repeated_parameter', ['q']],
  ['q=a&feed=', 'invalid_feed', ['feed']],
  ['q=a&feed=people', 'invalid_feed', ['feed']],
  ['q=a&feed=Latest', 'invalid_feed', ['feed']],
  ['q=a&feed=live', 'invalid_feed', ['feed']],
  ['q=a&feed=latest%20', 'invalid_feed', ['feed']],
  ['q=a&feed=constructor', 'invalid_feed', ['feed']],
  ['q=a&feed=top&feed=top', 'repeated_parameter', ['feed']],
  ['q=a&limit=0', 'invalid_parameter', ['limit']],
  ['q=a&limit=101', 'invalid_parameter', ['limit']],
  ['q=a&limit=1.5', 'invalid_parameter', ['limit']],
  ['q=a&limit=', 'invalid_parameter', ['limit']],
  ['q=a&limit=5&limit=5', 'repeated_parameter', ['limit']],
  ['q=a&max_tokens=99', 'invalid_parameter', ['max_tokens']],
  ['q=a&max_tokens=200001', 'invalid_parameter', ['max_tokens']],
  ['q=a&metrics=yes', 'invalid_parameter', ['metrics']],
  ['q=a&metrics=', 'invalid_parameter', ['metrics']],
  ['q=a&format=', 'invalid_format', ['format']],
  ['q=a&format=xml', 'invalid_format', ['format']],
  ['q=a&format=obsidian', 'invalid_format', ['format']],
  ['q=a&format=json&format=json', 'repeated_parameter', ['format']],
  ['q=a&cursor=x', 'invalid_cursor', ['cursor']],
  ['q=a&cursor=a&cursor=b', 'repeated_parameter', ['cursor']],
];

describe('invalid parameters of a search', () => {
  test.each(REFUSED)(
    '[problems 1] [problems 2] [inputs 3] [bounds 2] GET of a search with ?%s returns 400 %s',
    async (query, code, parameters) => {
      const { get } = createTestApp({ upstream: upstreamNotCalled });
      for (const route of ROUTES_WITHOUT_QUERY) {
        const answer = await get(withQuery(route, query), { headers: { accept: 'application/json' } });
        expect(invalidParameters(expectProblem(answer, 400, code))).toEqual(parameters);
      }
    },
  );

  test('the problem document lists every invalid parameter once', async () => {
    const { get } = createTestApp({ upstream: upstreamNotCalled });
    for (const route of ROUTES_WITHOUT_QUERY) {
      const answer = await get(withQuery(route, 'q=&feed=x&format=obsidian&limit=0&max_tokens=1'));
      const names = invalidParameters(expectProblem(answer, 400, 'missing_query'));
      expect(names).toEqual(['q', 'feed', 'format', 'limit', 'max_tokens']);
    }
  });

  test('[problems 7] an invalid value is repeated neither in the document nor in the log', async () => {
    const { get, log } = createTestApp({ upstream: upstreamNotCalled });
    const long = 's3cr3t'.repeat(100);
    for (const query of [`q=${long}`, 'q=s3cr3t&q=s3cr3t', 'q=s3cr3t&feed=s3cr3t', 'q=s3cr3t&cursor=s3cr3t']) {
      for (const route of ROUTES_WITHOUT_QUERY) {
        const answer = await get(withQuery(route, query));
        expect(answer.status).toBe(400);
        expect(answer.body).not.toContain('s3cr3t');
      }
    }
    expect(JSON.stringify(log)).not.toContain('s3cr3t');
  });
});

test("[problems 2] GET returns 400 invalid_query without the provider's text when the provider rejects the query", async () => {
  const refused = async () => ({ kind: 'refused', why: 'LEAKY parser error' }) as const;
  const { get } = createTestApp({ upstream: { ...upstreamFindingAll, listPosts: refused, listUsers: refused } });
  for (const route of ROUTES.flatMap((one) => [one, withQuery(one, 'feed=users')])) {
    const answer = await get(route);
    expect(invalidParameters(expectProblem(answer, 400, 'invalid_query'))).toEqual(['q']);
    expect(answer.body).not.toContain('LEAKY');
    expect(answer.headers['cache-control']).toBe('no-store');
  }
});

describe('[bounds 3] cursors of a search', () => {
  test('a cursor returns 400 for a query and feed that are equal only when joined', async () => {
    const { get } = createTestApp({ upstream: upstreamWithLists(30) });
    const cursor = await cursorOf(get, '/search?q=%22%2C%22fjord&feed=top');
    for (const target of ['q=fjord&feed=top', 'q=top%22%2C%22fjord', 'q=%22%2C%22fjord'])
      expectProblem(await get(`/search?${target}&cursor=${cursor}`), 400, 'invalid_cursor');
  });

  test('a cursor that the provider no longer accepts returns 400 invalid_cursor, not invalid_query', async () => {
    const issuingApp = createTestApp({ upstream: upstreamWithLists(30) });
    const refused = async () => ({ kind: 'refused', why: 'LEAKY cursor' }) as const;
    const { get } = createTestApp({ upstream: { ...upstreamFindingAll, listPosts: refused, listUsers: refused } });
    for (const target of ['/search?q=fjord', '/search?q=fjord&feed=users']) {
      const answer = await get(`${target}&cursor=${await cursorOf(issuingApp.get, target)}`);
      expect(invalidParameters(expectProblem(answer, 400, 'invalid_cursor'))).toEqual(['cursor']);
      expect(answer.body).not.toContain('LEAKY');
    }
  });
});
