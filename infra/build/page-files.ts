// Reads the files of the front page, of the documentation and of the dashboard, bundles their scripts for browsers, and
// builds the index of the search.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, transform } from 'esbuild';
import MiniSearch from 'minisearch';
import type { AdminPage } from '../../functions/admin/create-handler.ts';
import { type SearchSection, searchOptions } from '../../functions/discovery/page/docs/search-options.ts';
import { documents } from '../../shared/contract/documents.ts';
import { BASE_URL_PLACEHOLDER } from '../../shared/contract/placeholders.ts';
import examples from '../../shared/publish/examples.json' with { type: 'json' };
import type { BrowserFiles, SearchablePage } from '../../shared/publish/publish-documents.ts';
import { formatNumber } from '../../shared/render/content/format.ts';
import { avatarVariant } from '../../shared/render/content/media-files.ts';
import { DESIGN_TOKENS, factsStyle, GROUND } from '../../shared/render/html/style/frame.ts';
import { ROOT } from './dist-layout.ts';
import { licensesOf } from './licenses.ts';
import { parseMarkdown, slug, withoutMarkup } from './markdown-to-html.ts';

export interface BrowserScript {
  readonly text: string;
  /** Names and licences of the packages in the script; empty if it has none. */
  readonly licenses: string;
}

/** @param entry the path of a TypeScript file */
export const browserScript = async (entry: string): Promise<BrowserScript> => {
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    charset: 'ascii',
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error(`esbuild created no script from ${entry}`);
  const licenses = licensesOf(...Object.values(metafile.outputs)) ?? '';
  const notice = licenses === '' ? '' : `// Licences: ${documents.licenses.path}\n`;
  return { text: notice + file.text, licenses };
};

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

const FOLDER = join(ROOT, 'functions/discovery/page');

const script = (name: string): Promise<BrowserScript> => browserScript(join(FOLDER, name));

const text = (name: string): Promise<string> => readFile(join(FOLDER, name), 'utf8');

/** `npm run update -- icons` writes these files. */
const binary = (name: string): Promise<string> => readFile(join(FOLDER, 'icons', name), 'base64');

/** @returns one style sheet, without comments and indentation: nothing is painted before it has come */
const styleSheet = async (...names: readonly string[]): Promise<string> => {
  const style = [DESIGN_TOKENS, String(factsStyle), ...(await Promise.all(names.map(text)))].join('\n');
  return (await transform(style, { loader: 'css', minifyWhitespace: true })).code;
};

/** The recorded answer about the first post, which the page shows. */
const { json: example } = examples.readPost;

const counts = ['replies', 'reposts', 'quotes', 'likes'] as const;

const figures = counts.map((name) => `<span>${formatNumber(example.post.metrics[name])} ${name}</span>`).join(' ');

const [light, dark] = GROUND;

/** `{base_url}` stays for the Lambda to fill. */
const placeholders: ReadonlyMap<string, string> = new Map([
  ['{ground_light}', light],
  ['{ground_dark}', dark],
  ['{example_figures}', figures],
  ['{example_avatar}', avatarVariant(example.post.author.avatar_url, 'x96')],
]);

const withValues = (html: string): string =>
  html.replace(/\{[a-z]+_[a-z]+\}/g, (name) => placeholders.get(name) ?? name);

const ADMIN = join(ROOT, 'functions/admin/page');

/** The HTML, the style sheet and the bundled script of the dashboard. */
export const adminPageFiles = async (): Promise<AdminPage> => ({
  html: await readFile(join(ADMIN, 'index.html'), 'utf8'),
  script: (await browserScript(join(ADMIN, 'app.ts'))).text,
  style: `${DESIGN_TOKENS}\n${await readFile(join(ADMIN, 'style.css'), 'utf8')}`,
});

export const browserFiles = async (): Promise<BrowserFiles> => {
  const { text: docsSearchScript, licenses } = await script('docs/search-engine.ts');
  return {
    html: withValues(await text('index.html')),
    assets: {
      style: await styleSheet('site.css', 'home.css'),
      docsStyle: await styleSheet('site.css', 'docs.css'),
      loadScript: (await script('load.ts')).text,
      homeScript: (await script('home.ts')).text,
      docsScript: (await script('docs/docs.ts')).text,
      docsSearchScript,
      licenses,
      icon: await text('icon.svg'),
      favicon: await binary('favicon.ico'),
      touchIcon: await binary('apple-touch-icon.png'),
      preview: await binary('preview.png'),
    },
    searchIndex,
  };
};
