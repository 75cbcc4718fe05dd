// Builds the Lambda bundles: one self-contained CommonJS file per function.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile, type Plugin } from 'esbuild';
import packageJson from '../../package.json' with { type: 'json' };
import { slimAwsSdk } from './aws-sdk-plugin.ts';
import { FUNCTION_FILE } from './dist-layout.ts';
import { slimMcpSdk } from './mcp-sdk-plugin.ts';
import { slimUndici } from './undici-plugin.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface BundleOptions {
  /** Function name to entry file, from the repository root: `{ posts: 'functions/posts/handler.ts' }`. */
  readonly entries: Readonly<Record<string, string>>;
  /** Receives `<name>/index.cjs`. Relative paths are from the repository root. */
  readonly outDir: string;
  /** Expressions fixed at build time. */
  readonly define?: Readonly<Record<string, string>>;
  /** Asked before our own. */
  readonly plugins?: readonly Plugin[];
}

export interface Bundles {
  /** Function name to the bytes of its bundle. */
  readonly bytes: Readonly<Record<string, number>>;
  /** What went into which bundle. */
  readonly metafile: Metafile;
}

/** Of package.json a function needs its version: the list of our tools stays at home. */
const versionOnly: Plugin = {
  name: 'version-only',
  setup(build) {
    build.onLoad({ filter: /[\\/]package\.json$/ }, ({ path }) =>
      path === resolve(ROOT, 'package.json')
        ? { contents: JSON.stringify({ version: packageJson.version }), loader: 'json' }
        : undefined,
    );
  },
};

/** Nothing is written unless every bundle was built; the same sources give the same bytes. */
export const bundle = async ({ entries, outDir, define = {}, plugins = [] }: BundleOptions): Promise<Bundles> => {
  const directory = resolve(ROOT, outDir);
  const fileOf = (name: string): string => resolve(directory, name, FUNCTION_FILE);

  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: Object.fromEntries(Object.entries(entries).map(([name, entry]) => [`${name}/index`, entry])),
    outdir: directory,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    // An ESM facade of node:http costs 20 ms (nodejs/node#59686), and import() makes one even inside CommonJS.
    supported: { 'dynamic-import': false },
    mainFields: ['module', 'main'],
    minify: true,
    // Escapes beyond ASCII: one wider character would make V8 hold the whole file in two bytes each.
    charset: 'ascii',
    legalComments: 'none',
    sourcemap: false,
    define: { ...define },
    plugins: [...plugins, versionOnly, slimUndici(), slimAwsSdk(), slimMcpSdk()],
    metafile: true,
    write: false,
    logLevel: 'silent',
  });

  const contents = new Map(outputFiles.map((file) => [file.path, file.contents]));
  const bytes: Record<string, number> = {};
  for (const name of Object.keys(entries)) {
    const file = fileOf(name);
    const content = contents.get(file);
    if (content === undefined) throw new Error(`esbuild made no ${file}`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
    bytes[name] = content.byteLength;
  }
  return { bytes, metafile };
};
