// `npm exec -- node client/tools/build.ts`: builds the npm package into dist/client. Its version is the version of the service.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answerHelp } from '../../infra/command/answer-help.ts';
import service from '../../package.json' with { type: 'json' };
import manifest from '../package.json' with { type: 'json' };
import { writeOpenapiTypes } from './openapi-types.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const client = join(root, 'client');
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');

/** @param outDir the folder of the package; its content is deleted first */
export const buildClient = (outDir: string): void => {
  rmSync(outDir, { recursive: true, force: true });
  mkdirSync(outDir, { recursive: true });
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', client, '--outDir', outDir], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stdout);
  for (const file of readdirSync(outDir).filter((name) => name.endsWith('.d.ts'))) {
    // The compiler rewrites specifiers only in JavaScript. Declarations must name files of the package, too.
    const path = join(outDir, file);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/ from '(\.\/[\w-]+)\.ts';/g, " from '$1.js';"));
  }
  const { name, ...members } = manifest;
  const versioned = { name, version: service.version, ...members };
  writeFileSync(join(outDir, 'package.json'), `${JSON.stringify(versioned, null, 2)}\n`);
  copyFileSync(join(client, 'README.md'), join(outDir, 'README.md'));
  copyFileSync(join(root, 'LICENSE'), join(outDir, 'LICENSE'));
};

if (import.meta.main) {
  answerHelp();
  await writeOpenapiTypes();
  const outDir = join(root, 'dist', 'client');
  buildClient(outDir);
  console.log(`${service.version} is in ${outDir}`);
}
