// Bundles the scripts of the documentation for browsers and builds the index of its search.
import { fileURLToPath } from 'node:url';
import MiniSearch from 'minisearch';
import { type SearchSection, searchOptions } from '../../functions/discovery/page/docs/search-options.ts';
import { BASE_URL_PLACEHOLDER } from '../../shared/contract/placeholders.ts';
import type { DocumentationFiles, SearchablePage } from '../../shared/publish/publish-documents.ts';
import { type BrowserScript, browserScript } from './browser-script.ts';
import { parseMarkdown, slug, withoutMarkup } from './markdown-to-html.ts';

const script = (name: string): Promise<BrowserScript> =>
  browserScript(fileURLToPath(new URL(`../../functions/discovery/page/docs/${name}`, import.meta.url)));

/** The characters of a section that a result shows. */
const EXCERPT_CHARACTERS = 160;

interface Section {
  readonly heading: string;
  readonly texts: string[];
  /** The texts of paragraphs, without tables and code. */
  readonly prose: string[];
}

/** The texts of a page, by the heading above them. */
const sectionsOf = (markdown: string): readonly Section[] => {
  const sections: Section[] = [];
  const tokens = parseMarkdown(markdown);
  for (const [index, { type, content }] of tokens.entries()) {
    const before = tokens[index - 1]?.type;
    if (type === 'inline' && before === 'heading_open') sections.push({ heading: content, texts: [], prose: [] });
    else if (type === 'inline' || type === 'fence') {
      sections.at(-1)?.texts.push(withoutMarkup(content));
      if (before === 'paragraph_open') sections.at(-1)?.prose.push(withoutMarkup(content));
    }
  }
  return sections;
};

const plainText = (texts: readonly string[]): string =>
  texts.join(' ').replaceAll(BASE_URL_PLACEHOLDER, '').replace(/\s+/g, ' ');

const searchSections = ({ path, title, markdown }: SearchablePage): readonly SearchSection[] =>
  sectionsOf(markdown).map(({ heading, texts, prose }, index) => {
    const text = plainText(texts);
    return {
      id: index === 0 ? path : `${path}#${slug(heading)}`,
      page: title,
      title: withoutMarkup(heading),
      text,
      excerpt: (plainText(prose) || text).slice(0, EXCERPT_CHARACTERS),
    };
  });

const searchIndex = (pages: readonly SearchablePage[]): string => {
  const index = new MiniSearch<SearchSection>(searchOptions);
  index.addAll(pages.flatMap(searchSections));
  return JSON.stringify(index);
};

export const documentationFiles = async (): Promise<DocumentationFiles> => {
  const { text, licenses } = await script('search-engine.ts');
  return { script: (await script('docs.ts')).text, searchScript: text, licenses, searchIndex };
};
