// Tests how views are serialized, and compares what no list or post contains with golden files: the style of pages, and the
// page of a search without words.
import { expect, test } from 'vitest';
import { mediaTypes } from '../../../shared/contract/media-types.ts';
import { keysOf } from '../../../shared/model/json.ts';
import { presentOembed } from '../../../shared/reads/oembed/present.ts';
import { createRelatedPostsPresenter } from '../../../shared/reads/paging/present-related.ts';
import { presentPost } from '../../../shared/reads/post/present.ts';
import { searchFormHtml } from '../../../shared/reads/search/page.ts';
import { conversationHtml } from '../../../shared/render/html/conversation.ts';
import { countdownStyle, errorStyle } from '../../../shared/render/html/error-page.ts';
import { html } from '../../../shared/render/html/html.ts';
import { css, frameStyle } from '../../../shared/render/html/style/frame.ts';
import { gridStyle, listStyle, listStylesFor, stateStyle } from '../../../shared/render/html/style/lists.ts';
import {
  articleStyle,
  attachmentStyle,
  clipsStyle,
  conversationStyle,
  mediaStylesFor,
  postStylesFor,
  textStyle,
  viewerStyle,
} from '../../../shared/render/html/style/post.ts';
import { serialize } from '../../../shared/render/presenters/serialize.ts';
import { BASE, pageUrlsAt, renderList } from '../../support/list-models.ts';
import { conversationOf, postOf } from '../../support/post-models.ts';

const result = <T>(value: T) => ({ value, source: 'recorded', fetchedAt: 0, warnings: [] });
const urls = { baseUrl: BASE, ...pageUrlsAt('/') };
const presentQuotes = createRelatedPostsPresenter('quotes');

test('a line of newline-delimited JSON has no other line end in it', () => {
  const text = 'a\u0085b\u2028c\u2029d\ne';
  const { body } = renderList(presentQuotes, { id: '7', posts: [postOf({ text })] }, { format: 'ndjson' });
  expect(body.split(/[\n\u0085\u2028\u2029]/)).toHaveLength(3);
  expect(body).toContain('"text":"a\\u0085b\\u2028c\\u2029d\\ne"');
  expect(JSON.parse(body.split('\n')[0] ?? '')).toMatchObject({ text });
  expect(body).toMatch(/\n\{"next_cursor":null,"warnings":\[\]\}\n$/);
});

test('only a list has lines, and only a list of posts has a feed', () => {
  const post = presentPost(result(conversationOf(postOf())), urls);
  const list = presentQuotes(result({ id: '7', posts: [] }), urls);
  for (const format of ['ndjson', 'csv', 'opml', 'rss', 'atom', 'jsonfeed'] as const)
    expect(() => serialize(post, { format, maxTokens: undefined })).toThrow();
  for (const format of ['rss', 'atom', 'jsonfeed'] as const)
    expect(() => serialize(list, { format, maxTokens: undefined })).toThrow();
});

test('an embed is JSON in any format', () => {
  const view = presentOembed(result({ post: postOf() }), urls);
  const bodies = keysOf(mediaTypes).map((format) => serialize(view, { format, maxTokens: undefined }));
  expect(new Set(bodies.map(({ body }) => body)).size).toBe(1);
  expect(new Set(bodies.map(({ format }) => format))).toEqual(new Set(['json']));
});

test('css removes comments and needless spaces', () => {
  const style = css`
    /* one */ a { color: red; margin: 0 auto; } /* two
    */
    a :hover > b, c{ top:0 }
    @media ( x ) { d{ e: f; } }
  `;
  expect(String(style)).toBe('a{color:red;margin:0 auto}a :hover>b,c{top:0}@media ( x ){d{e:f}}');
});

test('a page has the style of attachments and of articles only if it shows some', () => {
  expect(postStylesFor(html`<p class="text">a</p>`).join('')).toBe(String(textStyle));
  expect(postStylesFor(html`<div class="media">a</div>`).join('')).toBe(`${textStyle}${attachmentStyle}`);
  const page = (members = {}): string => String(conversationHtml(conversationOf(postOf(members)), BASE));
  expect(page()).not.toContain('.prose>');
  expect(page({ article: { title: 'Essay', blocks: [{ type: 'divider' }] } })).toContain('.prose>');
});

test('a page has the style of viewers and of videos among pictures only if it shows some', () => {
  expect(mediaStylesFor(html`<div class="media many"></div>`)).toEqual([]);
  expect(mediaStylesFor(html`<div class="media many two clips"></div>`)).toEqual([clipsStyle]);
  expect(mediaStylesFor(html`<div class="media many clips"></div><div class="strip" id="v"></div>`)).toEqual([
    viewerStyle,
    clipsStyle,
  ]);
});

test('the page of a list has the style of a profile, of accounts and of states only if it shows some', () => {
  expect(listStylesFor(html`<p class="text">a</p>`)).toEqual([listStyle]);
  expect(listStylesFor(html`<section class="state shut"></section>`)).toEqual([listStyle, stateStyle]);
  expect(listStylesFor(html`<ul class="people"></ul>`).join('')).toContain('.people .item{');
  expect(listStylesFor(html`<header class="who"></header>`).join('')).toContain('.who h1{');
});

test('the style of pages is that of the golden file, and a page of posts has at most 15 kB of it', async () => {
  const styles = {
    frameStyle,
    textStyle,
    attachmentStyle,
    viewerStyle,
    clipsStyle,
    listStyles: listStylesFor(html`<p class="who"><p class="people"><p class="state">`).join(''),
    gridStyle,
    conversationStyle,
    articleStyle,
    errorStyle,
    countdownStyle,
  };
  const ofPosts = [frameStyle, textStyle, attachmentStyle, conversationStyle, articleStyle].join('');
  expect(Buffer.byteLength(ofPosts)).toBeLessThanOrEqual(15_000);
  const text = Object.entries(styles).map(([name, style]) => `== ${name}\n${String(style).replaceAll('}', '}\n')}`);
  await expect(text.join('\n')).toMatchFileSnapshot('../../golden/pages/styles.txt');
});

test('the page of a search without words is that of the golden file', async () => {
  const page = String(searchFormHtml(BASE)).replace(/<style>[^<]*<\/style>\n/, '');
  await expect(page.replaceAll(/(?<!^)<(?=section|h2|dl|dt)/gm, '\n<')).toMatchFileSnapshot(
    '../../golden/pages/search-form.html',
  );
});
