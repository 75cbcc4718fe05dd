import { describe, expect, test } from 'vitest';
import type { Upstream } from '../../../shared/ports/upstream.ts';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp } from '../../support/test-app.ts';

const upstreamThatThrows: Pick<Upstream, 'readPost'> = {
  readPost: async () => {
    throw new Error('a provider was called');
  },
};

const REFUSED: readonly (readonly [query: string, code: string, parameters: readonly string[]])[] = [
  ['', 'missing_parameter', ['url']],
  ['url=', 'missing_parameter', ['url']],
  ['handle=jack', 'missing_parameter', ['id']],
  ['id=20', 'missing_parameter', ['handle']],
  ['url=x.com/jack/status/20&handle=jack', 'missing_parameter', ['id']],
  ['url=x.com/jack/status/20&handle=jack&id=21', 'invalid_parameter', ['id']],
  ['url=https://x.com.evil.tld/a/status/20', 'unsupported_host', ['url']],
  ['url=https://x.com%40evil.tld/a/status/20', 'unsupported_host', ['url']],
  ['url=http://169.254.169.254/', 'unsupported_host', ['url']],
  ['url=https://x.com/jack', 'invalid_path', ['url']],
  ['url=%zz', 'invalid_url', ['url']],
  ['url=%00', 'invalid_url', ['url']],
  ['url=javascript://x.com/a/status/20', 'invalid_url', ['url']],
  ['handle=@@jack&id=20', 'invalid_handle', ['handle']],
  ['handle=sixteen_letters_&id=20', 'invalid_handle', ['handle']],
  ['handle=ja%0d%0ack&id=20', 'invalid_handle', ['handle']],
  ['handle=jack&id=020', 'invalid_id', ['id']],
  ['handle=jack&id=9223372036854775808', 'invalid_id', ['id']],
  ['handle=jack&id=20&format=', 'invalid_format', ['format']],
  ['handle=jack&id=20&format=xml', 'invalid_format', ['format']],
  ['handle=jack&id=20&format=JSON', 'invalid_format', ['format']],
  ['handle=jack&id=20&thread=1', 'invalid_parameter', ['thread']],
  ['handle=jack&id=20&thread=101', 'invalid_parameter', ['thread']],
  ['handle=jack&id=20&thread=02', 'invalid_parameter', ['thread']],
  ['handle=jack&id=20&thread=', 'invalid_parameter', ['thread']],
  ['handle=jack&id=20&replies=all', 'invalid_parameter', ['replies']],
  ['handle=jack&id=20&layout=', 'invalid_parameter', ['layout']],
  ['handle=jack&id=20&layout=Unrolled', 'invalid_parameter', ['layout']],
  ['handle=jack&id=20&layout=unrolled&format=json', 'invalid_parameter', ['layout']],
  ['handle=jack&id=20&max_tokens=99', 'invalid_parameter', ['max_tokens']],
  ['handle=jack&id=20&max_tokens=200001', 'invalid_parameter', ['max_tokens']],
  ['handle=jack&id=20&max_tokens=1e3', 'invalid_parameter', ['max_tokens']],
  ['handle=jack&id=20&part=0', 'invalid_parameter', ['part']],
  ['handle=jack&id=20&part=', 'invalid_parameter', ['part']],
  ['handle=jack&id=20&part=x', 'invalid_parameter', ['part']],
  ['handle=jack&id=20&part=-1', 'invalid_parameter', ['part']],
  ['handle=jack&id=20&part=1.5', 'invalid_parameter', ['part']],
  ['handle=jack&id=20&part=01', 'invalid_parameter', ['part']],
  ['handle=jack&id=20&part=1000001', 'invalid_parameter', ['part']],
  ['handle=jack&id=20&part=1&part=2', 'repeated_parameter', ['part']],
  ['handle=jack&id=20&metrics=yes', 'invalid_parameter', ['metrics']],
  ['handle=jack&id=20&metrics=', 'invalid_parameter', ['metrics']],
  ['handle=jack&id=20&id=20', 'repeated_parameter', ['id']],
  ['handle=jack&id=20&format=json&format=markdown', 'repeated_parameter', ['format']],
  ['handle=jack&id=20&format=json&%66ormat=markdown', 'repeated_parameter', ['format']],
];

describe('invalid parameters of a post', () => {
  test.each(REFUSED)(
    '[problems 1] [problems 2] [inputs 2] [parts 2] GET of a post with ?%s returns 400 %s',
    async (query, code, parameters) => {
      const { get } = createTestApp({ upstream: upstreamThatThrows });
      for (const path of ['/api/v1/posts', '/api/convert']) {
        const document = expectProblem(await get(`${path}?${query}`, { headers: { accept: 'text/html' } }), 400, code);
        expect((document['errors'] as { parameter: string }[]).map(({ parameter }) => parameter)).toEqual(parameters);
      }
    },
  );

  test('[threads 3] GET with layout=unrolled returns 400 invalid_parameter when Accept chooses JSON', async () => {
    const { get } = createTestApp({ upstream: upstreamThatThrows });
    for (const path of ['/jack/status/20', '/api/v1/posts?handle=jack&id=20', '/api/convert?handle=jack&id=20']) {
      const target = `${path}${path.includes('?') ? '&' : '?'}layout=unrolled`;
      const answer = await get(target, { headers: { accept: 'application/json' } });
      const { errors, detail } = expectProblem(answer, 400, 'invalid_parameter');
      expect(errors).toEqual([{ parameter: 'layout', message: expect.stringMatching(/^is unrolled, /) }]);
      expect(detail).toMatch(/^layout is unrolled, .*\.$/);
    }
  });

  test.each([
    ['/jack/status/abc', 'invalid_id'],
    ['/jack/status/020', 'invalid_id'],
    ['/way_too_long_a_handle/status/20', 'invalid_handle'],
    ['/ja-ck/status/20', 'invalid_handle'],
    ['/j%C3%A4ck/status/20', 'invalid_handle'],
    ['/jack%0D%0A/status/20', 'invalid_handle'],
    ['/jack/status/20%20', 'invalid_id'],
    ['/jack/status/20?format=xml', 'invalid_format'],
  ])('[inputs 5] the permalink %s returns 400 %s', async (route, code) => {
    expectProblem(await createTestApp({ upstream: upstreamThatThrows }).get(route), 400, code);
  });

  test('the problem document lists every invalid parameter once', async () => {
    const document = expectProblem(
      await createTestApp().get('/api/v1/posts?handle=@@x&id=0&format=xml&thread=zero'),
      400,
      'invalid_handle',
    );
    expect((document['errors'] as { parameter: string }[]).map(({ parameter }) => parameter)).toEqual([
      'handle',
      'id',
      'format',
      'thread',
    ]);
  });

  test('[headers 2] [headers 4] neither the query nor a value is repeated in the document or in the log', async () => {
    const { get, log } = createTestApp();
    const answer = await get('/api/v1/posts?url=s3cr3t-value&token=s3cr3t-too');
    expect(answer.body).not.toContain('s3cr3t');
    expect(answer.json()['instance']).toBe('/api/v1/posts');
    expect(JSON.stringify(log)).not.toContain('s3cr3t');
  });

  test('[problems 1] an error is a problem document whatever format and Accept say', async () => {
    const { get } = createTestApp();
    for (const accept of ['text/html', 'text/markdown', 'application/json', 'image/png', '*/*']) {
      expectProblem(await get('/api/v1/posts?format=json', { headers: { accept } }), 400, 'missing_parameter');
    }
  });
});
