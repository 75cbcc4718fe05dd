// Tests what is read from the events of API Gateway.
import { expect, test } from 'vitest';
import { EDGE_HEADERS, UNROUTABLE_PREFIX } from '../../../shared/contract/headers.ts';
import {
  asDeployed,
  baseUrlOf,
  type HttpEvent,
  presentsBearer,
  problemInstance,
  queryOf,
  requestPath,
  singleQueryValue,
  targetBytes,
} from '../../../shared/http/event.ts';
import { event } from '../../support/event.ts';

const eventOf = (members: Partial<HttpEvent>): HttpEvent => ({ ...event('/'), ...members });

test.each([
  ['/api', '/api'],
  ["/a-b._~!$&'()*+,;=:@/c", "/a-b._~!$&'()*+,;=:@/c"],
  ['/a b', '/a%20b'],
  ['/%', '/%25'],
  ['/%41', '/%2541'],
  ['/ø🐋"', '/%C3%B8%F0%9F%90%8B%22'],
  ['/\ud800', '/%EF%BF%BD'],
  [`${UNROUTABLE_PREFIX}/a%2Fb%20c d`, '/a%2Fb%20c%20d'],
  [`${UNROUTABLE_PREFIX}/%zz%4`, '/%25zz%254'],
  [UNROUTABLE_PREFIX, UNROUTABLE_PREFIX],
])('requestPath() of %o is %o', (rawPath, path) => {
  expect(requestPath(eventOf({ rawPath }))).toBe(path);
});

test.each([
  ['a path of 512 bytes', `/${'a'.repeat(511)}`, `/${'a'.repeat(511)}`],
  ['a path of 513 bytes', `/${'a'.repeat(512)}`, `/${'a'.repeat(511)}`],
  ['a character that ends with the bound', `/${'a'.repeat(499)}🐋b`, `/${'a'.repeat(499)}%F0%9F%90%8B`],
  ['a character beyond the bound by one byte', `/${'a'.repeat(500)}🐋b`, `/${'a'.repeat(500)}`],
  ['a character that begins at the bound', `/${'a'.repeat(510)}🐋b`, `/${'a'.repeat(510)}`],
  ['an escape that is not UTF-8', `${UNROUTABLE_PREFIX}//%ff/${'a'.repeat(600)}`, `//%ff/${'a'.repeat(506)}`],
  ['an escape beside it', `${UNROUTABLE_PREFIX}//%ff/${'a'.repeat(505)}%20`, `//%ff/${'a'.repeat(505)}`],
])('problemInstance() keeps whole characters within 512 bytes: %s', (_, rawPath, instance) => {
  expect(problemInstance(eventOf({ rawPath, rawQueryString: 'q=secret' }))).toBe(instance);
});

test.each([
  ['/api', '', 4],
  ['/api', 'a=b', 8],
  ['/ø', '', 7],
  ['/a b', 'q=1', 10],
  ['/\ud800', '', 10],
])('targetBytes() of the path %o and the query %o is %i', (rawPath, rawQueryString, bytes) => {
  expect(targetBytes(eventOf({ rawPath, rawQueryString }))).toBe(bytes);
});

test.each([
  ['', {}],
  ['a=1&a=2&b', { a: ['1', '2'], b: [''] }],
  ['&&a=&=1', { a: [''], '': ['1'] }],
  ['a=b=c', { a: ['b=c'] }],
  ['a+b=c+d%20e%26', { 'a b': ['c d e&'] }],
  ['a=%&b=%ff+x', { a: ['%'], b: ['%ff x'] }],
  ['a=1,2', { a: ['1,2'] }],
])('queryOf() reads %o', (rawQueryString, parameters) => {
  expect(Object.fromEntries(queryOf(eventOf({ rawQueryString })))).toEqual(parameters);
});

test('singleQueryValue() is undefined for an absent and for a repeated parameter', () => {
  const asked = eventOf({ rawQueryString: 'a=1&b=1&b=1' });
  expect(['a', 'b', 'c'].map((name) => singleQueryValue(asked, name))).toEqual(['1', undefined, undefined]);
});

test.each([
  ['bearer  a', true],
  ['Bearer', true],
  ['Basic a', false],
  [undefined, false],
])('presentsBearer() of the Authorization %o is %o', (authorization, expected) => {
  const headers = authorization === undefined ? {} : { authorization };
  expect(presentsBearer(eventOf({ headers }))).toBe(expected);
});

test('asDeployed() lowers header names and replaces the method of the route key, unless the edge has sent the event', () => {
  const local = eventOf({ headers: { 'X-ORIGIN-Secret': 's', Accept: 'A' }, routeKey: 'GET /api/{id}' });
  expect(asDeployed(local)).toEqual({
    ...local,
    headers: { 'x-origin-secret': 's', accept: 'A' },
    routeKey: 'ANY /api/{id}',
  });
  const fromEdge = eventOf({ headers: { 'x-origin-secret': 's', Accept: 'A' }, routeKey: 'GET /api' });
  expect(asDeployed(fromEdge)).toBe(fromEdge);
  expect(asDeployed(eventOf({ headers: {}, routeKey: '$default' })).routeKey).toBe('$default');
});

const LABEL = 'a'.repeat(63);

test.each([
  [253, true],
  [254, false],
])('baseUrlOf() names a host of %i characters: %o, because DNS allows 253', (length, isNamed) => {
  const host = `${LABEL}.${LABEL}.${LABEL}.`.concat('b'.repeat(length - 3 * 64));
  const settings = { originSecrets: ['local'], baseUrl: undefined, cacheTtlSeconds: 300 };
  const asked = event('/', { headers: { [EDGE_HEADERS.viewerHost]: host } });
  expect(baseUrlOf(asked, settings, true) === `https://${host}`).toBe(isNamed);
});
