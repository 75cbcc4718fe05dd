// `CHROMIUM=/usr/bin/chromium npm run update -- tour`: draws docs/tour.png, the moving picture of the README. A link is pasted,
// its thread is read, and it is kept as a book. The pages are those of the sample.
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'puppeteer-core';
import { answerHelp } from '../../../infra/command/answer-help.ts';
import { startLocalService } from '../../../infra/local/service.ts';
import { chromium } from './browsers.ts';
import { apng, type Frame } from './png.ts';

answerHelp();

const FILE = fileURLToPath(new URL('../../../docs/tour.png', import.meta.url));
const SIZE = { width: 720, height: 480 } as const;
const PATH = '/ada_larsson/status/2034932961899447678';
const LINK = `https://x.com${PATH}`;
/** In pixels. */
const STEP = 110;
const STEPS = 8;

/** The bar of the sample is left out, because a reader of live data has none, and the cursor of the field, which blinks. */
const STYLE = '.note { display: none !important } input { caret-color: transparent }';

const frames: Frame[] = [];
const show = async (page: Page, milliseconds: number): Promise<void> => {
  const png = Buffer.from(await page.screenshot({ type: 'png', optimizeForSpeed: false }));
  frames.push({ png, milliseconds });
};

const open = async (page: Page, url: string): Promise<void> => {
  await page.goto(url, { waitUntil: 'networkidle0' });
  // The policy of the pages forbids style elements.
  await page.evaluate(
    `{ const sheet = new CSSStyleSheet(); sheet.replaceSync(${JSON.stringify(STYLE)}); document.adoptedStyleSheets.push(sheet); }`,
  );
};

/** Marks the element that a reader would press. */
const point = (page: Page, selector: string): Promise<void> =>
  page.$eval(selector, (element) => {
    if (element instanceof HTMLElement) element.focus({ preventScroll: true });
    element.scrollIntoView({ block: 'center' });
  });

const service = await startLocalService({
  host: '127.0.0.1',
  port: 0,
  environment: { UPSTREAM: 'sample', DATA_DIR: 'memory' },
  writeLog: () => undefined,
});
const browser = await chromium.launch();
try {
  const page = await browser.newPage();
  await page.setViewport(SIZE);
  await open(page, service.origin);
  await show(page, 1200);
  await page.focus('#q');
  await show(page, 500);
  await page.$eval(
    '#q',
    (input, link) => {
      if (input instanceof HTMLInputElement) input.value = link;
    },
    LINK,
  );
  await show(page, 1300);
  await point(page, 'form.ask .primary');
  await show(page, 500);
  await open(page, service.origin + PATH);
  await show(page, 1300);
  for (let step = 1; step <= STEPS; step += 1) {
    await page.evaluate((top) => scrollTo(0, top), step * STEP);
    await show(page, step === STEPS ? 900 : 260);
  }
  await point(page, 'a[href*="format=epub"]');
  await show(page, 2400);
  const picture = apng(frames);
  await writeFile(FILE, picture);
  const seconds = frames.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000;
  console.log(`docs/tour.png: ${picture.length} bytes, ${frames.length} frames, ${seconds} s`);
} finally {
  await browser.close();
  await service.close();
}
