// Measures embeds in Chromium, without a style sheet: the estimated height must be enough, and the text must be in it.
import { expect, test } from 'vitest';
import { embedHtml } from '../../../shared/reads/oembed/embed.ts';
import { postOf } from '../../support/post-models.ts';
import { describeInBrowser } from './page-session.ts';

/** DejaVu, the only font of some machines, is wider than the fonts of most pages; its condensed form is not. */
const FONT = 'DejaVu Serif Condensed, serif';

const TEXTS = [
  ['a short text', 'just setting up my twttr'],
  ['a long text', 'Some words make a sentence. '.repeat(12).trim()],
  ['a text without spaces', '潮が満ちる。'.repeat(12)],
  ['a long link', `https://a.example/${'x'.repeat(90)}`],
] as const;

describeInBrowser('an embed in a browser', (browser) => {
  test.each(TEXTS)(
    '[oembed 2] is at most as high as estimated, with its text, in any maxheight: %s',
    async (_, text) => {
      const page = await browser().newPage();
      for (const width of [220, 325, 550]) {
        for (const maxHeight of [60, 100, 140, 200, 1000]) {
          const { html, height } = embedHtml(postOf({ text, url: 'https://x.com/ada/status/20' }), {
            width,
            height: maxHeight,
          });
          await page.setContent(
            `<!doctype html><body style="margin: 0; font-family: ${FONT}"><div style="display: flow-root; width: ${width}px">${html}</div>`,
          );
          const measured = await page.$eval('div', (frame) => frame.getBoundingClientRect().height);
          const shown = await page.$eval('div', (frame) => frame.innerText);
          expect([width, maxHeight, measured <= height, height <= maxHeight], `${measured} of ${height}`).toEqual([
            width,
            maxHeight,
            true,
            true,
          ]);
          expect([width, maxHeight, shown]).toEqual([width, maxHeight, expect.stringContaining(text.slice(0, 1))]);
          if (width === 550 && maxHeight === 100 && text.length < 30) expect(shown).toContain(text);
        }
      }
      await page.close();
    },
  );
});
