// Tests the operator's dashboard in a real browser against the whole local service. Skipped without Chromium.
import type { Page } from 'puppeteer-core';
import { expect, onTestFinished, test } from 'vitest';
import { localOptions, shareService } from '../../support/local-service.ts';
import { violationsOf } from './accessibility.ts';
import { type Dashboard, OPERATOR_TOKEN, openDashboard } from './operator.ts';
import { describeInBrowser } from './page-session.ts';

const HOSTILE = `<img src=x onerror=alert(1)>"'&`;

describeInBrowser('the dashboard', (browser) => {
  const service = shareService(localOptions({ ADMIN_TOKEN: OPERATOR_TOKEN }));

  /** Each page has separate cookies. Any error of the page fails the test. */
  const visit = async (prepare?: (page: Page) => Promise<unknown>): Promise<Dashboard> => {
    const context = await browser().createBrowserContext();
    const dashboard = await openDashboard(context, service.origin, prepare);
    onTestFinished(async () => {
      await context.close();
      expect(dashboard.faults).toEqual([]);
    });
    return dashboard;
  };

  const signedIn: typeof visit = async (prepare) => {
    const dashboard = await visit(prepare);
    await dashboard.signIn();
    return dashboard;
  };

  let searches = 0;
  /** Each search has other words, so that no cache answers it without a charge. */
  const searchWith = (secret: string) =>
    service.get(`/api/v1/search?q=tide+${++searches}&format=json`, { headers: { Authorization: `Bearer ${secret}` } });

  test('a wrong token is rejected with a message, and a valid token shows the dashboard', async () => {
    const { signIn, reads, text } = await visit();
    await signIn('something else');
    await reads('This token is not accepted', '[role=alert]');
    await signIn();
    expect(await text('.who')).toContain('Signed in as operator');
  });

  test('a session survives a reload and ends at the sign-out', async () => {
    const { page, press, reads } = await signedIn();
    await page.reload();
    await reads('Signed in as');
    await press('Sign out');
    await reads('You are signed out.');
    await page.reload();
    await reads('Operator token');
  });

  test('a key is created, copied and used, and a stored secret is removed from the document', async () => {
    const { page, createKey, press, reads, text } = await signedIn();
    await page.browserContext().overridePermissions(service.origin, ['clipboard-read', 'clipboard-sanitized-write']);
    const secret = await createKey('Tide watch');
    await press('Copy the key');
    await reads('Copied.');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
    const { status, headers } = await searchWith(secret);
    expect([status, headers['x-api-key-status']]).toEqual([200, 'valid']);
    expect(await page.content()).toContain(secret);
    await press('I have stored it');
    expect(await page.content()).not.toContain(secret);
    // A search counts in its minute only, and in memory if the machine is too busy for the store.
    const searchAndRefresh = async (): Promise<string> => {
      await searchWith(secret);
      await press('Refresh');
      await reads('Refreshed.');
      return text('tbody tr');
    };
    await expect.poll(searchAndRefresh).toMatch(/\b[1-9]\d* of 60/);
  });

  test('copying selects the secret when the browser forbids the clipboard', async () => {
    const { page, createKey, press, reads } = await signedIn();
    // Chromium denies every permission that is not in this list.
    await page.browserContext().overridePermissions(service.origin, ['clipboard-read']);
    const secret = await createKey('No clipboard');
    await press('Copy the key');
    await reads('Selected.');
    expect(await page.evaluate(() => String(getSelection()))).toBe(secret);
  });

  test('a key that is disabled on the page gets 401 on its next request, and works again when it is enabled', async () => {
    const { createKey, press, reads } = await signedIn();
    const secret = await createKey('Switched');
    await press('Disable “\u2068Switched\u2069”');
    await reads('Disabled');
    const rejected = await searchWith(secret);
    expect([rejected.status, rejected.json()['code']]).toEqual([401, 'invalid_key']);
    await press('Enable “\u2068Switched\u2069”');
    await reads('Enabled');
    expect((await searchWith(secret)).status).toBe(200);
  });

  test('the label and the allowance of a key are changed', async () => {
    const { createKey, press, reads, replace, text } = await signedIn();
    await createKey('Before', '5/60');
    await press('I have stored it');
    await press('Edit “\u2068Before\u2069”');
    await replace('Label', 'After');
    await replace('Search allowance', '7/60');
    await press('Save');
    await reads('Saved');
    expect(await text('tbody')).toMatch(/After.*7\/60/s);
    await reads('label Before → After, search 5/60 → 7/60', '.audit');
  });

  test('a key is deleted after a dialog that names it', async () => {
    const { page, createKey, press, reads, text } = await signedIn();
    const secret = await createKey('Short-lived');
    await press('Delete “\u2068Short-lived\u2069”');
    expect(await text('dialog')).toContain('Short-lived');
    await press('Cancel');
    expect((await searchWith(secret)).status).toBe(200);
    await press('Delete “\u2068Short-lived\u2069”');
    await press('Delete key');
    await reads('Deleted');
    expect(await page.$('dialog')).toBeNull();
    expect(await text('tbody')).not.toContain('Short-lived');
    expect((await searchWith(secret)).status).toBe(401);
  });

  test('a label is shown as text everywhere', async () => {
    const { page, createKey, press, reads, text } = await signedIn();
    await createKey(HOSTILE);
    expect(await text('.secret h3')).toContain(HOSTILE);
    await reads(HOSTILE, 'tbody');
    await reads(HOSTILE, '.audit');
    await page.click('tbody tr [data-part="remove"]');
    expect(await text('dialog')).toContain(HOSTILE);
    await press('Delete key');
    await reads('Deleted');
    expect(await page.$('img')).toBeNull();
  });

  test('an invalid value is reported at its field', async () => {
    const { page, press, type, text, reads } = await signedIn();
    await type('Label', ' ');
    await press('Create key');
    await reads('characters', '#create-label-error');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('create-label');
    await type('Label', 'Allowed');
    await type('Search allowance', 'many');
    await press('Create key');
    await reads('COUNT/SECONDS', '#create-search-error');
    expect(await text('#create-label-error')).toBe('');
    expect(await text('.create [role=alert]')).toBe('Not accepted. Correct the marked fields.');
  });

  test('the keyboard is enough to sign in, create a key and delete it', async () => {
    const { page, reads, text } = await visit();
    await page.keyboard.type(OPERATOR_TOKEN);
    await page.keyboard.press('Enter');
    await reads('Signed in as');
    const focused = () => page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent);
    const tabTo = async (wanted: string): Promise<void> => {
      for (let steps = 0; (await focused()) !== wanted; steps += 1) {
        expect(steps).toBeLessThan(50);
        await page.keyboard.press('Tab');
      }
    };
    await tabTo('create-label');
    await page.keyboard.type('By hand');
    await page.keyboard.press('Enter');
    await reads('By hand', '.secret');
    expect(await text('.secret')).toMatch(/pstn_/);
    await tabTo('I have stored it');
    await page.keyboard.press('Enter');
    expect(await page.$('.secret')).toBeNull();
    expect(await focused()).toBe('create-label');
    await tabTo('Delete');
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('Cancel');
    await page.keyboard.press('Escape');
    expect(await focused()).toBe('Delete');
  });

  test('an ended session leads to the sign-in form and removes its data from the page', async () => {
    const { page, createKey, press, reads } = await signedIn();
    const secret = await createKey('Left open');
    await page.browserContext().deleteMatchingCookies({ name: 'admin_session' });
    await press('Refresh');
    await reads('Your session has ended');
    expect(await page.content()).not.toContain(secret);
  });

  test('a problem of the service is shown with its resolution', async () => {
    const { page, createKey, press, reads, text } = await signedIn();
    await createKey('Also elsewhere');
    const id = await page.$eval('tbody [data-part="id"]', (element) => element.textContent);
    const headers = { Authorization: `Bearer ${OPERATOR_TOKEN}` };
    await service.get(`/api/admin/keys/${id}`, { method: 'DELETE', headers });
    await press('Disable “\u2068Also elsewhere\u2069”');
    await reads('key', '.alert');
    expect(await text('.alert')).toMatch(/\. \S.*\./);
    await press('Dismiss');
    expect((await text('.alert')).trim()).toBe('');
    await press('Refresh');
    await reads('Refreshed.');
    expect(await text('tbody')).not.toContain('Also elsewhere');
    await page.setOfflineMode(true);
    await press('Refresh');
    await reads('The service cannot be reached. Check the connection and try again.', '.alert');
  });

  test('[admin 9] the dashboard shows the version, which parts are down or limited, and that figures are missing', async () => {
    const { page, createKey, press, reads, text } = await signedIn();
    await createKey('Without figures');
    await page.setRequestInterception(true);
    page.on('request', (request) => {
      if (!request.url().endsWith('/usage')) return void request.continue();
      const providers = [
        { name: 'fxtwitter', address: 'a.example', state: 'down', since: '2026-11-20T18:30:59Z' },
        { name: 'fxtwitter', address: 'b.example', state: 'limited', until: '2026-11-21T20:15:01Z' },
        { name: 'syndication', state: 'up' },
      ];
      const usage = {
        version: '1.2.3',
        generated_at: '2026-11-21T20:00:00Z',
        keys: [],
        pool: null,
        paid_rows: null,
        store: { state: 'down' },
        defaults: { search: '60/60' },
        providers,
      };
      void request.respond({ contentType: 'application/json', body: JSON.stringify(usage) });
    });
    await press('Refresh');
    await reads('as of 20:00:00 UTC');
    expect((await text('.service')).split(/\n+/)).toEqual([
      ...['Version', '1.2.3', 'Store', 'does not answer'],
      ...['fxtwitter a.example', 'fails since 2026-11-20 18:30 UTC'],
      ...['fxtwitter b.example', 'limited until 20:15 UTC'],
      ...['syndication', 'answers', 'Public search pool', 'none'],
    ]);
    expect(await text('tbody tr')).toMatch(/–\s+–/);
  });

  test('[admin 10] the withheld list has a row for each entry, and the problem of its file, as text', async () => {
    const { page, press, reads, text } = await signedIn();
    await reads('nothing', '[data-part="withheld-count"]');
    await page.setRequestInterception(true);
    page.on('request', (request) => {
      if (!request.url().endsWith('/withheld')) return void request.continue();
      const entries = [
        { post: '20', reason: 'copyright', until: '2099-01-31T00:00:00.000Z', in_force: true },
        { profile: 'kestrel_labs', reason: 'court', until: null, in_force: true },
        { profile: 'id:12', reason: 'terms', until: null, in_force: true },
        { post: '21', reason: 'privacy', until: '2026-01-01T18:30:00.000Z', in_force: false },
      ];
      const body = { count: 3, entries, problem: `line 3, column 5: ${HOSTILE}` };
      void request.respond({ contentType: 'application/json', body: JSON.stringify(body) });
    });
    await press('Refresh');
    await reads('3 in force, 1 ended', '[data-part="withheld-count"]');
    expect(await text('[data-part="withheld-problem"]')).toContain(`line 3, column 5: ${HOSTILE}`);
    const rows = await page.$$eval('[data-part="withheld"] tr', (all) =>
      all.map((row) => [...row.children].map((cell) => cell.textContent.trim().replace(/\s+/g, ' '))),
    );
    expect(rows).toEqual([
      ['20 post', 'in force', 'copyright', '2099-01-31'],
      ['@kestrel_labs account', 'in force', 'court', 'no end'],
      ['id:12 account', 'in force', 'terms', 'no end'],
      ['21 post', 'ended', 'privacy', '2026-01-01 18:30'],
    ]);
    expect(await page.$('img')).toBeNull();
    for (const scheme of ['light', 'dark'] as const)
      for (const width of [390, 1280]) {
        await page.setViewport({ width, height: 740 });
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
        expect(await violationsOf(page), `${width} ${scheme}`).toEqual([]);
      }
  });

  test('older actions are shown page by page, until there are none', async () => {
    const { page, press, reads } = await signedIn();
    await page.setRequestInterception(true);
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (!pathname.endsWith('/audit')) return void request.continue();
      const operator = `before ${searchParams.get('cursor') ?? 'now'}`;
      const body = {
        entries: [{ at: '2026-11-21T20:00:00Z', operator, action: 'sign_in' }],
        ...(operator !== 'before 1' && { next_cursor: operator === 'before now' ? '2' : '1' }),
      };
      void request.respond({ contentType: 'application/json', body: JSON.stringify(body) });
    });
    const operators = () => page.$$eval('.audit b', (names) => names.map(({ textContent }) => textContent));
    await press('Refresh');
    await reads('before now', '.audit');
    await press('Older actions');
    await reads('before 2', '.audit');
    await press('Older actions');
    await reads('before 1', '.audit');
    expect(await operators()).toEqual(['before now', 'before 2', 'before 1']);
    expect(await page.$eval('[data-part="older"]', (button) => button.getBoundingClientRect().height)).toBe(0);
    await press('Refresh');
    await page.waitForFunction(() => document.querySelectorAll('.audit b').length === 1);
  });

  test('usage is read every 30 s while the page is visible, and not while it is hidden', async () => {
    const dashboard = await signedIn((page) =>
      page.evaluateOnNewDocument(() => {
        const later = setTimeout;
        const waiting: (() => void)[] = [];
        const held = (task: () => void, wait: number) => (wait === 30_000 ? waiting.push(task) : later(task, wait));
        const passHalfAMinute = (): number => waiting.splice(0).map((task) => task()).length;
        Object.assign(window, { setTimeout: held, passHalfAMinute });
        // In this state the document title is the only sign.
        Object.defineProperty(document, 'visibilityState', { get: () => document.title });
      }),
    );
    const { page } = dashboard;
    let reads = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/usage')) reads += 1;
    });
    /** The page waits again for half a minute after each read. */
    const passHalfAMinute = () => page.waitForFunction('passHalfAMinute() > 0');
    /** The browser reports requests in their order. */
    const readsSoFar = async (): Promise<number> => {
      await Promise.all([
        page.waitForResponse((response) => response.url().endsWith('/robots.txt')),
        page.evaluate(async () => void (await fetch('/robots.txt', { cache: 'no-store' }))),
      ]);
      return reads;
    };
    const become = (state: string) =>
      page.evaluate((title) => {
        document.title = title;
        document.dispatchEvent(new Event('visibilitychange'));
      }, state);
    await become('visible');
    const before = await readsSoFar();
    for (const count of [1, 2]) {
      await passHalfAMinute();
      await expect.poll(() => reads).toBe(before + count);
    }
    await become('hidden');
    await passHalfAMinute();
    expect(await readsSoFar()).toBe(before + 2);
    await become('visible');
    await expect.poll(() => reads).toBe(before + 3);
  });

  test.for([
    [360, 'light'],
    [1280, 'dark'],
  ] as const)('nothing is beside the window at %i pixels, %s', async ([width, scheme]) => {
    const { page, createKey, overflow, press, signIn } = await visit(async (page) => {
      await page.setViewport({ width, height: 740 });
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    });
    expect(await overflow()).toBe(0);
    await signIn();
    await createKey(`${HOSTILE}${'W'.repeat(60)}`, '1000000/86400');
    expect(await overflow()).toBe(0);
    await press('I have stored it');
    await page.click('tbody tr [data-part="edit"]');
    expect(await overflow()).toBe(0);
    await press('Cancel');
    await page.click('tbody tr [data-part="remove"]');
    expect(await overflow()).toBe(0);
    await press('Delete key');
  });
});
