// Tests the countdown on the page of a spent allowance. reader-pages.test.ts has the pages of other errors.
import { expect, onTestFinished, test, vi } from 'vitest';
import { violationsOf } from './accessibility.ts';
import { describeInBrowser, type OpenPage, pageSession } from './page-session.ts';

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

describeInBrowser('the page of a spent allowance', (browser) => {
  const { open, send } = pageSession(browser);

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
