// `npm exec -- node client/tools/build.ts`: builds the npm package into dist/client. Its version is the version of the service.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { answerHelp } from '../../infra/command/answer-help.ts';
import service from '../../package.json' with { type: 'json' };
import manifest from '../package.json' with { type: 'json' };
import { generate } from './generate.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const client = join(root, 'client');
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');

/** Writes the declarations. None of them needs the files of the service that the client contains. */
const declare = (outDir: string): void => {
  const folder = mkdtempSync(join(tmpdir(), 'postern-client-'));
  try {
    const args = [compiler, '-p', client, '--emitDeclarationOnly', '--outDir', folder];
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(stdout);
    const declarations = join(folder, 'client', 'src');
    for (const file of readdirSync(declarations)) {
      const text = readFileSync(join(declarations, file), 'utf8');
      // The compiler rewrites specifiers only in JavaScript. Declarations must name files of the package, too.
      writeFileSync(join(outDir, file), text.replaceAll(/ from '(\.\/[\w-]+)\.ts';/g, " from '$1.js';"));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** @param outDir the folder of the package; its content is deleted first */
export const buildClient = (outDir: string): void => {
  rmSync(outDir, { recursive: true, force: true });
  mkdirSync(outDir, { recursive: true });
  declare(outDir);
  buildSync({
    entryPoints: [join(client, 'src', 'index.ts')],
    outfile: join(outDir, 'index.js'),
    bundle: true,
    format: 'esm',
    target: 'es2022',
  });
  const { name, ...members } = manifest;
  const versioned = { name, version: service.version, ...members };
  writeFileSync(join(outDir, 'package.json'), `${JSON.stringify(versioned, null, 2)}\n`);
  copyFileSync(join(client, 'README.md'), join(outDir, 'README.md'));
  copyFileSync(join(root, 'LICENSE'), join(outDir, 'LICENSE'));
};

if (import.meta.main) {
  answerHelp();
  await generate();
  const outDir = join(root, 'dist', 'client');
  buildClient(outDir);
  console.log(`${service.version} is in ${outDir}`);
}
