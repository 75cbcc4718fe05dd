// Tests the pages for readers in Chromium: nothing moves while they load, nothing runs, everything can be reached by
// keyboard, and two judges find no fault. Skipped without Chromium.
import { gzipSync } from 'node:zlib';
import { HtmlValidate } from 'html-validate';
import type { BrowserContext, Page } from 'puppeteer-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AMPLE_ALLOWANCES } from '../../support/ample-allowances.ts';
import { localOptions, shareService } from '../../support/local-service.ts';
import { violationsOf } from './accessibility.ts';
import { type ObserveOptions, observePage } from './observe-page.ts';
import { describeInBrowser } from './page-session.ts';
import { servePictures } from './picture-server.ts';
import {
  LIST_PAGES,
  POST_PAGES,
  PROFILE_PAGES,
  READER_PAGES,
  type ReaderPage,
  TRANSLATED_PAGE,
} from './reader-page-list.ts';

/**
 * Bytes of a page as CloudFront and the local service send it, without its pictures. A thread of 20 posts has one byline, a
 * list of 20 posts has 20. A byline signs the path of its picture.
 */
const MAX_BYTES = 12_000;
const MAX_THREAD_BYTES = 10_000;

/** The style sheet has one layout for both phones, so axe-core judges one of them. */
const SMALL_PHONE: ObserveOptions = { width: 320, scheme: 'light' };
const LOOKS: readonly ObserveOptions[] = [
  SMALL_PHONE,
  { width: 390, scheme: 'dark' },
  { width: 1280, scheme: 'light' },
];

const validator = new HtmlValidate({
  extends: ['html-validate:standard', 'html-validate:a11y'],
  rules: {
    // The doctype and void elements follow the HTML standard; these rules are about taste.
    'doctype-style': 'off',
    'void-style': 'off',
    // The text of a post has the line ends that its author wrote.
    'no-trailing-whitespace': 'off',
    'long-title': 'off',
  },
});

const faultsIn = async (html: string): Promise<readonly string[]> => {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ line, ruleId, message }) => `${line} ${ruleId}: ${message}`),
  );
};

const forbiddenParts = (): readonly string[] =>
  [...document.querySelectorAll('script, [style], [onclick], [onload], [onerror], iframe, object, embed')].map(
    (element) => element.outerHTML.slice(0, 120),
  );

const overflow = (): number => document.documentElement.scrollWidth - document.documentElement.clientWidth;

/** As the text size of a browser does. What is folded is shown, because a reader can unfold it. */
const enlargeText = (): void => {
  document.documentElement.style.fontSize = '200%';
  for (const details of document.querySelectorAll('details')) details.open = true;
};

/** The texts of the links to X. The website of an account can also be on X. */
const linksToX = (): readonly string[] =>
  [...document.querySelectorAll<HTMLAnchorElement>('a[href]')]
    .filter(({ hostname }) => /(?:^|\.)(?:x|twitter)\.com$/.test(hostname))
    .map(({ href, innerText }) => `${innerText.trim()}: ${href}`)
    .filter((link) => link !== 'x.com: https://x.com/');

describeInBrowser('a page for readers', (browser) => {
  const service = shareService(localOptions(AMPLE_ALLOWANCES));
  let context: BrowserContext;
  beforeEach(async () => {
    context = await browser().createBrowserContext();
  });
  afterEach(() => context.close());

  const observed = (page: ReaderPage, options: ObserveOptions) => observePage(context, service.origin, page, options);

  test.each(READER_PAGES)('$name has the expected status, and its HTML is valid', async ({ target, status }) => {
    const answer = await fetch(`${service.origin}${target}`, { headers: { Accept: 'text/html' } });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const html = await answer.text();
    expect(await faultsIn(html)).toEqual([]);
    expect(gzipSync(html).length).toBeLessThan(target.includes('/status/') ? MAX_THREAD_BYTES : MAX_BYTES);
  });

  test.each(READER_PAGES)('$name does not move, runs nothing and loads only pictures of X', async (readerPage) => {
    for (const look of LOOKS) {
      const { page, observation, faults } = await observed(readerPage, look);
      expect([look, observation.layoutShift, observation.foreign]).toEqual([look, 0, []]);
      expect(observation.largestText).toMatch(/^(?!IMG|VIDEO|$)/);
      expect(await page.evaluate(forbiddenParts)).toEqual([]);
      expect([look, await page.evaluate(overflow)]).toEqual([look, 0]);
      if (look !== SMALL_PHONE) expect([look, await violationsOf(page)]).toEqual([look, []]);
      expect(faults).toEqual([]);
      await page.close();
    }
  });

  test.each([...POST_PAGES, ...PROFILE_PAGES, ...LIST_PAGES].filter(({ status }) => status === 200))(
    '$name does not move without its pictures, and leads to X once',
    async (readerPage) => {
      const { page, observation } = await observed(readerPage, { width: 390, scheme: 'light', hasPictures: false });
      expect(observation.layoutShift).toBe(0);
      expect(await page.evaluate(overflow)).toBe(0);
      expect(await page.evaluate(linksToX)).toHaveLength(readerPage.name === 'search form' ? 0 : 1);
    },
  );

  test('[pages 6] a missing picture is a panel with its description, and a missing avatar shows its letter', async () => {
    const { page } = await observed(
      { name: 'search media', target: '/search?q=tide&feed=media', status: 200 },
      { width: 390, scheme: 'dark', hasPictures: false },
    );
    const panel = await page.$eval('.media img', (picture) => {
      const { content, position, backgroundColor } = getComputedStyle(picture, '::after');
      const isPanel = backgroundColor === getComputedStyle(picture).backgroundColor;
      return { content, position, isPanel, alt: picture.getAttribute('alt') ?? '' };
    });
    expect(panel).toEqual({
      content: `"${panel.alt}" / ""`,
      position: 'absolute',
      isPanel: true,
      alt: expect.stringMatching(/./),
    });
    const avatar = await page.$('.avatar');
    const shown = await avatar?.screenshot();
    expect(await page.$eval('.avatar', (element) => element.textContent)).toBe('A');
    await page.$eval('.avatar img', (picture) => picture.remove());
    expect(Buffer.from((await avatar?.screenshot()) ?? '').equals(Buffer.from(shown ?? ''))).toBe(true);
  });

  test('[pages 6] no page scrolls sideways if its text is twice as large', async () => {
    const page = await context.newPage();
    await servePictures(page, service.origin);
    const wide: unknown[] = [];
    for (const { target } of READER_PAGES) {
      await page.goto(`${service.origin}${target}`);
      await page.evaluate(enlargeText);
      for (const width of [1280, 768, 390]) {
        await page.setViewport({ width, height: 844 });
        const pixels = await page.evaluate(overflow);
        if (pixels !== 0) wide.push({ target, width, pixels });
      }
    }
    expect(wide).toEqual([]);
  });

  /** Runs in the page. @returns the facts whose mark is seen although they begin a line */
  const danglingMarks = (): readonly string[] =>
    [...document.querySelectorAll(':is(.meta, .figures, .facts) > span + span')].flatMap((fact) => {
      const line = fact.closest('p.meta, .figures, .facts') ?? fact.closest('.item > div');
      const before = fact.previousElementSibling;
      if (line === null || before === null || !fact.checkVisibility()) return [];
      const [first = new DOMRect()] = fact.getClientRects();
      const beginsLine = first.top >= before.getBoundingClientRect().bottom - 3;
      // The mark takes less than a third of its font size, at the start of the fact.
      const markEnd = first.left + Number.parseFloat(getComputedStyle(fact).fontSize) / 3;
      const isCut = getComputedStyle(line).overflowX === 'clip' && markEnd <= line.getBoundingClientRect().left + 1;
      return beginsLine && !isCut ? [fact.textContent] : [];
    });

  const FACTS = ['/jack/status/20', '/ada_larsson', '/ada_larsson/with_replies', '/search?q=tide', '/no-pe'];

  test.each(FACTS)(
    '[pages 12] no line of facts of %s begins with a mark, and no text has one at its end',
    async (target) => {
      const page = await context.newPage();
      await servePictures(page, service.origin);
      await page.goto(`${service.origin}${target}`);
      const texts = await page.$$eval('.meta, .figures, .facts', (lines) =>
        lines.map(({ textContent }) => textContent),
      );
      expect(texts.filter((text) => text.includes('·'))).toEqual([]);
      for (const enlarge of [() => undefined, enlargeText]) {
        await page.evaluate(enlarge);
        for (const width of [320, 360, 480, 768, 1280]) {
          await page.setViewport({ width, height: 844 });
          expect([width, await page.evaluate(danglingMarks)]).toEqual([width, []]);
        }
      }
    },
  );

  test('[pages 12] marks that are stacked on letters are not painted over the lines beside them', async () => {
    const page = await context.newPage();
    await servePictures(page, service.origin);
    await page.goto(`${service.origin}/jack/status/20`);
    const neighbours = async () =>
      Promise.all(
        ['.focal .meta', '.focal .figures', '.lang'].map(async (selector) =>
          Buffer.from((await (await page.$(selector))?.screenshot()) ?? '').toString('base64'),
        ),
      );
    const before = await neighbours();
    await page.evaluate(() => {
      for (const element of document.querySelectorAll('.focal > .text, .focal .name bdi'))
        element.textContent = element.textContent.replace(/(?<=\p{L})/gu, '\u0316\u0323\u0332\u0301\u0308'.repeat(20));
    });
    expect(await neighbours()).toEqual(before);
  });

  test('[pages 12] a box shows the words that are typed if the text is twice as large', async () => {
    const page = await context.newPage();
    await servePictures(page, service.origin);
    for (const target of ['/', '/jack/status/20', '/ada_larsson'])
      for (const width of [320, 390, 1280]) {
        await page.setViewport({ width, height: 844 });
        await page.goto(`${service.origin}${target}`);
        await page.evaluate(enlargeText);
        const narrow = await page.$$eval('input[name=q]', (inputs) =>
          inputs.flatMap((input) => {
            const { fontSize, paddingLeft, paddingRight } = getComputedStyle(input);
            const room = input.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
            return room < 5 * Number.parseFloat(fontSize) ? [`${input.id} ${room}`] : [];
          }),
        );
        expect([target, width, narrow]).toEqual([target, width, []]);
      }
  });

  const focused = (page: Page): Promise<string> =>
    page.evaluate(() => {
      const element = document.activeElement;
      return element === null || element === document.body
        ? ''
        : `${element.tagName.toLowerCase()} ${element.getAttribute('href') ?? element.getAttribute('name') ?? ''}`.trim();
    });

  test.each(['/i/status/2100000000000000401', TRANSLATED_PAGE.target, '/ada_larsson,desk_reuben,gone_gary,x'])(
    'the keyboard reaches the skip link, the box, Docs and then all of %s, and every stop has an outline',
    async (target) => {
      const { page } = await observed({ name: target, target, status: 200 }, { width: 1280, scheme: 'light' });
      await page.evaluate(() => window.scrollTo(0, 0));
      const stops: string[] = [];
      for (let presses = 0; presses < 400; presses += 1) {
        await page.keyboard.press('Tab');
        const stop = await focused(page);
        if (stop === '') break;
        stops.push(stop);
        const outline = await page.evaluate(() => {
          const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement ?? document.body);
          return outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth);
        });
        expect([stop, outline]).toEqual([stop, expect.toSatisfy((width: number) => width >= 1)]);
      }
      // The front page keeps the language of the reader.
      const home = expect.stringMatching(/^a \/(?:\?lang=en)?$/);
      expect(stops.slice(0, 5)).toEqual(['a #main', home, 'input q', expect.stringMatching(/^button/), 'a /docs']);
      const links = await page.$$eval(
        'a[href]:not([tabindex="-1"]), summary, video, select, input, button',
        (all) => all.filter((element) => element.checkVisibility()).length,
      );
      expect(stops).toHaveLength(links);
    },
  );

  const tabTo = async (page: Page, stop: string): Promise<void> => {
    await page.focus('.top input');
    for (let presses = 0; (await focused(page)) !== stop; presses += 1) {
      expect(presses).toBeLessThan(100);
      await page.keyboard.press('Tab');
    }
  };

  const pressEnter = (page: Page) => Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);

  test('[timelines 7] the keyboard is enough to add accounts to a timeline and to take one away, without a script', async () => {
    const page = await context.newPage();
    await page.setJavaScriptEnabled(false);
    await page.goto(`${service.origin}/ada_larsson,x/media`);
    await tabTo(page, 'a /ada_larsson/media');
    await page.keyboard.press('Tab');
    await page.keyboard.type('@Desk_Reuben, https://x.com/gone_gary');
    await pressEnter(page);
    expect(page.url()).toBe(`${service.origin}/ada_larsson,desk_reuben,gone_gary,x/media`);
    await tabTo(page, 'a /ada_larsson,desk_reuben,x/media');
    await pressEnter(page);
    expect(page.url()).toBe(`${service.origin}/ada_larsson,desk_reuben,x/media`);
  });

  test.each(['tide', '"<b>&#\u202e', '../jack?x=1', '@bo, @ada', 'https://x.com/jack/status/20'])(
    '[pages 13] the keyboard is enough to search for %j among the posts of an account, without a script',
    async (words) => {
      const page = await context.newPage();
      await page.setJavaScriptEnabled(false);
      await page.goto(`${service.origin}/ada_larsson/media`);
      await page.focus('.tabs a:last-child');
      await page.keyboard.press('Tab');
      await page.keyboard.sendCharacter(words);
      await pressEnter(page);
      const { origin, pathname, searchParams } = new URL(page.url());
      expect([origin, pathname, searchParams.get('q')]).toEqual([
        service.origin,
        '/search',
        `from:ada_larsson ${words}`,
      ]);
    },
  );

  test('[languages 5] the keyboard is enough to choose a language, without a script', async () => {
    const page = await context.newPage();
    await page.setJavaScriptEnabled(false);
    await page.goto(service.origin + TRANSLATED_PAGE.target);
    await tabTo(page, 'select lang');
    await page.keyboard.type('Fr');
    await page.keyboard.press('Tab');
    await pressEnter(page);
    expect(page.url()).toMatch(/\/status\/2029172504785846383\?lang=fr$/);
  });

  test('the skip link moves the focus to the post', async () => {
    const page = await context.newPage();
    await page.goto(`${service.origin}/jack/status/20`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => location.hash)).toBe('#main');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);
  });

  test('print has the text and the URL of the page, without box and footer', async () => {
    const page = await context.newPage();
    await page.goto(`${service.origin}/jack/status/20`);
    await page.emulateMediaType('print');
    const visible = await page.evaluate(() => ({
      box: document.querySelector('input[name=q]')?.checkVisibility() ?? false,
      footer: document.querySelector('body > footer')?.checkVisibility() ?? false,
      text: document.querySelector('main')?.innerText ?? '',
    }));
    expect(visible).toMatchObject({ box: false, footer: false });
    expect(visible.text).toContain('just setting up my twttr');
  });
});
