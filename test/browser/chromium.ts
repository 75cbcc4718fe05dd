// The Chromium that CHROMIUM names; none is looked for and none is downloaded.
import { type Browser, launch } from 'puppeteer-core';

/** undefined: none. */
export const chromium: string | undefined = process.env['CHROMIUM'] || undefined;

export const launchChromium = (executablePath: string): Promise<Browser> =>
  launch({
    executablePath,
    // Chromium's sandbox refuses to run as root, which is who runs containers.
    args: ['--disable-dev-shm-usage', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
