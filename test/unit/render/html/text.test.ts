// Checks which parts of a text of X become links, and where these lead.
import { describe, expect, test } from 'vitest';
import { inlineHtml, type SourceText, textHtml } from '../../../../shared/render/html/text.ts';

const inline = (text: string, members: Partial<SourceText> = {}): string => inlineHtml({ text, ...members });

describe('inlineHtml', () => {
  test.each<[string, Partial<SourceText>, string]>([
    ['hi @Ada_L!', { mentions: ['ada_l'] }, 'hi <bdi><a href="/Ada_L">@Ada_L</a></bdi>!'],
    ['hi @bob', { mentions: ['ada'] }, 'hi @bob'],
    ['me@ada.example', { mentions: ['ada'] }, 'me@ada.example'],
    ['@ada@ada.example', { mentions: ['ada'] }, '@ada@ada.example'],
    ['@search', { mentions: ['search'] }, '<bdi>@search</bdi>'],
    ['@a_handle_longer_than_15', { mentions: ['a_handle_longer_than_15'] }, '<bdi>@a_handle_longer_than_15</bdi>'],
    ['春@ada', { mentions: ['ada'] }, '春<bdi><a href="/ada">@ada</a></bdi>'],
    ['#fjord, #Fjord2', { hashtags: ['fjord'] }, '<a href="/search?q=%23fjord">#fjord</a>, #Fjord2'],
    ['#夕焼け　x', { hashtags: ['夕焼け'] }, '<a href="/search?q=%23%E5%A4%95%E7%84%BC%E3%81%91">#夕焼け</a>　x'],
    ['＃tag', { hashtags: ['tag'] }, '<a href="/search?q=%23tag">＃tag</a>'],
    ['a#tag &#tag /#tag', { hashtags: ['tag'] }, 'a#tag &amp;#tag /#tag'],
    [
      '$TSLA, $BRK.B $100 US$A $TOOLONGG',
      {},
      '<a href="/search?q=%24TSLA">$TSLA</a>, <a href="/search?q=%24BRK.B">$BRK.B</a> $100 US$A $TOOLONGG',
    ],
  ])('%s', (text, members, html) => {
    expect(inline(text, members)).toBe(html);
  });

  test('a mention within a URL is not a link of its own', () => {
    const url = 'https://medium.example/@ada/#fjord';
    expect(inline(`${url} @ada`, { links: [{ url }], mentions: ['ada'], hashtags: ['fjord'] })).toBe(
      `<a href="${url}" rel="nofollow noopener">${url}</a> <bdi><a href="/ada">@ada</a></bdi>`,
    );
    expect(inline(url, { mentions: ['ada'], hashtags: ['fjord'] })).toBe(url);
  });

  test('a URL in a text with Arabic or Hebrew letters keeps the order of its parts', () => {
    const url = 'https://kutub.example/الموج';
    const link = `<a href="${url}" rel="nofollow noopener" dir="ltr">${url}</a>`;
    expect(inline(`قرأت ${url} شكرًا`, { links: [{ url }] })).toBe(`قرأت ${link} شكرًا`);
    const plain = 'https://a.example/';
    expect(inline(`שלום ${plain}`, { links: [{ url: plain }] })).toContain(' dir="ltr">');
    expect(inline(`hi ${plain}`, { links: [{ url: plain }] })).not.toContain('dir=');
  });

  test('a link to X leads to the page here and keeps its words', () => {
    const url = 'https://x.com/jack/status/20?s=20';
    expect(inline(`see ${url}`, { links: [{ url }] })).toBe(`see <a href="/jack/status/20">${url}</a>`);
  });

  test('the handles that X hides at the start of a reply are quiet and do not decide the direction', () => {
    const answered = { in_reply_to: { handle: 'ada', id: '20' }, mentions: ['ada', 'bob'] };
    expect(inline('@ada @bob شكرًا @ada', answered)).toBe(
      '<bdi class="hid"><a href="/ada">@ada</a> <a href="/bob">@bob</a></bdi> شكرًا <bdi><a href="/ada">@ada</a></bdi>',
    );
    expect(inline('Hello @ada', answered)).toBe('Hello <bdi><a href="/ada">@ada</a></bdi>');
    expect(inline('@ada', answered)).toBe('<bdi class="hid"><a href="/ada">@ada</a></bdi>');
    expect(inline('@ada @ada hello', answered)).toBe(
      '<bdi class="hid"><a href="/ada">@ada</a></bdi> <bdi><a href="/ada">@ada</a></bdi> hello',
    );
    expect(inline('@ada hello', { mentions: ['ada'] })).toBe('<bdi><a href="/ada">@ada</a></bdi> hello');
  });

  test('the account that is answered is a hidden handle even if the provider lists no mentions', () => {
    expect(inline('@ada yes', { in_reply_to: { handle: 'Ada' } })).toBe(
      '<bdi class="hid"><a href="/ada">@ada</a></bdi> yes',
    );
  });

  test('a cut text ends with a mark and links nothing that the cut splits', () => {
    const url = 'https://a.example/long';
    const source = { text: `one two ${url}`, links: [{ url }] };
    expect(inlineHtml(source, { end: 7 })).toBe('one two…');
    expect(inlineHtml(source, { end: 20 })).toBe('one two https://a.ex…');
    expect(inlineHtml(source, { end: source.text.length })).not.toContain('…');
  });

  test('plain writes the text that is not a link', () => {
    const plain = (text: string): string => text.toUpperCase();
    expect(inlineHtml({ text: 'tide @ada tide', mentions: ['ada'] }, { plain })).toBe(
      'TIDE <bdi><a href="/ada">@ada</a></bdi> TIDE',
    );
  });

  test('bold and italic ranges may overlap each other and links', () => {
    const styles = [
      { type: 'bold', start: 0, end: 6 },
      { type: 'italic', start: 4, end: 11 },
    ] as const;
    expect(inline('one <b> @ada end', { styles: [...styles], mentions: ['ada'] })).toBe(
      '<strong>one </strong><strong><em>&lt;b</em></strong><em>&gt; </em><bdi><a href="/ada"><em>@ad</em>a</a></bdi> end',
    );
  });

  test('underlined and struck out words have their elements', () => {
    const decorations = [
      { type: 'underline', start: 0, end: 7 },
      { type: 'strikethrough', start: 4, end: 7 },
      { type: 'constructor', start: 0, end: 7 },
    ];
    expect(inline('one two', { decorations })).toBe('<u>one </u><u><s>two</s></u>');
  });

  test.each([
    [{ type: 'bold' as const, start: -5, end: 2 }],
    [{ type: 'bold' as const, start: 0, end: 99 }],
    [{ type: 'italic' as const, start: 3, end: 1 }],
  ])('a range outside the text keeps the text: %o', (style) => {
    expect(inline('a<b', { styles: [style] }).replace(/<\/?(?:strong|em)>/g, '')).toBe('a&lt;b');
  });
});

describe('textHtml', () => {
  test.each([
    ['en', ' lang="en"'],
    ['pt-BR', ' lang="pt-BR"'],
    ['in', ' lang="id"'],
    ['iw', ' lang="he"'],
    ['und', ''],
    ['zxx', ''],
    ['qme', ''],
    ['art', ''],
    ['"><b>', ''],
    [undefined, ''],
  ])('the language %s of X is the attribute %s', (lang, attribute) => {
    expect(textHtml({ text: 'x', lang })).toBe(`<p class="text"${attribute} dir="auto">x</p>`);
  });

  test('a text of spaces has no element', () => {
    expect(textHtml({ text: ' \n' })).toBe('');
  });
});
