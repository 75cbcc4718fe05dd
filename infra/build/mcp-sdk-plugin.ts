// Bundles the low-level Server of the MCP SDK without the makers and validators of JSON Schemas, which serve what we do
// not offer: elicitation, and tools described in zod. These are unpromised paths inside the package, so a build in which
// one no longer fits, or which leads to more of the package than was read, fails.
import { existsSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Metafile, PartialMessage, Plugin } from 'esbuild';

const SDK = '@modelcontextprotocol/sdk';
const NAMESPACE = 'slim-mcp-sdk';

/** The version these replacements were read against. Raising it means reading them again. */
const REVIEWED_VERSION = '1.32.2';

const SERVER = 'dist/esm/server/index.js';

/** What the server consists of. The rest of the package is transports, clients, authorization and their frameworks. */
const REVIEWED_FILES: readonly string[] = [
  SERVER,
  'dist/esm/server/zod-compat.js',
  'dist/esm/server/zod-json-schema-compat.js',
  'dist/esm/shared/protocol.js',
  'dist/esm/experimental/tasks/helpers.js',
  'dist/esm/experimental/tasks/interfaces.js',
  'dist/esm/experimental/tasks/server.js',
  'dist/esm/types.js',
];

/** Of the packages that the SDK depends on, the only one that the server works with. */
const NEEDED_PACKAGE = 'zod';

const refuse = (what: string): string => `throw new Error('${SDK} was bundled without ${what}');`;

/** Replaced modules and their text. Keys are files of the package, or packages that its files import. */
export const mcpSdkReplacements: Readonly<Record<string, () => string>> = {
  // Ajv, its formats and its parser of URIs: 125 kB. A server makes a validator where it is given none, and would ask it
  // about the answers to its own questions.
  'dist/esm/validation/ajv-provider.js': () =>
    `export class AjvJsonSchemaValidator { getValidator() { ${refuse('Ajv: pass a jsonSchemaValidator')} } }`,
  // For tools described in zod 3.
  'zod-to-json-schema': () => `export const zodToJsonSchema = () => { ${refuse('schemas of zod 3')} };`,
};

const field = (source: unknown, name: string): unknown =>
  typeof source === 'object' && source !== null ? Reflect.get(source, name) : undefined;

const manifestFile = (): string => {
  const file = findPackageJSON(SDK, import.meta.url);
  if (file === undefined) throw new Error(`${SDK} is not installed`);
  return file;
};

const MANIFEST = manifestFile();
const ROOT = dirname(MANIFEST);
const manifest: unknown = JSON.parse(readFileSync(MANIFEST, 'utf8'));

const closedPackages: readonly string[] = Object.keys(field(manifest, 'dependencies') ?? {}).filter(
  (name) => name !== NEEDED_PACKAGE,
);

/** undefined: not of the SDK. */
const insidePackage = (file: string): string | undefined => {
  const path = relative(ROOT, file).split(sep).join('/');
  return path.startsWith('../') || path === '' ? undefined : path;
};

const isFile = (key: string): boolean => key.startsWith('dist/');

const misfits = (replacements: Readonly<Record<string, unknown>>): readonly PartialMessage[] => {
  const version = field(manifest, 'version');
  const files = [...Object.keys(replacements).filter(isFile), ...REVIEWED_FILES];
  return [
    ...(version === REVIEWED_VERSION
      ? []
      : [{ text: `${SDK} is ${String(version)}, its replacements were reviewed for ${REVIEWED_VERSION}` }]),
    ...files
      .filter((path) => !existsSync(join(ROOT, path)))
      .map((path) => ({ text: `the MCP SDK has no ${path}, which was reviewed` })),
  ];
};

const bundledFiles = ({ outputs }: Metafile, directory: string): readonly string[] =>
  Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) =>
      bytesInOutput > 0 && !file.startsWith(`${NAMESPACE}:`) ? [resolve(directory, file)] : [],
    ),
  );

const isOfPackage = (file: string, name: string): boolean =>
  file.split(sep).join('/').includes(`/node_modules/${name}/`);

/** What the finished bundle holds and should not: the SDK's modules name more than is left of them. */
const surplus = (files: readonly string[], replacements: Readonly<Record<string, unknown>>): readonly string[] => {
  const known = [...REVIEWED_FILES, ...Object.keys(replacements)];
  const own = new Set(files.flatMap((file) => insidePackage(file) ?? []));
  if (own.size === 0) return [];
  const unread = [...own].filter((path) => !known.includes(path));
  return [...unread, ...closedPackages.filter((name) => files.some((file) => isOfPackage(file, name)))];
};

/** Lets a bundle import `server/index.js` and `types.js` of the MCP SDK. */
export const slimMcpSdk = (replacements: Readonly<Record<string, () => string>> = mcpSdkReplacements): Plugin => ({
  name: 'slim-mcp-sdk',
  setup: (build) => {
    const options = build.initialOptions;
    const directory = options.absWorkingDir ?? process.cwd();
    const hits = new Set<string>();

    options.metafile = true;

    build.onStart(() => {
      hits.clear();
      return { errors: [...misfits(replacements)] };
    });

    build.onResolve({ filter: /^[^./]/, namespace: 'file' }, ({ path, importer }) =>
      Object.hasOwn(replacements, path) && insidePackage(importer) !== undefined
        ? { path, namespace: NAMESPACE, sideEffects: false }
        : undefined,
    );

    build.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path }) => {
      hits.add(path);
      return { contents: replacements[path]?.() ?? '', loader: 'js' };
    });

    build.onLoad({ filter: /[\\/]@modelcontextprotocol[\\/]sdk[\\/]/, namespace: 'file' }, ({ path: file }) => {
      const path = insidePackage(file);
      if (path === undefined) return undefined;
      hits.add(path);
      const replacement = Object.hasOwn(replacements, path) ? replacements[path] : undefined;
      return replacement && { contents: replacement(), loader: 'js' };
    });

    build.onEnd(({ metafile }) => {
      const idle = hits.has(SERVER) ? Object.keys(replacements).filter((path) => !hits.has(path)) : [];
      const left = metafile ? surplus(bundledFiles(metafile, directory), replacements) : [];
      return {
        errors: [
          ...idle.map((path) => ({ text: `the MCP SDK no longer leads to ${path}, which should be replaced` })),
          ...left.map((what) => ({ text: `the MCP SDK leads to ${what}, which nobody has reviewed` })),
        ],
      };
    });
  },
});
