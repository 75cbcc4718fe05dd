// Reads the files of the front page and bundles its script for browsers.
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FrontPageFiles } from '../../shared/publish/publish-documents.ts';
import { DESIGN_TOKENS } from '../../shared/render/html/design-tokens.ts';
import { browserScript } from './browser-script.ts';

const FOLDER = resolve(fileURLToPath(new URL('../../functions/discovery/page', import.meta.url)));

const text = (name: string): Promise<string> => readFile(join(FOLDER, name), 'utf8');

/** One style sheet for the front page and the documentation. */
const STYLES = ['site.css', 'home.css', 'docs.css'];

export const frontPageFiles = async (): Promise<FrontPageFiles> => ({
  html: await text('index.html'),
  script: await browserScript(join(FOLDER, 'home.ts')),
  style: [DESIGN_TOKENS, ...(await Promise.all(STYLES.map(text)))].join('\n'),
  icon: await text('icon.svg'),
});
