// Tests every page of the documentation at the widths of a phone, a tablet and a desktop. Skipped without Chromium.
import { expect, test } from 'vitest';
import { documentRows } from '../../../shared/contract/documents.ts';
import { violationsOf } from './accessibility.ts';
import { describeInBrowser, pageSession, type Viewport } from './page-session.ts';

/** A phone and a desktop show all parts of a page, and its colors are the same in every width. */
const JUDGED: readonly Viewport[] = [
  { width: 360, scheme: 'light' },
  { width: 1280, scheme: 'light' },
  { width: 1280, scheme: 'dark' },
];
const TABLET: Viewport = { width: 768, scheme: 'light' };

const PAGES = documentRows.flatMap(([, { kind, path }]) => (kind === 'page' ? [path] : []));

describeInBrowser('pages', (browser) => {
  const { open } = pageSession(browser);

  test.each(PAGES)('%s fits the window, has one title, and axe-core finds nothing', async (path) => {
    for (const look of [TABLET, ...JUDGED]) {
      const { page, overflow } = await open(path, look);
      const facts = await page.evaluate(() => ({
        title: document.title !== '',
        headings: document.querySelectorAll('h1').length,
        language: document.documentElement.lang !== '',
      }));
      expect(facts).toEqual({ title: true, headings: 1, language: true });
      const violations = look === TABLET ? [] : await violationsOf(page);
      expect([look, await overflow(), violations]).toEqual([look, 0, []]);
    }
  });

  test('on a phone no page of callers is higher than 25 screens, and the links of its end are targets of 24 px', async () => {
    const { page } = await open('/docs', { width: 360 });
    const high: unknown[] = [];
    for (const path of PAGES.filter((each) => each !== '/')) {
      await page.goto(new URL(path, page.url()).href);
      const { height, targets } = await page.evaluate(() => ({
        height: document.documentElement.scrollHeight,
        targets: [...document.querySelectorAll('.foot a')].map((link) => link.getBoundingClientRect().height),
      }));
      if (height > 25 * 844 || targets.length < 5 || Math.min(...targets) < 24) high.push({ path, height, targets });
    }
    expect(high).toEqual([]);
  });

  test('the routes of a read are folded, and open by a press', async () => {
    const { page } = await open('/docs/posts', { width: 360 });
    const isShown = () => page.$eval('.fold table', (table) => table.checkVisibility());
    expect(await isShown()).toBe(false);
    await page.click('.fold summary');
    expect(await isShown()).toBe(true);
  });

  test('[pages 6] no page scrolls sideways if its text is twice as large', async () => {
    const wide: unknown[] = [];
    const { page, overflow } = await open('/');
    for (const path of PAGES) {
      await page.goto(new URL(path, page.url()).href);
      await page.evaluate(() => {
        document.documentElement.style.fontSize = '200%';
      });
      for (const width of [1280, 768, 390]) {
        await page.setViewport({ width, height: 844 });
        const pixels = await overflow();
        if (pixels !== 0) wide.push({ path, width, pixels });
      }
    }
    expect(wide).toEqual([]);
  });

  test('the list of pages is collapsed on a phone, expands without script, and is always open on a desktop', async () => {
    const isShown = (): boolean =>
      document.querySelector('.pages li a')?.checkVisibility({ contentVisibilityAuto: true }) ?? false;
    const prepare = {
      prepare: (page: { setJavaScriptEnabled(on: boolean): Promise<void> }) => page.setJavaScriptEnabled(false),
    };
    const phone = await open('/docs', { width: 360, ...prepare });
    expect(await phone.page.evaluate(isShown)).toBe(false);
    await phone.page.click('summary');
    expect(await phone.page.evaluate(isShown)).toBe(true);
    expect(await phone.overflow()).toBe(0);
    const desktop = await open('/docs', prepare);
    expect(await desktop.page.evaluate(isShown)).toBe(true);
    expect(await desktop.page.$eval('summary', (summary) => summary.checkVisibility())).toBe(false);
  });
});
