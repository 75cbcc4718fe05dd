// Runs the programs that the documentation shows beside curl commands. Each must print what curl prints. A language
// whose tools are missing on the machine is skipped with a line. `npm test` runs one program of each shape and no Go.
import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseMarkdown } from '../../infra/build/markdown-to-html.ts';
import type { LocalService } from '../../infra/local/service.ts';
import { fillBaseUrl } from '../../shared/contract/placeholders.ts';
import { type ProgramLanguage, programOf } from '../../shared/publish/code-examples/programs.ts';
import { isRunnable, programExamplesOf, type RequestExample } from '../../shared/publish/code-examples/requests.ts';
import { pageNames } from '../../shared/publish/document.ts';
import { readPage } from '../../shared/publish/pages/read-page.ts';
import { AMPLE_ALLOWANCES } from '../support/ample-allowances.ts';
import { isFullForm } from '../support/full-form.ts';
import { localOptions, startSlowService } from '../support/local-service.ts';

const run = promisify(execFile);

const isInstalled = (command: string, ...args: readonly string[]): boolean => {
  const found = spawnSync(command, args).status === 0;
  if (!found) console.log(`skipped: the programs that need ${command}`);
  return found;
};

const hasPython = isInstalled('python3', '--version');
/** Compiling and linking takes most of the time of this file. */
const runsGo = isFullForm && isInstalled('go', 'version');
if (!isFullForm) console.log('skipped: the programs in Go (TEST_FORM=full runs them)');

/** The requests of one block. */
type Program = readonly RequestExample[];

/** In the order of the pages; a block that occurs twice is run once. */
const examples: readonly Program[] = [
  ...new Map(
    pageNames
      .flatMap((name) => parseMarkdown(readPage(name)))
      .filter(({ type, info }) => type === 'fence' && info === 'sh')
      .map(({ content }) => programExamplesOf(content))
      .filter((requests) => requests.length > 0)
      .map((example) => [JSON.stringify(example), example]),
  ).values(),
];

/** Requests with a value that the reader fills in are compiled, but not run. */
const isComplete = (program: Program): boolean => program.every(isRunnable);

/** Programs of one shape differ in texts only. */
const shapeOf = (program: Program): string =>
  program.length > 1
    ? 'several'
    : program
        .map(({ target, headers, isError }) => [target.includes('?'), Object.keys(headers).length, isError].join())
        .join();

const titleOf = (program: Program): string => program.map(({ target }) => target).join(' ');

const complete = examples.filter(isComplete);
const ofEachShape = [...new Map(complete.map((program) => [shapeOf(program), program])).values()];

const titled = (isFullForm ? complete : ofEachShape).map((program) => [titleOf(program), program] as const);

let service: LocalService;
let folder = '';

const bodyOf = async (program: Program): Promise<string> => {
  const bodies: string[] = [];
  for (const { target, headers } of program) {
    const answer = await fetch(`${service.origin}${target}`, { headers: { ...headers } });
    bodies.push(await answer.text());
  }
  return bodies.join('');
};

/** The time of reading and the cursors differ from answer to answer; the languages end lines differently. */
const stable = (text: string): string =>
  text
    .replace(/\s+/g, '')
    .replace(/"fetched_at":"[^"]*"/g, '')
    .replace(/cursor(?:=|":")[\w-]+/g, '');

const write = async (language: ProgramLanguage, name: string, example: Program): Promise<string> => {
  const file = join(folder, language, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${fillBaseUrl(programOf(language, example), service.origin)}\n`);
  return file;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postern-programs-'));
  service = await startSlowService(localOptions({ ...AMPLE_ALLOWANCES, CURSOR_SECRETS: 'programs' }));
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

describe('a TypeScript program', () => {
  test.each(titled)('%s prints the body', async (_, example) => {
    const file = await write('ts', `${examples.indexOf(example)}.ts`, example);
    const { stdout } = await run(process.execPath, [file]);
    expect(stable(stdout)).toBe(stable(await bodyOf(example)));
  });

  test('every program compiles in strict mode', async () => {
    const root = fileURLToPath(new URL('../../', import.meta.url));
    for (const [index, example] of examples.entries()) await write('ts', `${index}.ts`, example);
    const options = {
      compilerOptions: {
        target: 'es2024',
        module: 'nodenext',
        moduleDetection: 'force',
        strict: true,
        noEmit: true,
        types: ['node'],
        typeRoots: [join(root, 'node_modules/@types')],
      },
      include: ['*.ts'],
    };
    await writeFile(join(folder, 'ts', 'tsconfig.json'), JSON.stringify(options));
    await writeFile(join(folder, 'ts', 'package.json'), '{ "type": "module" }');
    const { stdout } = await run(join(root, 'node_modules/.bin/tsc'), ['-p', join(folder, 'ts')]).catch(
      (fault) => fault,
    );
    expect(stdout).toBe('');
  });
});

describe.skipIf(!hasPython)('a Python program', () => {
  test.each(titled)('%s prints the body', async (_, example) => {
    const file = await write('python', `program_${examples.indexOf(example)}.py`, example);
    const { stdout } = await run('python3', [file]);
    expect(stable(stdout)).toBe(stable(await bodyOf(example)));
  });

  test('every program compiles', async () => {
    const files = await Promise.all(examples.map((example, index) => write('python', `program_${index}.py`, example)));
    await run('python3', ['-m', 'py_compile', ...files]);
  });
});

describe.skipIf(!runsGo)('a Go program', { timeout: 300_000 }, () => {
  const environment = { ...process.env, GOFLAGS: '-mod=mod', GOPROXY: 'off', GOTOOLCHAIN: 'local' };

  test('every program is formatted and passes vet, and one of each shape prints the body', async () => {
    for (const [index, example] of examples.entries()) await write('go', `program${index}/main.go`, example);
    const cwd = join(folder, 'go');
    await writeFile(join(cwd, 'go.mod'), 'module programs\n\ngo 1.21\n');
    expect((await run('gofmt', ['-l', '.'], { cwd })).stdout).toBe('');
    await run('go', ['vet', './...'], { cwd, env: environment });
    const packages = ofEachShape.map((example) => `./program${examples.indexOf(example)}`);
    await run('go', ['build', '-o', join(cwd, 'bin/'), ...packages], { cwd, env: environment });
    for (const example of ofEachShape) {
      const { stdout } = await run(join(cwd, 'bin', `program${examples.indexOf(example)}`));
      expect([titleOf(example), stable(stdout)]).toEqual([titleOf(example), stable(await bodyOf(example))]);
    }
  });
});
