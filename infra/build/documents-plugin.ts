// Provides `postern:documents` to the bundles: the published documents, compressed at build time, and the paths of
// permalinks. The documents are in a file beside the bundle, because a bundle with 360 kB of texts takes 3 ms more to load.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { Plugin } from 'esbuild';
import type { CompressedDocuments } from '../../functions/discovery/published-documents.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { permalinkPaths } from '../../shared/contract/operations.ts';
import { type PublishedDocuments, releaseOf } from '../../shared/publish/document.ts';
import { documentationPage } from '../../shared/publish/documentation-page.ts';
import { publishDocuments } from '../../shared/publish/publish-documents.ts';
import { markdownToHtml } from './markdown-to-html.ts';
import { browserFiles } from './page-files.ts';

const CHANGELOG = fileURLToPath(new URL('../../CHANGELOG.md', import.meta.url));

export const documentsFromContract = async (): Promise<PublishedDocuments> =>
  publishDocuments({
    release: releaseOf(packageJson.version, await readFile(CHANGELOG, 'utf8')),
    browser: await browserFiles(),
    toHtml: (name, markdown) => documentationPage(name, markdown, markdownToHtml(markdown)),
  });

const compressBytes = promisify(brotliCompress);

/** Compresses in the threads of Node. @param quality the Brotli quality, 0 to 11 */
export const compressDocuments = async (
  documents: PublishedDocuments,
  quality: number,
): Promise<CompressedDocuments> => {
  const compress = (texts: object): Promise<Uint8Array> =>
    compressBytes(JSON.stringify(texts), { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
  const compressed = await Promise.all(
    Object.entries(documents).map(async ([name, texts]) => [name, await compress(texts)]),
  );
  return Object.fromEntries(compressed) as CompressedDocuments; // fromEntries loses the names of the documents
};

const FILE = 'documents.br';

/** The module reads the file when it is loaded, because the folder of a bundle may be removed afterwards. */
const moduleText = (documents: CompressedDocuments): string => {
  let end = 0;
  const entries = Object.entries(documents).map(([name, { byteLength }]) => {
    const start = end;
    end += byteLength;
    return `${JSON.stringify(name)}: file.subarray(${start}, ${end})`;
  });
  return [
    "import { readFileSync } from 'node:fs';",
    "import { join } from 'node:path';",
    `const file = readFileSync(join(__dirname, '${FILE}'));`,
    `export const documents = { ${entries.join(', ')} };`,
    // The table of operations would be a third of the bundle.
    `export const permalinkPaths = '${permalinkPaths.join(' ')}'.split(' ');`,
  ].join('\n');
};

/** @param functions the functions whose bundles import the documents */
export const documentsPlugin = (...functions: readonly string[]): Plugin => ({
  name: 'postern-documents',
  setup(build) {
    let file = new Uint8Array();
    build.onResolve({ filter: /^postern:documents$/ }, ({ path }) => ({ path, namespace: 'postern' }));
    build.onLoad({ filter: /./, namespace: 'postern' }, async () => {
      const documents = await compressDocuments(await documentsFromContract(), constants.BROTLI_MAX_QUALITY);
      file = Buffer.concat(Object.values(documents));
      return { contents: moduleText(documents), loader: 'js' };
    });
    build.onEnd(({ outputFiles }) => {
      for (const name of functions) {
        const path = join(build.initialOptions.outdir ?? '', name, FILE);
        outputFiles?.push({ path, contents: file, text: '', hash: '' });
      }
    });
  },
});
