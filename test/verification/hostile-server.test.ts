// Verifies a server that means harm: it must neither hold the verification nor write to the terminal of the operator.
import { execFile } from 'node:child_process';
import type { RequestListener } from 'node:http';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { reportLines } from '../../infra/verify/report.ts';
import { monotonic } from '../../shared/model/time.ts';
import { allChecks, runChecks } from '../../shared/verification/run-checks.ts';
import { countHeadBytes, createService, MAX_ANSWER_BYTES, sendProbe } from '../../shared/verification/service.ts';
import { isFullForm } from '../support/full-form.ts';
import { startByteServer, startTestServer } from '../support/test-server.ts';

const run = promisify(execFile);

const serve = async (listener: RequestListener): Promise<URL> => new URL(await startTestServer(listener));

const MEGABYTE = Buffer.alloc(1_000_000, 'a');
const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n';

/** Writes until the client leaves. @returns the bytes that were written */
const pourInto = (target: NodeJS.WritableStream): (() => number) => {
  let bytes = 0;
  const pour = (): void => {
    bytes += MEGABYTE.length;
    if (target.write(MEGABYTE)) setImmediate(pour);
    else target.once('drain', pour);
  };
  pour();
  return () => bytes;
};

test('an answer without an end is given up after the largest answer that Lambda has', async () => {
  let written = (): number => 0;
  const origin = await serve((_, response) => {
    written = pourInto(response.on('error', () => undefined));
  });
  await expect(sendProbe(origin, '/', {})).rejects.toThrow('larger than');
  expect(written()).toBeLessThan(MAX_ANSWER_BYTES * 4);
});

test('an answer to HEAD without an end is given up', async () => {
  // node:http sends no body to HEAD.
  const origin = await startByteServer((socket) => {
    socket.write(HEAD);
    pourInto(socket);
  });
  await expect(countHeadBytes(origin, '/')).rejects.toThrow('larger than');
});

/** Answers the first request of the command, and then no other. */
const answerOnce: RequestListener = (request, response) => {
  if (request.url === '/openapi.json') response.setHeader('Content-Type', 'application/json').end('{}');
};

test('the checks end when their time is over if the service does not answer', async () => {
  const service = createService({
    origin: await serve(answerOnce),
    known: { post: '20', profile: 'X' },
    wall: Date,
    signal: AbortSignal.timeout(300),
  });
  onTestFinished(() => service.close());
  const times = [0, 0, 0, 2];
  const clock = (): number => times.shift() ?? 2;
  const findings = await runChecks(allChecks, service, { clock: () => monotonic(clock()), budgetMilliseconds: 1 });
  expect(findings).toHaveLength(allChecks.length);
  expect(new Set(findings.map(({ result }) => result))).toEqual(new Set(['fail', 'skip']));
});

// The time limits of the command need 45 seconds.
test.runIf(isFullForm)(
  'the command ends within a minute if the service answers its first request only',
  {
    timeout: 90_000,
  },
  async () => {
    let start = Number.POSITIVE_INFINITY;
    const origin = await serve((request, response) => {
      // The start of the program takes long on a busy machine.
      start = Math.min(start, performance.now());
      answerOnce(request, response);
    });
    const failed = await run('node', ['infra/verify/verify.ts', origin.origin]).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 1, stdout: expect.stringContaining('failed') });
    expect(performance.now() - start).toBeLessThan(62_000);
  },
);

test('a report has no control characters of an answer', async () => {
  const [clear, csi] = ['\u001b[2J', '\u009b2J'];
  const origin = await startTestServer((_, response) =>
    response
      .writeHead(404, { 'content-type': 'application/problem+json' })
      .end(JSON.stringify({ code: `${clear}${csi}\nall passed`, info: { version: clear } })),
  );
  const failed = await run('node', ['infra/verify/verify.ts', origin]).catch((error: unknown) => error);
  expect(failed).toMatchObject({ code: 1, stdout: expect.not.stringMatching(/[\u001b\u009b]/) });
  const check = { name: 'a', statement: 's', rows: [], run: async () => '' };
  const [first = '', second = ''] = reportLines([{ check, result: 'fail', seen: [`x${clear}${csi}\ny\rz`] }], 1, 1);
  expect(`${first}${second}`).not.toMatch(/[\p{Cc}]/u);
});
