// Opens pages that readers keep as one file (`download=1`) from the disk, in Chromium.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { hostileBook, keep, recordedBooks } from '../../support/kept-books.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { describeInBrowser } from './page-session.ts';

const POSTS = 12;

describeInBrowser('a page as one file', (browser) => {
  test('[keep 2] requests nothing, breaks no policy and shows its pictures, from the disk', async () => {
    const recorded = (await recordedBooks()).slice(0, POSTS);
    const hostile = Array.from({ length: POSTS }, (_, number) => hostileBook(1)(number));
    const folder = temporaryFolder();
    const page = await browser().newPage();
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
