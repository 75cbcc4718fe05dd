// Starts the service in network namespaces of their own, which have no network, and a loopback interface that is down at first.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { requireLoopback } from '../../infra/local/require-loopback.ts';
import { programEnvironment } from '../support/program-environment.ts';

const NAMESPACE = ['unshare', '-rn'] as const;

const root = fileURLToPath(new URL('../../', import.meta.url));

/** @param script of sh, whose arguments are Node and a file @returns standard error and the exit code */
const inNamespace = (script: string, file: string) => {
  const { status, stdout, stderr } = spawnSync(
    NAMESPACE[0],
    [...NAMESPACE.slice(1), 'sh', '-c', script, '-', process.execPath, file],
    {
      cwd: root,
      env: programEnvironment({
        DATA_DIR: 'memory',
        PORT: '0',
        UPSTREAM: 'auto',
        POST: 'https://x.com/jack/status/20',
      }),
      encoding: 'utf8',
    },
  );
  return { status, stdout, stderr };
};

const hasNamespaces = inNamespace('ip link set lo up', '').status === 0;
if (!hasNamespaces) console.log('skipped: starts without a loopback interface, which need unshare -rn and ip');

const DOWN =
  /^(?:postern: )?the loopback interface is down or blocked \(127\.0\.0\.1: ENETUNREACH\), and the service needs it [^\n]+\n$/;

test('[commands 7] requireLoopback says what to do if an address cannot be used', async () => {
  await expect(requireLoopback()).resolves.toBeUndefined();
  await expect(requireLoopback('192.0.2.7')).rejects.toThrow(
    'the loopback interface is down or blocked (192.0.2.7: EADDRNOTAVAIL), and the service needs it for its store and its sample. Bring it up: ip link set lo up',
  );
});

test.skipIf(!hasNamespaces).each([
  ['infra/local/start.ts', '"$1" "$2"'],
  ['client/commands/read.ts', '"$1" "$2" "$POST"'],
])('[commands 7] %s ends with one sentence and 1 if the loopback interface is down', (file, script) => {
  expect(inNamespace(script, file)).toEqual({ status: 1, stdout: '', stderr: expect.stringMatching(DOWN) });
});

test.skipIf(!hasNamespaces)(
  '[commands 7] `npm run read` answers from the sample if only the network is missing',
  () => {
    const { status, stdout, stderr } = inNamespace('ip link set lo up; "$1" "$2" "$POST"', 'client/commands/read.ts');
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringMatching(/^upstream: sample, /) });
    expect(stdout).toContain('just setting up my twttr');
  },
);
