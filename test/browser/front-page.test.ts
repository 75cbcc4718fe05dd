// Tests the front page in a real browser against the whole local service. Skipped without Chromium.
import type { HTTPRequest, Page } from 'puppeteer-core';
import { describe, expect, test } from 'vitest';
import { violationsOf } from './accessibility.ts';
import { chromium } from './chromium.ts';
import { type OpenPage, pageSession } from './page-session.ts';

if (chromium === undefined) console.log('skipped: the front page in a browser (CHROMIUM is not set)');

const FIRST = 'https://x.com/jack/status/20';
const DELETED = 'https://x.com/i/status/1990000000000000001';
const PHOTO = 'https://x.com/i/status/2032033858974646827';
const HOSTILE = 'https://x.com/md_breaker/status/2029800668918710457';

const isRead = (request: HTTPRequest): boolean => new URL(request.url()).pathname === '/api/v1/posts';

/** Answers requests of posts instead of the service. */
const answering =
  (respond: (request: HTTPRequest) => unknown) =>
  async (page: Page): Promise<void> => {
    await page.setRequestInterception(true);
    page.on('request', (request) => void (isRead(request) ? respond(request) : request.continue()));
  };

const enter = async ({ page }: OpenPage, text: string): Promise<void> => {
  await page.$eval('#url', (input) => input instanceof HTMLInputElement && input.select());
  await page.type('#url', text);
  await page.keyboard.press('Enter');
};

/** The text in the frame of the post. */
const frameText = async ({ page }: OpenPage, expected: string): Promise<void> => {
  await page.waitForFunction((wanted) => document.querySelector('iframe')?.srcdoc.includes(wanted), {}, expected);
  const frame = await (await page.waitForSelector('iframe'))?.contentFrame();
  await expect.poll(() => frame?.content()).toContain(expected);
};

/** The number of pixels that a pane cuts off. */
const hiddenButtons = (page: Page): Promise<readonly (string | null)[]> =>
  page.$$eval('.pane button', (buttons) => {
    const isWithin = (button: Element): boolean => {
      const pane = button.closest('.pane')?.getBoundingClientRect();
      return pane !== undefined && button.getBoundingClientRect().right < pane.right;
    };
    return buttons.filter((button) => !isWithin(button)).map((button) => button.ariaLabel);
  });

describe.skipIf(chromium === undefined)('the front page', () => {
  const { origin, send, open } = pageSession();

  test('a submitted link is answered with Markdown, JSON and the rendered post', async () => {
    const reader = await open('/');
    expect(await reader.page.$eval('.result', (result) => result.checkVisibility())).toBe(false);
    await enter(reader, FIRST);
    await reader.reads('jack (@jack)', '#result-title');
    await reader.reads('Read: jack (@jack).', '[role=status]');
    expect(await reader.text('#markdown')).toContain('just setting up my twttr');
    expect(JSON.parse(await reader.page.$eval('#json', (code) => code.textContent))).toMatchObject({
      source: 'sample',
      post: { id: '20', text: 'just setting up my twttr' },
    });
    await frameText(reader, 'just setting up my twttr');
    expect(await reader.page.title()).toBe('jack (@jack) · Postern');
  });

  test('a pasted link is read without a press of the button', async () => {
    const { page, reads } = await open('/');
    await page.browserContext().overridePermissions(origin(), ['clipboard-read', 'clipboard-sanitized-write']);
    await page.evaluate((link) => navigator.clipboard.writeText(` ${link}?s=20 `), FIRST);
    await page.focus('#url');
    await page.keyboard.down('Control');
    await page.keyboard.press('v');
    await page.keyboard.up('Control');
    await reads('jack (@jack)', '#result-title');
  });

  test.each([
    ['Copy the Markdown', '/jack/status/20?format=markdown'],
    ['Copy the curl line for Markdown', undefined],
  ])('%s copies its text', async (name, target) => {
    const reader = await open('/');
    await reader.page.browserContext().overridePermissions(origin(), ['clipboard-read', 'clipboard-sanitized-write']);
    await enter(reader, FIRST);
    await reader.reads('jack (@jack)', '#result-title');
    await reader.press(name);
    await reader.reads('Copied', 'button');
    const copied = await reader.page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(target === undefined ? `curl '${origin()}/jack/status/20'` : (await send(target)).body);
  });

  test('the JSON, the HTML, each curl line and the MCP configuration can be copied', async () => {
    const reader = await open(`/?url=${FIRST}`);
    const { page, press, reads } = reader;
    await page.browserContext().overridePermissions(origin(), ['clipboard-read', 'clipboard-sanitized-write']);
    await frameText(reader, 'just setting up my twttr');
    const copy = async (name: string): Promise<string> => {
      await press(name);
      await page.waitForFunction(
        (label) => document.querySelector(`[aria-label="${label}"]`)?.textContent === 'Copied',
        {},
        name,
      );
      return page.evaluate(() => navigator.clipboard.readText());
    };
    const bodyOf = async (line: string) => (await send(/'(.*)'/.exec(line)?.[1]?.replace(origin(), '') ?? '')).json();
    await reads('jack (@jack)', '#result-title');
    const json = JSON.parse(await copy('Copy the JSON'));
    expect({ ...(await bodyOf(await copy('Copy the curl line for JSON'))), fetched_at: '' }).toEqual({
      ...json,
      fetched_at: '',
    });
    const html = await copy('Copy HTML');
    expect((await bodyOf(await copy('Copy the curl line for oEmbed')))['html']).toBe(html);
    expect(await copy('Copy the curl line')).toBe(`curl ${origin()}/jack/status/20`);
    expect(JSON.parse(await copy('Copy the MCP configuration'))).toEqual({
      mcpServers: { postern: { type: 'http', url: `${origin()}/mcp` } },
    });
  });

  test('copying selects the text when the browser forbids the clipboard', async () => {
    const reader = await open(`/?url=${FIRST}`);
    // Chromium denies every permission that is not in this list.
    await reader.page.browserContext().overridePermissions(origin(), ['clipboard-read']);
    await reader.reads('jack (@jack)', '#result-title');
    await reader.press('Copy the Markdown');
    await reader.reads('Selected', 'button');
    expect(await reader.page.evaluate(() => String(getSelection()))).toContain('just setting up my twttr');
  });

  test('the page URL contains the link and shows the post again when it is opened', async () => {
    const reader = await open('/');
    await enter(reader, FIRST);
    await reader.reads('jack (@jack)', '#result-title');
    expect(new URL(reader.page.url()).searchParams.get('url')).toBe(FIRST);
    await reader.page.reload();
    await reader.reads('jack (@jack)', '#result-title');
    expect(await reader.page.$eval('#url', (input) => input instanceof HTMLInputElement && input.value)).toBe(FIRST);
  });

  test('one click shows the example', async () => {
    const reader = await open('/');
    await reader.page.click('[data-part="example"]');
    await reader.reads('jack (@jack)', '#result-title');
    await frameText(reader, 'just setting up my twttr');
  });

  test.each([
    [DELETED, 'The post was deleted.', 'Check the id', 'post_not_found'],
    ['nonsense', 'The url is not on X.', 'Pass the URL of a post', 'unsupported_host'],
    ['https://example.org/jack/status/20', 'The url is not on X.', 'Pass the URL of a post', 'unsupported_host'],
  ])('%s is rejected with a message, a code and a resolution', async (link, expected, advice, code) => {
    const reader = await open('/');
    await enter(reader, FIRST);
    await reader.reads('jack (@jack)', '#result-title');
    await enter(reader, link);
    await reader.reads(expected, '[role=alert]');
    expect(await reader.text('[role=alert]')).toContain(advice);
    expect(
      await reader.page.$eval('[role=alert] a', ({ textContent, hash }: HTMLAnchorElement) => [textContent, hash]),
    ).toEqual([code, `#${code}`]);
    expect(await reader.page.$eval('.result', (result) => result.checkVisibility())).toBe(false);
    await enter(reader, FIRST);
    await reader.reads('jack (@jack)', '#result-title');
    expect(await reader.text('[role=alert]')).toBe('');
  });

  test.each(['https://x.com/jack', 'x.com/jack?lang=en', '@jack'])('%s leads to the profile', async (link) => {
    const reader = await open('/');
    await enter(reader, link);
    await reader.reads('This names a profile.', '[role=alert]');
    expect(await reader.page.$eval('[role=alert] p + p a', ({ pathname }: HTMLAnchorElement) => pathname)).toBe(
      '/jack',
    );
  });

  test('the text of a post is shown as text in all three formats', async () => {
    const reader = await open(`/?url=${HOSTILE}`);
    await reader.reads('**Bold** _under_', '#result-title');
    expect(await reader.text('#markdown')).toContain('\\<img src=x onerror=alert(1)>');
    expect(await reader.page.$('.result img')).toBeNull();
    const frame = await (await reader.page.waitForSelector('iframe'))?.contentFrame();
    await reader.page.waitForFunction(() => document.querySelector('#html')?.textContent !== '');
    expect(await frame?.content()).not.toMatch(/<script|<img[^>]*onerror/);
  });

  test('no script runs in the frame', async () => {
    const { page } = await open('/');
    expect(await page.$eval('iframe', ({ sandbox }) => [...sandbox])).toEqual([
      'allow-popups',
      'allow-popups-to-escape-sandbox',
    ]);
  });

  test.each([
    [
      429,
      { title: 'The allowance is spent', code: 'rate_limited', retry_after: 42 },
      {},
      'Wait 42 seconds and try again.',
    ],
    [503, { title: 'No answer', retry_after: 300 }, {}, 'Wait 5 minutes and try again.'],
    [
      503,
      '<h1>Error</h1>',
      { 'Retry-After': '1' },
      'The service answered with status 503. Wait 1 second and try again.',
    ],
    [500, '', {}, 'The service answered with status 500. Try again in a minute.'],
  ])('%i is shown with the time to wait', async (status, body, headers, expected) => {
    const respond = (request: HTTPRequest) =>
      request.respond({ status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) });
    const reader = await open('/', { prepare: answering(respond) });
    await enter(reader, FIRST);
    await reader.reads(expected, '[role=alert]');
  });

  test('a failed connection is reported', async () => {
    const reader = await open('/');
    await reader.page.setOfflineMode(true);
    await enter(reader, FIRST);
    await reader.reads('The service cannot be reached. Check the connection and try again.', '[role=alert]');
  });

  test('a late answer to an earlier link is not shown', async () => {
    const held: HTTPRequest[] = [];
    const respond = (request: HTTPRequest) =>
      request.url().includes('md_breaker') ? held.push(request) : request.continue();
    const reader = await open('/', { prepare: answering(respond) });
    await enter(reader, HOSTILE);
    await reader.reads('Reading…', '[role=status]');
    await enter(reader, FIRST);
    await reader.reads('jack (@jack)', '#result-title');
    await Promise.all(held.map((request) => request.continue().catch(() => undefined)));
    await reader.page.waitForNetworkIdle();
    expect(held).toHaveLength(1);
    expect(await reader.text('#result-title')).toBe('jack (@jack)');
    expect(await reader.text('[role=alert]')).toBe('');
  });

  test.each([
    ['markdown', 'text/markdown; charset=utf-8', '# jack (@jack)'],
    ['json', 'application/json', '"id":"20"'],
  ])('the form works without script: %s', async (format, type, expected) => {
    const { page } = await open('/', { prepare: (page) => page.setJavaScriptEnabled(false) });
    await page.type('#url', FIRST);
    const [response] = await Promise.all([page.waitForNavigation(), page.click(`button[value=${format}]`)]);
    expect(response?.headers()['content-type']).toBe(type);
    expect(await page.$eval('body', (body) => body.innerText)).toContain(expected);
  });

  test('the keyboard is enough to read a post and copy it', async () => {
    const { page, reads } = await open('/');
    await page.browserContext().overridePermissions(origin(), ['clipboard-read', 'clipboard-sanitized-write']);
    const focused = () =>
      page.evaluate(() => document.activeElement?.id || document.activeElement?.getAttribute('aria-label'));
    const tabTo = async (wanted: string): Promise<void> => {
      for (let steps = 0; (await focused()) !== wanted; steps += 1) {
        expect(steps).toBeLessThan(40);
        await page.keyboard.press('Tab');
      }
    };
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the form');
    await page.keyboard.press('Enter');
    await tabTo('url');
    await page.keyboard.type(FIRST);
    await page.keyboard.press('Enter');
    await reads('jack (@jack)', '#result-title');
    await tabTo('Copy the Markdown');
    await page.keyboard.press('Enter');
    await reads('Copied', 'button');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('just setting up my twttr');
  });

  test('pictures of X are shown in the frame', async () => {
    const reader = await open('/');
    const picture = reader.page.waitForRequest((request) => request.url().startsWith('https://pbs.twimg.com/'));
    await enter(reader, PHOTO);
    expect((await picture).resourceType()).toBe('image');
  });

  test.each([360, 768, 1280])('a result fits within %i pixels, and axe-core finds nothing', async (width) => {
    for (const scheme of ['light', 'dark'] as const) {
      const { page, overflow, reads } = await open(`/?url=${HOSTILE}`, { width, scheme });
      await reads('**Bold**', '#result-title');
      expect([await overflow(), await hiddenButtons(page), await violationsOf(page)]).toEqual([0, [], []]);
      const rejected = await open('/?url=nonsense', { width, scheme });
      await rejected.reads('The url is not on X.', '[role=alert]');
      expect([await rejected.overflow(), await violationsOf(rejected.page)]).toEqual([0, []]);
    }
  });
});
