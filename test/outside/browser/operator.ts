// Acts as an operator on the dashboard: finds elements by their accessible names and records every error of the page.
import type { BrowserContext, ConsoleMessage, Page } from 'puppeteer-core';
import { pageActions, watchErrors } from './page-session.ts';

export const OPERATOR_TOKEN = 'a-token-of-the-operator-for-tests-only';

export type Dashboard = Awaited<ReturnType<typeof openDashboard>>;

/** Chromium reports error statuses that the page explains, and the missing icon; neither is an error of the page. */
const isAnswer = (message: ConsoleMessage): boolean =>
  /^Failed to load resource: (the server responded with a status of [45]|net::ERR_INTERNET_DISC)/.test(
    message.text(),
  ) && /\/(admin\/(session|keys|usage|withheld|audit)|favicon\.ico)/.test(message.location().url ?? '');

/** @param prepare called before the page loads */
export const openDashboard = async (
  context: BrowserContext,
  origin: string,
  prepare: (page: Page) => Promise<unknown> = async () => undefined,
) => {
  const page = await context.newPage();
  await prepare(page);
  page.setDefaultTimeout(60_000);
  const faults = watchErrors(page, isAnswer);
  await page.goto(`${origin}/admin`);
  await page.waitForSelector('h1');

  const field = (name: string) => page.locator(`::-p-aria([name="${name}"][role="textbox"])`);

  const actions = pageActions(page);
  const type = (name: string, text: string): Promise<void> => field(name).fill(text);

  return {
    page,
    /** Script errors, violations of the page's policy, and console errors. */
    faults,
    ...actions,
    type,
    async replace(name: string, text: string): Promise<void> {
      await type(name, '');
      await type(name, text);
    },
    async signIn(token = OPERATOR_TOKEN): Promise<void> {
      await type('Operator token', token);
      await actions.press('Sign in');
      if (token === OPERATOR_TOKEN) await actions.reads('Signed in as');
    },
    async createKey(label: string, search = ''): Promise<string> {
      await type('Label', label);
      if (search !== '') await type('Search allowance', search);
      await actions.press('Create key');
      await page.waitForSelector('.secret');
      return actions.text('[data-part="secret"]');
    },
  };
};
