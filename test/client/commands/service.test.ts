// Checks what a command accepts from a program that is no Postern service.
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openService } from '../../../client/commands/service.ts';
import { CommandError } from '../../../infra/command/output.ts';
import { answerOf } from '../../support/export-service.ts';
import { startTestServer } from '../../support/test-server.ts';

const serviceAt = async (answer: Parameters<typeof startTestServer>[0]) =>
  openService({ BASE_URL: await startTestServer(answer) });

describe('the service of a command', () => {
  test.each(['nonsense', 'ftp://127.0.0.1/', 'http://name:secret@127.0.0.1:9', 'http://127.0.0.1:9/?x='])(
    'rejects BASE_URL=%s',
    async (url) => {
      await expect(openService({ BASE_URL: url })).rejects.toThrow(/^BASE_URL must be the URL of a service$/);
    },
  );

  test('rejects an answer that never ends', async () => {
    const chunk = Buffer.alloc(100_000, ' ');
    const service = await serviceAt((_, response) => {
      const write = (): void => {
        while (response.writable && response.write(chunk));
      };
      response.on('drain', write);
      write();
    });
    await expect(answerOf(service, '/')).rejects.toThrow(CommandError);
  });

  test('rejects an answer that is too large after its decompression', async () => {
    const bytes = gzipSync(Buffer.alloc(12_000_000, ' '));
    const service = await serviceAt(
      (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bytes),
    );
    await expect(answerOf(service, '/')).rejects.toThrow(CommandError);
  });
});
