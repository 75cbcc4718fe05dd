// Builds the Lambda bundles: one self-contained CommonJS file per function, and a second one for a module that a function
// rarely needs.
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import packageJson from '../../package.json' with { type: 'json' };
import { BUNDLE_FILE, LICENSES_FILE, LOADER_FILE, ROOT } from './dist-layout.ts';
import { licensesOf } from './licenses.ts';
import { awsSdkStubs, mcpSdkStubs, stubsPlugin, undiciStubs } from './package-stubs.ts';

export interface BundleOptions {
  /** Function name to entry file, from the repository root: `{ posts: 'functions/posts/handler.ts' }`. */
  readonly entries: Readonly<Record<string, string>>;
  /** Receives `<name>/bundle.cjs` and its loader. Relative paths are from the repository root. */
  readonly outDir: string;
  /** Modules that functions load only when they need them, each from a file of its own beside their bundle. */
  readonly separate?: readonly { readonly module: string; readonly functions: readonly string[] }[];
  /** Resolve and load before the plugins of this module. */
  readonly plugins?: readonly Plugin[];
  /** @default the Node of Lambda */
  readonly target?: string;
}

export interface Bundles {
  /** Function name to the size of its bundle in bytes. */
  readonly bytes: Readonly<Record<string, number>>;
  readonly metafile: Metafile;
}

/** A function needs only the version from package.json, so the bundle leaves out the other members. */
export const versionOnly: Plugin = {
  name: 'version-only',
  setup(build) {
    build.onLoad({ filter: /[\\/]package\.json$/ }, ({ path }) =>
      path === resolve(ROOT, 'package.json')
        ? { contents: JSON.stringify({ version: packageJson.version }), loader: 'json' }
        : undefined,
    );
  },
};

/** Leaves the dynamic imports of modules to files beside the bundle. */
const separateModules = (modules: readonly string[]): Plugin => ({
  name: 'separate-modules',
  setup(build) {
    build.onResolve({ filter: /\.ts$/ }, ({ kind, path, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const module = modules.find((name) => resolve(resolveDir, path) === resolve(ROOT, name));
      return module === undefined ? undefined : { path: `./${basename(module, '.ts')}.cjs`, external: true };
    });
  },
});

/** @param id of the module, such as `postern:documents` @param contents its JavaScript */
export const virtualModule = (id: string, contents: () => Promise<string>): Plugin => ({
  name: id,
  setup(build) {
    build.onResolve({ filter: new RegExp(`^${id}$`) }, ({ path }) => ({ path, namespace: id }));
    build.onLoad({ filter: /./, namespace: id }, async () => ({ contents: await contents(), loader: 'js' }));
  },
});

const buildLoader = async (): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, 'infra/build/loader.ts')],
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    minify: true,
    write: false,
    // It runs a module of CommonJS with its own `module`, which a file with imports does not have for esbuild.
    logOverride: { 'commonjs-variable-in-esm': 'silent' },
  });
  const [loader] = outputFiles;
  if (loader === undefined) throw new Error('esbuild created no loader');
  return loader.text;
};

/** Writes nothing unless every bundle was built. The same sources give the same bytes. */
export const bundle = async (options: BundleOptions): Promise<Bundles> => {
  const { entries, outDir, plugins = [], separate = [], target = 'node24' } = options;
  const directory = resolve(ROOT, outDir);

  const entryPoints = Object.fromEntries(
    Object.entries(entries).map(([name, entry]) => [`${name}/${basename(BUNDLE_FILE, '.cjs')}`, entry]),
  );
  // Inside a bundle, esbuild would keep the unused exports of everything that the module imports.
  const files = separate.flatMap(({ module, functions }) =>
    functions.map((name) => [`${name}/${basename(module, '.ts')}`, module]),
  );
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: { ...entryPoints, ...Object.fromEntries(files) },
    outdir: directory,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    target,
    format: 'cjs',
    // An ESM facade of node:http costs 20 ms (nodejs/node#59686), and import() creates one even inside CommonJS.
    supported: { 'dynamic-import': false },
    mainFields: ['module', 'main'],
    minify: true,
    // With one character beyond Latin-1, V8 stores the whole file with two bytes per character.
    charset: 'ascii',
    legalComments: 'none',
    sourcemap: false,
    plugins: [
      separateModules(separate.map(({ module }) => module)),
      ...plugins,
      versionOnly,
      stubsPlugin(undiciStubs),
      stubsPlugin(awsSdkStubs),
      stubsPlugin(mcpSdkStubs),
    ],
    metafile: true,
    write: false,
    // Prints the warning that a dependency is bundled without stubs.
    logLevel: 'warning',
  });

  const contents = new Map(outputFiles.map((file) => [file.path, file.contents]));
  const bytes: Record<string, number> = {};
  for (const name of Object.keys(entries)) {
    const file = resolve(directory, name, BUNDLE_FILE);
    const content = contents.get(file);
    if (content === undefined) throw new Error(`esbuild did not create ${file}`);
    bytes[name] = content.byteLength;
  }
  for (const [file, content] of contents) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  const loader = await buildLoader();
  for (const name of Object.keys(entries)) {
    const folder = join(directory, name);
    await writeFile(join(folder, LOADER_FILE), loader);
    const outputs = Object.entries(metafile.outputs).filter(([file]) => dirname(resolve(ROOT, file)) === folder);
    const licenses = licensesOf(...outputs.map(([, output]) => output));
    if (licenses !== undefined) await writeFile(join(folder, LICENSES_FILE), licenses);
  }
  return { bytes, metafile };
};
