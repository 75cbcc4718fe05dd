// Lists the packages by which tests judge the service, and finds the tests that use each: those that import it, directly
// or through other files of test/.
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
  { name: 'dynalite', package: 'dynalite', subject: 'stores' },
  { name: 'cdk-nag', package: 'cdk-nag', subject: 'the template' },
];

const SPECIFIER = /(?:from|import\() ?'([^']+)'/g;

/** @returns a function that finds the test files which import a package */
export const createUserFinder = (root: string): ((name: string) => ReadonlySet<string>) => {
  const imports = new Map<string, readonly string[]>();
  for (const file of globSync('test/**/*.ts', {
    cwd: root,
    exclude: (path) => path.includes('node_modules'),
  })) {
    const specifiers = [...readFileSync(join(root, file), 'utf8').matchAll(SPECIFIER)];
    const isNear = (target: string): boolean => target.startsWith('.') || !target.includes(':');
    imports.set(
      file,
      specifiers
        .map(([, specifier = '']) => specifier)
        .filter(isNear)
        .map((specifier) => (specifier.startsWith('.') ? join(file, '..', specifier) : specifier)),
    );
  }
  return (name) => {
    const isPackage = (target: string): boolean => target === name || target.startsWith(`${name}/`);
    const users = new Set([...imports].filter(([, targets]) => targets.some(isPackage)).map(([file]) => file));
    for (const user of users) for (const [file, targets] of imports) if (targets.includes(user)) users.add(file);
    return new Set([...users].filter((file) => file.endsWith('.test.ts')));
  };
};
