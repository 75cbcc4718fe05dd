// Starts the Chromium that CHROMIUM names. It is neither searched for nor downloaded.
import { type Browser, launch } from 'puppeteer-core';

/** The path of Chromium; undefined if CHROMIUM is not set. */
export const chromium: string | undefined = process.env['CHROMIUM'] || undefined;

export const launchChromium = (executablePath: string): Promise<Browser> =>
  launch({
    executablePath,
    // Chromium's sandbox does not run as root, and containers run as root.
    args: ['--disable-dev-shm-usage', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
