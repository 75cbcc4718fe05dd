// Builds the CloudFront Function: one script without modules. The routes of the contract become a constant in it.
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import type { EdgeContract, EncodedEdgeRoute } from '../../functions/edge/viewer-request.ts';
import { linkPreviewClients } from '../../shared/contract/link-preview-clients.ts';
import { isVariable } from '../../shared/contract/paths.ts';
import { type RouteRow, routeRows } from '../../shared/contract/routes.ts';
import { HANDLE_LIST, RESERVED_SEGMENTS } from '../../shared/model/handle.ts';
import { EDGE_FILE, ROOT } from './dist-layout.ts';

/** The limit of CloudFront for one function. */
const MAX_EDGE_BYTES = 10_240;

const variables = ({ segments }: RouteRow): number => segments.filter(isVariable).length;

/**
 * Private routes have no query and are never cached. A page of X below a post matches no other template of the edge function,
 * where `{lang}` is a language, and API Gateway has its route.
 */
const isNormalized = ({ kind, path }: RouteRow): boolean =>
  kind !== 'private' && !(kind === 'unknown' && path.startsWith('/{handle}/status/'));

/**
 * Groups the routes that have the same kind, query parameters and formats, because their repetition would be a third of the script.
 * A group has templates with the same number of variables, so the groups keep the precedence of the routes.
 */
const edgeRoutes = (indexOf: (list: readonly string[]) => number): readonly EncodedEdgeRoute[] =>
  Map.groupBy(routeRows.filter(isNormalized), (row) =>
    [variables(row), row.kind, ...row.queryNames.toSorted(), ...row.formats].join(' '),
  )
    .values()
    .flatMap((rows): readonly EncodedEdgeRoute[] => {
      const [first] = rows;
      if (first === undefined || first.kind === 'private') return [];
      const templates = rows.map(({ path }) => path.replace(HANDLE_LIST, '&').replaceAll('{handle}', '@')).join(' ');
      return [[first.kind, templates, indexOf(first.queryNames.toSorted()), indexOf(first.formats)]];
    })
    .toArray();

export const edgeContract = (): EdgeContract => {
  const lists: string[] = [];
  const indexOf = (list: readonly string[]): number => {
    const text = list.join(' ');
    if (!lists.includes(text)) lists.push(text);
    return lists.indexOf(text);
  };
  return {
    routes: edgeRoutes(indexOf),
    lists,
    reserved: [...RESERVED_SEGMENTS].join(' '),
    previewTokens: linkPreviewClients.map(({ token }) => token).join('|'),
  };
};

/**
 * The runtime cloudfront-js-2.0 is ES5.1 with these additions. esbuild lowers newer syntax. The build fails if esbuild
 * cannot lower it: for-of, destructuring, array spread and classes. esbuild adds no missing methods: a test compares
 * those of the script with the documentation of AWS.
 */
const RUNTIME = { target: 'es5', supported: { arrow: true, 'const-and-let': true, 'template-literal': true } } as const;

/** @returns the script of the edge function, in ASCII */
export const buildEdge = async (): Promise<string> => {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    // CloudFront calls the top-level function `handler`. The runtime has no modules, and the code with which esbuild
    // exports a name would be a twentieth of the script.
    stdin: {
      contents: "import { handler } from './functions/edge/viewer-request.ts'; edge = handler;",
      resolveDir: ROOT,
    },
    bundle: true,
    ...RUNTIME,
    format: 'iife',
    banner: { js: 'var edge;' },
    footer: { js: 'function handler(event) { return edge(event); }' },
    define: { EDGE_CONTRACT: JSON.stringify(edgeContract()) },
    platform: 'neutral',
    charset: 'ascii',
    minify: true,
    legalComments: 'none',
    write: false,
    logLevel: 'silent',
  });
  const [script] = outputFiles;
  if (script === undefined) throw new Error('esbuild created no edge function');
  const bytes = script.contents.byteLength;
  if (bytes > MAX_EDGE_BYTES)
    throw new Error(`the edge function has ${bytes} bytes; CloudFront allows ${MAX_EDGE_BYTES}`);
  return script.text;
};

/**
 * Writes `<outDir>/viewer-request.js`. Relative paths are from the repository root.
 *
 * @returns the size of the file in bytes
 */
export const bundleEdge = async (outDir: string): Promise<number> => {
  const script = await buildEdge();
  const directory = resolve(ROOT, outDir);
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, EDGE_FILE), script);
  return script.length;
};
