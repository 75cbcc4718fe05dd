// Builds every published document from the contract. Runs when the discovery bundle is built.
import { documents } from '../contract/documents.ts';
import { agentCatalog, apiCatalog, apiIndex, serverCard, serverJson } from './catalogs.ts';
import { chapters, type PageName, type PublishedDocuments } from './document.ts';
import { llms, llmsFull } from './llms.ts';
import { openapi } from './openapi/index.ts';
import { readPage } from './pages/read-page.ts';
import type { Release } from './release.ts';
import { robots, securityTxt, sitemap } from './text-files.ts';

/** The hand-written files of the HTML start page. */
export interface FrontPageFiles {
  readonly html: string;
  readonly script: string;
  readonly style: string;
  readonly icon: string;
  /** In base64. */
  readonly favicon: string;
  readonly touchIcon: string;
  readonly preview: string;
}

/** The scripts of the documentation, and the index of its search. */
export interface DocumentationFiles {
  readonly script: string;
  readonly searchScript: string;
  /** Names and licences of the packages in the scripts. */
  readonly licenses: string;
  /** @param pages all pages of the documentation @returns the index as JSON */
  readonly searchIndex: (pages: readonly SearchablePage[]) => string;
}

export interface SearchablePage {
  readonly path: string;
  readonly title: string;
  readonly markdown: string;
}

export interface PublishOptions {
  readonly release: Release;
  readonly front: FrontPageFiles;
  readonly documentation: DocumentationFiles;
  /** Markdown -> a complete HTML page. */
  readonly toHtml: (name: PageName, markdown: string) => string;
}

const searchablePages = (): readonly SearchablePage[] =>
  chapters.map((name) => ({ path: documents[name].path, title: documents[name].title, markdown: readPage(name) }));

export const publishDocuments = ({ release, front, documentation, toHtml }: PublishOptions): PublishedDocuments => {
  const page = (name: PageName) => {
    const markdown = readPage(name);
    return { markdown, html: toHtml(name, markdown) };
  };
  const catalog = agentCatalog(release);
  return {
    home: { markdown: readPage('home'), html: front.html },
    apiIndex: { file: apiIndex(release) },
    openapi: { file: openapi(release) },
    apiCatalog: { file: apiCatalog() },
    ard: { file: catalog },
    aiCatalog: { file: catalog },
    serverCard: { file: serverCard(release) },
    serverJson: { file: serverJson(release) },
    llms: { file: llms() },
    llmsFull: { file: llmsFull() },
    securityTxt: { file: securityTxt(release) },
    robots: { file: robots() },
    sitemap: { file: sitemap(release) },
    docs: page('docs'),
    quickstart: page('quickstart'),
    posts: page('posts'),
    profiles: page('profiles'),
    search: page('search'),
    feeds: page('feeds'),
    embeds: page('embeds'),
    formats: page('formats'),
    exports: page('exports'),
    compare: page('compare'),
    errors: page('errors'),
    limits: page('limits'),
    versioning: page('versioning'),
    client: page('client'),
    mcp: page('mcp'),
    selfHosting: page('selfHosting'),
    scaling: page('scaling'),
    benchmarks: page('benchmarks'),
    reliability: page('reliability'),
    style: { file: front.style },
    homeScript: { file: front.script },
    docsScript: { file: documentation.script },
    docsSearchScript: { file: documentation.searchScript },
    licenses: { file: documentation.licenses },
    docsSearch: { file: documentation.searchIndex(searchablePages()) },
    icon: { file: front.icon },
    favicon: { file: front.favicon },
    touchIcon: { file: front.touchIcon },
    preview: { file: front.preview },
  };
};
