// Builds every published document from the contract. Runs when the discovery bundle is built.
import { documents } from '../contract/documents.ts';
import { BASE_URL_PLACEHOLDER } from '../contract/placeholders.ts';
import { skill } from '../contract/skill.ts';
import { keysOf, tableOf } from '../model/json.ts';
import type { Html } from '../render/html/html.ts';
import { agentCatalog, apiCatalog, apiIndex, serverCard, serverJson, skillIndex } from './catalogs.ts';
import {
  chapters,
  type PageName,
  type PublishedDocuments,
  type PublishedFile,
  pageNames,
  type Release,
} from './document.ts';
import { llms, llmsFull } from './llms.ts';
import { openapi } from './openapi/index.ts';
import { readPageText } from './pages/read-page.ts';
import { manifest, openSearch, robots, securityTxt, sitemap } from './text-files.ts';

/** The documents that the build makes from the files of the browser pages. */
type AssetName =
  | ('style' | 'docsStyle' | 'loadScript' | 'homeScript' | 'docsScript' | 'docsSearchScript' | 'licenses')
  | ('icon' | 'favicon' | 'touchIcon' | 'preview');

export interface BrowserFiles {
  /** The front page. */
  readonly html: string;
  /** Files that are not text are in base64. */
  readonly assets: Readonly<Record<AssetName, string>>;
  /** @param pages all pages of the documentation @returns the index of the search as JSON */
  readonly searchIndex: (pages: readonly SearchablePage[]) => string;
}

export interface SearchablePage {
  readonly path: string;
  readonly title: string;
  readonly markdown: string;
}

export interface PublishOptions {
  readonly release: Release;
  readonly browser: BrowserFiles;
  /** Markdown -> a complete page. */
  readonly toHtml: (name: PageName, markdown: string) => Html;
}

const searchablePages = (): readonly SearchablePage[] =>
  chapters.map((name) => ({ path: documents[name].path, title: documents[name].title, markdown: readPageText(name) }));

const file = (text: string): PublishedFile => ({ file: text });

export const publishDocuments = ({ release, browser, toHtml }: PublishOptions): PublishedDocuments => {
  const { html, assets, searchIndex } = browser;
  const catalog = file(agentCatalog(release));
  return {
    ...tableOf(pageNames, (name) => {
      const markdown = readPageText(name);
      return { markdown, html: name === 'home' ? html : String(toHtml(name, markdown)) };
    }),
    ...tableOf(keysOf(assets), (name) => file(assets[name])),
    apiIndex: file(apiIndex(release)),
    openapi: file(openapi(release)),
    apiCatalog: file(apiCatalog()),
    ard: catalog,
    aiCatalog: catalog,
    serverCard: file(serverCard(release)),
    serverJson: file(serverJson(release)),
    llms: file(llms()),
    llmsFull: file(llmsFull()),
    skills: file(skillIndex()),
    skill: file(skill(BASE_URL_PLACEHOLDER)),
    securityTxt: file(securityTxt(release)),
    robots: file(robots()),
    manifest: file(manifest()),
    openSearch: file(openSearch()),
    sitemap: file(sitemap(release)),
    docsSearch: file(searchIndex(searchablePages())),
  };
};
