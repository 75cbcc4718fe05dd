// Tests the items of lists in browsers, without scripts: what a click, the keyboard and a selection reach.
import type { Page } from 'puppeteer-core';
import { beforeEach, expect, test } from 'vitest';
import { AMPLE_ALLOWANCES } from '../../support/ample-allowances.ts';
import { localOptions, shareService } from '../../support/local-service.ts';
import { chromium, firefox } from './browsers.ts';
import { describeInBrowser } from './page-session.ts';
import { servePictures } from './picture-server.ts';

/** A post without a text link that quotes another one, and a thread. */
const PROFILE = '/slowtv_live';
const QUOTING = '2033151221560247345';
const SEARCH = '/search?q=tide';

interface Point {
  readonly x: number;
  readonly y: number;
}

describeInBrowser(
  'an item of a list',
  (browser) => {
    const service = shareService(localOptions(AMPLE_ALLOWANCES));
    let page: Page;
    beforeEach(async () => {
      const context = await browser().createBrowserContext();
      page = await context.newPage();
      page.setDefaultTimeout(20_000);
      await page.setViewport({ width: 768, height: 900 });
      await servePictures(page, service.origin);
      return () => context.close();
    });

    const open = (target: string) => page.goto(`${service.origin}${target}`);

    /** @returns a point of the first line of the text of the element, after it has come into view */
    const pointOf = (selector: string): Promise<Point> =>
      page.$eval(selector, (element) => {
        element.scrollIntoView({ block: 'center' });
        const range = document.createRange();
        range.selectNodeContents(element);
        const [line] = range.getClientRects();
        return { x: (line?.left ?? 0) + 4, y: (line?.top ?? 0) + (line?.height ?? 0) / 2 };
      });

    const pathAfterClick = async ({ x, y }: Point): Promise<string> => {
      await Promise.all([page.waitForNavigation(), page.mouse.click(x, y)]);
      const { pathname, hash } = new URL(page.url());
      return pathname + hash;
    };

    test('[reading 1] a click on its text opens the post, and one on the text of its quote the quoted post', async () => {
      await open(PROFILE);
      const item = `.item:has(.at[href$="/${QUOTING}"])`;
      const quoted = await page.$eval(`${item} .quote .at`, (link) => link.getAttribute('href'));
      expect(await pathAfterClick(await pointOf(`${item} > .text`))).toBe(`/slowtv_live/status/${QUOTING}`);
      await open(PROFILE);
      expect(await pathAfterClick(await pointOf(`${item} .quote .text`))).toBe(quoted);
      expect(quoted).not.toContain(QUOTING);
    });

    test('[reading 1] the links within it lead where they led, and the keyboard stops once at each place', async () => {
      await open(SEARCH);
      const covered = await page.$$eval('.item :is(a:not(.at), .media button):not([popover] *)', (links) =>
        links.flatMap((link) => {
          link.scrollIntoView({ block: 'center' });
          const [{ left = 0, top = 0, width = 0, height = 0 } = {}] = link.getClientRects();
          const hit = document.elementFromPoint(left + width / 2, top + height / 2);
          return link.contains(hit) ? [] : [link.outerHTML.slice(0, 120)];
        }),
      );
      expect(covered).toEqual([]);
      const doubled = await page.$$eval('.item', (items) =>
        items.flatMap((item) => {
          const stops = [...item.querySelectorAll('a[href]:not([tabindex="-1"], [popover] *)')].map((link) =>
            link.getAttribute('href'),
          );
          return stops.filter((stop, index) => stops.indexOf(stop) !== index);
        }),
      );
      expect(doubled).toEqual([]);
    });

    test('[reading 1] its link says to screen readers whose post it is, and of when, in the words that are seen', async () => {
      await open(SEARCH);
      const names = await page.$$eval('.item .at', (links) =>
        links.map((link) => ({ name: link.getAttribute('aria-label') ?? '', seen: link.textContent ?? '-' })),
      );
      expect(names.length).toBeGreaterThan(5);
      for (const { name, seen } of names) {
        expect(name).toMatch(/^Post by .+, /);
        expect(name).toContain(seen);
      }
    });

    test('[reading 1] a selection that begins beside it has words of its text', async () => {
      await open(PROFILE);
      const { x, y } = await pointOf('.item .text');
      await page.mouse.move(x - 30, y);
      await page.mouse.down();
      await page.mouse.move(x + 60, y, { steps: 5 });
      await page.mouse.move(x + 120, y, { steps: 5 });
      const selected = await page.evaluate(() => String(getSelection()).trim());
      await page.mouse.up();
      expect(selected.length).toBeGreaterThan(5);
      expect(await page.$eval('.item .text', (text) => text.textContent)).toContain(selected);
      expect(new URL(page.url()).pathname).toBe(PROFILE);
    });
  },
  [chromium, firefox],
);
