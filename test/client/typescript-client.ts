// Generates the types of a TypeScript client with openapi-typescript, and compiles and runs programs beside them.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { DescribedCall } from './described-calls.ts';

const run = promisify(execFile);
const here = fileURLToPath(new URL('.', import.meta.url));
const { resolve } = createRequire(import.meta.url);

const TYPESCRIPT = JSON.stringify({
  compilerOptions: {
    target: 'es2024',
    module: 'nodenext',
    strict: true,
    noEmit: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    allowImportingTsExtensions: true,
    erasableSyntaxOnly: true,
    skipLibCheck: true,
    types: ['node'],
  },
  include: ['*.ts'],
});

/** The folder of the client is beside the packages that it imports. @param description the served /openapi.json */
export const generateTypescriptClient = async (description: string) => {
  const generator = join(dirname(resolve('openapi-typescript/package.json')), 'bin', 'cli.js');
  const compiler = join(dirname(resolve('typescript/package.json')), 'bin', 'tsc');
  const folder = await mkdtemp(join(here, 'generated-'));
  await writeFile(join(folder, 'openapi.json'), description);
  await writeFile(join(folder, 'tsconfig.json'), TYPESCRIPT);
  await run(process.execPath, [generator, 'openapi.json', '-o', 'postern.d.ts'], { cwd: folder });
  return {
    /** Writes a program beside the types. */
    write: (name: string, program: string): Promise<void> => writeFile(join(folder, name), program),
    /** @returns the errors of the compiler; empty if all programs compile */
    compile: async (): Promise<string> => {
      const { stdout } = await run(process.execPath, [compiler, '-p', folder]).catch((fault) => fault);
      return stdout;
    },
    /** @returns the standard output of a program */
    run: async (name: string, ...args: readonly string[]): Promise<string> => {
      const { stdout } = await run(process.execPath, [join(folder, name), ...args], { maxBuffer: 100_000_000 });
      return stdout;
    },
    remove: (): Promise<void> => rm(folder, { recursive: true }),
  };
};

const HEAD = `import createClient from 'openapi-fetch';
import type { components, paths } from './postern.d.ts';

type Schemas = components['schemas'];
type Documents = 'application/linkset+json' | 'application/ai-catalog+json' | 'application/mcp-server-card+json';

const options = { baseUrl: process.argv[2] ?? '' };
const json = createClient<paths, 'application/json' | 'application/problem+json' | Documents>(options);
const text = createClient<paths>(options);

const print = (status: number, written: unknown): void => console.log(JSON.stringify({ status, written }));
`;

const typeOf = ({ schemas, mediaType }: DescribedCall): string | undefined => {
  if (!mediaType.endsWith('json')) return 'string';
  return schemas.map((name) => `Schemas['${name}']`).join(' | ');
};

/** The body of the answer and the problem get the types that the description promises; the compiler compares them. */
const blockOf = (call: DescribedCall): string => {
  const isText = typeOf(call) === 'string';
  const { path, query, header } = call;
  const params = Object.entries({ path, query, header }).filter(([, values]) => Object.keys(values).length > 0);
  const options = {
    params: Object.fromEntries(params),
    ...(call.body !== undefined && { body: call.body }),
    ...(isText && { parseAs: 'text' }),
  };
  const failure = call.body === undefined ? 'Problem' : 'JsonRpcMessage';
  return `
{
  const { data, error, response } = await ${isText ? 'text' : 'json'}.${call.method.toUpperCase()}('${call.route}', ${JSON.stringify(options)});
  const body: ${typeOf(call)} | undefined = data;
  const failure: Schemas['${failure}'] | ${isText ? 'string' : "Schemas['Problem']"} | undefined = error;
  print(response.status, body ?? failure ?? null);
}
`;
};

/** @returns a program that prints one JSON line per call */
export const typescriptProgram = (calls: readonly DescribedCall[]): string => `${HEAD}${calls.map(blockOf).join('')}`;
