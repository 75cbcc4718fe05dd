// Runs the commands with a reader that leaves and with a full disk as their standard output.
import { type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { localOptions, shareService } from '../../support/local-service.ts';
import { programEnvironment, type Variables } from '../../support/program-environment.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startTestServer } from '../../support/test-server.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

const TOKEN = 'a-token-of-the-operator-for-tests-only';
const service = shareService(localOptions({ ADMIN_TOKEN: TOKEN }));

/** A device of the system that has no room. */
const FULL_DISK = '/dev/full';

interface Command {
  readonly args: readonly string[];
  readonly variables?: Variables;
}

/** By name. Each prints something on standard output. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  read: async () => ({ args: ['client/commands/read.ts', '2032441545323447049'] }),
  'read --json': async () => ({ args: ['client/commands/read.ts', '--json', '2032441545323447049'] }),
  export: async () => ({ args: ['client/commands/export.ts', '--followers', '@ada_larsson'] }),
  'export --format opml': async () => ({
    args: ['client/commands/export.ts', '--following', '@ada_larsson', '--format', 'opml'],
  }),
  'keys list': async () => {
    const { status } = await fetch(`${service.origin}/api/admin/keys`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
      body: '{"label":"Tide watch"}',
    });
    expect(status).toBe(201);
    return { args: ['client/commands/keys.ts', 'list'], variables: { BASE_URL: service.origin, ADMIN_TOKEN: TOKEN } };
  },
  'keys create': async () => ({
    args: ['client/commands/keys.ts', 'create', '--label', 'Tide watch'],
    variables: { BASE_URL: service.origin, ADMIN_TOKEN: TOKEN },
  }),
  verify: async () => {
    const origin = await startTestServer((_, response) => {
      response.writeHead(451, { 'Content-Type': 'application/problem+json' }).end('{"code":"withheld_by_operator"}');
    });
    const list = join(temporaryFolder(), 'withheld.json');
    writeFileSync(list, '[{"post":"20","reason":"court"}]');
    return { args: ['infra/verify/verify.ts', origin, '--withheld', list] };
  },
};

/** @param output standard output; `left`: a pipe whose reader has left before anything is written */
const run = async ({ args, variables }: Command, output: 'left' | number, errors: 'pipe' | number = 'pipe') => {
  const stdio: StdioOptions = ['ignore', output === 'left' ? 'pipe' : output, errors];
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: programEnvironment({ UPSTREAM: 'sample', DATA_DIR: 'memory', ...variables }),
    stdio,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdout?.destroy();
  const [said, [code]] = await Promise.all([child.stderr === null ? '' : text(child.stderr), once(child, 'exit')]);
  return { said, code };
};

const openFullDisk = (): number => {
  const disk = openSync(FULL_DISK, 'w');
  onTestFinished(() => closeSync(disk));
  return disk;
};

describe.each(Object.entries(commands))('%s', (_, create) => {
  test('[commands 11] the command ends silently with 0 when the reader of standard output has left', async () => {
    expect(await run(await create(), 'left')).toEqual({ said: expect.not.stringMatching(/EPIPE|\n {4}at /), code: 0 });
  });

  test.skipIf(!existsSync(FULL_DISK))(
    '[commands 11] the command says so in one sentence and ends with 1 when the disk is full',
    async () => {
      const { said, code } = await run(await create(), openFullDisk());
      expect(code).toBe(1);
      expect(said).toMatch(/(?:^|\n)Standard output cannot be written: ENOSPC: .*\n$/);
      expect(said).not.toMatch(/\n {4}at /);
    },
  );
});

test('[commands 11] save saves all posts when the reader of standard error has left', async () => {
  const folder = join(temporaryFolder(), 'out');
  const child = spawn(
    process.execPath,
    ['client/commands/save.ts', '20', '2032048958469046864', '99', '2028036267832246272', '--out', folder],
    { cwd: root, env: programEnvironment({ UPSTREAM: 'sample' }), stdio: ['ignore', 'ignore', 'pipe'] },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stderr.destroy();
  const [code] = await once(child, 'exit');
  expect(code).toBe(1); // one of the posts does not exist
  expect(existsSync(join(folder, 'jack-20.md'))).toBe(true);
  expect(existsSync(join(folder, 'kestrel_labs-2032048958469046864.md'))).toBe(true);
});

test.skipIf(!existsSync(FULL_DISK))(
  '[commands 11] save ends with 1 when its summary cannot be written, and the posts are saved',
  async () => {
    const folder = join(temporaryFolder(), 'out');
    const { code } = await run({ args: ['client/commands/save.ts', '20', '--out', folder] }, 'left', openFullDisk());
    expect(code).toBe(1);
    expect(existsSync(join(folder, 'jack-20.md'))).toBe(true);
  },
);
