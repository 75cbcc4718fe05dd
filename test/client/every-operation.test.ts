// Calls every operation of the local service through generated clients in TypeScript, Python and Go: once with an answer
// and once without. .ci/clients installs the generators for Python and Go; without them, their clients are skipped.
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { LocalService } from '../../infra/local/service.ts';
import { AMPLE_ALLOWANCES } from '../support/ample-allowances.ts';
import { description as currentDescription } from '../support/conformance.ts';
import { localOptions, sendRequest, startSlowService } from '../support/local-service.ts';
import {
  answeredCalls,
  type ClientDescription,
  type DescribedCall,
  queryNamesOf,
  unansweredCall,
} from './described-calls.ts';
import { argumentsIn, exampleIn } from './page-examples.ts';
import { generateTypescriptClient, typescriptProgram } from './typescript-client.ts';

const run = promisify(execFile);
const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const pythonGenerator = process.env['OPENAPI_PYTHON_CLIENT'] || undefined;
if (pythonGenerator === undefined) console.log('skipped: the Python client (OPENAPI_PYTHON_CLIENT is not set)');
const goGenerator = process.env['OAPI_CODEGEN'] || undefined;
if (goGenerator === undefined) console.log('skipped: the Go client (OAPI_CODEGEN is not set)');

/** The line that a program prints about a call. */
interface Result {
  readonly status: number;
  /** The name of the type of the parsed answer. */
  readonly type?: string;
  /** The parsed answer as the client would write it. */
  readonly written: unknown;
  /** The answer as the client received it. */
  readonly received?: string;
  /** Members for which the client has no type. */
  readonly untyped?: readonly string[];
}

/** Posts of the sample that have what the examples lack: threads, articles, polls, quotes, videos, tombstones, notes. */
const RICH_POSTS = [
  '2034932961899447678',
  '1848831595014459513',
  '1899954694652309701',
  '1841206275088290279',
  '2033136122065847308',
  '2033845798302647530',
  '2100000000000000411',
];
const RICH_OPERATION = 'readPostPermalink';

const richTitle = (id: string): string => `${RICH_OPERATION} of ${id}`;

// biome-ignore lint/suspicious/noExplicitAny: the description has more members than either type names
const operationIds = answeredCalls(currentDescription as any).map(({ operationId }) => operationId);
const titles: readonly string[] = [...operationIds, ...RICH_POSTS.map(richTitle)];

const start = (variables: Readonly<Record<string, string>> = {}): Promise<LocalService> =>
  startSlowService(localOptions({ ...AMPLE_ALLOWANCES, CURSOR_SECRETS: 'x'.repeat(48), ...variables }));

let service: LocalService;
let folder = '';
let description = '';
/** The page about clients. */
let page = '';
/** Both calls, by title. */
let calls: ReadonlyMap<string, readonly DescribedCall[]>;

const fill = ({ route, path }: DescribedCall): string =>
  route.replaceAll(/\{([a-z]+)\}/g, (_, name: string) => String(path[name]));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postern-clients-'));
  service = await start();
  description = (await sendRequest(service.origin, '/openapi.json')).body;
  page = (await sendRequest(service.origin, '/docs/client', { headers: { accept: 'text/markdown' } })).body;
  const document: ClientDescription = JSON.parse(description);
  const pairs = answeredCalls(document).map(async (call) => {
    const { headers } = await sendRequest(service.origin, fill(call));
    return [call.operationId, [call, unansweredCall(call, queryNamesOf(document, call), headers.etag)]] as const;
  });
  const byOperation = new Map(await Promise.all(pairs));
  const [permalink, problem] = byOperation.get(RICH_OPERATION) ?? [];
  if (permalink === undefined || problem === undefined) throw new Error(`${RICH_OPERATION} has no calls`);
  const rich = RICH_POSTS.map((id) => [richTitle(id), [{ ...permalink, path: { handle: 'i', id } }, problem]] as const);
  calls = new Map([...byOperation, ...rich]);
  await writeFile(join(folder, 'openapi.json'), description);
  await writeFile(join(folder, 'calls.json'), JSON.stringify([...calls.values()].flat()));
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

/** @returns the results of both calls, by title */
const resultsIn = (printed: string): ReadonlyMap<string, readonly Result[]> => {
  const results: readonly Result[] = printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(results).toHaveLength(2 * calls.size);
  return new Map([...calls.keys()].map((title, index) => [title, results.slice(2 * index, 2 * index + 2)]));
};

/** Clients may write an instant with another offset or fraction. */
const comparable = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, member) =>
    typeof member === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)$/.test(member)
      ? new Date(member).toISOString()
      : member,
  );

const received = ({ received: text = '' }: Result, { mediaType, status }: DescribedCall): unknown =>
  mediaType.endsWith('json') || status >= 400 ? comparable(JSON.parse(text)) : text;

const pairOf = <T>(pairs: ReadonlyMap<string, readonly T[]>, title: string): readonly [T, T] => {
  const [answered, unanswered] = pairs.get(title) ?? [];
  if (answered === undefined || unanswered === undefined) throw new Error(`${title} was not called`);
  return [answered, unanswered];
};

const expectProblem = ({ status, code }: DescribedCall, { status: actual, written }: Result): void => {
  expect(actual).toBe(status);
  if (code !== undefined) expect(written).toMatchObject({ status, code, resolution: expect.any(String) });
  else if (status >= 400) expect(written).toMatchObject({ jsonrpc: '2.0', error: { message: expect.any(String) } });
};

describe('a client of openapi-typescript and openapi-fetch', () => {
  let results: ReadonlyMap<string, readonly Result[]>;
  let errors = '';

  beforeAll(async () => {
    const client = await generateTypescriptClient(description);
    await client.write('every-operation.ts', typescriptProgram([...calls.values()].flat()));
    errors = await client.compile();
    results = resultsIn(await client.run('every-operation.ts', service.origin));
    await client.remove();
  }, 120_000);

  test('[discovery 4] the example of the documentation compiles and runs, and the compiler refuses an unknown member', async () => {
    const example = exampleIn(page, 'ts');
    const client = await generateTypescriptClient(description);
    onTestFinished(client.remove);
    await client.write('example.ts', example);
    expect(await client.compile()).toBe('');
    const printed = await client.run('example.ts', service.origin);
    expect(printed).toMatch(/^just setting up my twttr\n/);
    expect(printed).toContain('deleted: true');
    await client.write('example.ts', example.replace('post.text', 'post.words'));
    expect(await client.compile()).toContain("Property 'words' does not exist");
  }, 120_000);

  test('[discovery 4] the types of all arguments, answers and problems compile in strict mode', () => {
    expect(errors).toBe('');
  });

  test.each(titles)('[discovery 4] %s returns its answer and its problem', (title) => {
    const [call, problemCall] = pairOf(calls, title);
    const [answer, problem] = pairOf(results, title);
    expect(answer.status).toBe(200);
    expect(typeof answer.written).toBe(call.mediaType.endsWith('json') ? 'object' : 'string');
    expect(answer.written).not.toBeNull();
    expectProblem(problemCall, problem);
  });
});

/** A choice of schemas has no type in Python: one of its types is returned. */
const pythonTypesOf = ({ schemas, mediaType }: DescribedCall): readonly string[] =>
  mediaType.endsWith('json') ? schemas : ['str'];

describe.skipIf(pythonGenerator === undefined)('a client of openapi-python-client', () => {
  let results: ReadonlyMap<string, readonly Result[]>;
  let warnings = '';

  beforeAll(async () => {
    const target = join(folder, 'postern_client');
    const config = join(folder, 'config.yaml');
    // The generator knows no types in XML.
    const types = new Set([...calls.values()].flat().map(({ mediaType }) => mediaType));
    const overrides = [...types].filter((type) => type.endsWith('xml')).map((type) => `  ${type}: text/plain\n`);
    await writeFile(config, `content_type_overrides:\n${overrides.join('')}post_hooks: []\n`);
    const [generator, python] = [`${pythonGenerator}/openapi-python-client`, `${pythonGenerator}/python`];
    const args = ['generate', '--path', join(folder, 'openapi.json'), '--output-path', target, '--meta', 'none'];
    const { stdout, stderr } = await run(generator, [...args, '--config', config]);
    warnings = `${stdout}${stderr}`.replace(/^Generating .*\n/, '').trim();
    const program = fileOf('python/every_operation.py');
    const options = { maxBuffer: 100_000_000 };
    // One client alone is within fair use, whose window is long in slow time. The bytes are those of the other service.
    const own = await start({ BASE_URL: service.origin });
    const printed = await run(python, [program, target, own.origin, join(folder, 'calls.json')], options).finally(
      own.close,
    );
    results = resultsIn(printed.stdout);
  }, 300_000);

  test('[discovery 4] the command of the documentation generates a client, and its example prints the text of the post', async () => {
    const cwd = join(folder, 'python-example');
    await mkdir(cwd);
    await run(`${pythonGenerator}/openapi-python-client`, argumentsIn(page, 'openapi-python-client '), { cwd });
    await writeFile(join(cwd, 'example.py'), exampleIn(page, 'python'));
    const { stdout } = await run(`${pythonGenerator}/python`, ['example.py'], { cwd });
    expect(stdout).toBe('just setting up my twttr\n');
  });

  test('[discovery 4] the generator has no warning', () => {
    expect(warnings).toBe('');
  });

  test.each(titles)('[discovery 4] %s returns its answer and its problem with their types', (title) => {
    const [call, problemCall] = pairOf(calls, title);
    const [answer, problem] = pairOf(results, title);
    expect(answer.status).toBe(200);
    expect(pythonTypesOf(call)).toContain(answer.type);
    expect(comparable(answer.written)).toEqual(received(answer, call));
    expect(answer.untyped).toEqual([]);
    expectProblem(problemCall, problem);
    if (problemCall.status >= 400) {
      expect(['Problem', 'JsonRpcMessage']).toContain(problem.type);
      expect(comparable(problem.written)).toEqual(received(problem, problemCall));
    }
  });
});

describe.skipIf(goGenerator === undefined)('a client of oapi-codegen', () => {
  let results: ReadonlyMap<string, readonly Result[]>;

  beforeAll(async () => {
    const module = join(folder, 'go');
    await mkdir(join(module, 'postern'), { recursive: true });
    for (const name of ['main.go', 'go.mod', 'go.sum']) await copyFile(fileOf(`go/${name}`), join(module, name));
    const output = join(module, 'postern', 'postern.go');
    const args = ['-generate', 'types,client', '-package', 'postern', '-o', output, join(folder, 'openapi.json')];
    await run(goGenerator ?? '', args);
    await run('go', ['vet', './...'], { cwd: module });
    await run('go', ['build', '-o', 'main', '.'], { cwd: module });
    const printed = await run(join(module, 'main'), [service.origin, join(folder, 'calls.json')], {
      maxBuffer: 100_000_000,
    });
    results = resultsIn(printed.stdout);
  }, 600_000);

  test('[discovery 4] the command of the documentation generates a client, and its example prints the text of the post', async () => {
    const cwd = join(folder, 'go-example');
    await mkdir(join(cwd, 'postern'), { recursive: true });
    for (const name of ['go.mod', 'go.sum']) await copyFile(fileOf(`go/${name}`), join(cwd, name));
    await run(goGenerator ?? '', argumentsIn(page, 'go run github.com/oapi-codegen/\\S+ '), { cwd });
    await writeFile(join(cwd, 'example.go'), exampleIn(page, 'go'));
    expect((await run('gofmt', ['-l', 'example.go'], { cwd })).stdout).toBe('');
    expect((await run('go', ['run', '.'], { cwd })).stdout).toBe('just setting up my twttr\n');
  }, 120_000);

  test.each(titles)('[discovery 4] %s returns its answer and its problem with their types', (title) => {
    const [call, problemCall] = pairOf(calls, title);
    const [answer, problem] = pairOf(results, title);
    expect(answer.status).toBe(200);
    if (call.mediaType.endsWith('json')) {
      // A choice of several schemas has a type of the operation.
      if (call.schemas.length === 1) expect(answer.type).toBe(call.schemas[0]);
      expect(comparable(answer.written)).toEqual(received(answer, call));
    } else expect(answer.received).not.toBe('');
    expectProblem(problemCall, problem);
    if (problemCall.status >= 400) expect(comparable(problem.written)).toEqual(received(problem, problemCall));
  });
});

test('[discovery 4] the calls cover every operation of the served description and every kind of member', async () => {
  const { paths }: { paths: Record<string, object> } = JSON.parse(await readFile(join(folder, 'openapi.json'), 'utf8'));
  expect(Object.values(paths).flatMap((item) => Object.keys(item))).toHaveLength(operationIds.length);
  expect([...calls.keys()]).toEqual([...titles]);
  const bodies = await Promise.all(
    titles.map(async (title) => (await fetch(`${service.origin}${fill(pairOf(calls, title)[0])}?format=json`)).text()),
  );
  const members = ['"blocks":[{', '"poll":{', '"quote":{', '"variants":[{', '"community_note":{', '"unavailable":true'];
  for (const member of members) expect(bodies.join().includes(member), member).toBe(true);
});
