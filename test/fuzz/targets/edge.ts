// Fuzzes the edge function on viewer requests: it never throws, is idempotent, keeps only known parameters and overwrites
// the headers that origins trust.
import fc from 'fast-check';
import { type EdgeField, type EdgeRequest, handler } from '../../../functions/edge/viewer-request.ts';
import { edgeEvents } from '../../generators/edge-events.ts';
import { ensure, type FuzzTarget } from '../target.ts';

const IP = '2001:db8::7';
const SEPARATOR = '\u0001';
const NEXT = '\u0002';

/** Lines of the path, then of names and values of the query, then of the headers. */
const requestOf = (input: string): EdgeRequest => {
  const [path = '', query = '', fields = ''] = input.split(NEXT);
  const entries = (text: string): [string, EdgeField][] =>
    text.split(SEPARATOR).flatMap((line): [string, EdgeField][] => {
      const [name = '', value = '', ...more] = line.split('=');
      if (line === '') return [];
      const all = [value, ...more].map((item) => ({ value: item }));
      return [[name, all.length === 1 ? { value } : { value, multiValue: all }]];
    });
  return {
    method: 'GET',
    uri: path.startsWith('/') ? path : `/${path}`,
    querystring: Object.fromEntries(entries(query)),
    headers: Object.fromEntries([
      ...entries(fields).map(([name, field]): [string, EdgeField] => [name.toLowerCase(), field]),
      ['host', { value: 'postern.test' }],
    ]),
    cookies: {},
  };
};

const ACCEPTED =
  /^(?:\*\/\*|application\/(?:json|x-none|rss\+xml|atom\+xml|feed\+json|x-ndjson|ndjson|vnd\.[a-z.+]+)|text\/(?:markdown|html)(?:; ?[\w=-]+)?)$/;
const NAMES =
  /^(?:url|handle|id|ids|format|thread|replies|layout|max_tokens|part|metrics|sort|limit|cursor|kind|since|until|q|feed|maxwidth|maxheight|resource|tools)$/;

const textOf = (input: EdgeRequest): string =>
  [
    input.uri,
    ...[input.querystring, input.headers].map((fields) =>
      Object.entries(fields)
        .map(([name, field]) => [name, ...(field.multiValue ?? [field]).map(({ value }) => value)].join('='))
        .join(SEPARATOR),
    ),
  ].join(NEXT);

export const target: FuzzTarget = {
  judge(input) {
    const sent = requestOf(input);
    const { uri } = sent;
    const result = structuredClone(handler({ viewer: { ip: IP }, request: structuredClone(sent) }));
    ensure(
      JSON.stringify(result.headers['x-viewer-ip']) === JSON.stringify({ value: IP }),
      'another address of the viewer',
    );
    ensure(!Object.hasOwn(result.headers, 'x-origin-secret'), 'the secret of a viewer');
    ensure(result.headers['x-viewer-host']?.value === 'postern.test', 'another host');
    for (const [name, field] of Object.entries(result.querystring)) {
      ensure(NAMES.test(name), 'an unknown parameter');
      ensure((field.multiValue ?? []).length <= 2, 'more than two values');
    }
    if (uri !== '/mcp') ensure(ACCEPTED.test(result.headers['accept']?.value ?? ''), 'another Accept');
    const isUnroutable = result.uri.startsWith('/-/') && !uri.startsWith('/-/');
    if (isUnroutable || uri.startsWith('/-/')) return;
    const again = handler({ viewer: { ip: IP }, request: structuredClone(result) });
    ensure(
      again.uri === result.uri && JSON.stringify(again.querystring) === JSON.stringify(result.querystring),
      'not idempotent',
    );
  },
  seeds: fc.oneof(edgeEvents.map(({ request }) => textOf(request))),
};
