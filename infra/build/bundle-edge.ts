// Builds the CloudFront Function: one script without modules. The routes of the contract become a constant in it.
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import {
  type EdgeContract,
  ENCODED_API,
  ENCODED_POST,
  encodeLiteral,
  FIRST_WORD,
} from '../../functions/edge/viewer-request.ts';
import { linkPreviewClients } from '../../shared/contract/link-preview-clients.ts';
import { isVariable } from '../../shared/contract/paths.ts';
import { type RouteRow, routeRows } from '../../shared/contract/routes.ts';
import { HANDLE_LIST, RESERVED_SEGMENTS } from '../../shared/model/handle.ts';
import { EDGE_FILE, ROOT } from './dist-layout.ts';

/** CloudFront allows "10 KB" and does not say whether that is 10,000 or 10,240 bytes. */
const MAX_EDGE_BYTES = 10_000;

/**
 * Private routes pass unchanged. A page of X below a post matches no other template of the edge function, where `{lang}` is a
 * language, and API Gateway has its route.
 */
const isNormalized = ({ kind, path }: RouteRow): boolean =>
  kind !== 'private' && !path.startsWith('/i/web/') && !(kind === 'unknown' && path.startsWith('/{handle}/status/'));

const rows = routeRows.filter(isNormalized);

const wordsOf = (words: readonly string[]): readonly string[] => [...new Set(words)].toSorted();

const allNames = wordsOf(rows.flatMap(({ queryNames }) => queryNames));
const allFormats = wordsOf(rows.flatMap(({ formats }) => formats));

const codeOf = (words: readonly string[], all: readonly string[]): string =>
  wordsOf(words)
    .map((word) => String.fromCharCode(FIRST_WORD.charCodeAt(0) + all.indexOf(word)))
    .join('');

/** The parameters of lists that follow each other in the order of the alphabet. */
const LIST_NAMES = codeOf(['cursor', 'format', 'lang', 'limit', 'max_tokens'], allNames);

const encodeTemplate = (path: string): string =>
  path.replace(HANDLE_LIST, '*').replace('{handle}', '!').replace(ENCODED_POST, '&').replace(ENCODED_API, '^');

const headOf = ({ kind, queryNames, formats }: RouteRow): string =>
  [kind, codeOf(queryNames, allNames), codeOf(formats, allFormats)].join('.');

const variables = ({ segments }: RouteRow): number => segments.filter(isVariable).length;

/**
 * Groups the routes that have the same kind, query parameters and formats. A group has templates with the same number of
 * variables, so the groups keep the precedence of the routes.
 */
const groupsOf = (routes: readonly RouteRow[], encode: (path: string) => string): string =>
  Map.groupBy(routes, (row) => `${variables(row)} ${headOf(row)}`)
    .values()
    .map((group) => [...group.slice(0, 1).map(headOf), ...group.map(({ path }) => encode(path)), ''].join(' '))
    .toArray()
    .join('#');

const isLiteral = (row: RouteRow): boolean => variables(row) === 0;

const templates = (): string => {
  const routes = rows.filter((row) => !isLiteral(row));
  const most = Math.max(...routes.map(({ segments }) => segments.length));
  return Array.from({ length: most + 1 }, (_, count) =>
    groupsOf(
      routes.filter(({ segments }) => segments.length === count),
      encodeTemplate,
    ).replaceAll(`.${LIST_NAMES}`, '.~'),
  ).join('|');
};

export const edgeContract = (): EdgeContract => {
  return {
    literals: groupsOf(rows.filter(isLiteral), encodeLiteral),
    templates: templates(),
    listNames: LIST_NAMES,
    names: allNames.join(' '),
    formats: allFormats.join(' '),
    reserved: ` ${[...RESERVED_SEGMENTS].join(' ')} `,
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
    define: Object.fromEntries(
      Object.entries(edgeContract()).map(([name, text]) => [`EDGE_CONTRACT.${name}`, JSON.stringify(text)]),
    ),
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
  if (bytes >= MAX_EDGE_BYTES)
    throw new Error(`the edge function has ${bytes} bytes; it must have fewer than ${MAX_EDGE_BYTES}`);
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
