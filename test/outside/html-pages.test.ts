// Judges the HTML of the published pages by html-validate, and the colours of highlighted code by WCAG.
import { readFileSync } from 'node:fs';
import { HtmlValidate, type RuleConfig } from 'html-validate';
import { describe, expect, test } from 'vitest';
import { documentsFromContract } from '../../infra/build/documents-plugin.ts';
import { fillPlaceholders } from '../../shared/contract/placeholders.ts';
import { type PageName, pageNames } from '../../shared/publish/document.ts';
import { DESIGN_TOKENS } from '../../shared/render/html/style/frame.ts';

const published = await documentsFromContract();

const RULES: RuleConfig = {
  // Both spellings are valid; the pages use lower case.
  'doctype-style': ['error', { style: 'lowercase' }],
  // The ids of sections are published in links. The strict form rejects "1-read-a-post", which HTML allows.
  'valid-id': ['error', { relaxed: true }],
};

const judge = new HtmlValidate({
  root: true,
  extends: ['html-validate:recommended', 'html-validate:a11y'],
  rules: RULES,
});

const faultsOf = async (name: PageName, html: string): Promise<readonly string[]> => {
  const { results } = await judge.validateString(html, name);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, line, column, message }) => `${line}:${column} ${ruleId}: ${message}`),
  );
};

test.each(pageNames)('html-validate finds nothing on the page %s', async (name) => {
  expect(await faultsOf(name, fillPlaceholders(published[name].html, 'https://postern.example'))).toEqual([]);
});

test('html-validate finds an image without alternative text, an unclosed element and a repeated id', async () => {
  const page = published.docs.html.replace('</main>', '<img src="/a.png"><p id="q"><div></main>');
  const rules = (await faultsOf('docs', page)).map((fault) => fault.replace(/^\S+ (\S+):.*$/s, '$1'));
  expect(rules).toEqual(expect.arrayContaining(['wcag/h37', 'no-dup-id', 'close-order']));
});

const styles = readFileSync(new URL('../../functions/discovery/page/docs.css', import.meta.url), 'utf8');

/** The custom properties with their values for light and dark. */
const tokens = new Map(
  [...DESIGN_TOKENS.matchAll(/--([\w-]+):light-dark\((#\w{6}),(#\w{6})\)/g)].map(([, name, light, dark]) => [
    name,
    { light, dark },
  ]),
);

const colourOf = (name: string, scheme: 'light' | 'dark'): string => {
  const colour = tokens.get(name)?.[scheme];
  if (colour === undefined) throw new Error(`there is no colour ${name}`);
  return colour;
};

/** WCAG 2.2, relative luminance. */
const luminance = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const contrast = (one: string, other: string): number => {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};

/** The colours of rules such as `.hljs-string { color: var(--accent) }`. */
const codeColours = [...styles.matchAll(/^ *(\.hljs-[^{]*)\{[^}]*color: var\(--([\w-]+)\)/gm)].map(
  ([, selector = '', colour = '']) => [selector.trim(), colour] as const,
);

describe.each(['light', 'dark'] as const)('in %s', (scheme) => {
  test.each([...codeColours, ['the name of a language', 'quiet'] as const])(
    '%s in --%s has a contrast of 4.5 or more',
    (_, colour) => {
      expect(contrast(colourOf(colour, scheme), colourOf('panel', scheme))).toBeGreaterThanOrEqual(4.5);
    },
  );
});

test('highlighted code has more than one colour, and every class of a keyword, string and comment has a rule', () => {
  expect(new Set(codeColours.map(([, colour]) => colour)).size).toBeGreaterThanOrEqual(3);
  for (const name of ['keyword', 'string', 'comment', 'number']) expect(styles).toContain(`.hljs-${name}`);
});
