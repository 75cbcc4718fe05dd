// The client of the documentation: types are made from the description as it is served, its example is compiled against
// them and run against the service.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { sendRequest, startTestService } from '../support/local-service.ts';

const run = promisify(execFile);
const here = fileURLToPath(new URL('.', import.meta.url));
const { resolve } = createRequire(import.meta.url);

/** Beside the packages that it imports. */
const workplace = async (): Promise<string> => {
  const folder = await mkdtemp(join(here, 'generated-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
};

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

const compile = (folder: string): Promise<{ readonly stdout: string }> =>
  run(process.execPath, [join(dirname(resolve('typescript/package.json')), 'bin', 'tsc'), '-p', folder]).catch(
    ({ stdout }: { readonly stdout: string }) => ({ stdout }),
  );

test('[spec 4.4 #78] the example of the documentation compiles against the served description, and runs', async () => {
  const { origin } = await startTestService({ ALLOWANCE_BROWSE: '1000/60' });
  const page = await sendRequest(origin, '/docs/client', { headers: { accept: 'text/markdown' } });
  const [, example = ''] = /^```ts\n([\s\S]+?)^```$/m.exec(page.body) ?? [];
  const folder = await workplace();
  await writeFile(join(folder, 'openapi.json'), (await sendRequest(origin, '/openapi.json')).body);
  await writeFile(join(folder, 'example.ts'), example);
  await writeFile(join(folder, 'tsconfig.json'), TYPESCRIPT);
  const generator = join(dirname(resolve('openapi-typescript/package.json')), 'bin', 'cli.js');
  await run(process.execPath, [generator, 'openapi.json', '-o', 'postern.d.ts'], { cwd: folder });

  expect((await compile(folder)).stdout).toBe('');
  const { stdout } = await run(process.execPath, [join(folder, 'example.ts'), origin]);
  expect(stdout).toMatch(/^just setting up my twttr\n/);
  expect(stdout).toContain('deleted: true');

  // The compiler is awake: what the description does not know, it refuses.
  await writeFile(join(folder, 'example.ts'), example.replace('post.text', 'post.words'));
  expect((await compile(folder)).stdout).toContain("Property 'words' does not exist");
});
