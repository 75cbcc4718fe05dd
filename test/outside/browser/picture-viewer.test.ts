// Tests the viewer of the large pictures in browsers: the page has no script, so the browser alone opens and closes it.
import type { Page } from 'puppeteer-core';
import { beforeEach, expect, test } from 'vitest';
import { AMPLE_ALLOWANCES } from '../../support/ample-allowances.ts';
import { localOptions, shareService } from '../../support/local-service.ts';
import { violationsOf } from './accessibility.ts';
import { chromium, firefox } from './browsers.ts';
import { watchLayoutShift } from './observe-page.ts';
import { describeInBrowser } from './page-session.ts';
import { servePictures, sizesIn } from './picture-server.ts';

/** A post with four pictures. */
const TARGET = '/i/status/2032048958469046864';

interface Strip {
  readonly isOpen: boolean;
  /** From 1: the picture that fills the window. */
  readonly shown: number;
}

describeInBrowser(
  'the viewer of pictures',
  (browser) => {
    const service = shareService(localOptions(AMPLE_ALLOWANCES));
    let page: Page;
    let pictures: readonly string[];
    beforeEach(async () => {
      const context = await browser().createBrowserContext();
      page = await context.newPage();
      page.setDefaultTimeout(10_000);
      await page.setViewport({ width: 390, height: 800 });
      const server = await servePictures(
        page,
        service.origin,
        sizesIn(await (await fetch(`${service.origin}${TARGET}?format=json`)).json()),
      );
      server.release();
      ({ pictures } = server);
      return () => context.close();
    });

    const strip = (): Promise<Strip> =>
      page.$eval('.strip', (element) => ({
        isOpen: element.matches(':popover-open'),
        shown: Math.round(element.scrollLeft / element.clientWidth) + 1,
      }));

    const untilShown = (number: number) =>
      page.waitForFunction(
        (wanted) => {
          const element = document.querySelector('.strip');
          return element !== null && Math.abs(element.scrollLeft / element.clientWidth + 1 - wanted) < 0.01;
        },
        {},
        number,
      );

    const isChromium = (): boolean => browser().process()?.spawnfile.includes('chrom') ?? false;

    test('[reading 4] opens at the picture, goes to the next and back, and Escape closes it', async () => {
      await page.goto(service.origin + TARGET);
      const before = pictures.filter((url) => url.includes('name=large'));
      expect(before).toEqual([]);
      await page.click('.media button:nth-child(3)');
      const first = isChromium() ? 3 : 1;
      await untilShown(first);
      expect(await strip()).toEqual({ isOpen: true, shown: first });
      await page.click(`.strip figure:nth-child(${first}) a[href="#v1-0-${first + 1}"]`);
      await untilShown(first + 1);
      await page.click(`.strip figure:nth-child(${first + 1}) a[href="#v1-0-${first}"]`);
      await untilShown(first);
      expect(await page.evaluate(() => window.scrollY)).toBe(0);
      expect(pictures.some((url) => url.includes('name=large'))).toBe(true);
      await page.keyboard.press('Escape');
      expect((await strip()).isOpen).toBe(false);
    });

    test('[reading 4] opens by the keyboard, which reaches its links next', async () => {
      await page.goto(service.origin + TARGET);
      await page.focus('.media button:nth-child(2)');
      await page.keyboard.press('Enter');
      expect((await strip()).isOpen).toBe(true);
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.closest('.strip') !== null)).toBe(true);
      await page.click('.strip > button');
      expect((await strip()).isOpen).toBe(false);
    });

    test('[reading 4] has no fault of accessibility and moves nothing, open at any width', async () => {
      if (!isChromium()) return; // axe-core and the layout shift are judged in Chromium
      await watchLayoutShift(page);
      for (const [width, scheme] of [
        [360, 'dark'],
        [1280, 'light'],
      ] as const) {
        await page.setViewport({ width, height: 800 });
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
        await page.goto(service.origin + TARGET);
        await page.click('.media button');
        const isInView = await page.$$eval('.strip figure:first-child, .strip > button', (all) =>
          all.every((element) => {
            const { left, top, right, bottom } = element.getBoundingClientRect();
            return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
          }),
        );
        expect(isInView).toBe(true);
        expect(await page.evaluate(() => window.layoutShift)).toBe(0);
        // The last, because axe-core scrolls the page.
        expect(await violationsOf(page)).toEqual([]);
      }
    });
  },
  [chromium, firefox],
);
