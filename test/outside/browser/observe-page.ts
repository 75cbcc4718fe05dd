// Opens a page in Chromium and reports what a reader would notice: layout shift, requests, weight and what is painted first.
import type { BrowserContext, Page } from 'puppeteer-core';
import { servePictures, sizesIn } from './picture-server.ts';
import type { ReaderPage } from './reader-page-list.ts';

export interface Observation {
  readonly status: number;
  /** Bytes of the HTML, uncompressed. */
  readonly bytes: number;
  readonly pictures: number;
  readonly foreign: readonly string[];
  /**
   * Cumulative layout shift from the first paint until all pictures of the page are shown, with four digits: a smaller shift
   * is a part of a pixel.
   */
  readonly layoutShift: number;
  /** The element of the largest contentful paint while no picture was answered. */
  readonly largestText: string | undefined;
}

declare global {
  interface Window {
    layoutShift: number;
    largest: string | undefined;
  }
}

/** Runs in the page before anything else. */
const observe = (): void => {
  window.layoutShift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if ('value' in entry) window.layoutShift += Number(entry.value);
  }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const element = 'element' in entry && entry.element instanceof Element ? entry.element : undefined;
      window.largest = element?.tagName ?? '';
    }
  }).observe({ type: 'largest-contentful-paint', buffered: true });
};

/** Records the layout shift and the largest paint of the pages that follow, as members of the window. */
export const watchLayoutShift = (page: Page): Promise<unknown> => page.evaluateOnNewDocument(observe);

/** Lazy pictures load when they come near the window. Sensitive media stay folded. */
const scrollThrough = async (): Promise<void> => {
  for (let top = 0; top < document.documentElement.scrollHeight; top += 400) {
    window.scrollTo(0, top);
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
  }
};

const arePicturesShown = (): boolean =>
  [...document.images].every((image) => image.complete || !image.checkVisibility());

const twoFrames = (): Promise<void> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
  });

export interface ObserveOptions {
  readonly width: number;
  readonly scheme: 'light' | 'dark';
  /** false: no picture host answers. @default true */
  readonly hasPictures?: boolean;
}

const jsonOf = async (origin: string, target: string): Promise<unknown> => {
  const answer = await fetch(`${origin}${target}`, { headers: { Accept: 'application/json' } });
  return answer.headers.get('content-type')?.startsWith('application/json') ? answer.json() : undefined;
};

export const observePage = async (
  context: BrowserContext,
  origin: string,
  { target }: ReaderPage,
  { width, scheme, hasPictures = true }: ObserveOptions,
) => {
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.setViewport({ width, height: 800 });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  await watchLayoutShift(page);
  /** Errors of the console, such as a violation of the Content-Security-Policy. */
  const faults: string[] = [];
  page.on('console', (message) => {
    // Chromium reports each answer with an error status, also the page itself.
    const isStatus = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isStatus) faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  const server = await servePictures(page, origin, hasPictures ? sizesIn(await jsonOf(origin, target)) : undefined);
  const response = await page.goto(`${origin}${target}`, { waitUntil: 'domcontentloaded' });
  await page.evaluate(twoFrames);
  await page.waitForFunction(() => window.largest !== undefined);
  const largest = await page.evaluate(() => window.largest);
  server.release();
  await page.evaluate(scrollThrough);
  await page.waitForFunction(arePicturesShown);
  await page.evaluate(twoFrames);
  return {
    page,
    faults,
    observation: {
      status: response?.status() ?? 0,
      bytes: (await response?.buffer())?.byteLength ?? 0,
      pictures: server.pictures.length,
      foreign: server.foreign,
      layoutShift: Number((await page.evaluate(() => window.layoutShift)).toFixed(4)),
      largestText: largest,
    },
  };
};
