// Runs the programs that the documentation shows beside curl commands. Each must print what curl prints. Without the full
// form, one program of each shape runs.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseMarkdown } from '../../infra/build/markdown-to-html.ts';
import type { LocalService } from '../../infra/local/service.ts';
import { fillBaseUrl } from '../../shared/contract/placeholders.ts';
import { programOf } from '../../shared/publish/code-examples/programs.ts';
import { isRunnable, programExamplesOf, type RequestExample } from '../../shared/publish/code-examples/requests.ts';
import { pageNames } from '../../shared/publish/document.ts';
import { readPageText } from '../../shared/publish/pages/read-page.ts';
import { AMPLE_ALLOWANCES } from '../support/ample-allowances.ts';
import { isFullForm } from '../support/full-form.ts';
import { localOptions, startSlowService } from '../support/local-service.ts';

const run = promisify(execFile);

/** The requests of one block. */
type Program = readonly RequestExample[];

/** In the order of the pages; a block that occurs twice is run once. */
const examples: readonly Program[] = [
  ...new Map(
    pageNames
      .flatMap((name) => parseMarkdown(readPageText(name)))
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
    : program.map(({ target, headers }) => [target.includes('?'), Object.keys(headers).length].join()).join();

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

/** The time of reading and the cursors differ from answer to answer; a program ends each body with a line end. */
const stable = (text: string): string =>
  text
    .replace(/\s+/g, '')
    .replace(/"fetched_at":"[^"]*"/g, '')
    .replace(/cursor(?:=|":")[\w-]+/g, '');

const write = async (example: Program): Promise<string> => {
  const file = join(folder, `${examples.indexOf(example)}.ts`);
  await writeFile(file, `${fillBaseUrl(programOf(example), service.origin)}\n`);
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

describe('the program beside a curl command', () => {
  test.each(titled)('%s prints the body', async (_, example) => {
    const file = await write(example);
    const { stdout } = await run(process.execPath, [file]);
    expect(stable(stdout)).toBe(stable(await bodyOf(example)));
  });

  test('every program compiles in strict mode', async () => {
    const root = fileURLToPath(new URL('../../', import.meta.url));
    for (const example of examples) await write(example);
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
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(options));
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    const { stdout } = await run(join(root, 'node_modules/.bin/tsc'), ['-p', folder]).catch((fault) => fault);
    expect(stdout).toBe('');
  });
});
