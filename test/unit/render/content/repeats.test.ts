// Checks which parts of a text a document leaves out because it shows them elsewhere.
import { describe, expect, test } from 'vitest';
import type { Post } from '../../../../shared/model/post.ts';
import { PLACES, type TextPlace } from '../../../../shared/model/text-places.ts';
import { presentSearch } from '../../../../shared/reads/search/present.ts';
import { leadingMentions, withoutLeadingMentions, withoutQuoteUrl } from '../../../../shared/render/content/repeats.ts';
import { renderList, searchOf } from '../../../support/list-models.ts';
import { postOf, userOf } from '../../../support/post-models.ts';

const reply = (text: string, members: Partial<Post> = {}): Post =>
  postOf({ id: '30', text, in_reply_to: { handle: 'bo', id: '29' }, mentions: ['bo', 'Cy'], ...members });

describe('leadingMentions', () => {
  test.each<[string, readonly string[], number]>([
    ['@bo Yes', ['bo'], 4],
    ['@Bo @cy\nYes', ['Bo', 'cy'], 8],
    ['@bo', ['bo'], 3],
    ['Yes @bo', [], 0],
    [' @bo Yes', [], 0],
    ['@bo, yes', [], 0],
    ['@bo @bo yes', ['bo'], 4],
    ['@bo @zed yes', ['bo'], 4],
    ['@here yes', [], 0],
    ['@bo@cy yes', [], 0],
  ])('finds in %j the handles %j', (text, handles, end) => {
    expect(leadingMentions(reply(text))).toEqual({ handles, end });
  });

  test('finds the answered account without its mention', () => {
    expect(leadingMentions(reply('@bo @cy Yes', { mentions: [] }))).toEqual({ handles: ['bo'], end: 4 });
  });
});

test('withoutLeadingMentions keeps the mentions of accounts that are not named, and moves the styles', () => {
  const post = reply('@bo @Cy Yes, bold', { styles: [{ type: 'bold', start: 13, end: 17 }] });
  expect(withoutLeadingMentions(post, () => true)).toMatchObject({ text: 'Yes, bold', styles: [{ start: 5, end: 9 }] });
  expect(withoutLeadingMentions(post, (handle) => handle === 'bo')).toMatchObject({
    text: '@Cy Yes, bold',
    styles: [{ start: 9, end: 13 }],
  });
  expect(withoutLeadingMentions(post, (handle) => handle === 'cy').text).toBe('@bo Yes, bold');
  expect(withoutLeadingMentions(post, () => false)).toBe(post);
});

test('[text 13] a mention that stays at the start of a reply is a link', () => {
  const places: readonly TextPlace[] = [
    { type: 'mention', start: 0, end: 3 },
    { type: 'mention', start: 4, end: 7 },
    { type: 'mention', start: 12, end: 15 },
  ];
  const post = { ...reply('@bo @Cy hey @Di'), [PLACES]: places };
  expect(withoutLeadingMentions(post, (handle) => handle === 'bo')[PLACES]).toEqual([
    { type: 'mention', start: 0, end: 3 },
    { type: 'mention', start: 8, end: 11 },
  ]);
});

test('the Markdown of a reply in a search names the handles above the text', () => {
  const { body } = renderList(presentSearch, searchOf({ posts: [reply('@bo @Cy Yes')] }));
  expect(body).toContain('### Ada (@ada)\n\nIn reply to @bo, @Cy\n\nYes\n');
});

describe('the URL of the quoted post', () => {
  const quote = postOf({ id: '19', url: 'https://x.com/bo/status/19', author: userOf('Bo', 'bo'), text: 'Quoted.' });

  test.each([
    ['Look https://x.com/bo/status/19', 'Look'],
    ['Look\n\nhttps://twitter.com/i/web/status/19?s=20 \n', 'Look'],
    ['https://x.com/bo/status/19', ''],
  ])('is left out of %j at the end', (text, expected) => {
    expect(withoutQuoteUrl(postOf({ text, quote })).text).toBe(expected);
  });

  test.each([
    'Look https://x.com/bo/status/190',
    'Look https://x.com/bo/status/19 here',
    'Look:https://x.com/bo/status/19',
    'Look https://x.com.evil.example/bo/status/19',
    `Look https://x.com/bo/status/19?${'a'.repeat(3000)}`,
  ])('stays in %j', (text) => {
    expect(withoutQuoteUrl(postOf({ text, quote })).text).toBe(text);
  });
});
