// `node infra/container/assemble.ts FOLDER` writes what the container runs into a new folder: the local service as one
// file, the bundles of the functions, the sample, and the store engine, which is a binary. Nothing else of the packages.
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { buildAll } from '../build/build.ts';
import { LICENSES_FILE, ROOT } from '../build/dist-layout.ts';
import { licensesOf } from '../build/licenses.ts';
import { awsSdkStubs, stubsPlugin } from '../build/package-stubs.ts';
import { answerHelp } from '../command/answer-help.ts';

/** The binding of LevelDB, which esbuild cannot bundle. */
const BINARY_PACKAGE = 'classic-level';

/** In place of the kept builds, which are made of the sources. */
const BUNDLES = `import { join } from 'node:path';
export const withBundles = (use: (folder: string) => unknown) => use(join(import.meta.dirname, '../../dist'));`;

/** The emulator of DynamoDB requires its actions by name, and esbuild knows them only with their extension. */
const STORE = /dynalite\/index\.js$/;

/** Node warns of `url.parse()` in every file outside of node_modules, and so in the bundle. */
const forBundle = (source: string): string =>
  source
    .replaceAll("/' + action)", "/' + action + '.js')")
    .replaceAll('url.parse(req.url, true).query', "Object.fromEntries(new URLSearchParams(req.url.split('?')[1]))");

const replaced = (filter: RegExp, replace: (source: string) => string): Plugin => ({
  name: `replaced ${filter}`,
  setup: ({ onLoad }) =>
    onLoad({ filter }, ({ path }) => ({ contents: replace(readFileSync(path, 'utf8')), loader: 'default' })),
});

/** The bundle is a module, and packages of CommonJS need \`require\`. */
const REQUIRE = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** Has the path of its source, because the sample is beside it. */
const PROGRAM = 'infra/local/start.ts';

/** The folders of a package and of all that it depends on. */
const packagesOf = (name: string, from: string, found = new Set<string>()): ReadonlySet<string> => {
  const [manifest] = (createRequire(from).resolve.paths(`${name}/package.json`) ?? [])
    .map((folder) => join(folder, name, 'package.json'))
    .filter(existsSync);
  if (manifest === undefined) throw new Error(`the package ${name} is not installed`);
  if (found.has(dirname(manifest))) return found;
  found.add(dirname(manifest));
  for (const dependency of Object.keys(JSON.parse(readFileSync(manifest, 'utf8')).dependencies ?? {}))
    packagesOf(dependency, manifest, found);
  return found;
};

/** Without sources of C++, types, manuals, and binaries of other systems than Linux. */
const NEEDED = ['**/*.{js,json,cjs}', 'LICENSE*', 'prebuilds/linux-*/**'];

const copyPackage = (folder: string, to: string): void => {
  for (const file of globSync(NEEDED, { cwd: folder, exclude: ['node_modules/**', 'test/**', 'deps/**'] }))
    cpSync(join(folder, file), join(to, folder.slice(ROOT.length), file), { recursive: true });
};

/** @param folder does not exist yet, or is empty */
export const assemble = async (folder: string): Promise<void> => {
  const [{ metafile }] = await Promise.all([
    build({
      absWorkingDir: ROOT,
      entryPoints: [PROGRAM],
      outfile: join(folder, PROGRAM.replace(/\.ts$/, '.mjs')),
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node24',
      mainFields: ['module', 'main'],
      minify: true,
      keepNames: true,
      metafile: true,
      logLevel: 'error',
      external: [BINARY_PACKAGE],
      banner: { js: REQUIRE },
      plugins: [replaced(/kept-build\.ts$/, () => BUNDLES), replaced(STORE, forBundle), stubsPlugin(awsSdkStubs)],
    }),
    buildAll(join(folder, 'dist')),
  ]);
  cpSync(join(ROOT, 'infra/local/sample'), join(folder, 'infra/local/sample'), { recursive: true });
  for (const found of packagesOf(BINARY_PACKAGE, join(ROOT, 'package.json'))) copyPackage(found, folder);
  writeFileSync(join(folder, LICENSES_FILE), licensesOf(...Object.values(metafile.outputs)) ?? '');
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
};

if (import.meta.main) {
  answerHelp();
  const [folder] = process.argv.slice(2);
  if (folder === undefined || folder.startsWith('-')) throw new Error('name the folder: assemble.ts FOLDER');
  mkdirSync(folder, { recursive: true });
  await assemble(join(process.cwd(), folder).replace(new RegExp(`${RegExp.escape(sep)}$`), ''));
}
