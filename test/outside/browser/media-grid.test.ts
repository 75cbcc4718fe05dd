// Tests the grid of the media of a post in Chromium: a video has room for its controls and is not cropped, and the views of an
// item take no line of their own. Skipped without Chromium.
import type { Page } from 'puppeteer-core';
import { beforeEach, expect, test } from 'vitest';
import { AMPLE_ALLOWANCES } from '../../support/ample-allowances.ts';
import { localOptions, shareService } from '../../support/local-service.ts';
import { describeInBrowser } from './page-session.ts';
import { servePictures } from './picture-server.ts';

/** A post with a video, a picture and a GIF. */
const MIXED = '/kestrel_labs/status/2032441545323447049';

/** @returns of each cell its top and width as a share of the width of the grid, and how its content fits */
const cellsIn = (): readonly unknown[] => {
  const grid = document.querySelector('.clips');
  const { top, width } = grid?.getBoundingClientRect() ?? new DOMRect();
  return [...(grid?.children ?? [])].map((cell) => {
    const box = cell.getBoundingClientRect();
    const { objectFit } = getComputedStyle(cell.querySelector('img') ?? cell);
    return [box.top === top ? 'first row' : 'below', Math.round((2 * box.width) / width), objectFit];
  });
};

describeInBrowser('the grid of the media of a post', (browser) => {
  const service = shareService(localOptions(AMPLE_ALLOWANCES));
  let page: Page;
  beforeEach(async () => {
    const context = await browser().createBrowserContext();
    page = await context.newPage();
    page.setDefaultTimeout(20_000);
    await servePictures(page, service.origin);
    return () => context.close();
  });

  const cells = async (width: number, change: () => void = () => undefined) => {
    await page.setViewport({ width, height: 900 });
    await page.goto(service.origin + MIXED);
    await page.evaluate(change);
    return page.evaluate(cellsIn);
  };

  test('[reading 6] a video takes a row above two halves, and no video is cropped', async () => {
    for (const width of [360, 1280])
      expect([width, await cells(width)]).toEqual([
        width,
        [
          ['first row', 2, 'contain'],
          ['below', 1, 'cover'],
          ['below', 1, 'contain'],
        ],
      ]);
  });

  test('[reading 6] a video and a picture are side by side where both have room, else rows', async () => {
    const withoutGif = (): void => {
      const grid = document.querySelector('.clips');
      grid?.lastElementChild?.remove();
      grid?.classList.replace('three', 'two');
    };
    expect(await cells(1280, withoutGif)).toEqual([
      ['first row', 1, 'contain'],
      ['first row', 1, 'cover'],
    ]);
    expect(await cells(360, withoutGif)).toEqual([
      ['first row', 2, 'contain'],
      ['below', 2, 'cover'],
    ]);
  });
});
