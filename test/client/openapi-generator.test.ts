// Reads answers of the local service through clients that openapi-generator generates for Python, Go and TypeScript: a
// tombstone, an article, a profile with quotes of every form, and a problem document. .ci/clients installs the generator.
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LocalService } from '../../infra/local/service.ts';
import { AMPLE_ALLOWANCES } from '../support/ample-allowances.ts';
import { localOptions, sendRequest, startSlowService } from '../support/local-service.ts';
import { argumentsIn } from './page-examples.ts';

/** A folder with openapi-generator-cli, and with Python and what its clients in Python need. */
const tools = process.env['OPENAPI_GENERATOR'] || undefined;
if (tools === undefined) console.log('skipped: the clients of openapi-generator (OPENAPI_GENERATOR is not set)');
const hasGo = process.env['OPENAPI_GENERATOR_GO'] === 'yes';

const call = promisify(execFile);
const run = async (command: string, args: readonly string[], cwd: string): Promise<string> => {
  const { stdout } = await call(command, args, { cwd, maxBuffer: 100_000_000 });
  return stdout;
};
const program = (name: string): string => fileURLToPath(new URL(`openapi-generator/${name}`, import.meta.url));

const LOOKUP = '/api/v1/posts/lookup?ids=20,1990000000000000001&format=json';
const ARTICLE = '/api/v1/posts?handle=i&id=2033845798302647530&thread=off&format=json';
const PROFILE = '/api/v1/profiles/haru_k?format=json';
const DELETED = '/api/v1/posts?handle=i&id=1990000000000000001&format=json';

/** Clients may write an instant with another offset or fraction. The time of the read is that of each answer. */
const comparable = (json: string): unknown =>
  JSON.parse(json, (name, member) => {
    if (name === 'fetched_at') return undefined;
    return typeof member === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)$/.test(member)
      ? new Date(member).toISOString()
      : member;
  });

describe.skipIf(tools === undefined)('a client of openapi-generator', () => {
  let service: LocalService;
  let folder = '';
  let page = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'postern-openapi-generator-'));
    service = await startSlowService(localOptions({ ...AMPLE_ALLOWANCES, CURSOR_SECRETS: 'x'.repeat(48) }));
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

  /** Compares the lines of a program with the answers of the service. */
  const expectAnswers = async (printed: string): Promise<void> => {
    const bodies = await Promise.all(
      [LOOKUP, ARTICLE, PROFILE, DELETED].map(async (path) => (await sendRequest(service.origin, path)).body),
    );
    const [lookup, article, profile] = bodies;
    expect(lookup).toContain('"unavailable":true,"reason":"deleted"');
    expect(article).toContain('"bold":true');
    expect(profile).toMatch(/"quote":\{"id":"\d+","url":"[^"]+","text":/);
    expect(printed.trim().split('\n').map(comparable)).toEqual(bodies.map(comparable));
  };

  test('[discovery 10] in Python reads a tombstone, an article, a profile and a problem', async () => {
    const output = join(folder, 'python');
    await generate('python', output);
    await expectAnswers(await run(`${tools}/python`, [program('read_answers.py'), output, service.origin], folder));
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
    await expectAnswers(await run(process.execPath, [join('built', 'read-answers.js'), service.origin], output));
  }, 300_000);

  test.skipIf(!hasGo)(
    '[discovery 10] in Go compiles and reads a tombstone, an article, a profile and a problem',
    async () => {
      const output = join(folder, 'go');
      await generate('go', output, '--git-host', 'example.com', '--git-user-id', 'postern', '--git-repo-id', 'client');
      await mkdir(join(output, 'read'));
      await copyFile(program('read_answers.go'), join(output, 'read', 'main.go'));
      await run('go', ['build', '-mod=mod', '-o', 'reader', './read'], output);
      await expectAnswers(await run(join(output, 'reader'), [service.origin], output));
    },
    300_000,
  );
});
