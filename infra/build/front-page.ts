// Reads the files of the front page and bundles its script for browsers.
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import examples from '../../shared/publish/examples.json' with { type: 'json' };
import type { FrontPageFiles } from '../../shared/publish/publish-documents.ts';
import { formatNumber } from '../../shared/render/content/format.ts';
import { escapeHtml } from '../../shared/render/html/escape.ts';
import { DESIGN_TOKENS, GROUND } from '../../shared/render/html/style/frame.ts';
import { browserScript } from './browser-script.ts';

const FOLDER = resolve(fileURLToPath(new URL('../../functions/discovery/page', import.meta.url)));

const text = (name: string): Promise<string> => readFile(join(FOLDER, name), 'utf8');

/** `npm run update -- icons` writes these files. */
const binary = (name: string): Promise<string> => readFile(join(FOLDER, 'icons', name), 'base64');

/** One style sheet for the front page and the documentation. */
const STYLES = ['site.css', 'home.css', 'docs.css'];

/** The recorded answer about the first post, which the page shows in two formats. */
const { json: example, markdown } = examples.readPost;

const counts = ['replies', 'reposts', 'quotes', 'likes'] as const;

const figures = counts.map((name) => `${formatNumber(example.post.metrics[name])} ${name}`).join(' · ');

const [light, dark] = GROUND;

/** `{base_url}` stays for the Lambda to fill. */
const placeholders: ReadonlyMap<string, string> = new Map([
  ['{ground_light}', light],
  ['{ground_dark}', dark],
  ['{example_figures}', figures],
  ['{example_markdown}', escapeHtml(markdown.trimEnd())],
]);

const withValues = (html: string): string =>
  html.replace(/\{[a-z]+_[a-z]+\}/g, (name) => placeholders.get(name) ?? name);

export const frontPageFiles = async (): Promise<FrontPageFiles> => ({
  html: withValues(await text('index.html')),
  script: (await browserScript(join(FOLDER, 'home.ts'))).text,
  style: [DESIGN_TOKENS, ...(await Promise.all(STYLES.map(text)))].join('\n'),
  icon: await text('icon.svg'),
  favicon: await binary('favicon.ico'),
  touchIcon: await binary('apple-touch-icon.png'),
  preview: await binary('preview.png'),
});
