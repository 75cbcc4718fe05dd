// Tests the viewer of the large pictures in browsers: the page has no script, so the browser alone opens and closes it.
import type { Page } from 'puppeteer-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { html } from '../../../shared/render/html/html.ts';
import { postListHtml } from '../../../shared/render/html/list.ts';
import { AMPLE_ALLOWANCES } from '../../support/ample-allowances.ts';
import { localOptions, shareService } from '../../support/local-service.ts';
import { postOf } from '../../support/post-models.ts';
import { photo } from '../../support/rich-media.ts';
import { startTestServer } from '../../support/test-server.ts';
import { violationsOf } from './accessibility.ts';
import { chromium, firefox } from './browsers.ts';
import { watchLayoutShift } from './observe-page.ts';
import { describeInBrowser } from './page-session.ts';
import { servePictures, sizesIn } from './picture-server.ts';

/** The same post with four pictures: the first is described. */
const PLACES = [
  ['the page of a post', '/i/status/2032048958469046864', '.focal'],
  ['an item of a list', '/kestrel_labs', '.item:has(> .many:not(.clips))'],
  ['a tile', '/kestrel_labs/media', '.tiles > .item:has(> .many:not(.clips))'],
  ['a quote', '/slowtv_live', '.quote:has(> .many)'],
] as const;

const HOSTILE = [
  `${'a'.repeat(400)} ${'long description '.repeat(35)}`,
  `Z${'\u0335\u0321\u034d\u0323\u0345'.repeat(40)}algo ${'o\u0335\u0321\u034d\u0345'.repeat(60)}`,
  'צילום של פיורד שקט \u202e txt.exe (1)',
  `"><img src=x onerror="document.title='forged'"><b>not bold</b>`,
];

describeInBrowser(
  'the viewer of pictures',
  (browser) => {
    const service = shareService(localOptions(AMPLE_ALLOWANCES));
    let page: Page;
    /** The URLs of the pictures that the browser has requested. */
    let pictures: readonly string[];
    let foreign: readonly string[];
    beforeEach(async () => {
      const context = await browser().createBrowserContext();
      page = await context.newPage();
      page.setDefaultTimeout(30_000);
      await page.setViewport({ width: 390, height: 800 });
      return () => context.close();
    });

    const open = async (target: string): Promise<void> => {
      const sizes = sizesIn(await (await fetch(`${service.origin}${target}?format=json`)).json());
      const server = await servePictures(page, service.origin, sizes);
      server.release();
      ({ pictures, foreign } = server);
      await page.goto(service.origin + target);
    };

    const largeOnes = (): readonly string[] => pictures.filter((url) => url.includes('name=large'));

    /** From 1: the picture of the open viewer that fills the window; undefined: none is open. */
    const untilShown = (number: number | undefined) =>
      page.waitForFunction(
        (wanted) => {
          const strip = document.querySelector('.strip:popover-open');
          if (strip === null) return wanted === undefined;
          return wanted !== undefined && Math.abs(strip.scrollLeft / strip.clientWidth + 1 - wanted) < 0.01;
        },
        {},
        number,
      );

    /** What has the focus: the name of a picture or a button, or the words of a link. */
    const focused = (): Promise<string> =>
      page.evaluate(() => {
        const element = document.activeElement;
        return (element?.querySelector('img') ?? element)?.getAttribute('alt') ?? element?.textContent ?? '';
      });

    const isChromium = (): boolean => browser().process()?.spawnfile.includes('chrom') ?? false;

    describe.each(PLACES)('of %s', (_, target, place) => {
      const button = (number: number): string => `${place} > .media > :nth-child(${number})`;

      const pressLink = (number: number, name: string): Promise<void> =>
        page.locator(`.strip:popover-open figure:nth-child(${number}) ::-p-text(${name})`).click();

      test('[reading 4] opens at the picture, goes to the next and back, and Escape leads back to it', async () => {
        await open(target);
        expect(await page.evaluate(() => [document.activeElement === document.body, window.scrollY])).toEqual([
          true,
          0,
        ]);
        await page.$eval(button(3), (element) => element.scrollIntoView({ block: 'center' }));
        expect(largeOnes()).toEqual([]);
        const before = await page.evaluate(() => window.scrollY);
        await page.click(button(3));
        await untilShown(3);
        expect(await focused()).toBe('Picture 3 of 4, not described');
        await pressLink(3, 'Next');
        await untilShown(4);
        expect(await focused()).toBe('Picture 4 of 4, not described');
        await pressLink(4, 'Previous');
        await untilShown(3);
        expect(largeOnes().length).toBeGreaterThan(0);
        await page.keyboard.press('Escape');
        await untilShown(undefined);
        expect(await focused()).toBe('Picture 3 of 4, not described');
        expect(await page.$eval(button(3), (element) => element === document.activeElement)).toBe(true);
        expect(await page.evaluate(() => [window.scrollY, location.pathname])).toEqual([before, target]);
        expect(foreign).toEqual([]);
      });

      test('[reading 4] is used by the keyboard alone', async () => {
        await open(target);
        await page.focus(button(2));
        await page.keyboard.press('Enter');
        await untilShown(2);
        expect(await focused()).toBe('Picture 2 of 4, not described');
        await page.keyboard.press('Tab');
        expect(await focused()).toBe('Previous');
        await page.keyboard.press('Enter');
        await untilShown(1);
        expect(await focused()).toBe('Picture 1 of 4');
        for (const name of ['Next', 'Large file']) {
          await page.keyboard.press('Tab');
          expect(await focused()).toBe(name);
        }
        await page.focus('.strip:popover-open > button');
        await page.keyboard.press('Enter');
        await untilShown(undefined);
        expect(await page.$eval(button(2), (element) => element === document.activeElement)).toBe(true);
      });

      test('[reading 4] has no fault of accessibility, moves nothing, and is not printed', async () => {
        if (!isChromium()) return; // axe-core, the layout shift and the accessibility tree are judged in Chromium
        await watchLayoutShift(page);
        await open(target);
        const named = async (selector: string) => {
          const root = await page.$(selector);
          const node = root && (await page.accessibility.snapshot({ root, interestingOnly: false }));
          return { role: node?.role, name: node?.name, description: node?.description };
        };
        expect(await named(button(1))).toMatchObject({ role: 'button', name: 'Picture 1 of 4: top' });
        for (const [width, scheme] of [
          [360, 'dark'],
          [1280, 'light'],
        ] as const) {
          await page.setViewport({ width, height: 800 });
          await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
          await page.reload();
          await page.click(button(1));
          await untilShown(1);
          expect(await named('.strip:popover-open img')).toEqual({
            role: 'image',
            name: 'Picture 1 of 4',
            description: 'top',
          });
          const isInView = await page.$$eval(
            '.strip:popover-open > :is(figure:first-child, button)',
            (all) =>
              all.length === 2 &&
              all.every((element) => {
                const { left, top, right, bottom } = element.getBoundingClientRect();
                return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
              }),
          );
          expect(isInView).toBe(true);
          expect(await page.evaluate(() => window.layoutShift)).toBe(0);
          await page.emulateMediaType('print');
          expect(await page.$$eval('.strip', (all) => all.filter((strip) => strip.checkVisibility()))).toEqual([]);
          await page.emulateMediaType('screen');
          // The last, because axe-core scrolls the page.
          expect(await violationsOf(page)).toEqual([]);
        }
      });
    });

    test('[reading 4] [text 5] shows descriptions that are long, stacked, right to left or markup, below its pictures', async () => {
      const media = HOSTILE.map((alt, index) =>
        photo({ url: `https://pbs.twimg.com/media/H${index}.jpg`, alt_text: alt, width: 1200, height: 800 }),
      );
      const list = postListHtml({
        title: 'Posts',
        canonical: 'https://x.com/ada',
        feed: undefined,
        top: html`<h1>Posts</h1>`,
        posts: [postOf({ media })],
        none: '',
        url: 'https://postern.example/ada',
        path: '/ada',
        request: { limit: 20 },
        next: undefined,
        warnings: [],
        dates: { year: '2026' },
      });
      const origin = await startTestServer((_, response) => {
        response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(String(list));
      });
      const server = await servePictures(page, origin, new Map());
      server.release();
      await page.setViewport({ width: 360, height: 640 });
      await page.goto(`${origin}/`);
      for (const [index, alt] of HOSTILE.entries()) {
        await page.click(`.many > :nth-child(${index + 1})`);
        await untilShown(index + 1);
        const figure = `.strip figure:nth-child(${index + 1})`;
        expect((await page.$eval(`${figure} figcaption p`, (element) => element.textContent))?.length).toBeGreaterThan(
          20,
        );
        const outside = await page.$$eval(`${figure} img, ${figure} .meta > *, .strip > button`, (all) =>
          all.flatMap((element) => {
            const { left, top, right, bottom, height } = element.getBoundingClientRect();
            const isInView = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight && height > 15;
            return isInView ? [] : [element.outerHTML.slice(0, 60)];
          }),
        );
        expect([alt.slice(0, 20), outside]).toEqual([alt.slice(0, 20), []]);
        // No description lies over the links or wins a click.
        const hit = await page.$eval(`${figure} .meta > :last-child`, (element) => {
          const { left, top, width, height } = element.getBoundingClientRect();
          return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
        });
        expect(hit).toBe(true);
        await page.keyboard.press('Escape');
        await untilShown(undefined);
      }
      expect(
        await page.evaluate(() => [document.title, document.querySelectorAll('figcaption :is(img, b)').length]),
      ).toEqual(['Posts · Postern', 0]);
    });
  },
  [chromium, firefox],
);
