// Opens pages that readers keep as one file (`download=1`) from the disk, in Chromium.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hostileBook, keep, recordedBooks } from '../../support/kept-books.ts';
import { chromium, launchChromium } from './chromium.ts';

if (chromium === undefined) console.log('skipped: kept pages in a browser (CHROMIUM is not set)');

const POSTS = 12;

describe.skipIf(chromium === undefined)('a page as one file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kept-page-'));
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchChromium(chromium ?? '');
  });

  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  test('[keep 2] requests nothing, breaks no policy and shows its pictures, from the disk', async () => {
    const recorded = (await recordedBooks()).slice(0, POSTS);
    const hostile = Array.from({ length: POSTS }, (_, number) => hostileBook(1)(number));
    const page = await browser.newPage();
    const requests: string[] = [];
    const messages: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    page.on('console', (message) => messages.push(message.text()));
    let pictures = 0;
    for (const [index, [, conversation]] of [...recorded, ...hostile].entries()) {
      const file = join(folder, `${index}.html`);
      writeFileSync(file, (await keep(conversation, { form: 'html' })).body);
      await page.goto(pathToFileURL(file).href);
      const sizes = await page.$$eval('img', (images) => images.map(({ naturalWidth }) => naturalWidth));
      expect(sizes.every((width) => width > 0)).toBe(true);
      pictures += sizes.length;
    }
    expect(pictures).toBeGreaterThan(0);
    expect(requests.filter((url) => !/^(?:file|data):/.test(url))).toEqual([]);
    expect(messages).toEqual([]);
  });
});
