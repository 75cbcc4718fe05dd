// The pages, as Markdown.
import { type DocumentName, documentRows } from '../../contract/documents.ts';
import type { PublishedDocuments, PublishedPage } from '../document.ts';
import { clientPage } from './client.ts';
import { docsPage } from './docs.ts';
import { embedsPage } from './embeds.ts';
import { errorsPage } from './errors.ts';
import { formatsPage } from './formats.ts';
import { homePage } from './home.ts';
import { limitsPage } from './limits.ts';
import { mcpPage } from './mcp.ts';
import { postsPage } from './posts.ts';
import { profilesPage } from './profiles.ts';
import { quickstartPage } from './quickstart.ts';
import { searchPage } from './search.ts';
import { selfHostingPage } from './self-hosting.ts';
import { versioningPage } from './versioning.ts';

/** The documents that are pages. */
export type PageName = {
  [Name in DocumentName]: PublishedDocuments[Name] extends PublishedPage ? Name : never;
}[DocumentName];

export const pages: Readonly<Record<PageName, () => string>> = {
  home: homePage,
  docs: docsPage,
  quickstart: quickstartPage,
  posts: postsPage,
  profiles: profilesPage,
  search: searchPage,
  embeds: embedsPage,
  formats: formatsPage,
  errors: errorsPage,
  limits: limitsPage,
  versioning: versioningPage,
  client: clientPage,
  mcp: mcpPage,
  selfHosting: selfHostingPage,
};

const isPageName = (name: DocumentName): name is PageName => Object.hasOwn(pages, name);

/** In the order of the table. */
export const pageNames: readonly PageName[] = documentRows.map(([name]) => name).filter(isPageName);
