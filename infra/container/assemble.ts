// `node infra/container/assemble.ts FOLDER` writes what the container runs into a new folder, which is also the npm package:
// the commands, the bundles of the functions, the sample, and the store engine, which is a binary. Nothing else of the
// packages.
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { buildAll } from '../build/build.ts';
import { versionOnly } from '../build/bundle.ts';
import { LICENSES_FILE, ROOT } from '../build/dist-layout.ts';
import { licensesOf } from '../build/licenses.ts';
import { awsSdkStubs, mcpSdkStubs, stubsPlugin, undiciStubs } from '../build/package-stubs.ts';
import { answerHelp } from '../command/answer-help.ts';
import { BIN_FILE, manifest, TARGET } from './manifest.ts';

/** The engine of the store: a binary for each system, and the code that loads it. */
const ENGINE_PACKAGE = 'node_modules/classic-level';

/** In place of its own folder. */
const withOwnBuilds = (): string => "module.exports = require('node-gyp-build')(__dirname + '/../..');";

const IN_PACKAGE = `export * from ${JSON.stringify(join(ROOT, 'infra/package/in-package.ts'))};`;

/** The emulator of DynamoDB requires its actions by name, and esbuild knows them only with their extension. */
const STORE = /dynalite\/index\.js$/;

/** Node warns of `url.parse()` in every file outside of node_modules, and so in the bundle. */
const forBundle = (source: string): string =>
  source
    .replaceAll("/' + action)", "/' + action + '.js')")
    .replaceAll('url.parse(req.url, true).query', "Object.fromEntries(new URLSearchParams(req.url.split('?')[1]))");

/** The emulator loads the engine at its start, but needs it only to save. A system can lack a build of it. */
const loadedWhenNeeded = (): string =>
  "exports.Level = function (...args) { return Reflect.construct(require('classic-level').ClassicLevel, args) };";

const replaced = (filter: RegExp, replace: (source: string) => string): Plugin => ({
  name: `replaced ${filter}`,
  setup: ({ onLoad }) =>
    onLoad({ filter }, ({ path }) => ({ contents: replace(readFileSync(path, 'utf8')), loader: 'default' })),
});

/** A file is a module, and packages of CommonJS need these two. */
const COMMONJS = `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url), __dirname = import.meta.dirname;`;

/** All files have the folder of these sources, because the sample is beside them, and the first starts the second. */
const PROGRAMS = 'infra/local';
const ENTRIES = { postern: 'infra/package/postern.ts', 'store-process': 'infra/local/store-process.ts' };

/** @param folder does not exist yet, or is empty */
export const assemble = async (folder: string): Promise<void> => {
  const [{ metafile }] = await Promise.all([
    build({
      absWorkingDir: ROOT,
      entryPoints: ENTRIES,
      outdir: join(folder, PROGRAMS),
      outExtension: { '.js': '.mjs' },
      // A command loads only its own programs.
      splitting: true,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: TARGET,
      mainFields: ['module', 'main'],
      minify: true,
      keepNames: true,
      metafile: true,
      logLevel: 'error',
      banner: { js: COMMONJS },
      plugins: [
        replaced(/infra\/(?:build\/kept-build|command\/command-line|verify\/edge-engine)\.ts$/, () => IN_PACKAGE),
        replaced(STORE, forBundle),
        replaced(/node_modules\/level\/index\.js$/, loadedWhenNeeded),
        replaced(/node_modules\/classic-level\/binding\.js$/, withOwnBuilds),
        versionOnly,
        stubsPlugin(awsSdkStubs),
        stubsPlugin(undiciStubs),
        stubsPlugin(mcpSdkStubs),
      ],
    }),
    buildAll(join(folder, 'dist'), TARGET),
  ]);
  cpSync(join(ROOT, 'infra/local/sample'), join(folder, 'infra/local/sample'), { recursive: true });
  const builds = globSync(`prebuilds/{${manifest.os.join()}}-*/*`, { cwd: join(ROOT, ENGINE_PACKAGE) });
  for (const file of builds) cpSync(join(ROOT, ENGINE_PACKAGE, file), join(folder, file));
  writeFileSync(join(folder, LICENSES_FILE), licensesOf(...Object.values(metafile.outputs)) ?? '');
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  cpSync(join(ROOT, 'infra/package/README.md'), join(folder, 'README.md'));
  cpSync(join(ROOT, 'infra/package/postern.cjs'), join(folder, BIN_FILE));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
};

if (import.meta.main) {
  answerHelp();
  const [folder] = process.argv.slice(2);
  if (folder === undefined || folder.startsWith('-')) throw new Error('name the folder: assemble.ts FOLDER');
  mkdirSync(folder, { recursive: true });
  await assemble(join(process.cwd(), folder).replace(new RegExp(`${RegExp.escape(sep)}$`), ''));
}
