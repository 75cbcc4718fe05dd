// Reads answers of the local service through clients that hey-api, orval and kubb generate for TypeScript. .ci/clients
// installs the generators.
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LocalService } from '../../infra/local/service.ts';
import { sendRequest } from '../support/local-service.ts';
import { expectAnswers, startForClients } from './client-answers.ts';

/** A folder with a folder node_modules that has the generators and what their clients need. */
const tools = process.env['TYPESCRIPT_GENERATORS'] || undefined;
if (tools === undefined) console.log('skipped: hey-api, orval and kubb (TYPESCRIPT_GENERATORS is not set)');

const call = promisify(execFile);
const fileOf = (name: string): string => fileURLToPath(new URL(`typescript-generators/${name}`, import.meta.url));
const { resolve } = createRequire(import.meta.url);

const COMPILE = [
  ...['--strict', '--noUncheckedIndexedAccess', '--skipLibCheck', '--noEmit', '--allowImportingTsExtensions'],
  ...['--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler', '--types', 'node'],
];

/** Their commands, by the name of the program that uses the client. */
const GENERATORS: Readonly<Record<string, readonly [command: string, ...args: readonly string[]]>> = {
  'hey-api': ['openapi-ts', '--input', 'openapi.json', '--output', 'postern'],
  orval: ['orval', '--config', 'orval.config.mjs'],
  kubb: ['kubb', 'generate', '--config', 'kubb.config.mjs'],
};

describe.skipIf(tools === undefined).each(Object.entries(GENERATORS))('a client of %s', (name, [command, ...args]) => {
  let service: LocalService;
  let cwd = '';

  beforeAll(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'postern-typescript-generators-'));
    service = await startForClients();
  });
  afterAll(async () => {
    await service.close();
    await rm(cwd, { recursive: true });
  });

  test('[discovery 10] compiles in strict mode and reads a tombstone, an article, a profile and a problem by its types', async () => {
    await symlink(join(String(tools), 'node_modules'), join(cwd, 'node_modules'));
    await writeFile(join(cwd, 'openapi.json'), (await sendRequest(service.origin, '/openapi.json')).body);
    await writeFile(join(cwd, 'package.json'), '{"type":"module"}');
    if (name !== 'hey-api') await copyFile(fileOf(`${name}.config.mjs.txt`), join(cwd, `${name}.config.mjs`));
    await copyFile(fileOf(`${name}.ts.txt`), join(cwd, 'reads.ts'));
    await copyFile(fileOf('read-answers.ts.txt'), join(cwd, 'read-answers.ts'));

    const path = `${dirname(process.execPath)}:${process.env['PATH']}`; // the generators are scripts of Node
    const options = { cwd, env: { ...process.env, PATH: path, BASE_URL: service.origin }, maxBuffer: 100_000_000 };
    await call(join(cwd, 'node_modules', '.bin', command), args, options);
    const compiler = join(dirname(resolve('typescript/package.json')), 'bin', 'tsc');
    const { stdout: errors } = await call(process.execPath, [compiler, ...COMPILE, 'read-answers.ts'], options).catch(
      (fault) => fault,
    );
    expect(errors).toBe('');
    await build({
      absWorkingDir: cwd,
      entryPoints: ['read-answers.ts'],
      outfile: join(cwd, 'read-answers.cjs'),
      bundle: true,
      platform: 'node',
    });
    const { stdout } = await call(process.execPath, ['read-answers.cjs', service.origin], options);
    await expectAnswers(service.origin, stdout);
    const [members = ''] = stdout.trim().split('\n').slice(-1);
    expect(JSON.parse(members)).toEqual([6507741, '1990000000000000001', 'deleted', true, 'en', 'post_not_found']);
  }, 300_000);
});
