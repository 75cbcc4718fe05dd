// Checks the frame of pages: what every page has, what no page has, and how its style sheet is written.
import { describe, expect, test } from 'vitest';
import { conversationHtml } from '../../../../shared/render/html/conversation.ts';
import { htmlPage } from '../../../../shared/render/html/page.ts';
import { frameStyle } from '../../../../shared/render/html/style/frame.ts';
import { articleStyle, conversationStyle, postStyle } from '../../../../shared/render/html/style/post.ts';
import { conversationOf, postOf } from '../../../support/post-models.ts';

describe('htmlPage', () => {
  const page = htmlPage({ title: 'A <b>', main: '<h1>x</h1>', query: '"><b>', extraStyle: ':root{--wait:24}' });

  test('has a form that holds what was asked, as text', () => {
    expect(page).toContain('<form class="box" action="/" method="get" role="search"><label class="sr" for="q">');
    expect(page).toContain(' name="q" value="&quot;&gt;&lt;b&gt;" ');
  });

  test('has one style element, with the additional rules at its end', () => {
    expect(page.match(/<style>/g)).toHaveLength(1);
    expect(page).toContain(':root{--wait:24}</style>');
  });

  test('has no script, no style attribute and no event handler', () => {
    const html = conversationHtml(conversationOf(postOf()), 'https://postern.example');
    for (const whole of [page, html]) expect(whole).not.toMatch(/<script|<link rel="stylesheet"| style=| on[a-z]+=/i);
  });
});

describe('the style sheet', () => {
  test('all sections of pages of posts are at most 14 kB', () => {
    const sections = [frameStyle, postStyle, conversationStyle, articleStyle];
    expect(Buffer.byteLength(sections.join(''))).toBeLessThanOrEqual(14_000);
    for (const section of sections) expect(section).not.toMatch(/\/\*|\n|<\/|url\(|@import|@font-face/);
  });

  test('an article style is only on pages of articles', () => {
    const page = (members = {}): string => conversationHtml(conversationOf(postOf(members)), '');
    expect(page()).not.toContain('.prose>');
    expect(page({ article: { title: 'Essay', blocks: [{ type: 'divider' }] } })).toContain('.prose>');
  });
});
