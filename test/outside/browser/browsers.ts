// Starts the browsers that CHROMIUM and FIREFOX name. They are neither searched for nor downloaded.
import { type Browser, type LaunchOptions, launch } from 'puppeteer-core';

export interface TestBrowser {
  readonly name: string;
  /** The environment variable that names its program. */
  readonly variable: string;
  readonly isNamed: boolean;
  /** @throws Error if the variable is not set */
  readonly launch: () => Promise<Browser>;
}

const testBrowser = (name: string, options: LaunchOptions): TestBrowser => {
  const variable = name.toUpperCase();
  const executablePath = process.env[variable] || undefined;
  return {
    name,
    variable,
    isNamed: executablePath !== undefined,
    launch() {
      if (executablePath === undefined) throw new Error(`${variable} is not set`);
      return launch({ ...options, executablePath });
    },
  };
};

export const chromium = testBrowser('Chromium', {
  // Chromium's sandbox does not run as root, and containers run as root.
  args: ['--disable-dev-shm-usage', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
});

export const firefox = testBrowser('Firefox', { browser: 'firefox' });
