// Defines the types of the published documents, whose texts contain placeholders for values that differ per deployment, and
// reads the release that they name.
import { type DocumentName, documentRows, documents } from '../contract/documents.ts';

export interface PublishedPage {
  readonly html: string;
  readonly markdown: string;
}

export interface PublishedFile {
  readonly file: string;
}

/** A page or a file, by `kind` in the document table. */
export type PublishedDocuments = {
  readonly [Name in keyof typeof documents]: (typeof documents)[Name]['kind'] extends 'page'
    ? PublishedPage
    : PublishedFile;
};

export type PageName = {
  [Name in DocumentName]: (typeof documents)[Name]['kind'] extends 'page' ? Name : never;
}[DocumentName];

const isPageName = (name: DocumentName): name is PageName => documents[name].kind === 'page';

/** In the order of the document table. */
export const pageNames: readonly PageName[] = documentRows.map(([name]) => name).filter(isPageName);

/** The pages for callers, as the navigation groups them. The front page is in no group, nor are the pages that moved. */
export const chapterGroups = {
  Use: ['docs', 'quickstart', 'posts', 'profiles', 'search', 'feeds', 'redirect', 'embeds', 'exports', 'client', 'mcp'],
  Reference: ['formats', 'compare', 'errors', 'limits', 'versioning'],
  About: ['removal', 'privacy'],
} as const satisfies Readonly<Record<string, readonly PageName[]>>;

/** In the order of the navigation. */
export const chapters: readonly PageName[] = Object.values(chapterGroups).flat();

/** `html` and `markdown` of a page, `file` of a file. */
export type DocumentForm = keyof PublishedPage | keyof PublishedFile;

/** From CHANGELOG.md. */
export interface Release {
  /** SemVer. */
  readonly version: string;
  /** The day of the release, RFC 3339. */
  readonly date: string;
}

/** `## 1.2.3 - 2026-12-01`, or with the version in brackets. */
const HEADING = /^## (?:(\d[^\s[\]]*)|\[(\d[^\s[\]]*)\]) - (\d{4}-\d{2}-\d{2})$/gm;

/** @param changelog the text of CHANGELOG.md @throws if it has no dated section for the version */
export const releaseOf = (version: string, changelog: string): Release => {
  const section = [...changelog.matchAll(HEADING)].find(([, plain, bracketed]) => (plain ?? bracketed) === version);
  const date = section?.[3];
  if (date === undefined) throw new Error(`CHANGELOG.md has no dated section for ${version}`);
  return { version, date };
};
