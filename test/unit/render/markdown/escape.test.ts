// Checks that ordinary posts contain no backslash, then how each kind of forged structure is escaped.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { visibleLine, visibleText } from '../../../../shared/model/visible-text.ts';
import {
  autolink,
  blockquote,
  codeSpan,
  createMarkdownContext,
  destination,
  escapedParagraphs,
  escapeHeading,
  escapeLine,
  escapeParagraphs,
  escapeSpan,
  fenced,
} from '../../../../shared/render/markdown/escape.ts';
import { hostileFragments, hostileText } from '../../../generators/hostile-text.ts';

const written = (text: string, urls: readonly string[] = []): string =>
  escapeParagraphs(createMarkdownContext('markdown'), text, urls);

describe('ordinary text', () => {
  test.each([
    "R&D <3 5*3=15 snake_case_word it's (beta) v2.0 #hashtag @user_name ~5 min",
    'e-mail a_b@c.d, 1.5 m, C# $5 50% a/b',
    'between ~5 and ~6 min, or ~ 7',
    '2 * 3 * 4 = 24; a - b; c + d',
    'x < y, y > z, x <- 3, x <= 4, x => 5, <3 <3',
    'AT&T & Q&A, rock & roll; salt&pepper',
    '“Quoted” — with dashes… and ellipses!',
    'https://example.com/a_b-c?d=e&f=g#h is a link',
    'see www.example.com/path_to_it',
    '100% of $5 is $5, isn’t it?',
    '#hashtag first',
    '@user first, @user_name second',
    '2026 was a year. 7 of 9.',
    '1.5 m at the start of a line',
    '-5 degrees, --option, -> arrow',
    '…dots, :colon: and ::double',
    'star* with a footnote',
    'one ` backtick',
    '日本語のツイート。句読点、「かぎ括弧」も。',
    'مرحبا بالعالم',
    '👨‍👩‍👧 ❤️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    'C:\\Users\\me and \\o/',
    'a | b | c',
    'tea|coffee',
    '(1) one (2) two',
    'f(x) = x^2 {y} ~ok',
    'snake__case and a__b',
  ])('escapeParagraphs leaves %s unchanged', (text) => {
    expect(written(text)).toBe(text);
  });

  test('escapeParagraphs writes one backslash before an opening bracket', () => {
    expect(written('I say [no] and [1/2]')).toBe('I say \\[no] and \\[1/2]');
  });
});

describe('[text 1] text that could start a block', () => {
  test.each([
    ['# heading', '\\# heading'],
    ['#', '\\#'],
    ['> quote', '\\> quote'],
    ['>quote', '\\>quote'],
    ['- item', '\\- item'],
    ['+ item', '\\+ item'],
    ['* item', '\\* item'],
    ['1. item', '1\\. item'],
    ['12) item', '12\\) item'],
    ['---', '\\---'],
    ['- - -', '\\- - -'],
    ['***', '\\*\\*\\*'],
    ['___', '\\_\\_\\_'],
    ['title\n===', 'title  \n\\==='],
    ['title\n---', 'title  \n\\---'],
    ['    code', '\u00a0\u00a0\u00a0\u00a0code'],
    ['\tcode', '\u00a0\u00a0\u00a0\u00a0code'],
    ['a | b\n--- | ---', 'a | b  \n\\--- | ---'],
    ['|a|\n|-|', '|a|  \n\\|-|'],
    [':-:', '\\:-:'],
    ['a\n-|', 'a  \n\\-|'],
    ['a\n-:', 'a  \n\\-:'],
    [':::note', '\\:::note'],
    ['[^1]: note', '\\[^1]: note'],
    ['```js', '\\`\\`\\`js'],
    ['~~~', '\\~\\~\\~'],
    ['<div>', '\\<div>'],
  ])('escapeParagraphs writes %j as %j', (text, expected) => {
    expect(written(text)).toBe(expected);
    if (!text.includes('\n'))
      expect(escapeLine(createMarkdownContext('markdown'), text)).toBe(expected.replace(/^\u00a0+/, ''));
  });
});

describe('[text 1] [text 3] [text 4] [text 5] text that could be inline markup', () => {
  test.each([
    ['*em* and **strong**', '\\*em\\* and \\*\\*strong\\*\\*'],
    ['_em_ but snake_case', '\\_em\\_ but snake_case'],
    ['~~gone~~', '\\~\\~gone\\~\\~'],
    ['`code`', '\\`code\\`'],
    ['[a](javascript:alert(1))', '\\[a](javascript:alert(1))'],
    ['![x](http://tracker.example/p.gif)', '!\\[x](http://tracker.example/p.gif)'],
    ['<javascript:alert(1)>', '\\<javascript:alert(1)>'],
    ['<a@b.c> <1@b.c>', '\\<a@b.c> \\<1@b.c>'],
    ['<!-- --> <?php </b>', '\\<!-- --> \\<?php \\</b>'],
    ['&amp; &#106;avascript', '\\&amp; \\&#106;avascript'],
    ['\\*', '\\\\*'],
    ['end\\', 'end\\\\'],
    ['http://a.b/*c*', 'http\\://a.b/\\*c\\*'],
    ['www.a.b/*c*', 'www\\.a.b/\\*c\\*'],
  ])('escapeParagraphs writes %j as %j', (text, expected) => {
    expect(written(text)).toBe(expected);
  });
});

describe('lines and paragraphs', () => {
  test.each([
    ['a\nb', 'a  \nb'],
    ['a\n\nb', 'a\n\nb'],
    ['a\n\n\n\nb', 'a\n\nb'],
    ['  a  \n\tb\t', '\u00a0\u00a0a  \n\u00a0\u00a0\u00a0\u00a0b'],
    [' # a\n  - b\n    c', '\u00a0# a  \n\u00a0\u00a0- b  \n\u00a0\u00a0\u00a0\u00a0c'],
    ['a\n \t\n b', 'a\n\n\u00a0b'],
    ['\n\na\n\n', 'a'],
    ['a\r\nb\rc\u2028d\u0085e', 'a  \nb  \nc  \nd  \ne'],
    ['a\n \n \nb', 'a\n\nb'],
    ['', ''],
    [' \n ', ''],
  ])('escapeParagraphs writes %j as %j', (text, expected) => {
    expect(written(text)).toBe(expected);
  });
});

describe('[text 3] links', () => {
  const URL = 'https://a.example/x_(y)';

  test('escapeParagraphs writes a URL as an autolink only if the provider lists it', () => {
    expect(written(`see ${URL}. And https://other.example/.`, [URL])).toBe(`see <${URL}>. And https://other.example/.`);
  });

  test('escapeParagraphs links every occurrence of a URL, the longest URL first', () => {
    expect(written('https://a.b/c https://a.b https://a.b', ['https://a.b', 'https://a.b/c'])).toBe(
      '<https://a.b/c> <https://a.b> <https://a.b>',
    );
  });

  test('escapeParagraphs does not link a URL that only starts with a known URL', () => {
    expect(written('https://a.b/cd', ['https://a.b/c'])).toBe('https://a.b/cd');
  });

  test('text before an autolink cannot undo the autolink', () => {
    expect(written(`\\${URL} [x](${URL} <${URL}>`, [URL])).toBe(`\\\\<${URL}> \\[x](<${URL}> <<${URL}>>`);
  });

  test('placeholder characters written by an author are text', () => {
    expect(written(`\u00010\u0001 \u0001 \u0002 ${URL}`, [URL])).toBe(`0   <${URL}>`);
  });

  test.each([
    ['https://a.example/b_c*d?e=f&g=h', 'https://a.example/b_c*d?e=f&g=h'],
    ['https://a.example/(b)[c]', 'https://a.example/%28b%29%5Bc%5D'],
    ['https://a.example/?a&amp;b&#39;', 'https://a.example/?a&amp;amp;b&amp;#39;'],
    ['https://a.example/ <b>\\`', 'https://a.example/%20%3Cb%3E%5C%60'],
    ['https://a.example/\u3000', 'https://a.example/%E3%80%80'],
  ])('destination writes %s as %s', (url, expected) => {
    expect(destination(url)).toBe(expected);
  });

  test('autolink writes the URL in angle brackets', () => {
    expect(autolink(URL)).toBe(`<${URL}>`);
  });
});

describe('text inside Markdown of the renderer', () => {
  const context = createMarkdownContext('markdown');

  test('escapeSpan escapes single marks unless no marks surround the text', () => {
    expect(escapeSpan(context, '5*3 snake_case *')).toBe('5\\*3 snake_case \\*');
    expect(escapeSpan(context, '5*3 snake_case', 'nothing')).toBe('5*3 snake_case');
  });

  test('escapeSpan escapes brackets and backticks inside brackets', () => {
    expect(escapeSpan(context, 'a [b] `c', 'brackets')).toBe('a \\[b\\] \\`c');
  });

  test('escapeSpan writes a label on one line', () => {
    expect(escapeSpan(context, ' a\n\n b\t\u2028c ')).toBe('a b c');
  });

  test('escapeHeading escapes # at the end of a heading only where it closes the heading', () => {
    expect(escapeHeading(context, 'C# and F#')).toBe('C# and F#');
    expect(escapeHeading(context, 'closed ##')).toBe('closed \\##');
    expect(escapeHeading(context, '#')).toBe('\\#');
  });
});

describe('[text 2] fences', () => {
  const context = createMarkdownContext('markdown');

  test.each([
    ['code', undefined, '```\ncode\n```'],
    ['a ``` b', 'js', '````js\na ``` b\n````'],
    ['`````', 'c++', '``````c++\n`````\n``````'],
    ['x', 'js`\n# forged', '```\nx\n```'],
    ['', undefined, '```\n\n```'],
  ])('fenced writes %j with the language %j', (code, language, expected) => {
    expect(fenced(context, code, language)).toBe(expected);
  });
});

test('blockquote marks every line', () => {
  expect(blockquote('a  \nb\n\nc')).toBe('> a  \n> b\n>\n> c');
});

describe('[text 7] [text 8] invisible characters', () => {
  test('escapeParagraphs removes invisible characters and counts them', () => {
    const context = createMarkdownContext('markdown');
    expect(escapeParagraphs(context, 'a\u202eb\u2066c\u200bd\u2060e\ufefff\u{e0041}g\u0000h\u0090i\u00ad', [])).toBe(
      'abcdefghi',
    );
    expect(context.removed).toBe(9);
  });

  test('escapeParagraphs keeps joiners and selectors in emoji, Persian, Hebrew and flags', () => {
    const context = createMarkdownContext('markdown');
    for (const text of ['👨‍👩‍👧', '❤️', 'می‌خواهم', 'א\u200eב', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '🏴󠁧󠁢󠁷󠁬󠁳󠁿', 'e\u0301', '\u0301'.repeat(4000)]) {
      expect(escapeParagraphs(context, text, [])).toBe(text);
    }
    expect(context.removed).toBe(0);
  });

  test('visibleText removes tag characters that form no flag', () => {
    expect(visibleText('🏴\u{e0067}\u{e0062}\u{e0078}\u{e007f}')).toBe('🏴');
  });

  test('visibleText replaces lone surrogates', () => {
    expect(visibleText('a\ud800b\udc00')).toBe('a\ufffdb\ufffd');
  });

  test('visibleLine writes a name on one line', () => {
    expect(visibleLine(' A\u202e\u00a0 B\r\nC\u0000 ')).toBe('A B C');
  });
});

test('the fast path for plain text writes the same as the full path', () => {
  const url = 'https://known.example/x';
  const plain = fc.array(
    fc.constantFrom(
      'word',
      ' ',
      '\n',
      '\n\n',
      '.',
      '#',
      '-',
      '1',
      '_',
      ':',
      '|',
      '=',
      '!',
      ']',
      'é',
      '🐋',
      '\u00a0',
      url,
    ),
    { maxLength: 10 },
  );
  const check = (text: string): void => {
    for (const urls of [[], [url], [url, 'https://known.example/x_(y)']]) {
      const [short, long] = [createMarkdownContext('markdown'), createMarkdownContext('markdown')];
      expect(escapeParagraphs(short, text, urls)).toBe(escapedParagraphs(long, text, urls));
      expect(short.removed).toBe(long.removed);
    }
  };
  hostileFragments.forEach(check);
  for (const text of [`https://${url}`, `www.a.b${url}`, `灯台${url}`, `(${url})`, `a ${url}, b`]) check(text);
  fc.assert(
    fc.property(
      fc.oneof(
        hostileText,
        plain.map((parts) => parts.join('')),
      ),
      check,
    ),
    { numRuns: 10_000 },
  );
});

test.each([
  ['cursor=a_b', '`cursor=a_b`'],
  ['a`b', '`` a`b ``'],
  ['``', '``` `` ```'],
  ['a\n\nb', '`a b`'],
])('codeSpan chooses a delimiter that the code %j does not contain', (code, expected) => {
  expect(codeSpan(createMarkdownContext('markdown'), code)).toBe(expected);
});
