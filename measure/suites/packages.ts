// Lists the packages by which tests judge the service, and finds the files that use each: those that import it. Tests of
// such a file also judge by other means, so the number of these tests would be no figure of the package.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface PackageSuite {
  readonly name: string;
  /** The package whose version is printed. */
  readonly package: string;
  /** The subject that it judges. */
  readonly subject: string;
}

export const PACKAGES: readonly PackageSuite[] = [
  { name: 'axe', package: 'axe-core', subject: 'pages' },
  { name: 'html-validate', package: 'html-validate', subject: 'pages' },
  { name: 'feedsmith', package: 'feedsmith', subject: 'feeds' },
  { name: 'rss-parser', package: 'rss-parser', subject: 'feeds' },
  { name: 'link-preview-js', package: 'link-preview-js', subject: 'link previews' },
  { name: 'open-graph-scraper', package: 'open-graph-scraper', subject: 'link previews' },
  { name: 'unfurl.js', package: 'unfurl.js', subject: 'link previews' },
  { name: 'Ajv', package: 'ajv', subject: 'answers against their schemas' },
  { name: 'mdast and GFM', package: 'mdast-util-from-markdown', subject: 'Markdown' },
  { name: 'markdown-it', package: 'markdown-it', subject: 'Markdown' },
  { name: 'js-yaml', package: 'js-yaml', subject: 'front matter' },
  { name: 'yaml', package: 'yaml', subject: 'front matter' },
  { name: 'structured-headers', package: 'structured-headers', subject: 'headers' },
  { name: 'http-link-header', package: 'http-link-header', subject: 'headers' },
  { name: 'MCP client of the SDK', package: '@modelcontextprotocol/client', subject: 'the MCP server' },
  { name: 'twitter-text', package: 'twitter-text', subject: 'links of texts' },
  { name: 'dynalite', package: 'dynalite', subject: 'stores' },
  { name: 'cdk-nag', package: 'cdk-nag', subject: 'the template' },
];

const SPECIFIER = /(?:from|import\() ?'([^'.][^']*)'/g;

/** @returns a function that finds the files of test/ which import a package themselves */
export const createUserFinder = (root: string): ((name: string) => readonly string[]) => {
  const files = globSync('test/**/*.ts', { cwd: root, exclude: (path) => path.includes('node_modules') });
  const imports = new Map(
    files.map((file) => [
      file,
      [...readFileSync(join(root, file), 'utf8').matchAll(SPECIFIER)].map(([, specifier = '']) => specifier),
    ]),
  );
  return (name) =>
    files.filter((file) => imports.get(file)?.some((target) => target === name || target.startsWith(`${name}/`)));
};
