// Reads every kind of page of the sample in Chromium with pictures through the service: no request leaves its origin, the
// pictures are shown, and nothing moves. Skipped without Chromium.
import { expect, test } from 'vitest';
import { AMPLE_ALLOWANCES } from '../../support/ample-allowances.ts';
import { localOptions, shareService } from '../../support/local-service.ts';
import { watchLayoutShift } from './observe-page.ts';
import { describeInBrowser } from './page-session.ts';
import { READER_PAGES } from './reader-page-list.ts';

const FRONT_PAGES = [
  { name: 'front page', target: '/' },
  { name: 'front page with a post', target: '/?url=https://x.com/i/status/1848831595014459513' },
  { name: 'documentation', target: '/docs' },
];

/** Unfolds what is folded, and waits for every picture in view and below. @returns the URLs of those that are not shown */
const missingPictures = async (): Promise<readonly string[]> => {
  for (const details of document.querySelectorAll('details')) details.open = true;
  for (const image of document.images) image.loading = 'eager';
  await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)));
  return [...document.images].filter(({ naturalWidth }) => naturalWidth === 0).map(({ outerHTML }) => outerHTML);
};

/** @returns the error of each video that does not play */
const playVideos = (): Promise<readonly string[]> =>
  Promise.all(
    [...document.querySelectorAll('video')].map(async (video) => {
      video.muted = true;
      return video.play().then(
        () => '',
        (error: unknown) => String(error),
      );
    }),
  ).then((errors) => errors.filter((error) => error !== ''));

describeInBrowser('[pictures 1] proxied pictures', (browser) => {
  const service = shareService(localOptions(AMPLE_ALLOWANCES));
  test.each([...FRONT_PAGES, ...READER_PAGES])('$name is shown whole by its own origin', async ({ name, target }) => {
    const context = await browser().createBrowserContext();
    const page = await context.newPage();
    await watchLayoutShift(page);
    await page.setViewport({ width: 390, height: 800 });
    const foreign: string[] = [];
    const faults: string[] = [];
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(`${service.origin}/`) && !url.startsWith('data:')) foreign.push(url);
    });
    page.on('console', (message) => {
      if (message.type() === 'error' && message.location().url !== page.url()) faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(String(error)));
    await page.goto(service.origin + target, { waitUntil: 'networkidle0' });
    // The script of the front page inserts the post.
    if (name === 'front page with a post') await page.waitForSelector('#post img');
    else expect(await page.evaluate(() => window.layoutShift)).toBeLessThan(0.0001);
    expect(await page.evaluate(missingPictures)).toEqual([]);
    expect(await page.evaluate(playVideos)).toEqual([]);
    expect([foreign, faults]).toEqual([[], []]);
    await context.close();
  });

  test('a picture and a video open from their links', async () => {
    const page = await browser().newPage();
    await page.goto(`${service.origin}/i/status/2032426445829047012`);
    const linked = await page.evaluate(() => {
      const video = document.querySelector('video');
      return [video?.poster ?? '', video?.querySelector('source')?.src ?? ''];
    });
    for (const url of linked) {
      const response = await page.goto(url);
      expect(response?.status()).toBe(200);
      expect(await page.evaluate(() => document.querySelector('img, video')?.tagName)).toMatch(/IMG|VIDEO/);
    }
    await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) > 0);
    await page.close();
  });
});
