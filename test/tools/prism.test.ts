// Sends the whole route suite through Prism's validating proxy. Skipped if PRISM is not set.
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { contentTypes } from '../../shared/contract/media-types.ts';
import { AMPLE_ALLOWANCES } from '../support/ample-allowances.ts';
import { freePort } from '../support/free-port.ts';
import { sendRequest, startTestService } from '../support/local-service.ts';
import { routeSuite } from '../support/route-suite.ts';

const prism = process.env['PRISM'] || undefined;
if (prism === undefined) console.log('skipped: the route suite through Prism (PRISM is not set)');

interface Violation {
  readonly location: readonly string[];
  readonly message: string;
}

/** @returns the origin of the proxy */
const startProxy = async (program: string, origin: string): Promise<string> => {
  const port = await freePort();
  const file = join(tmpdir(), `postern-prism-${process.pid}.json`);
  await writeFile(file, (await sendRequest(origin, '/openapi.json')).body);
  const child = spawn(
    process.execPath,
    [program, 'proxy', '--port', String(port), '--host', '127.0.0.1', file, origin],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  onTestFinished(() => void child.kill());
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  child.once('exit', (code) => reject(new Error(`Prism ended with ${code}`)));
  child.stdout.on('data', (chunk: Buffer) => {
    if (chunk.includes('is listening')) resolve(`http://127.0.0.1:${port}`);
  });
  return promise;
};

const violationsOf = (headers: Headers): readonly Violation[] => JSON.parse(headers.get('sl-violations') ?? '[]');

test.skipIf(prism === undefined)('[discovery 8] Prism finds no violation in any answer', async () => {
  const { origin } = await startTestService(AMPLE_ALLOWANCES);
  const proxy = await startProxy(prism ?? '', origin);
  let answers = 0;
  for (const { target, headers = {}, status } of routeSuite) {
    // Prism treats a 501 as its own error and replaces the answer.
    if (status === 501) continue;
    // It takes the path of several accounts for that of a profile.
    if (/^\/\w+,/.test(target)) continue;
    const answer = await fetch(`${proxy}${target}`, { headers });
    expect(answer.status, target).toBe(status);
    // Prism compares every type that ends in `+json` with the schema of application/json.
    if ([contentTypes.jsonfeed, contentTypes.csl].includes(answer.headers.get('content-type') ?? '')) continue;
    // Some requests of the suite are invalid on purpose, so only violations of responses count.
    const violations = violationsOf(answer.headers).filter(({ location }) => location[0] === 'response');
    expect(violations, target).toEqual([]);
    answers += 1;
  }
  // .ci/steps: the figure of the suite.
  const { CI_FIGURE: figure } = process.env;
  if (figure !== undefined) await writeFile(figure, `${answers} 0 0\n`);
});
