// Reads the log lines of the bundled functions: what a request writes, that metrics are readable, that callers cannot add a
// value to a dimension, and that no line has text of a caller.
import { beforeAll, describe, expect, test } from 'vitest';
import { lambdaNames } from '../../shared/contract/lambdas.ts';
import { operatorEvents, SERVICE_DIMENSION } from '../../shared/contract/metrics.ts';
import { newApiKey } from '../support/access-control.ts';
import { AMPLE_ALLOWANCES } from '../support/ample-allowances.ts';
import { type MetricSample, readMetrics } from '../support/embedded-metrics.ts';
import { type LocalRequestOptions, localOptions, sendRequest, startSlowService } from '../support/local-service.ts';
import { routeSuite } from '../support/route-suite.ts';

const PLANTED = 'planted7f3a';
const ADDRESS = '203.0.113.77';
const KEY = newApiKey();
const MAX_LINE_BYTES = 2048;

interface Line extends Readonly<Record<string, unknown>> {
  readonly event: string;
}

/** @param environment variables of the functions */
const startService = async (environment: Readonly<Record<string, string>>) => {
  const written: string[] = [];
  const service = await startSlowService({
    ...localOptions({ ...AMPLE_ALLOWANCES, ...environment }),
    writeLog: (text) => void written.push(text),
  });
  const texts = (): readonly string[] =>
    written
      .join('')
      .split('\n')
      .filter((text) => text !== '');
  return {
    close: service.close,
    texts,
    /** @returns the lines of one request */
    async linesOf(target: string, options?: LocalRequestOptions): Promise<readonly Line[]> {
      const before = texts().length;
      await sendRequest(service.origin, target, options);
      return texts()
        .slice(before)
        .map((text) => JSON.parse(text));
    },
  };
};

const rpc = (method: string, params: object, id = 1) => ({ jsonrpc: '2.0', id, method, params });

const mcp = (body: unknown, headers: Readonly<Record<string, string>> = {}): LocalRequestOptions => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
  body: JSON.stringify(body),
});

const callOf = (name: string, args: object, id?: number) => rpc('tools/call', { name, arguments: args }, id);

const requestLine = (lines: readonly Line[]): Line => {
  const found = lines.filter(({ event }) => event === 'request');
  expect(found).toHaveLength(1);
  return found[0] ?? { event: 'none' };
};

// In this order: only the first request to a function is a cold start and finds nothing in the cache.
describe('the line of a request', { shuffle: false }, () => {
  let service: Awaited<ReturnType<typeof startService>>;
  beforeAll(async () => {
    service = await startService({});
    return service.close;
  });

  const POST = '/api/v1/posts?handle=jack&id=20';

  test('has what happened, and is as short as the function wrote it outside of AWS', async () => {
    const lines = await service.linesOf(POST, { headers: { accept: 'application/json' } });
    expect(requestLine(lines)).toEqual({
      level: 'info',
      event: 'request',
      timestamp: expect.any(String),
      request_id: expect.any(String),
      surface: 'posts',
      operation: 'readPost',
      form: 'json',
      method: 'GET',
      status: 200,
      provider: 'sample',
      cache: 'miss',
      allowance: 'admitted',
      calls: expect.stringMatching(/^fxtwitter \w+ 200(?:, |$)/),
      cold_start: 1,
      bytes: expect.any(Number),
      duration_ms: expect.any(Number),
    });
    expect(lines.filter(({ event }) => event === 'upstream')).toEqual([]);
  });

  test.each<[subject: string, target: string, expected: object, options?: LocalRequestOptions]>([
    ['the second read of a post', POST, { form: 'markdown', cache: 'hit' }],
    ['a preflight', POST, { method: 'OPTIONS', status: 204, form: 'none', bytes: 0 }, { method: 'OPTIONS' }],
    [
      'a feed',
      '/ada_larsson/rss?limit=3',
      { form: 'rss', surface: 'profiles', key: 'anonymous', allowance: 'admitted' },
    ],
    ['an embed', '/oembed?url=x.com/jack/status/20', { form: 'oembed', surface: 'oembed' }],
    ['a note', `${POST}&format=obsidian`, { form: 'obsidian' }],
    ['lines of JSON', '/ada_larsson/followers?format=ndjson&limit=5', { form: 'ndjson' }],
    ['a form', '/search', { form: 'html' }, { headers: { accept: 'text/html' } }],
    ['a page of documentation', '/docs', { surface: 'discovery', operation: 'document', form: 'html' }],
    ['a file', '/robots.txt', { operation: 'document', document: 'robots', form: 'other' }],
    [
      'an unknown route',
      `/api/${PLANTED}`,
      { operation: 'unknown', form: 'problem', status: 404, code: 'route_not_found' },
    ],
    ['an invalid request', '/api/v1/posts', { form: 'problem', code: 'missing_parameter' }],
    [
      'a page for an error',
      '/i/status/1990000000000000001',
      { form: 'html', status: 404, code: 'post_not_found' },
      { headers: { accept: 'text/html' } },
    ],
    [
      'a malformed key',
      '/search?q=tide',
      { key: 'invalid', code: 'invalid_key' },
      { headers: { authorization: 'Bearer x' } },
    ],
    ['a format that is not available', '/oembed?url=x.com/jack/status/20&format=xml', { status: 501, level: 'info' }],
    [
      'an outage',
      '/flaky_feed/followers',
      { level: 'error', status: 503, refunded: 1, viewer_request_id: expect.any(String) },
    ],
    ['a page without a session', '/api/admin/keys', { surface: 'admin', operation: 'listKeys', status: 401 }],
  ])('says of %s what happened', async (_, target, expected, options) => {
    expect(requestLine(await service.linesOf(target, options))).toMatchObject(expected);
  });

  test('a tool has a line of its own, and a batch one per call', async () => {
    const lines = await service.linesOf(
      '/mcp',
      mcp(
        [
          callOf('x_get_post', { url: 'https://x.com/jack/status/20', format: 'json' }, 1),
          callOf('x_get_post', { url: 'https://x.com/i/status/1990000000000000001' }, 2),
          callOf('x_list_followers', { handle: 'flaky_feed' }, 3),
          callOf(PLANTED, {}, 4),
          rpc('tools/list', {}, 5),
        ],
        { 'mcp-protocol-version': '2025-03-26' },
      ),
    );
    const tools = lines.filter(({ event }) => event === 'tool');
    expect(tools.toSorted((a, b) => String(a['code']).localeCompare(String(b['code'])))).toMatchObject([
      { tool: 'unknown', form: 'problem', code: '-32602', status: 200, level: 'info' },
      { tool: 'x_get_post', form: 'problem', code: 'post_not_found', status: 404, level: 'info' },
      {
        tool: 'x_get_post',
        form: 'json',
        status: 200,
        provider: 'sample',
        cache: 'miss',
        tool_duration_ms: expect.any(Number),
      },
      { tool: 'x_list_followers', form: 'problem', code: 'upstream_unavailable', status: 503, level: 'error' },
    ]);
    const { request_id: requestId } = requestLine(lines);
    for (const { request_id: id } of tools) expect(id).toBe(requestId);
    expect(lines.filter(({ event }) => event === 'mcp')).toMatchObject([{ mcp_method: 'tools/list' }]);
    expect(requestLine(lines)).toMatchObject({
      surface: 'mcp',
      operation: 'mcp',
      form: 'json',
      status: 200,
      cache: 'miss',
    });
  });
});

describe('the lines of a deployment', () => {
  let texts: readonly string[];
  beforeAll(async () => {
    const service = await startService({ METRICS_NAMESPACE: 'Postern' });
    const hostile = {
      'user-agent': PLANTED,
      referer: `https://${PLANTED}.example/`,
      'x-amz-cf-id': PLANTED,
      'x-amzn-trace-id': `Root=${PLANTED}`,
      'x-viewer-ip': ADDRESS,
      'x-forwarded-for': ADDRESS,
      'x-viewer-host': `${PLANTED}.example`,
    };
    for (const { target, headers = {} } of routeSuite) {
      await service.linesOf(target, { headers: { ...headers, ...hostile } });
    }
    const targets = [
      `/${PLANTED}`,
      `/${PLANTED}/status/1990000000000007773`,
      `/api/v1/${PLANTED}?${PLANTED}=1`,
      `/search?q=${PLANTED}`,
      `/api/v1/search?q=from%3A${PLANTED}&format=${PLANTED}`,
      `/api/v1/profiles/${PLANTED}/posts?cursor=${PLANTED}`,
      `/docs/${PLANTED}`,
      `/admin/${PLANTED}`,
      `/api/admin/keys/${PLANTED}`,
    ];
    for (const target of targets) {
      await service.linesOf(target, { headers: { ...hostile, authorization: `Bearer ${KEY}`, accept: PLANTED } });
      await service.linesOf(target, { method: 'DELETE', headers: { ...hostile, authorization: `Bearer ${PLANTED}` } });
    }
    const messages = [
      callOf('x_get_post', { url: `https://x.com/${PLANTED}/status/1990000000000007773` }),
      callOf('x_search_posts', { query: PLANTED }),
      callOf('x_search_posts', { query: PLANTED, [PLANTED]: PLANTED }),
      callOf(PLANTED, { [PLANTED]: PLANTED }),
      rpc(PLANTED, { name: PLANTED }),
      rpc('prompts/get', { name: PLANTED }),
      rpc('resources/read', { uri: `x://post/${PLANTED}` }),
    ];
    for (const message of messages) {
      await service.linesOf('/mcp', mcp(message, { ...hostile, authorization: `Bearer ${KEY}` }));
      await service.linesOf(`/mcp?tools=${PLANTED}`, mcp(message, hostile));
    }
    await service.linesOf('/mcp?tools=research', mcp(callOf('search', { query: PLANTED }), hostile));
    texts = service.texts();
    return service.close;
  });

  test('[keys 12] no line has a key, a query, a handle, an id, an IP address or other text of a caller', () => {
    expect(texts.length).toBeGreaterThan(200);
    const leaky = texts.filter((text) =>
      [PLANTED, KEY, ADDRESS, '1990000000000007773', 'tide'].some((secret) => text.includes(secret)),
    );
    expect(leaky).toEqual([]);
    // The local service calls the bundled provider by the address of this machine, which only the address has.
    const others = texts.map((text) => text.replaceAll(/"address":"127\.0\.0\.1:\d+"|\(127\.0\.0\.1:\d+\)/g, ''));
    expect(others.filter((text) => text.includes('127.0.0.1'))).toEqual([]);
  });

  test('[bounds 5] every line is one JSON object of less than 2 kB, whose metrics CloudWatch accepts', () => {
    for (const text of texts) {
      expect(Buffer.byteLength(text), text).toBeLessThan(MAX_LINE_BYTES);
      readMetrics(text);
    }
  });

  test('[costs 3] every failure, tool call and provider call has metrics', () => {
    const lines: readonly Line[] = texts.map((text) => JSON.parse(text));
    const samples = texts.flatMap(readMetrics);
    const samplesOf = (name: string, dimension: string): readonly MetricSample[] =>
      samples.filter((sample) => sample.name === name && Object.keys(sample.dimensions).join() === dimension);
    const failed = lines.filter(({ event, level }) => event === 'request' && level === 'error');
    expect(samplesOf('failures', 'surface')).toHaveLength(failed.length);
    expect(samplesOf('tool_duration_ms', 'service')).toHaveLength(lines.filter(({ event }) => event === 'tool').length);
    expect(samplesOf('call_ms', 'address')).not.toEqual([]);
  });

  test('[costs 3] no caller can add a value to a dimension', () => {
    const known = new Map<string, readonly string[]>([
      ['service', [SERVICE_DIMENSION]],
      ['surface', lambdaNames],
      ['event', operatorEvents],
    ]);
    const unknown = texts
      .flatMap(readMetrics)
      .flatMap(({ dimensions }) => Object.entries(dimensions))
      .filter(([name, value]) =>
        name === 'address' ? !/^127\.0\.0\.1:\d+$/.test(value) : !known.get(name)?.includes(value),
      );
    expect(unknown).toEqual([]);
  });
});
