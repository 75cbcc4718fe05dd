// Takes screenshots of the pages, the pages for readers and the dashboard for people:
// `CHROMIUM=/usr/bin/chromium SCREENSHOTS=folder npx vitest run test/outside/browser/pictures.test.ts`.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, onTestFinished, test } from 'vitest';
import { AMPLE_ALLOWANCES } from '../../support/ample-allowances.ts';
import { localOptions, startSlowService } from '../../support/local-service.ts';
import { chromium, launchChromium } from './chromium.ts';
import { dashboardSession } from './dashboard-session.ts';
import { observePage } from './observe-page.ts';
import { pageSession } from './page-session.ts';
import { READER_PAGES } from './reader-page-list.ts';

const folder = process.env['SCREENSHOTS'] || undefined;

if (chromium === undefined || folder === undefined) {
  console.log('skipped: pictures of the pages (CHROMIUM or SCREENSHOTS is not set)');
}

const LABELS = [
  'Newsroom bot',
  'Harbour office, tide bulletin (every 10 minutes)',
  'Ada, laptop',
  `<img src=x onerror=alert(1)>"'&`,
];

describe.skipIf(chromium === undefined || folder === undefined)('pictures of the dashboard', () => {
  const { send, visit } = dashboardSession();

  test.for([
    [1280, 'light'],
    [1280, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const)('at %i pixels, %s', async ([width, scheme]) => {
    const { page, createKey, press, reads, signIn } = await visit(async (page) => {
      await page.setViewport({ width, height: width > 1000 ? 900 : 844, deviceScaleFactor: width > 1000 ? 1 : 2 });
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    });
    mkdirSync(folder ?? '', { recursive: true });
    const take = (name: string, fullPage = false) =>
      page.screenshot({ path: join(folder ?? '', `${name}-${width}-${scheme}.png`), fullPage });

    await take('sign-in');
    await signIn('wrong');
    await reads('not accepted');
    await take('rejected');
    await signIn();
    for (const [place, label] of LABELS.entries()) {
      const secret = await createKey(label, ['', '600/60', '3/86400', ''][place]);
      for (let searches = 0; searches < place + 1; searches += 1) {
        await send(`/api/v1/search?q=tide%20${width}${scheme}${place}${searches}`, {
          headers: { Authorization: `Bearer ${secret}` },
        });
      }
      if (label !== LABELS.at(-1)) await press('I have stored it');
    }
    await take('created');
    await press('I have stored it');
    await press('Disable “\u2068Newsroom bot\u2069”');
    await reads('Disabled');
    await press('Refresh');
    await reads('Refreshed.');
    await take('list', true);
    await press('Edit “\u2068Ada, laptop\u2069”');
    await take('edit');
    await press('Cancel');
    await press('Delete “\u2068Harbour office, tide bulletin (every 10 minutes)\u2069”');
    await take('delete');
    await press('Cancel');
    await press('Create key');
    await page.setOfflineMode(true);
    await press('Refresh');
    await reads('cannot be reached');
    await take('failure');
    await page.setOfflineMode(false);
    for (const label of LABELS) {
      await press(`Delete “\u2068${label.replaceAll('"', '\\"')}\u2069”`);
      await press('Delete key');
      await reads('Deleted');
    }
  });
});

const PAGES = [
  ['home', '/', ''],
  ['home-result', '/?url=https://x.com/jack/status/20', '#post p'],
  ['home-long', '/?url=https://x.com/i/status/2031309083243446753', '#post p'],
  ['home-error', '/?url=https://x.com/jack', '[role=alert] p'],
  ['docs', '/docs', ''],
  ['docs-errors', '/docs/errors', ''],
  ['docs-posts', '/docs/posts', ''],
] as const;

const LOOKS = [360, 768, 1280].flatMap((width) => [
  { width, scheme: 'light' as const },
  { width, scheme: 'dark' as const },
]);

describe.skipIf(chromium === undefined || folder === undefined)('pictures of the pages', () => {
  const { open } = pageSession();

  test.each(LOOKS)('at $width pixels, $scheme', async ({ width, scheme }) => {
    mkdirSync(folder ?? '', { recursive: true });
    for (const [name, path, awaited] of PAGES) {
      const { page } = await open(path, { width, scheme });
      if (awaited !== '')
        await page.waitForFunction((selector) => document.querySelector(selector)?.textContent, {}, awaited);
      await page.waitForNetworkIdle();
      await page.screenshot({
        path: join(folder ?? '', `${name}-${width}-${scheme}.png`),
        fullPage: !name.startsWith('docs-'),
      });
    }
  });
});

describe.skipIf(chromium === undefined || folder === undefined)('pictures of the pages for readers', () => {
  test.each(READER_PAGES)('$name', async (readerPage) => {
    mkdirSync(folder ?? '', { recursive: true });
    const service = await startSlowService(localOptions(AMPLE_ALLOWANCES));
    const browser = await launchChromium(chromium ?? '');
    onTestFinished(async () => {
      await browser.close();
      await service.close();
    });
    const file = (look: string): string => join(folder ?? '', `${readerPage.name.replaceAll(' ', '-')}-${look}.png`);
    for (const [width, scheme] of [
      [1280, 'light'],
      [390, 'dark'],
    ] as const) {
      const context = await browser.createBrowserContext();
      const { page } = await observePage(context, service.origin, readerPage, { width, scheme });
      await page.screenshot({ path: file(`${width}-${scheme}`), fullPage: true });
      if (width === 1280) {
        await page.emulateMediaType('print');
        await page.screenshot({ path: file('print'), fullPage: true });
      }
      await context.close();
    }
  });
});
