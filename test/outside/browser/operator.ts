// Acts as an operator on the dashboard: finds elements by their accessible names and records every error of the page.
import type { BrowserContext, ConsoleMessage, Page } from 'puppeteer-core';
import { type PageActions, pageActions, watchErrors } from './page-session.ts';

export const OPERATOR_TOKEN = 'a-token-of-the-operator-for-tests-only';

export interface Dashboard extends PageActions {
  readonly page: Page;
  /** Script errors, violations of the page's policy, and console errors. */
  readonly faults: readonly string[];
  type(field: string, text: string): Promise<void>;
  /** Replaces the current value. */
  replace(field: string, text: string): Promise<void>;
  signIn(token?: string): Promise<void>;
  createKey(label: string, search?: string): Promise<string>;
}

/** Chromium reports error statuses that the page explains, and the missing icon; neither is an error of the page. */
const isAnswer = (message: ConsoleMessage): boolean =>
  /^Failed to load resource: (the server responded with a status of [45]|net::ERR_INTERNET_DISC)/.test(
    message.text(),
  ) && /\/(admin\/(session|keys|usage|audit)|favicon\.ico)/.test(message.location().url ?? '');

/** @param prepare called before the page loads */
export const openDashboard = async (
  context: BrowserContext,
  origin: string,
  prepare: (page: Page) => Promise<unknown> = async () => undefined,
): Promise<Dashboard> => {
  const page = await context.newPage();
  await prepare(page);
  page.setDefaultTimeout(60_000);
  const faults = watchErrors(page, isAnswer);
  await page.goto(`${origin}/admin`);
  await page.waitForSelector('h1');

  const field = (name: string) => page.locator(`::-p-aria([name="${name}"][role="textbox"])`);

  const dashboard: Dashboard = {
    page,
    faults,
    ...pageActions(page),
    type: (name, text) => field(name).fill(text),
    async replace(name, text) {
      await field(name).fill('');
      await field(name).fill(text);
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
  };
  return dashboard;
};
