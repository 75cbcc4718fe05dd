// The whole local service and one Chromium for all tests of a file; each visit has cookies of its own.
import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { type LocalService, startLocalService } from '../../infra/local/service.ts';
import { type LocalRequestOptions, type LocalResponse, localOptions, sendRequest } from '../support/local-service.ts';
import { chromium, launchChromium } from './chromium.ts';
import { type Dashboard, OPERATOR_TOKEN, openDashboard } from './operator.ts';

/** Of a page on which nothing is loaded yet. */
type Prepare = (page: Page) => Promise<unknown>;

export interface DashboardSession {
  readonly origin: () => string;
  readonly ask: (target: string, options?: LocalRequestOptions) => Promise<LocalResponse>;
  /** Whatever goes wrong on the page fails the test. */
  readonly visit: (prepare?: Prepare) => Promise<Dashboard>;
  readonly signedIn: (prepare?: Prepare) => Promise<Dashboard>;
}

/** Within a suite that is skipped where there is no Chromium. */
export const dashboardSession = (): DashboardSession => {
  let service: LocalService;
  let browser: Browser;

  beforeAll(async () => {
    service = await startLocalService(localOptions({ ADMIN_TOKEN: OPERATOR_TOKEN }));
    browser = await launchChromium(chromium ?? '');
  });

  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const visit: DashboardSession['visit'] = async (prepare) => {
    const context = await browser.createBrowserContext();
    const dashboard = await openDashboard(context, service.origin, prepare);
    onTestFinished(async () => {
      await context.close();
      expect(dashboard.faults).toEqual([]);
    });
    return dashboard;
  };

  return {
    origin: () => service.origin,
    ask: (target, options) => sendRequest(service.origin, target, options),
    visit,
    async signedIn(prepare) {
      const dashboard = await visit(prepare);
      await dashboard.signIn();
      return dashboard;
    },
  };
};
