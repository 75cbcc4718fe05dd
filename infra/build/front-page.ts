// Reads the files of the front page and bundles its script for browsers.
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FrontPageFiles } from '../../shared/publish/publish-documents.ts';
import { browserScript } from './browser-script.ts';

const FOLDER = resolve(fileURLToPath(new URL('../../functions/discovery/page', import.meta.url)));

const text = (name: string): Promise<string> => readFile(join(FOLDER, name), 'utf8');

export const frontPageFiles = async (): Promise<FrontPageFiles> => ({
  html: await text('index.html'),
  script: await browserScript(join(FOLDER, 'home.ts')),
  style: await text('style.css'),
  icon: await text('icon.svg'),
});
