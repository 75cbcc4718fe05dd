// Starts the local service and one Chromium for all tests of a file; each page has separate cookies.
import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import type { LocalService } from '../../../infra/local/service.ts';
import {
  type LocalRequestOptions,
  type LocalResponse,
  localOptions,
  sendRequest,
  startSlowService,
} from '../../support/local-service.ts';
import { chromium, launchChromium } from './chromium.ts';
import { type Dashboard, OPERATOR_TOKEN, openDashboard } from './operator.ts';

/** The page has not loaded anything yet. */
type Prepare = (page: Page) => Promise<unknown>;

export interface DashboardSession {
  readonly origin: () => string;
  readonly send: (target: string, options?: LocalRequestOptions) => Promise<LocalResponse>;
  /** Any error of the page fails the test. */
  readonly visit: (prepare?: Prepare) => Promise<Dashboard>;
  readonly signedIn: (prepare?: Prepare) => Promise<Dashboard>;
}

/** Call it in a suite that is skipped without Chromium. */
export const dashboardSession = (): DashboardSession => {
  let service: LocalService;
  let browser: Browser;

  beforeAll(async () => {
    service = await startSlowService(localOptions({ ADMIN_TOKEN: OPERATOR_TOKEN }));
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
    send: (target, options) => sendRequest(service.origin, target, options),
    visit,
    async signedIn(prepare) {
      const dashboard = await visit(prepare);
      await dashboard.signIn();
      return dashboard;
    },
  };
};
