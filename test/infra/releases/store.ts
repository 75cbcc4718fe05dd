// `npm run update -- release-template`: stores the reduced template of this version, with the default settings, for the test of
// upgrades. `--commit COMMIT` builds and synthesizes that commit instead, with its own dependencies.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { answerHelp } from '../../../infra/command/answer-help.ts';
import { isRecord, parseJson } from '../../../shared/model/json.ts';
import { fieldsOf, textOf } from '../evaluation/template.ts';
import { reduceTemplate } from './reduce.ts';

answerHelp();

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

const readJson = (file: string) => fieldsOf(parseJson(readFileSync(file, 'utf8')));

const run = (command: string, argumentList: readonly string[], cwd: string, variables: NodeJS.ProcessEnv = {}) =>
  execFileSync(command, argumentList, { cwd, env: { ...process.env, ...variables }, stdio: ['ignore', 2, 2] });

/** A copy of the tree at a commit, with the dependencies of that commit. Their install scripts are not needed. */
const checkOut = (commit: string, folder: string): string => {
  const archive = join(folder, 'tree.tar');
  run('git', ['archive', '--output', archive, commit], ROOT);
  run('tar', ['--extract', '--file', archive], folder);
  run('npm', ['install', '--ignore-scripts', '--no-save', '--no-audit'], folder);
  return folder;
};

const store = (tree: string, folder: string): void => {
  const out = join(folder, 'assembly');
  run(process.execPath, ['infra/build/build.ts'], tree);
  run(process.execPath, ['infra/app.ts'], tree, { CDK_OUTDIR: out });
  const template = reduceTemplate(readJson(join(out, 'Postern.template.json')));
  const version = textOf(readJson(join(tree, 'package.json'))['version']);
  const file = fileURLToPath(new URL(`${version}.json`, import.meta.url));
  writeFileSync(file, `${JSON.stringify(template, null, 1)}\n`);
  run('npm', ['exec', '--', 'biome', 'format', '--write', file], ROOT);
  const resources = isRecord(template['Resources']) ? Object.keys(template['Resources']).length : 0;
  console.log(`${version}: ${resources} resources`);
};

const { values } = parseArgs({ options: { commit: { type: 'string' } } });
const folder = mkdtempSync(join(tmpdir(), 'postern-release-'));
try {
  store(values.commit === undefined ? ROOT : checkOut(values.commit, folder), folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
