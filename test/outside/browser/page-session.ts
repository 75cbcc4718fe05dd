// Runs suites in one browser each, opens the public pages of the local service, and records every error of a page.
import type { Browser, ConsoleMessage, HTTPResponse, Page } from 'puppeteer-core';
import { beforeAll, describe, expect, onTestFinished } from 'vitest';
import type { LocalService } from '../../../infra/local/service.ts';
import { type LocalResponse, sendRequest, startLiveService } from '../../support/local-service.ts';
import { chromium, type TestBrowser } from './browsers.ts';

export interface Viewport {
  readonly width: number;
  readonly scheme: 'light' | 'dark';
}

export interface Visit extends Partial<Viewport> {
  /** Called before the page loads. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

type PageActions = ReturnType<typeof pageActions>;

export interface OpenPage extends PageActions {
  readonly page: Page;
  readonly response: HTTPResponse | null;
}

/** Expected: an error status that the page explains, a missing icon, and pictures of X without a network. */
const isExpected = (message: ConsoleMessage, page: Page): boolean => {
  const { url = '' } = message.location();
  if (!message.text().startsWith('Failed to load resource')) return false;
  return (
    [
      /\?format=(?:json|obsidian)$/,
      /\/api\/v1\/posts\?url=/,
      /^https:\/\/[a-z]+\.twimg\.com\//,
      /\/assets\/(?:pbs|video)\//,
      /\/favicon\.ico$/,
    ].some((expected) => expected.test(url)) || url === page.url()
  );
};

/** @returns the script errors, dialogs and unexpected console errors of the page, as they come */
export const watchErrors = (
  page: Page,
  isExpectedError: (message: ConsoleMessage, page: Page) => boolean,
): string[] => {
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() !== 'error' || isExpectedError(message, page)) return;
    faults.push(`${page.url()}: ${message.text()} ${message.location().url ?? ''}`);
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return faults;
};

/** The actions of a reader or an operator on a page. */
export const pageActions = (page: Page) => ({
  press: (name: string): Promise<void> => page.locator(`::-p-aria([name="${name}"][role="button"])`).click(),
  /** Waits until the page, or the part of it, shows the text. */
  async reads(text: string, selector = 'body'): Promise<void> {
    const has = (wanted: string, where: string): boolean =>
      [...document.querySelectorAll<HTMLElement>(where)].some((element) => element.innerText.includes(wanted));
    await page.waitForFunction(has, {}, text, selector);
  },
  text: (selector: string): Promise<string> =>
    page.$eval(selector, (element) => (element instanceof HTMLElement ? element.innerText : '')),
  /** The number of pixels by which the page is wider than the window. */
  overflow: (): Promise<number> =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
});

/**
 * One browser runs all tests of the suite. Without it they are skipped with a message.
 *
 * @param testBrowsers run the suite one after the other
 */
export const describeInBrowser = (
  name: string,
  suite: (browser: () => Browser) => void,
  testBrowsers: readonly TestBrowser[] = [chromium],
): void => {
  for (const { name: browserName, variable, isNamed, launch } of testBrowsers) {
    if (!isNamed) console.log(`skipped: ${name} in ${browserName} (${variable} is not set)`);
    describe.skipIf(!isNamed)(`${name} (${browserName})`, () => {
      let browser: Browser;
      beforeAll(async () => {
        browser = await launch();
        return () => browser.close();
      });
      suite(() => browser);
    });
  }
};

/** Call it in a suite. */
export const pageSession = (browser: () => Browser) => {
  let service: LocalService;
  beforeAll(async () => {
    service = await startLiveService();
    return service.close;
  });

  return {
    origin: (): string => service.origin,
    send: (target: string): Promise<LocalResponse> => sendRequest(service.origin, target),
    /** Any error of the page fails the test. */
    async open(path: string, { width = 1280, scheme = 'light', prepare }: Visit = {}): Promise<OpenPage> {
      const context = await browser().createBrowserContext();
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      await page.setViewport({ width, height: 800 });
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
      await prepare?.(page);
      const faults = watchErrors(page, isExpected);
      onTestFinished(async () => {
        await context.close();
        expect(faults).toEqual([]);
      });
      const response = await page.goto(`${service.origin}${path}`);
      // The script of a page starts after the page has loaded.
      if (page.isJavaScriptEnabled() && (await page.$('body[data-script]'))) await page.waitForSelector('.scripted');
      return { page, response, ...pageActions(page) };
    },
  };
};
