// Tests the handler of the function of pictures with the streams of Lambda, which a test takes the place of.
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

type StreamHandler = (event: object, stream: PassThrough) => Promise<void>;

const heads: object[] = [];
let handler: StreamHandler;

beforeAll(async () => {
  vi.stubGlobal('awslambda', {
    streamifyResponse: (given: StreamHandler) => given,
    HttpResponseStream: {
      from(stream: PassThrough, head: object) {
        heads.push(head);
        return stream;
      },
    },
  });
  vi.stubEnv('ORIGIN_SECRETS', 'secret');
  vi.stubEnv('CURSOR_SECRETS', 'secret of cursors');
  vi.stubEnv('BASE_URL', '');
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const { handler: given }: { handler: unknown } = await import('../../../functions/media/handler.ts');
  if (typeof given !== 'function') throw new Error('no handler');
  handler = async (event, stream) => void (await given(event, stream));
});
afterAll(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const call = async (rawPath: string, headers: Readonly<Record<string, string>>, rawQueryString = '') => {
  const stream = new PassThrough();
  const body = text(stream);
  await handler({ rawPath, rawQueryString, headers, requestContext: { http: { method: 'GET' } } }, stream);
  return { head: heads.at(-1), body: JSON.parse(await body) };
};

test('[pictures 2] rejects requests that did not come through the edge, and what the grammar does not allow', async () => {
  const direct = await call('/assets/pbs/media/a.jpg', { 'x-origin-secret': 'wrong' });
  expect(direct.head).toMatchObject({ statusCode: 403 });
  expect(direct.body).toMatchObject({ code: 'forbidden_origin', type: '/docs/errors#forbidden_origin' });
  const edge = { 'x-origin-secret': 'secret' };
  expect((await call('/assets/pbs/0123456789abcdef/a.jpg', edge)).body).toMatchObject({ code: 'route_not_found' });
  expect((await call('/assets/pbs/%2e%2e/a.jpg', edge)).body).toMatchObject({ code: 'route_not_found', status: 404 });
  expect((await call('/assets/pbs/0123456789abcdef/a.jpg', edge, 'tag=1')).body).toMatchObject({
    code: 'invalid_parameter',
    status: 400,
  });
});
