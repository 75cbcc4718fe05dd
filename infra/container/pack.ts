// npm runs this at the end of `npm pack` in a clone. npm can pack only the package.json of the clone, with everything that
// development needs. So this program replaces that file: it writes the tree of the container to dist/package, and packs it.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ROOT } from '../build/dist-layout.ts';
import { answerHelp } from '../command/answer-help.ts';
import { assemble } from './assemble.ts';
import { manifest } from './manifest.ts';

answerHelp();

const FOLDER = join(ROOT, 'dist/package');
const { INIT_CWD = ROOT, npm_config_pack_destination: destination = '' } = process.env;
const target = resolve(INIT_CWD, destination);

try {
  rmSync(FOLDER, { recursive: true, force: true });
  await assemble(FOLDER);
  execFileSync('npm', ['pack', FOLDER, '--pack-destination', target], { stdio: ['ignore', 'ignore', 'inherit'] });
} catch (error) {
  rmSync(join(target, `${manifest.name}-${manifest.version}.tgz`), { force: true });
  throw error;
}
