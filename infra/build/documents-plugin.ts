// esbuild plugin: `postern:documents` is the published documents as one constant, so that no function builds them.
import type { Plugin } from 'esbuild';
import MarkdownIt from 'markdown-it';
import packageJson from '../../package.json' with { type: 'json' };
import type { PublishedDocuments } from '../../shared/publish/document.ts';
import { documentationPage } from '../../shared/publish/documentation-page.ts';
import { publishDocuments } from '../../shared/publish/index.ts';

const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-|-$/g, '');

/** Headings carry an id each: the `type` of a problem is the address of its section. */
const markdownIt = (): ReturnType<typeof MarkdownIt> => {
  const renderer = new MarkdownIt();
  // Addresses are our own, and the placeholder in them must stay as it is.
  renderer.normalizeLink = (url) => url;
  renderer.renderer.rules['heading_open'] = (tokens, index) => {
    const id = slug(tokens[index + 1]?.content ?? '');
    return `<${tokens[index]?.tag} id="${id}">`;
  };
  return renderer;
};

export const documentsFromContract = (): PublishedDocuments => {
  const renderer = markdownIt();
  return publishDocuments({
    version: packageJson.version,
    toHtml: (markdown) => documentationPage(/^# (.+)$/m.exec(markdown)?.[1] ?? '', renderer.render(markdown)),
  });
};

export const builtDocuments = (): Plugin => ({
  name: 'postern-documents',
  setup(build) {
    build.onResolve({ filter: /^postern:documents$/ }, ({ path }) => ({ path, namespace: 'postern' }));
    build.onLoad({ filter: /./, namespace: 'postern' }, () => ({
      contents: `export const documents = ${JSON.stringify(documentsFromContract())};`,
      loader: 'js',
    }));
  },
});
