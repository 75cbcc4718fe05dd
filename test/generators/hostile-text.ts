// Generates texts that try to become Markdown structure (requirements: text), as fast-check arbitraries.
import fc from 'fast-check';
import { weighted } from './seed.ts';

// Starts of blocks in CommonMark or GFM, with and without text.
// biome-ignore format: side by side they fit on a screen
const blocks = [
  '# ', '#', '###### six', '####### seven', '#tag', '## closed ##', '> ', '>', '>>', '> [!note] callout', '- ', '-', '* ', '*', '+ ', '+', '1. ', '1.', '2) ',
  '123456789. ', '1234567890. ', '- [ ] task', '- [x] done', '---', '- - -', '***', '* * *', '___', '_ _ _', '===', '=', '--', '-', '    code', '\tcode', '```', '```js', '````',
  '~~~', '~~~ js', '| a | b |\n|---|---|\n| c | d |', '|-|', '-|', '-:', 'a\n-|', ':-:', ':--|--:', 'a | b', '| --- |', '--- | ---', ':::', '::: note', '[^1]: note', '[label]: http://evil.example "t"',
  '---\nadmin: true\n---', '...', '+++', '<!-- ', '-->', '<details>', '</details>', '<pre>', '<?php', '<![CDATA[', ']]>', '<!DOCTYPE html>', '\\\n', '  \n', ' \n',
];

// biome-ignore format: side by side they fit on a screen
const inlines = [
  '*', '**', '***', '_', '__', '~', '~~', '~~~', '`', '``', '[', ']', '(', ')', '![', '](', '!', '<', '>', '&', '\\', '|', '^', '$', '$$', '%', '%%', '==', '=', '#', ':', '"', "'", '{', '}', '@',
  '*em*', '**strong**', '_em_', '__strong__', '~~gone~~', '~gone~', '`code`', '``co`de``', 'a*b*c', 'a_b_c', 'a~b~c', '*a', 'a*', '"*b*"', '(_c_)', '。*强*。', '**テスト。**テスト', '🐋*x*🐋', '_🐋_', 'é_é_é', 'e\u0301*e\u0301',
  '𝐀_𝐁_𝐂', '$x$', '==mark==', '%%hidden%%', '^block-id', '[[wiki]]', '![[embed]]', '[[a|b]]', '#tag/sub', '[a](javascript:alert(1))', '[a](<javascript:x>)', '<javascript:alert(1)>', '[a](data:text/html,x)', '[a](vbscript:x)',
  '&#106;avascript:alert(1)', 'java\tscript:', 'java&Tab;script:', '![x](http://tracker.example/p.gif)', '[ref]', '[ref][]', '[^1]', '^[inline note]', ':emoji:', ':span[x]{.y}', '{#id}', '{{ x }}', '{% raw %}',
  '<script>alert(1)</script>', '<b>', '</b>', '<img src=x onerror=alert(1)>', '<a href="x">', '<x/>', '<1@b.example>', '<a@b.example>', '<http://evil.example>', '<mailto:a@b.example>', '< b>', '<3', '<-', '<=', '&amp;', '&lt;b&gt;',
  '&copy;', '&#39;', '&#x3c;', '&#0;', '&nosuch;', '&', 'R&D', 'http://bare.example/a_b_(c)', 'https://bare.example/*x*', 'https://bare.example/?a=1&amp;b=2', 'http://bare.example/\\', 'www.bare.example/_x_', 'www.bare.example', 'HTTPS://BARE.EXAMPLE/[x]',
  'https://', 'http://a', 'a_b@c.example', '_a@b.example_', 'mailto:a@b.example', 'xmpp:a@b.example/x', '\\*', '\\\\', '\\[', '\\<', '\\&amp;', '\\', 'word\\', 'https://known.example/x', 'https://known.example/x_(y)', '@user_name', '@_x_', '#_x_',
];

// biome-ignore format: side by side they fit on a screen
const yaml = [
  ': ', ' #', 'a: b', '- a', '? a', '! a', '!!str', '& a', '* a', '@ a', '| a', '> a', '[ a', '{ a', '% a', '` a', '"', "'", '\\"', "''", 'yes', 'no', 'null', '~', 'true', '1e3', '0x10', '1_000', '2026-01-01', '12:30:45', '.inf',
  '.nan', '<<', '\n---\n', '\n...\n', '\r\n', '\r',
];

// biome-ignore format: side by side they fit on a screen
const characters = [
  '\u202e', '\u2066', '\u2069', '\u200e', '\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u{e0041}', '\u{e007f}', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}', '\u0000', '\u0001', '\u0001\u0030\u0001', '\u0002',
  '\u0007', '\u000b', '\u000c', '\u001b[31m', '\u007f', '\u0085', '\u0090', '\u2028', '\u2029', '\u00a0', '\u3000', '\u2003', '\u1680', '\ud800', '\udc00', '\ufffe', '\uffff', '\ufffd', 'e\u0301', '\u0301', '\u0301'.repeat(50), '👨‍👩‍👧', '❤️', '⚠️',
  'می‌خواهم', 'مرحبا', 'שלום', '日本', '。', '“', '”', '…', '‘', '—', '€', '©', '🐋', '𝐀', '½',
];

const gaps = [' ', '  ', '\n', '\n\n', '\n\n\n', '\t', ' \n', '\n ', '\r\n', '', ''];

const words = ['a', 'Z', '7', '15', 'word', 'two words', '.', ',', 'it’s', 'ñ'];

/** Every fragment once, so that each is tested alone at least once. */
export const hostileFragments: readonly string[] = [...new Set([...blocks, ...inlines, ...yaml, ...characters])];

const piece: fc.Arbitrary<string> = weighted(
  [4, fc.constantFrom(...inlines)],
  [3, fc.constantFrom(...blocks)],
  [4, fc.constantFrom(...gaps)],
  [3, fc.constantFrom(...words)],
  [1, fc.constantFrom(...characters)],
  [1, fc.constantFrom(...yaml)],
  [1, fc.string({ unit: 'binary', maxLength: 4 })],
  [1, fc.string({ unit: 'grapheme', maxLength: 4 })],
);

/** Also includes lone surrogates. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(piece, { minLength: 1, maxLength: 12 })
  .map((pieces) => pieces.join(''));
