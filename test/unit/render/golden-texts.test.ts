// Compares how texts with marks, links, tags and invisible characters are written in each syntax with golden files.
// `npm run update -- golden` writes the files again; review their diff.
import { expect, test } from 'vitest';
import type { ArticleSpan, TextStyle } from '../../../shared/model/post.ts';
import { PLACES } from '../../../shared/model/text-places.ts';
import { trustedHtml } from '../../../shared/render/html/html.ts';
import { inlineHtml, textHtml } from '../../../shared/render/html/text.ts';
import { fenced } from '../../../shared/render/markdown/article.ts';
import { createMarkdownContext } from '../../../shared/render/markdown/context.ts';
import {
  autolink,
  blockquote,
  destination,
  escapeHeading,
  escapeLine,
  escapeParagraphs,
  escapeSpan,
} from '../../../shared/render/markdown/escape.ts';
import { spansMarkdown, styledParagraphs, visibleSpans } from '../../../shared/render/markdown/styled-text.ts';
import { linksAt, placesIn } from '../../support/places.ts';

// biome-ignore format: a list of texts
const TEXTS = [
  '', ' ', 'plain', ' padded ', 'two  spaces', 'tab\there', 'a\nb', 'a\n\nb', 'a\n\n\n\nb', '\n\na\n', 'a \n b', '  indented\n\tby tab', 'a\r\nb\rc\u2028d',
  '*a*', '**a**', '* a', 'a * b', 'a*', '*a', 'a*b*c', '* * *', '***', '_a_', 'a_b', 'a_b_c', '_a', 'a_ b_', '__init__', '~a~', '~~a~~', '~~~', '~ a', '`a`', '``', '```', '`a', 'a ` b ` c',
  '[a](b)', '[a]', 'a]', '![a](b)', '![', '<b>', '<b', '< b', '</b>', '<a@b.c>', '<!--', '&amp;', '&#38;', '& b', '&b', 'AT&T;', '\\', '\\a', '\\*', 'a\\', '\\\\',
  '# a', '#a', '#', '####### a', 'a #', 'a#', '> a', '>a', '- a', '-a', '-', '+ a', '--', '---', '- - -', '===', '= a', ':::', ':: a', '1. a', '1) a', '1.a', '1234567890. a', '1', '|a|', '|-|', '|:-', ':-:', 'a | b',
  'a\n===', 'a\n---', 'a\n# b', 'a\n1. b', 'a\n> b', 'a\n*', 'a\n~~~', 'a\n`b`',
  '%%a%%', '%a', '==a==', '=a=', '$a$', '#tag', '# tag', 'a ^id', '^a b',
  'https://a.example/b_c_d', 'https://a.example/*', 'see https://a.example/a.', 'https://a.example/~b~ *c*', 'www.a.example/_a_', 'ftp://a', 'a://b', 'https://a.example/\\b',
  'a\u200bb', 'a\u202eb', '👩\u200d🚀', 'می\u200cخواهم', '\ufe0f', '1\ufe0f\u20e3', 'a\u00adb', '\u2800', 'סלום\u200f', 'a\u0000b', '\ud800',
  '@ada', '@ada @bo hi', 'a@ada', '@ada_', '@adax', '.@ada', '＠ada', '@', '@@ada', '#tide', '#Tide!', '#tides', '＃tide', '#', '##tide', 'a#tide', '$TIDE', '$tide', '$TIDEX', '$A.B', '$1', '$', '#潮', 'x/@ada', '@ada#tide', '(@ada)', '@ada,#tide.$TIDE',
  'https://t.example/a', 'https://t.example/ab', '(https://t.example/a)', 'https://t.example/a.', 'https://t.example/a https://t.example/a', 'ahttps://t.example/a', 'https://t.example/a@ada', 'سلام https://t.example/a', 'سلام @ada #tide',
] as const;

/** Without characters that a reviewer does not see. */
const shown = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/[^\x20-\x7e\p{L}\p{N}\p{P}\p{S}]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );

const URLS = ['https://t.example/a'];

const markdownForms = (dialect: 'markdown' | 'obsidian', text: string): Readonly<Record<string, string>> => {
  const context = createMarkdownContext(dialect);
  return {
    paragraphs: escapeParagraphs(context, text, []),
    linked: escapeParagraphs(context, text, linksAt(text, URLS)),
    line: escapeLine(context, text),
    heading: escapeHeading(context, text),
    brackets: escapeSpan(context, text, 'brackets'),
    marks: escapeSpan(context, text),
    removed: String(context.removed),
  };
};

const codeForms = (text: string): Readonly<Record<string, string>> => {
  const context = createMarkdownContext('markdown');
  return { fence: fenced(context, text, 'ts'), quote: blockquote(text) };
};

const WORDS = [...URLS, '@ada', '＠ada', '@bo', '#tide', '＃tide', '#潮', '$TIDE', '$A.B'];

const htmlForms = (text: string): Readonly<Record<string, string>> => {
  const named = { text, [PLACES]: placesIn(text, WORDS) };
  const reply = { ...named, mentions: ['ada', 'bo'], in_reply_to: { handle: 'ada', id: '19' } };
  return {
    named: String(inlineHtml(named)),
    searched: String(inlineHtml({ text })),
    known: String(inlineHtml({ text, links: URLS.map((url) => ({ url })) })),
    reply: String(inlineHtml(reply)),
    'cut at 4': String(inlineHtml(reply, { end: 4 })),
    'cut at 12': String(inlineHtml(named, { end: 12 })),
    marked: String(inlineHtml(named, { plain: (part) => trustedHtml(`{${part}}`) })),
  };
};

/** The forms of each text, without those that are the text itself. */
const table = (forms: (text: string) => Readonly<Record<string, string>>): string =>
  TEXTS.map((text) => {
    const lines = Object.entries(forms(text)).filter(([, form]) => form !== text && form !== '0');
    return `${shown(text)}\n${lines.map(([name, form]) => `  ${name}: ${shown(form)}\n`).join('')}`;
  }).join('');

const golden = (name: string): string => `../../golden/texts/${name}.txt`;

test.each(['markdown', 'obsidian'] as const)('texts are escaped in %s as in the golden file', async (dialect) => {
  await expect(table((text) => markdownForms(dialect, text))).toMatchFileSnapshot(golden(dialect));
});

test('code and quotes are written as in the golden file', async () => {
  await expect(table(codeForms)).toMatchFileSnapshot(golden('code'));
});

test('links, mentions and tags of a text are linked in HTML as in the golden file', async () => {
  await expect(table(htmlForms)).toMatchFileSnapshot(golden('html'));
});

test('the languages of a text are written as in the golden file', async () => {
  const languages = [undefined, '', 'en', 'in', 'iw', 'und', 'qme', 'zh-Hant', 'x"y'];
  const elements = languages.map((lang) => `${lang}: ${textHtml({ text: 'a', lang }, { classes: ' short' })}`);
  await expect(`${elements.join('\n')}\n`).toMatchFileSnapshot(golden('languages'));
});

// biome-ignore format: a list of URLs
const TARGETS = [
  'https://a.example/', 'https://a.example/(b)', 'https://a.example/<b>', 'https://a.example/a b', 'https://a.example/\\b', 'https://a.example/`b`', 'https://a.example/[b]',
  'https://a.example/?a=1&amp;b', 'https://a.example/?a&b', 'https://a.example/?a&#38;', 'https://a.example/ä', 'https://a.example/\u200b', 'https://a.example/"b"', 'https://a.example/\u00a0b',
];

test('the targets of links are written as in the golden file', async () => {
  const lines = TARGETS.map(
    (url) => `${shown(url)}\n  ${destination(url)}\n${/[\s<>]/.test(url) ? '' : `  ${autolink(url)}\n`}`,
  );
  await expect(lines.join('')).toMatchFileSnapshot(golden('targets'));
});

const STYLES: readonly Omit<ArticleSpan, 'text'>[] = [
  {},
  { bold: true },
  { italic: true },
  { strikethrough: true },
  { bold: true, italic: true },
  { bold: true, strikethrough: true },
  { url: 'https://t.example/(a)' },
  { bold: true, url: 'https://t.example/a' },
];
const BEFORE = ['', 'a', 'a ', '(', '*', '~', '!', '“'];
const CORES = ['b', ' b ', '(b)', 'b\nc', ' ', '*b*', 'b_'];

test('styled spans are written in Markdown as in the golden file', async () => {
  const context = createMarkdownContext('markdown');
  const lines = STYLES.flatMap((style) =>
    BEFORE.flatMap((before) =>
      CORES.map((core) => {
        const spans = [{ text: before }, { ...style, text: core }, { text: before === '(' ? ')' : before.trim() }];
        const written = spansMarkdown(context, visibleSpans(context, spans));
        return `${shown(style)} ${shown(spans.map(({ text }) => text))}: ${shown(written)}\n`;
      }),
    ),
  );
  await expect(lines.join('')).toMatchFileSnapshot(golden('spans'));
});

const RANGES: readonly (readonly TextStyle[])[] = [
  [{ type: 'bold', start: 0, end: 4 }],
  [{ type: 'italic', start: 2, end: 40 }],
  [
    { type: 'bold', start: 0, end: 6 },
    { type: 'italic', start: 3, end: 9 },
  ],
  [{ type: 'bold', start: 5, end: 5 }],
  [{ type: 'bold', start: 90, end: 99 }],
];

test('styled ranges of a text are written in Markdown and HTML as in the golden file', async () => {
  const texts = [
    'High tide',
    'a b\nc\n\nd e f',
    '🐋🐋🐋🐋',
    'see https://t.example/a now',
    '@ada #tide yes',
    '*a* _b_ c',
  ];
  const lines = texts.flatMap((text) =>
    RANGES.map((styles) => {
      const context = createMarkdownContext('markdown');
      const html = inlineHtml({ text, styles: [...styles], [PLACES]: placesIn(text, WORDS) });
      return `${shown([text, ...styles])}\n  ${shown(styledParagraphs(context, text, styles, linksAt(text, URLS)))}\n  ${shown(String(html))}\n`;
    }),
  );
  await expect(lines.join('')).toMatchFileSnapshot(golden('ranges'));
});
