// Acts as an operator on the dashboard: finds elements by their accessible names and records every error of the page.
import type { BrowserContext, ConsoleMessage, Page } from 'puppeteer-core';

export const OPERATOR_TOKEN = 'a-token-of-the-operator-for-tests-only';

export interface Dashboard {
  readonly page: Page;
  /** Script errors, violations of the page's policy, and console errors. */
  readonly faults: readonly string[];
  press(name: string): Promise<void>;
  type(field: string, text: string): Promise<void>;
  /** Replaces the current value. */
  replace(field: string, text: string): Promise<void>;
  signIn(token?: string): Promise<void>;
  createKey(label: string, search?: string): Promise<string>;
  /** Waits until the page, or the part of it, shows the text. */
  reads(text: string, selector?: string): Promise<void>;
  text(selector: string): Promise<string>;
  /** The number of pixels by which the page is wider than the window. */
  overflow(): Promise<number>;
}

/** Chromium reports error statuses that the page explains, and the missing icon; neither is an error of the page. */
const isAnswer = (message: ConsoleMessage): boolean =>
  /^Failed to load resource: (the server responded with a status of [45]|net::ERR_INTERNET_DISC)/.test(
    message.text(),
  ) && /\/(admin\/(session|keys|usage|audit)|favicon\.ico)/.test(message.location().url ?? '');

const watch = (page: Page): string[] => {
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !isAnswer(message)) faults.push(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return faults;
};

/** @param prepare called before the page loads */
export const openDashboard = async (
  context: BrowserContext,
  origin: string,
  prepare: (page: Page) => Promise<unknown> = async () => undefined,
): Promise<Dashboard> => {
  const page = await context.newPage();
  await prepare(page);
  page.setDefaultTimeout(60_000);
  const faults = watch(page);
  await page.goto(`${origin}/admin`);
  await page.waitForSelector('h1');

  const named = (role: string, name: string) => page.locator(`::-p-aria([name="${name}"][role="${role}"])`);

  const dashboard: Dashboard = {
    page,
    faults,
    press: (name) => named('button', name).click(),
    type: (field, text) => named('textbox', field).fill(text),
    async replace(field, text) {
      await named('textbox', field).fill('');
      await named('textbox', field).fill(text);
    },
    async signIn(token = OPERATOR_TOKEN) {
      await dashboard.type('Operator token', token);
      await dashboard.press('Sign in');
      if (token === OPERATOR_TOKEN) await dashboard.reads('Signed in as');
    },
    async createKey(label, search = '') {
      await dashboard.type('Label', label);
      if (search !== '') await dashboard.type('Search allowance', search);
      await dashboard.press('Create key');
      await page.waitForSelector('.secret');
      return dashboard.text('[data-part="secret"]');
    },
    async reads(text, selector = 'body') {
      const has = (wanted: string, where: string): boolean =>
        [...document.querySelectorAll<HTMLElement>(where)].some((element) => element.innerText.includes(wanted));
      await page.waitForFunction(has, {}, text, selector);
    },
    text: (selector) => page.$eval(selector, (element) => (element instanceof HTMLElement ? element.innerText : '')),
    overflow: () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
  };
  return dashboard;
};
