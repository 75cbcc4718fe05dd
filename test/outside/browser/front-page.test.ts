// Tests the front page in a real browser against the whole local service. Skipped without Chromium.
import type { HTTPRequest, Page } from 'puppeteer-core';
import { expect, test } from 'vitest';
import { violationsOf } from './accessibility.ts';
import { describeInBrowser, type OpenPage, pageSession } from './page-session.ts';

const FIRST = 'https://x.com/jack/status/20';
const THREAD = 'https://x.com/i/status/2034932961899447678';
const DELETED = 'https://x.com/i/status/1990000000000000001';
const HOSTILE = 'https://x.com/md_breaker/status/2029800668918710457';
const CONVERT = 'Or as Markdown, JSON, a note';

const isRead = (request: HTTPRequest): boolean => request.url().endsWith('?format=json');

/** Answers requests of posts instead of the service. */
const answering =
  (respond: (request: HTTPRequest) => unknown) =>
  async (page: Page): Promise<void> => {
    await page.setRequestInterception(true);
    page.on('request', (request) => void (isRead(request) ? respond(request) : request.continue()));
  };

const withoutScript = (page: Page): Promise<void> => page.setJavaScriptEnabled(false);

const type = async ({ page }: OpenPage, text: string): Promise<void> => {
  await page.$eval('#q', (input) => input instanceof HTMLInputElement && input.select());
  await page.type('#q', text);
};

const convert = async (reader: OpenPage, text: string): Promise<void> => {
  await type(reader, text);
  await reader.press(CONVERT);
};

/** Submits the form, and returns the path and query of the page that it leads to. */
const submit = async ({ page }: OpenPage): Promise<string> => {
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  const { pathname, search } = new URL(page.url());
  return pathname + search;
};

const selectTab = ({ page }: OpenPage, name: string): Promise<void> =>
  page.locator(`::-p-aria([name="${name}"][role="tab"])`).click();

const allowClipboard = ({ page }: OpenPage, origin: string): Promise<void> =>
  page.browserContext().overridePermissions(origin, ['clipboard-read', 'clipboard-sanitized-write']);

const clipboard = ({ page }: OpenPage): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

/** The name of the element with the focus, as a screen reader announces it. */
const focusedName = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (element instanceof HTMLInputElement) return element.labels?.[0]?.textContent ?? '';
    const labelled = document.getElementById(element?.getAttribute('aria-labelledby') ?? '')?.textContent;
    return element?.ariaLabel ?? labelled ?? element?.textContent?.trim() ?? '';
  });

const hrefOf = ({ page }: OpenPage, part: string): Promise<string> =>
  page.$eval(`[data-part="${part}"]`, (link) =>
    link instanceof HTMLAnchorElement ? new URL(link.href).pathname + new URL(link.href).search : '',
  );

describeInBrowser('the front page', (browser) => {
  const { origin, send, open } = pageSession(browser);

  test.each([
    [FIRST, '/jack/status/20', 'just setting up my twttr'],
    ['@X', '/X', "what's happening?!"],
    ['tide', '/search?q=tide', 'tide'],
  ])('[pages 3] the box leads from %s to its page, with and without a script', async (text, target, expected) => {
    for (const visit of [{}, { prepare: withoutScript }]) {
      const reader = await open('/', visit);
      await type(reader, text);
      expect(await submit(reader)).toBe(target);
      expect(await reader.page.$eval('main', (main) => main.textContent)).toContain(expected);
    }
  });

  test('an empty box stays where it is', async () => {
    const reader = await open('/');
    await reader.press('Read');
    await reader.press(CONVERT);
    expect(new URL(reader.page.url()).pathname).toBe('/');
    expect(await focusedName(reader.page)).toBe('Link, @handle or words');
  });

  test('a post is shown as a page, as Markdown, as JSON and as an Obsidian note', async () => {
    const reader = await open('/');
    expect(await reader.page.$eval('.result', (result) => result.checkVisibility())).toBe(false);
    await convert(reader, FIRST);
    await reader.reads('jack (@jack)', '#result-title');
    await reader.reads('Read: jack (@jack).', '[role=status]');
    expect(await reader.text('#panel-post')).toBe('jack\n\n@jack 21 March 2006\n\njust setting up my twttr');
    expect(await hrefOf(reader, 'page')).toBe('/jack/status/20');
    for (const [tab, target, file] of [
      ['Markdown', '/jack/status/20?format=markdown', 'jack-20.md'],
      ['Obsidian', '/jack/status/20?format=obsidian', 'jack-20.md'],
      ['JSON', '/jack/status/20?format=json', 'jack-20.json'],
    ] as const) {
      await selectTab(reader, tab);
      const { body } = await send(target);
      const panel = `#panel-${tab.toLowerCase()}`;
      await reader.reads('just setting up my twttr', panel);
      const shown = await reader.page.$eval(`#${tab.toLowerCase()}`, (code) => code.textContent);
      const isSame = tab === 'JSON' ? JSON.parse(shown).post.id === JSON.parse(body).post.id : shown === body;
      expect([tab, isSame]).toEqual([tab, true]);
      expect(await hrefOf(reader, 'download')).toBe(target);
      expect(await reader.page.$eval('[data-part="download"]', (link) => link.getAttribute('download'))).toBe(file);
      const visible = await reader.page.$$eval('[role=tabpanel]', (panels) =>
        panels.filter((element) => element.checkVisibility()).map(({ id }) => `#${id}`),
      );
      expect(visible).toEqual([panel]);
    }
    expect(await reader.page.title()).toBe('jack (@jack) · Postern');
  });

  test('the result contains the whole thread, whichever part was asked for', async () => {
    const parts = ['1/ How to build a hydrophone', '2/ Parts', '3/', '4/'];
    const { thread } = (await send('/i/status/2034932961899447678?format=json')).json();
    const last = Array.isArray(thread) ? String(thread.at(-1).id) : '';
    for (const link of [THREAD, `https://x.com/i/status/${last}`]) {
      const reader = await open(`/?url=${link}`);
      await reader.reads('Ada Larsson (@ada_larsson)', '#result-title');
      const text = await reader.text('#panel-post');
      expect(text).toContain('@ada_larsson 20 March 2026 4 posts');
      const places = parts.map((part) => text.indexOf(part));
      expect(places).toEqual(places.filter((place) => place > 0).toSorted((a, b) => a - b));
      expect(await reader.text('[data-part="warnings"]')).toBe('');
    }
  });

  test('a pasted link is shown without a press of a button', async () => {
    const reader = await open('/');
    await allowClipboard(reader, origin());
    await reader.page.evaluate((link) => navigator.clipboard.writeText(` ${link}?s=20 `), FIRST);
    await reader.page.focus('#q');
    await reader.page.keyboard.down('Control');
    await reader.page.keyboard.press('v');
    await reader.page.keyboard.up('Control');
    await reader.reads('jack (@jack)', '#result-title');
    expect(await submit(reader)).toBe('/jack/status/20');
  });

  test('each format, its curl line and the examples for programs can be copied', async () => {
    const reader = await open(`/?url=${FIRST}`);
    await allowClipboard(reader, origin());
    await reader.reads('jack (@jack)', '#result-title');
    const copy = async (name: string): Promise<string> => {
      await reader.page.evaluate(() => navigator.clipboard.writeText(''));
      await reader.press(name);
      await expect.poll(() => clipboard(reader)).not.toBe('');
      return clipboard(reader);
    };
    expect(await copy('Copy')).toContain('@jack 21 March 2006\n');
    await selectTab(reader, 'Markdown');
    await reader.reads('Copied', '[data-part="copy"]');
    expect(await reader.page.evaluate(() => document.querySelector('[role=status]')?.textContent)).toBe('Copied.');
    expect(await copy('Copy the curl line of this format')).toBe(`curl '${origin()}/jack/status/20'`);
    await reader.reads('Copy', '[data-part="copy"]');
    await selectTab(reader, 'JSON');
    expect(await copy('Copy the curl line of this format')).toBe(`curl '${origin()}/jack/status/20?format=json'`);
    expect(await copy('Copy the curl lines')).toBe(
      `curl ${origin()}/jack/status/20\ncurl '${origin()}/jack/status/20?format=json'`,
    );
    expect(JSON.parse(await copy('Copy the MCP configuration'))).toEqual({
      mcpServers: { postern: { type: 'http', url: `${origin()}/mcp` } },
    });
  });

  test('copying selects the text when the browser forbids the clipboard', async () => {
    const reader = await open(`/?url=${FIRST}`);
    // Chromium denies every permission that is not in this list.
    await reader.page.browserContext().overridePermissions(origin(), ['clipboard-read']);
    await reader.reads('jack (@jack)', '#result-title');
    await selectTab(reader, 'Markdown');
    await reader.press('Copy');
    await reader.reads('Selected', '[data-part="copy"]');
    expect(await reader.page.evaluate(() => String(getSelection()))).toContain('just setting up my twttr');
  });

  test('the page URL contains the link and shows the post again when it is opened', async () => {
    const reader = await open('/');
    await convert(reader, FIRST);
    await reader.reads('jack (@jack)', '#result-title');
    expect(new URL(reader.page.url()).searchParams.get('url')).toBe(FIRST);
    await reader.page.reload();
    await reader.reads('jack (@jack)', '#result-title');
    expect(await reader.page.$eval('#q', (input) => input instanceof HTMLInputElement && input.value)).toBe(FIRST);
  });

  test.each([
    [DELETED, 'This post was deleted.', '404 · post_not_found'],
    ['https://x.com/i/status/1990000000000000100', 'Only followers can read this post.', '403 · post_protected'],
    ['https://x.com/i/status/1990000000000000003', 'The account of the author is suspended.', '404 · post_not_found'],
    ['tide', 'This is not a link to a post. Did you mean the profile @tide or a search for tide?', ''],
    ['low tide', 'This is not a link to a post. Did you mean a search for low tide?', ''],
    ['https://x.com/X', 'This is not a link to a post. Did you mean the profile @X or a search for X?', ''],
    ['https://t.co/abc', 'This is a short link of X, and only X knows where it leads.', ''],
    ['https://example.org/', 'This is not a link of X.', ''],
    ['https://x.com/i/lists/1', 'This is a link to a list. Read it.', ''],
    ['https://x.com/i/spaces/1', 'This link is not of a post, a profile or a search.', ''],
    ['https://x.com/i/status/0', 'The number in this link cannot be of a post.', ''],
  ])('%s is answered in words for people', async (text, expected, code) => {
    const reader = await open(`/?url=${FIRST}`);
    await reader.reads('jack (@jack)', '#result-title');
    await convert(reader, text);
    await reader.reads(expected, '[role=alert]');
    expect(await reader.text('[role=alert]')).toContain(code);
    expect(await reader.page.$eval('.result', (result) => result.checkVisibility())).toBe(false);
    await convert(reader, FIRST);
    await reader.reads('jack (@jack)', '#result-title');
    expect(await reader.text('[role=alert]')).toBe('');
  });

  test('the suggestions for a word lead to the profile and to the search', async () => {
    const reader = await open('/?url=X');
    await reader.reads('Did you mean', '[role=alert]');
    await Promise.all([reader.page.waitForNavigation(), reader.page.locator('[role=alert] a').click()]);
    expect(new URL(reader.page.url()).pathname).toBe('/X');
    await reader.page.goBack();
    await reader.reads('Did you mean', '[role=alert]');
    await Promise.all([reader.page.waitForNavigation(), reader.page.locator('[role=alert] a + a').click()]);
    expect(reader.page.url()).toBe(`${origin()}/search?q=X`);
  });

  test('the text of a post is shown as text in all formats', async () => {
    const reader = await open(`/?url=${HOSTILE}`);
    await reader.reads('**Bold** _under_', '#result-title');
    expect(await reader.text('#panel-post')).toContain('<img src=x onerror=alert(1)>');
    expect(await reader.page.$('.result :is(img[src="x"], script, iframe)')).toBeNull();
    await selectTab(reader, 'Markdown');
    expect(await reader.text('#markdown')).toContain('\\<img src=x onerror=alert(1)>');
  });

  test('the text of the box is shown as text', async () => {
    const reader = await open('/');
    await convert(reader, '<img src=x onerror=alert(1)> &amp; "');
    await reader.reads('search for <img src=x onerror=alert(1)> &amp; "', '[role=alert]');
    expect(await reader.page.$('[role=alert] img')).toBeNull();
  });

  test.each([
    [
      429,
      { title: 'The allowance is spent', code: 'rate_limited', retry_after: 42 },
      {},
      'Wait 42 seconds and try again.',
    ],
    [
      503,
      { title: 'No answer', code: 'upstream_unavailable', retry_after: 300 },
      {},
      'X does not answer just now. Wait 5 minutes',
    ],
    [
      503,
      '<h1>Error</h1>',
      { 'Retry-After': '1' },
      'The service answered with status 503. Wait 1 second and try again.',
    ],
    [500, '', {}, 'The service answered with status 500. Try again in a minute.'],
    [500, { title: 'A title', code: 'constructor', reason: '__proto__' }, {}, 'A title.'],
  ])('%i is shown with the time to wait', async (status, body, headers, expected) => {
    const respond = (request: HTTPRequest) =>
      request.respond({ status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) });
    const reader = await open('/', { prepare: answering(respond) });
    await convert(reader, FIRST);
    await reader.reads(expected, '[role=alert]');
  });

  test('a failed connection is reported', async () => {
    const reader = await open('/');
    await reader.page.setOfflineMode(true);
    await convert(reader, FIRST);
    await reader.reads('The service cannot be reached.', '[role=alert]');
  });

  test('a late answer to an earlier link is not shown', async () => {
    const held: HTTPRequest[] = [];
    const respond = (request: HTTPRequest) =>
      request.url().includes('md_breaker') ? held.push(request) : request.continue();
    const reader = await open('/', { prepare: answering(respond) });
    await convert(reader, HOSTILE);
    await expect.poll(() => held).toHaveLength(1);
    await convert(reader, FIRST);
    await reader.reads('jack (@jack)', '#result-title');
    await Promise.all(held.map((request) => request.continue().catch(() => undefined)));
    await reader.page.waitForNetworkIdle();
    expect(await reader.text('#result-title')).toBe('jack (@jack)');
    expect(await reader.text('[role=alert]')).toBe('');
  });

  test('the bookmarklet does not run on this page, and says what to do with it', async () => {
    const reader = await open('/');
    await reader.page.click('.bookmarklet');
    await reader.reads('Drag it to the bookmarks', '.bookmarklet');
    expect(reader.page.url()).toBe(`${origin()}/`);
  });

  test('the Tab key goes from the skip link to the box, its button and the examples', async () => {
    const { page } = await open('/');
    const names: string[] = [];
    for (let steps = 0; steps < 12; steps += 1) {
      await page.keyboard.press('Tab');
      names.push(await focusedName(page));
    }
    expect(names).toEqual([
      ...[
        'Skip to the box',
        'Postern',
        'Docs',
        'Link, @handle or words',
        'Read',
        'the first post',
        'pictures',
        '@jack',
      ],
      ...['tide', CONVERT, `${origin()}/jack/status/20`, 'Read in Postern'],
    ]);
  });

  test('the keyboard is enough to read a post, select a format and copy it', async () => {
    const reader = await open('/');
    const { page } = reader;
    await allowClipboard(reader, origin());
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await focusedName(page)).toBe('Link, @handle or words');
    await page.keyboard.type(FIRST);
    const tabTo = async (wanted: string): Promise<void> => {
      for (let steps = 0; (await focusedName(page)) !== wanted; steps += 1) {
        expect(steps).toBeLessThan(20);
        await page.keyboard.press('Tab');
      }
    };
    await tabTo(CONVERT);
    await page.keyboard.press('Enter');
    await reader.reads('jack (@jack)', '#result-title');
    await tabTo('Post');
    await page.keyboard.press('ArrowLeft');
    expect(await focusedName(page)).toBe('Obsidian');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    expect(await focusedName(page)).toBe('Markdown');
    await tabTo('Copy');
    await page.keyboard.press('Enter');
    await reader.reads('Copied', '[data-part="copy"]');
    expect(await clipboard(reader)).toContain('just setting up my twttr');
  });

  test.each([320, 390, 768, 1280])(
    'the page and a result fit within %i pixels, and axe-core finds nothing',
    async (width) => {
      for (const scheme of ['light', 'dark'] as const) {
        const { page, overflow, reads } = await open('/', { width, scheme });
        expect([await overflow(), await violationsOf(page)]).toEqual([0, []]);
        await page.goto(`${origin()}/?url=${HOSTILE}`);
        await reads('**Bold**', '#result-title');
        for (const tab of ['post', 'markdown', 'json', 'obsidian']) {
          await page.click(`#tab-${tab}`);
          expect([tab, await overflow(), await violationsOf(page)]).toEqual([tab, 0, []]);
        }
        await page.goto(`${origin()}/?url=tide`);
        await reads('Did you mean', '[role=alert]');
        expect([await overflow(), await violationsOf(page)]).toEqual([0, []]);
      }
    },
    60_000,
  );
});
