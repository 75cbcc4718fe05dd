// Checks what a command accepts from a program that is no Postern service.
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createServiceClient } from '../../../infra/local/client/service-client.ts';
import { CommandError } from '../../../infra/local/request-text.ts';
import { startTestServer } from '../../support/test-server.ts';

const clientOf = async (answer: Parameters<typeof startTestServer>[0]) =>
  createServiceClient({ BASE_URL: await startTestServer(answer) });

const { signal } = new AbortController();

describe('the client of npm run export', () => {
  test.each([
    ['0', undefined],
    ['000', undefined],
    ['-1', undefined],
    ['soon', undefined],
    ['1', 1],
    ['041', 41],
  ])('[lists 7] reads only a wait of at least 1 s from Retry-After: %s', async (field, retryAfter) => {
    const { get } = await clientOf((_, response) => void response.writeHead(429, { 'retry-after': field }).end());
    expect(await get('/', signal)).toEqual({ status: 429, body: '', ...(retryAfter && { retryAfter }) });
  });

  test.each(['nonsense', 'ftp://127.0.0.1/', 'http://name:secret@127.0.0.1:9', 'http://127.0.0.1:9/?x='])(
    'rejects BASE_URL=%s',
    async (url) => {
      await expect(createServiceClient({ BASE_URL: url })).rejects.toThrow(/^BASE_URL must be the URL of a service$/);
    },
  );

  test('rejects an answer that never ends', async () => {
    const chunk = Buffer.alloc(100_000, ' ');
    const { get } = await clientOf((_, response) => {
      const write = (): void => {
        while (response.writable && response.write(chunk));
      };
      response.on('drain', write);
      write();
    });
    await expect(get('/', signal)).rejects.toThrow(CommandError);
  });

  test('rejects an answer that is too large after its decompression', async () => {
    const bytes = gzipSync(Buffer.alloc(12_000_000, ' '));
    const { get } = await clientOf(
      (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bytes),
    );
    await expect(get('/', signal)).rejects.toThrow(CommandError);
  });
});
