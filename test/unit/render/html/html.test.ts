// Tests the tag that makes HTML: what it escapes, what it leaves as it is, and what the compiler refuses.
import fc from 'fast-check';
import { parseFragment } from 'parse5';
import { expect, test } from 'vitest';
import { visibleText } from '../../../../shared/model/visible-text.ts';
import { linkHtml } from '../../../../shared/render/html/elements.ts';
import { escaped, type Html, html, joinHtml, trustedHtml } from '../../../../shared/render/html/html.ts';
import { htmlPage } from '../../../../shared/render/html/page.ts';
import { hostileFragments, hostileText } from '../../../generators/hostile-text.ts';
import { cases } from '../../../support/full-form.ts';

const SPECIAL = `&<>"' &amp;`;
const ESCAPED = '&amp;&lt;&gt;&quot;&#39; &amp;amp;';

test('[text 5] html escapes the same characters in a text and in the value of an attribute', () => {
  expect(String(html`<p title="${SPECIAL}">${SPECIAL}</p>`)).toBe(`<p title="${ESCAPED}">${ESCAPED}</p>`);
  expect(String(escaped(SPECIAL))).toBe(ESCAPED);
});

test('[text 5] html escapes HTML once, however deep it is', () => {
  const word = html`<b>${'a & b'}</b>`;
  expect(String(html`<p>${html`<i>${word}</i>`}</p>`)).toBe('<p><i><b>a &amp; b</b></i></p>');
});

test('[text 5] a text that was HTML is escaped again', () => {
  expect(String(html`<p>${String(html`<b>a</b>`)}</p>`)).toBe('<p>&lt;b&gt;a&lt;/b&gt;</p>');
});

test.each([
  ['a number', 0, '0'],
  ['undefined', undefined, ''],
  ['false', false, ''],
  ['an empty text', '', ''],
  ['a list', [html`<b>1</b>`, undefined, [false, '<', 2]], '<b>1</b>&lt;2'],
] as const)('html writes %s', (_, content, written) => {
  expect(String(html`<p>${content}</p>`)).toBe(`<p>${written}</p>`);
});

test('joinHtml leaves out what writes nothing, and escapes the separator', () => {
  expect(String(joinHtml(['<', undefined, html`<b>1</b>`, '', false, 2], ' & '))).toBe('&lt; &amp; <b>1</b> &amp; 2');
  expect(joinHtml([undefined, '', false, []], ', ')).toBeUndefined();
});

/** Reads the element back with a parser of the standard. */
const readBack = (markup: Html): readonly unknown[] => {
  const [element, ...others] = parseFragment(String(markup)).childNodes;
  if (element === undefined || !('attrs' in element)) return [];
  const texts = element.childNodes.map((child) => ('value' in child ? child.value : child.nodeName));
  return [others.length, element.attrs.map(({ value }) => value), texts.join('')];
};

const expectRead = (text: string): void => {
  const visible = visibleText(text);
  expect(readBack(html`<p title="${text}">${text}</p>`)).toEqual([0, [visible], visible]);
};

test('[text 5] a parser reads any text back from the place where html wrote it', () => {
  for (const text of hostileFragments) expectRead(text);
  fc.assert(fc.property(hostileText, expectRead), { numRuns: cases(200, 2000) });
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => expectRead(text.replaceAll('\0', ''))),
    {
      numRuns: cases(200, 2000),
    },
  );
});

test('[text 5] the compiler refuses a text in the place of HTML', () => {
  const text: string = '<script>alert(1)</script>';
  // @ts-expect-error the content of a page
  htmlPage({ title: 'A page', main: text });
  // @ts-expect-error attributes
  linkHtml('https://x.com/jack', 'A link', ' onclick="alert(1)"');
  // @ts-expect-error a template without the tag
  const plain: Html = `<p>${text}</p>`;
  // @ts-expect-error an object that looks the same
  const forged: Html = { toString: () => text };
  expect([typeof plain, String(html`${plain}`)]).toEqual(['string', `&lt;p&gt;${escaped(text)}&lt;/p&gt;`]);
  expect(forged).not.toBeInstanceOf(trustedHtml(text).constructor);
});
