// Tests what the script of the documentation adds: copying, languages, running examples and the search, by mouse and by
// keyboard. Skipped without Chromium.
import type { Page } from 'puppeteer-core';
import { expect, test } from 'vitest';
import { violationsOf } from './accessibility.ts';
import { describeInBrowser, pageSession } from './page-session.ts';

const withoutScript = {
  prepare: (page: Page): Promise<void> => page.setJavaScriptEnabled(false),
};

const BLOCK = '.code:has(fieldset)';

const shownLanguages = (page: Page): Promise<readonly (string | undefined)[]> =>
  page.$$eval('.code:has(fieldset) > pre', (blocks) =>
    blocks.filter((block) => block.checkVisibility()).map((block) => block.dataset['language']),
  );

describeInBrowser('the script of the documentation', (browser) => {
  const { open, origin, send } = pageSession(browser);

  test('without a script, the radio buttons choose the language, and nothing is shown that needs a script', async () => {
    const { page } = await open('/docs/quickstart', withoutScript);
    expect(await page.$$eval('.copy, .run, .find', (all) => all.filter((one) => one.checkVisibility()).length)).toBe(0);
    expect(new Set(await shownLanguages(page))).toEqual(new Set(['sh']));
    await page.click(`${BLOCK} label:has([value=ts])`);
    expect((await shownLanguages(page))[0]).toBe('ts');
  });

  test('a page has one search field: that of the documentation or, without a script, the box', async () => {
    const shown = (page: Page): Promise<readonly string[]> =>
      page.$$eval('#q, #find', (fields) => fields.filter((field) => field.checkVisibility()).map(({ id }) => id));
    expect(await shown((await open('/docs/errors')).page)).toEqual(['find']);
    expect(await shown((await open('/docs/errors', withoutScript)).page)).toEqual(['q']);
  });

  test('the button copies the code that is shown', async () => {
    const { page, reads, text } = await open('/docs/quickstart', {
      prepare: (opened) =>
        opened.browserContext().overridePermissions(origin(), ['clipboard-read', 'clipboard-sanitized-write']),
    });
    await page.click(`${BLOCK} label:has([value=ts])`);
    await page.click(`${BLOCK} .copy`);
    await reads('Copied', `${BLOCK} .copy`);
    expect(await text('[data-part=status]')).toBe('Copied.');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(await page.$eval(`${BLOCK} > pre[data-language=ts]`, (block) => block.textContent));
    expect(copied).toMatch(/^const response = await fetch\([\s\S]*;$/);
  });

  test('a choice of the language applies to all examples and is kept for the next page', async () => {
    const { page } = await open('/docs/quickstart');
    await page.focus(`${BLOCK} [value=sh]`);
    await page.keyboard.press('ArrowRight');
    expect(new Set(await shownLanguages(page))).toEqual(new Set(['ts']));
    await page.goto(`${origin()}/docs/posts`);
    expect(new Set(await shownLanguages(page))).toEqual(new Set(['ts']));
  });

  test('the example of a choice stays where it is', async () => {
    const { page } = await open('/docs/errors');
    const last = '.code:has([name=code-3])';
    const top = (): Promise<number> => page.$eval(last, (block) => block.getBoundingClientRect().top);
    await page.$eval(last, (block) => block.scrollIntoView({ block: 'center' }));
    const before = await top();
    await page.click(`${last} label:has([value=ts])`);
    expect(Math.abs((await top()) - before)).toBeLessThan(2);
  });

  test('the button runs the example, and shows and announces status, type, size and body', async () => {
    const { page, reads } = await open('/docs/quickstart');
    await page.click(`${BLOCK} .run`);
    const { body } = await send('/jack/status/20');
    const size = `${Buffer.byteLength(body)} bytes`;
    await reads(`200 OK · text/markdown; charset=utf-8 · ${size}`, '.output [role=status]');
    await reads('just setting up my twttr', '.output pre');
    expect(await violationsOf(page)).toEqual([]);
  });

  test('the answer to a request that fails is shown like any other', async () => {
    const { page, reads } = await open('/docs/errors');
    await page.click(`${BLOCK} .run`);
    await reads('400 ', '.output [role=status]');
    await reads('"code": "unsupported_host"', '.output pre');
  });

  test('one of several requests can be chosen', async () => {
    const { page, reads } = await open('/docs/search');
    await page.select('.tools select', '1');
    await page.click('.tools select + .run');
    await reads('200 OK · application/json', '.output [role=status]');
  });

  test('a service that cannot be reached is reported', async () => {
    const { page, reads } = await open('/docs/quickstart');
    await page.evaluate(() => {
      globalThis.fetch = () => Promise.reject(new TypeError('offline'));
    });
    await page.click(`${BLOCK} .run`);
    await reads('The service cannot be reached.', '.output [role=status]');
  });

  test('the search loads nothing until its field gets the focus', async () => {
    const { page, reads } = await open('/docs');
    const loaded = (): Promise<readonly string[]> =>
      page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname));
    expect(await loaded()).not.toContain('/assets/docs-search.json');
    await page.type('#find', 'tokens');
    await reads('Truncated Markdown', '.found');
    expect(await loaded()).toEqual(expect.arrayContaining(['/assets/docs-search.json', '/assets/docs-search.js']));
  });

  test('the search works with the keyboard and is announced', async () => {
    const { page, reads, text } = await open('/docs');
    await page.type('#find', 'rate_limited');
    await reads('rate_limited', '.found');
    expect(await text('[data-part=found-status]')).toMatch(/^\d results?\.$/);
    expect(await violationsOf(page)).toEqual([]);
    const focused = (): Promise<string | undefined> =>
      page.evaluate(() =>
        document.activeElement instanceof HTMLAnchorElement ? document.activeElement.hash : 'field',
      );
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe('#rate_limited');
    await page.keyboard.press('ArrowUp');
    expect(await focused()).toBe('field');
    await page.keyboard.press('Escape');
    expect(await page.$eval('.found', (list) => list.checkVisibility())).toBe(false);
    await page.type('#find', 'rate_limited');
    await reads('rate_limited', '.found');
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
    expect(new URL(page.url()).pathname + new URL(page.url()).hash).toBe('/docs/errors#rate_limited');
  });

  test('an index that cannot be loaded is reported, and is loaded again with the next letter', async () => {
    const { page, reads } = await open('/docs');
    await page.evaluate(() => {
      const real = globalThis.fetch;
      globalThis.fetch = (...args) => (document.title === 'online' ? real(...args) : Promise.reject(new TypeError()));
    });
    await page.type('#find', 'token');
    await reads('The index could not be loaded. Try again.', '.found');
    await page.evaluate(() => {
      document.title = 'online';
    });
    await page.type('#find', 's');
    await reads('Truncated Markdown', '.found');
  });

  test('a search without a result says so, and shows hostile words as text', async () => {
    const { page, reads } = await open('/docs');
    await page.type('#find', '<img src=x onerror=alert(1)>zzzz');
    await reads('Nothing contains “<img src=x onerror=alert(1)>zzzz”.', '.found');
    expect(await page.$$eval('.found img', (all) => all.length)).toBe(0);
  });

  test.each([360, 390])('every table fits a window of %i pixels', async (width) => {
    for (const path of ['/docs/posts', '/docs/formats', '/docs/limits', '/docs/compare']) {
      const { page, overflow } = await open(path, { width });
      expect(await overflow()).toBe(0);
      const wide = await page.$$eval('.table', (tables) =>
        tables.filter((table) => table.scrollWidth > table.clientWidth + 1).map((table) => table.ariaLabel),
      );
      expect([path, wide]).toEqual([path, []]);
    }
  });

  test('the Tab key leads from the skip link to the box, the search, the pages and the text', async () => {
    const { page } = await open('/docs');
    const names: (string | null)[] = [];
    for (let step = 0; step < 4; step += 1) {
      await page.keyboard.press('Tab');
      names.push(
        await page.evaluate(() => {
          const { activeElement } = document;
          return activeElement?.id || activeElement?.ariaLabel || activeElement?.textContent?.trim() || null;
        }),
      );
    }
    expect(names).toEqual(['Skip to the text', 'Postern, front page', 'Docs', 'find']);
  });
});
