// Reads answers of the local service through clients that openapi-generator generates for Python, Go, Java and TypeScript.
// .ci/clients installs the generator.
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, test } from 'vitest';
import type { LocalService } from '../../infra/local/service.ts';
import { sendRequest } from '../support/local-service.ts';
import { expectAnswers, startForClients } from './client-answers.ts';
import { argumentsIn } from './page-examples.ts';

/** A folder with openapi-generator-cli, and with Python and what its clients in Python need. */
const tools = process.env['OPENAPI_GENERATOR'] || undefined;
if (tools === undefined) console.log('skipped: the clients of openapi-generator (OPENAPI_GENERATOR is not set)');
const hasGo = process.env['OPENAPI_GENERATOR_GO'] === 'yes';
const hasMaven = process.env['OPENAPI_GENERATOR_JAVA'] === 'yes';

const call = promisify(execFile);
const run = async (command: string, args: readonly string[], cwd: string): Promise<string> => {
  const { stdout } = await call(command, args, { cwd, maxBuffer: 100_000_000 });
  return stdout;
};
const program = (name: string): string => fileURLToPath(new URL(`openapi-generator/${name}`, import.meta.url));

describe.skipIf(tools === undefined)('a client of openapi-generator', () => {
  let service: LocalService;
  let folder = '';
  let page = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'postern-openapi-generator-'));
    service = await startForClients();
    await writeFile(join(folder, 'openapi.json'), (await sendRequest(service.origin, '/openapi.json')).body);
    page = (await sendRequest(service.origin, '/docs/client', { headers: { accept: 'text/markdown' } })).body;
  });
  afterAll(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });

  /** Runs the command of the documentation for another language and folder. */
  const generate = async (language: string, output: string, ...options: readonly string[]): Promise<void> => {
    const replaced: Readonly<Record<string, string>> = {
      '-i': join(folder, 'openapi.json'),
      '-g': language,
      '-o': output,
    };
    const documented = argumentsIn(page, 'openapi-generator-cli ');
    const args = documented.map((argument, index) => replaced[documented[index - 1] ?? ''] ?? argument);
    const only = 'apis,models,supportingFiles,apiTests=false,modelTests=false,apiDocs=false,modelDocs=false';
    await run(`${tools}/openapi-generator-cli`, [...args, '--global-property', only, ...options], folder);
  };

  test('[discovery 10] in Python reads a tombstone, an article, a profile and a problem', async () => {
    const output = join(folder, 'python');
    await generate('python', output);
    await expectAnswers(
      service.origin,
      await run(`${tools}/python`, [program('read_answers.py'), output, service.origin], folder),
    );
  }, 300_000);

  test('[discovery 10] in TypeScript compiles in strict mode and reads a tombstone, an article, a profile and a problem', async () => {
    const output = join(folder, 'typescript');
    await generate('typescript-fetch', join(output, 'postern'));
    await copyFile(program('read-answers.ts.txt'), join(output, 'read-answers.ts'));
    const { resolve } = createRequire(import.meta.url);
    const compiler = join(dirname(resolve('typescript/package.json')), 'bin', 'tsc');
    const types = dirname(dirname(resolve('@types/node/package.json')));
    const options = [
      '--strict',
      '--skipLibCheck',
      '--target',
      'es2022',
      '--module',
      'commonjs',
      '--moduleResolution',
      'node10',
    ];
    const node = ['--types', 'node', '--typeRoots', types, '--outDir', 'built', 'read-answers.ts'];
    await run(process.execPath, [compiler, ...options, ...node], output);
    await expectAnswers(
      service.origin,
      await run(process.execPath, [join('built', 'read-answers.js'), service.origin], output),
    );
  }, 300_000);

  test.skipIf(!hasMaven)(
    '[discovery 10] in Java compiles and reads a tombstone, an article, a profile and a problem',
    async () => {
      const output = join(folder, 'java');
      await generate('java', output, '--additional-properties', 'containerDefaultToNull=true');
      await copyFile(program('ReadAnswers.java'), join(output, 'src', 'main', 'java', 'ReadAnswers.java'));
      const without = ['test', 'javadoc', 'source'].map((step) => `-Dmaven.${step}.skip=true`);
      await run('mvn', ['--quiet', '--batch-mode', ...without, 'package'], output);
      const classes = ['target/classes', 'target/lib/*'].join(':');
      const printed = await run(
        'java',
        ['-Dfile.encoding=UTF-8', '-cp', classes, 'ReadAnswers', service.origin],
        output,
      );
      await expectAnswers(service.origin, printed, true);
    },
    300_000,
  );

  test.skipIf(!hasGo)(
    '[discovery 10] in Go compiles and reads a tombstone, an article, a profile and a problem',
    async () => {
      const output = join(folder, 'go');
      await generate('go', output, '--git-host', 'example.com', '--git-user-id', 'postern', '--git-repo-id', 'client');
      await mkdir(join(output, 'read'));
      await copyFile(program('read_answers.go'), join(output, 'read', 'main.go'));
      await run('go', ['build', '-mod=mod', '-o', 'reader', './read'], output);
      await expectAnswers(service.origin, await run(join(output, 'reader'), [service.origin], output));
    },
    300_000,
  );
});
