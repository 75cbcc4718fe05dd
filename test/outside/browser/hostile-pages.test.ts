// Opens every page in Chromium while the provider answers with attacks in every text. Nothing runs, no policy is violated,
// and nothing is requested from another host. Also feeds that a browser opens, and embeds in a page without a policy.
// Skipped without Chromium.
import type { Page } from 'puppeteer-core';
import { beforeAll, expect, test } from 'vitest';
import type { LocalService } from '../../../infra/local/service.ts';
import { documentRows } from '../../../shared/contract/documents.ts';
import { AMPLE_ALLOWANCES } from '../../support/ample-allowances.ts';
import { localOptions, sendRequest, startSlowService } from '../../support/local-service.ts';
import { startTestServer } from '../../support/test-server.ts';
import { ATTACKS, FORGED, type HostileProvider, startHostileProvider } from './hostile-provider.ts';
import { OPERATOR_TOKEN, openDashboard } from './operator.ts';
import { describeInBrowser } from './page-session.ts';
import { READER_PAGES } from './reader-page-list.ts';

declare global {
  interface Window {
    violations: string[];
  }
}

const PICTURE_HOST = /^https:\/\/(?:pbs|video|abs)\.twimg\.com\//;

/** Runs in the page before anything else. */
const collectViolations = (): void => {
  window.violations = [];
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
    window.violations.push(`${violatedDirective} ${blockedURI} ${sample}`);
  });
};

/** Moves the pointer and the focus over everything, which runs handlers of events. */
const touchAll = (): void => {
  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    for (const type of ['mouseover', 'mouseenter', 'focus', 'toggle'])
      element.dispatchEvent(new Event(type, { bubbles: true }));
  }
};

const scriptAddresses = (): readonly string[] =>
  [...document.querySelectorAll('[href], [src], [action], [formaction], [data]')].flatMap((element) =>
    ['href', 'src', 'action', 'formaction', 'data', 'xlink:href']
      .map((name) => element.getAttribute(name) ?? '')
      .filter((address) => /^\s*(?:javascript|data|vbscript):/i.test(address)),
  );

/** Texts of the attacks that a page shows, which proves that they arrived. */
const shownText = (): string => document.documentElement.innerText + document.title;

describeInBrowser('pages with hostile content', (browser) => {
  let provider: HostileProvider;
  let service: LocalService;
  beforeAll(async () => {
    provider = await startHostileProvider();
    service = await startSlowService(
      localOptions({
        UPSTREAM: 'live',
        FXTWITTER_BASE_URL: `${provider.origin}/fxtwitter`,
        SYNDICATION_BASE_URL: `${provider.origin}/syndication`,
        ADMIN_TOKEN: OPERATOR_TOKEN,
        ...AMPLE_ALLOWANCES,
      }),
    );
    return async () => {
      await service.close();
      await provider.close();
    };
  });

  /** @returns everything that a page must not do; requests for pictures of X fail, as without a network */
  const watched = async (page: Page, own: readonly string[]): Promise<string[]> => {
    const faults: string[] = [];
    await page.evaluateOnNewDocument(collectViolations);
    await page.setRequestInterception(true);
    page.on('request', (request) => {
      const url = request.url();
      const isOwn = own.some((origin) => url.startsWith(`${origin}/`)) || url === 'about:blank';
      // The controls of a video are pictures of Chromium itself.
      const isInline = url.startsWith('data:image/');
      if (!isOwn && !isInline && !PICTURE_HOST.test(url)) faults.push(`request: ${url}`);
      void (isOwn || isInline ? request.continue() : request.abort('failed'));
    });
    page.on('dialog', (dialog) => {
      faults.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('pageerror', (error) => faults.push(`error: ${String(error)}`));
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        faults.push(`console: ${message.text()}`);
    });
    return faults;
  };

  const visited = async (target: string): Promise<{ readonly faults: readonly string[]; readonly shown: string }> => {
    const context = await browser().createBrowserContext();
    try {
      const page = await context.newPage();
      const faults = await watched(page, [service.origin]);
      await page.goto(`${service.origin}${target}`, { waitUntil: 'load' });
      await page.evaluate(touchAll);
      const violations = await page.evaluate(() => window.violations);
      const addresses = await page.evaluate(scriptAddresses);
      const shown = await page.evaluate(shownText);
      const where = page.url() === new URL(target, service.origin).href ? [] : [`navigated to ${page.url()}`];
      // The bookmarklet of the front page.
      const foreign = addresses.filter(
        (address) => !address.startsWith(`javascript:location.href='${service.origin}/`),
      );
      return { faults: [...faults, ...violations, ...foreign, ...where], shown };
    } finally {
      await context.close();
    }
  };

  test('[text 5] [text 10] posts, profiles, lists, searches and errors run nothing and load nothing foreign', async () => {
    let attacked = 0;
    for (const { target } of READER_PAGES) {
      const { faults, shown } = await visited(target);
      expect([target, faults]).toEqual([target, []]);
      if (ATTACKS.some((attack) => shown.includes(attack.slice(0, 12)))) attacked += 1;
    }
    expect(provider.attacks()).toBeGreaterThan(1000);
    expect(attacked).toBeGreaterThan(READER_PAGES.length / 2);
  });

  test('attacks in the URL stay text in the box, in errors and in searches', async () => {
    for (const attack of ATTACKS) {
      const text = encodeURIComponent(attack);
      for (const target of [
        `/?q=${text}`,
        `/search?q=${text}`,
        `/${text}`,
        `/jack/status/${text}`,
        `/ada_larsson?cursor=${text}`,
      ]) {
        const { faults } = await visited(target);
        // The box leads to the search or the post that its text means.
        expect([target, faults.filter((fault) => !fault.startsWith(`navigated to ${service.origin}/search?`))]).toEqual(
          [target, []],
        );
      }
    }
  });

  test('the documentation and the dashboard run only their own scripts', async () => {
    for (const [, { kind, path }] of documentRows)
      if (kind === 'page') expect([path, (await visited(path)).faults]).toEqual([path, []]);
    const context = await browser().createBrowserContext();
    const dashboard = await openDashboard(context, service.origin, (page) =>
      page.evaluateOnNewDocument(collectViolations),
    );
    await dashboard.signIn();
    for (const attack of ATTACKS.slice(0, 6)) {
      await dashboard.createKey(attack.slice(0, 60));
      await dashboard.press('I have stored it');
      await dashboard.reads(attack.slice(0, 60));
    }
    await dashboard.page.reload();
    await dashboard.reads(ATTACKS[0] ?? '');
    expect(await dashboard.page.evaluate(() => window.violations)).toEqual([]);
    expect(dashboard.faults).toEqual([]);
    await context.close();
  });

  test('feeds that a browser opens run nothing', async () => {
    for (const format of ['rss', 'atom', 'jsonfeed'])
      for (const path of ['/ada_larsson/media', '/search']) {
        const { faults } = await visited(`${path}?q=tide&format=${format}`.replace('media?q=tide&', 'media?'));
        expect([path, format, faults]).toEqual([path, format, []]);
      }
  });

  test('[oembed 3] [text 9] an embed runs nothing in a page that has no policy', async () => {
    const ids = READER_PAGES.flatMap(({ target, status }) =>
      status === 200 ? (/^\/i\/status\/(\d+)$/.exec(target)?.[1] ?? []) : [],
    );
    const embeds: string[] = [];
    for (const id of ids) {
      const { status, body } = await sendRequest(
        service.origin,
        `/oembed?url=https%3A%2F%2Fx.com%2Fi%2Fstatus%2F${id}`,
      );
      if (status === 200) embeds.push(JSON.parse(body).html);
    }
    expect(embeds.length).toBeGreaterThan(10);
    const origin = await startTestServer((_, response) => {
      response
        .writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
        .end(`<!doctype html><title>a</title>${embeds.join('\n')}`);
    });
    const page = await browser().newPage();
    const faults = await watched(page, [origin]);
    await page.goto(`${origin}/`, { waitUntil: 'load' });
    await page.evaluate(touchAll);
    expect(await page.evaluate(scriptAddresses)).toEqual([]);
    expect(await page.$$eval('script, style, iframe, object, form, svg, base, meta', (all) => all.length)).toBe(0);
    expect(await page.evaluate(shownText)).toContain(FORGED);
    expect(faults).toEqual([]);
  });
});
