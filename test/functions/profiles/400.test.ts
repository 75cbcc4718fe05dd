import { describe, expect, test } from 'vitest';
import { createCursorCodec } from '../../../shared/use-cases/signed-cursors.ts';
import {
  cursorOf,
  invalidParameters,
  PROFILE_ID_ROUTES,
  PROFILE_TARGETS,
  routesOf,
  SEARCH_TARGETS,
  tamperedCursors,
  upstreamWithLists,
  withQuery,
} from '../../support/browse-routes.ts';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp, upstreamFindingAll, upstreamNotCalled } from '../../support/test-app.ts';

const ROUTES = [...routesOf(PROFILE_TARGETS), ...PROFILE_ID_ROUTES];

const REFUSED: readonly (readonly [query: string, code: string, parameters: readonly string[]])[] = [
  ['limit=0', 'invalid_parameter', ['limit']],
  ['limit=101', 'invalid_parameter', ['limit']],
  ['limit=1.5', 'invalid_parameter', ['limit']],
  ['limit=', 'invalid_parameter', ['limit']],
  ['limit=-1', 'invalid_parameter', ['limit']],
  ['limit=010', 'invalid_parameter', ['limit']],
  ['limit=1e1', 'invalid_parameter', ['limit']],
  ['limit=%2B5', 'invalid_parameter', ['limit']],
  ['limit=5%20', 'invalid_parameter', ['limit']],
  ['limit=%D9%A5', 'invalid_parameter', ['limit']],
  ['limit=all', 'invalid_parameter', ['limit']],
  ['limit=99999999999999999999', 'invalid_parameter', ['limit']],
  ['limit=5&limit=5', 'repeated_parameter', ['limit']],
  ['max_tokens=99', 'invalid_parameter', ['max_tokens']],
  ['max_tokens=200001', 'invalid_parameter', ['max_tokens']],
  ['max_tokens=', 'invalid_parameter', ['max_tokens']],
  ['format=', 'invalid_format', ['format']],
  ['format=xml', 'invalid_format', ['format']],
  ['format=JSON', 'invalid_format', ['format']],
  ['format=html', 'invalid_format', ['format']],
  ['format=obsidian', 'invalid_format', ['format']],
  ['format=json&format=json', 'repeated_parameter', ['format']],
  ['format=json&%66ormat=json', 'repeated_parameter', ['format']],
  ['cursor=x', 'invalid_cursor', ['cursor']],
  ['cursor=a&cursor=b', 'repeated_parameter', ['cursor']],
  ['cursor=&cursor=', 'repeated_parameter', ['cursor']],
  ['max_tokens=1&limit=0&format=xml&cursor=x', 'invalid_format', ['format', 'limit', 'cursor', 'max_tokens']],
];

describe('invalid parameters of profiles and their lists', () => {
  test.each(REFUSED)(
    '[problems 1] [problems 2] [bounds 4] GET with ?%s returns 400 %s',
    async (query, code, parameters) => {
      const { get } = createTestApp({ upstream: upstreamNotCalled });
      for (const route of ROUTES) {
        const answer = await get(withQuery(route, query), { headers: { accept: 'application/json' } });
        expect(invalidParameters(expectProblem(answer, 400, code))).toEqual(parameters);
      }
    },
  );

  test('[problems 7] an invalid value is repeated neither in the document nor in the log', async () => {
    const { get, log } = createTestApp({ upstream: upstreamNotCalled });
    for (const query of ['limit=s3cr3t', 'cursor=s3cr3t', 'format=s3cr3t', 'api_key=s3cr3t&limit=0']) {
      for (const route of ROUTES) {
        const answer = await get(withQuery(route, query));
        expectProblem(answer, 400, answer.json()['code'] as string);
        expect(answer.body).not.toContain('s3cr3t');
      }
    }
    expect(JSON.stringify(log)).not.toContain('s3cr3t');
  });
});

test.each([
  'ja-ck',
  '@@jack',
  'sixteen_letters_',
  'j%C3%A4ck',
  'jack%0D%0A',
  'jack%20',
  'ja%00ck',
  '%zz',
  '@',
  '%E0%A4',
])('[inputs 4] [problems 7] the handle %s returns 400 on v1 routes and list permalinks', async (handle) => {
  const { get } = createTestApp({ upstream: upstreamNotCalled });
  const handleRoutes = PROFILE_TARGETS.flatMap(({ v1, permalink }) => [
    v1,
    ...(permalink === '/jack' ? [] : [permalink]),
  ]);
  for (const route of handleRoutes) {
    const document = expectProblem(await get(route.replace('jack', handle)), 400, 'invalid_handle');
    expect(invalidParameters(document)).toEqual(['handle']);
  }
});

describe('[bounds 3] cursors of profiles and their lists', () => {
  test('a changed, shortened, extended or invented cursor returns 400 without a provider call', async () => {
    const issuingApp = createTestApp({ upstream: upstreamWithLists(30) });
    const rejectingApp = createTestApp({ upstream: upstreamNotCalled });
    for (const { v1, permalink } of PROFILE_TARGETS) {
      const cursor = await cursorOf(issuingApp.get, `${v1}?limit=2`);
      for (const tampered of tamperedCursors(cursor)) {
        const answer = await rejectingApp.get(`${permalink}?cursor=${tampered}`);
        expect(invalidParameters(expectProblem(answer, 400, 'invalid_cursor')), tampered).toEqual(['cursor']);
      }
    }
  });

  test('a cursor of another handle returns 400', async () => {
    const { get } = createTestApp({ upstream: upstreamWithLists(30) });
    for (const { v1 } of PROFILE_TARGETS) {
      const cursor = await cursorOf(get, v1);
      for (const handle of ['ada', 'jack_', 'jac'])
        expectProblem(await get(`${v1.replace('jack', handle)}?cursor=${cursor}`), 400, 'invalid_cursor');
    }
  });

  test('a cursor of another list returns 400', async () => {
    const { get } = createTestApp({ upstream: upstreamWithLists(30) });
    const all = [...PROFILE_TARGETS, ...SEARCH_TARGETS];
    for (const one of all) {
      const cursor = await cursorOf(get, one.v1);
      for (const other of all.filter((target) => target !== one))
        expectProblem(await get(withQuery(other.v1, `cursor=${cursor}`)), 400, 'invalid_cursor');
    }
  });

  test('a cursor that is signed with another secret returns 400', async () => {
    const { get } = createTestApp({ upstream: upstreamNotCalled });
    const forged = createCursorCodec(['another secret']).encode(['followers', 'jack'], {
      provider: 'fxtwitter',
      size: 20,
      isPartial: false,
      emptyPages: 0,
      recentFingerprints: [],
    });
    expectProblem(await get(`/jack/followers?cursor=${forged}`), 400, 'invalid_cursor');
  });

  test('a cursor that the provider no longer accepts returns 400 invalid_cursor', async () => {
    const issuingApp = createTestApp({ upstream: upstreamWithLists(30) });
    const refused = async () => ({ kind: 'refused', why: 'LEAKY cursor' }) as const;
    const forgettingApp = createTestApp({
      upstream: { ...upstreamFindingAll, listPosts: refused, listUsers: refused },
    });
    for (const { v1 } of PROFILE_TARGETS) {
      const answer = await forgettingApp.get(`${v1}?cursor=${await cursorOf(issuingApp.get, v1)}`);
      expect(invalidParameters(expectProblem(answer, 400, 'invalid_cursor'))).toEqual(['cursor']);
      expect(answer.body).not.toContain('LEAKY');
    }
  });
});
