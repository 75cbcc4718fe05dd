// Tests the pages of errors at the widths of a phone and a desktop, in light and dark. Skipped without Chromium.
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { violationsOf } from './accessibility.ts';
import { chromium } from './chromium.ts';
import { type OpenPage, pageSession, type Viewport } from './page-session.ts';

if (chromium === undefined) console.log('skipped: the pages of errors in a browser (CHROMIUM is not set)');

const LOOKS: readonly Viewport[] = [
  { width: 320, scheme: 'dark' },
  { width: 1280, scheme: 'light' },
];

const ERRORS = [
  ['/ada_larsson/status/1990000000000000001', 404],
  ['/ada_larsson/status/1990000000000000100', 403],
  ['/gone_gary', 404],
  ['/private_pia/followers', 403],
  ['/jack/status/abc', 400],
  ['/jack/status/20?format=pdf', 400],
  ['/flaky_feed/followers', 503],
  ['/nope/nope', 404],
] as const;

/** The anonymous allowance of searches per minute. */
const SEARCHES = 10;

const countdown = (): number =>
  Number(getComputedStyle(document.querySelector('.count') ?? document.body, '::after').getPropertyValue('--s'));

/** The animation is moved and not awaited. */
const moveCountdown = (milliseconds: number): void => {
  for (const animation of document.getAnimations()) {
    animation.pause();
    animation.currentTime = milliseconds;
  }
};

describe.skipIf(chromium === undefined)('pages of errors', () => {
  const { open, send } = pageSession();

  let queries = 0;
  const freshSearch = (): string => {
    queries += 1;
    return `/search?q=tide${queries}`;
  };

  /** Spends the allowance and opens a search. The time of day stands still, so that no window ends during the test. */
  const spent = async (visit: Parameters<typeof open>[1] = {}): Promise<OpenPage> => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    onTestFinished(() => void vi.useRealTimers());
    for (let search = 0; search < SEARCHES; search += 1) await send(freshSearch());
    return open(freshSearch(), visit);
  };

  test.each(ERRORS)(
    '[pages 2] %s is a page with status %i that fits the window, and axe-core finds nothing',
    async (path, status) => {
      for (const look of LOOKS) {
        const { page, response, overflow } = await open(path, look);
        expect(response?.status()).toBe(status);
        expect([look, await overflow(), await violationsOf(page)]).toEqual([look, 0, []]);
      }
    },
  );

  test('[pages 2] the page of a spent allowance counts down, and its link works at any time', async () => {
    const { page, response, overflow } = await spent({ width: 320 });
    expect(response?.status()).toBe(429);
    const seconds = Number(response?.headers()['retry-after']);
    await page.evaluate(moveCountdown, 0);
    expect(await page.evaluate(countdown)).toBe(seconds);
    await page.evaluate(moveCountdown, 1000);
    expect(await page.evaluate(countdown)).toBe(seconds - 1);
    await page.evaluate(moveCountdown, seconds * 1000);
    expect(await page.evaluate(countdown)).toBe(0);
    expect([await overflow(), await violationsOf(page)]).toEqual([0, []]);
    const asked = page.url();
    expect(new URL(asked).search).toMatch(/^\?q=tide\d+$/);
    await Promise.all([page.waitForNavigation(), page.click('.ways a')]);
    expect(page.url()).toBe(asked);
  });

  test('[pages 2] the number stays without motion', async () => {
    const { page, response } = await spent({
      prepare: (opened) => opened.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]),
    });
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
    expect(await page.evaluate(countdown)).toBe(Number(response?.headers()['retry-after']));
  });
});
