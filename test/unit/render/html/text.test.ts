// Checks which parts of a text of X become links, and where these lead.
import { describe, expect, test } from 'vitest';
import { inlineHtml, type SourceText } from '../../../../shared/render/html/text.ts';

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

  test('underlined and struck out words have their elements', () => {
    const decorations = [
      { type: 'underline', start: 0, end: 7 },
      { type: 'strikethrough', start: 4, end: 7 },
      { type: 'constructor', start: 0, end: 7 },
    ];
    expect(inline('one two', { decorations })).toBe('<u>one </u><u><s>two</s></u>');
  });
});
