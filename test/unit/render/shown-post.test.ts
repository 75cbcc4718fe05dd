// Checks that every form of a post shows every part of it, once.
import { describe, expect, test } from 'vitest';
import { parseFileUrl } from '../../../shared/model/picture-hosts.ts';
import type { Post } from '../../../shared/model/post.ts';
import { embedHtml } from '../../../shared/reads/oembed/embed.ts';
import { presentPost } from '../../../shared/reads/post/present.ts';
import { itemHtml } from '../../../shared/render/feeds/item-html.ts';
import { conversationHtml } from '../../../shared/render/html/conversation.ts';
import { renderList } from '../../support/list-models.ts';
import { conversationOf, postOf, userOf } from '../../support/post-models.ts';
import { photo, video } from '../../support/rich-media.ts';

const BASE = 'https://postern.example';

const mainOf = (html: string): string => /<main.*<\/main>/s.exec(html)?.[0] ?? '';

const forms: Readonly<Record<string, (post: Post) => string>> = {
  page: (post) => mainOf(String(conversationHtml(conversationOf(post), BASE))),
  Markdown: (post) => renderList(presentPost, conversationOf(post)).body,
  embed: (post) => String(embedHtml(post, { width: 550, height: Number.POSITIVE_INFINITY }).html),
  'feed item': (post) => String(itemHtml(post)),
};

const STILL = 'https://pbs.twimg.com/amplify_video_thumb/913/img/T.jpg';
const PLAYLIST = 'https://video.twimg.com/amplify_video/913/pl/L.m3u8?tag=14';

const replay = (members: object = {}) =>
  video({ url: PLAYLIST, thumbnail_url: STILL, variants: [{ url: PLAYLIST }], ...members });

describe.each(Object.entries(forms))('%s', (_, write) => {
  test('[oembed 5] shows the text, and every part below it', () => {
    const post = postOf({
      text: 'WORDS https://x.com/bo/status/7',
      links: [{ url: 'https://x.com/bo/status/7' }],
      media: [photo({ alt_text: 'ALT' })],
      poll: { choices: [{ label: 'CHOICE', votes: 1, percentage: 100 }], total_votes: 1, closed: true },
      quote: postOf({ id: '7', url: 'https://x.com/bo/status/7', author: userOf('BOB', 'bo'), text: 'QUOTED' }),
      card: {
        url: 'https://card.example/',
        title: 'TITLE',
        description: 'DESCRIPTION',
        image_url: 'https://pbs.twimg.com/card_img/1/a',
        image_width: 800,
        image_height: 419,
      },
      broadcast: { url: 'https://x.com/i/broadcasts/1abc', state: 'ended' },
      community_note: { text: 'NOTE' },
    });
    const written = write(post);
    const words = ['WORDS', 'ALT', 'CHOICE', 'BOB', 'QUOTED', 'TITLE', 'DESCRIPTION', 'card_img/1/a', 'NOTE'];
    for (const word of [...words, 'Ended broadcast', 'https://x.com/i/broadcasts/1abc'])
      expect(written).toContain(word);
    // Only the quote names its address, and no text does.
    expect(written).not.toMatch(/WORDS\s+<?(?:<a[^>]*>)?https:/);
  });

  test('[pages 10] leads from a video that X has only as a playlist to the post on X, with its still', () => {
    const article = { title: 'T', blocks: [{ type: 'media' as const, media: replay() }] };
    for (const members of [{ media: [replay()] }, { media: [replay(), photo()] }, { article }]) {
      const written = write(postOf(members));
      expect(written).not.toContain('m3u8');
      if (members.article !== undefined && write === forms['embed']) continue;
      expect(written).toContain('https://x.com/ada/status/20');
    }
    const file = 'https://video.twimg.com/amplify_video/913/vid/hevc/1280x720/a.mp4';
    expect(write(postOf({ media: [replay({ variants: [{ url: PLAYLIST }, { url: file }] })] }))).toContain(file);
    if (write !== forms['Markdown']) expect(write(postOf({ media: [replay()] }))).toContain(STILL);
  });

  test('[oembed 5] shows a video once that the quote or the article repeats, and a broadcast once that its card repeats', () => {
    const shared = video({ alt_text: 'SHARED', url: 'https://video.twimg.com/a/1280x720/a.mp4' });
    const countOf = (members: Partial<Post>): number => write(postOf(members)).split('SHARED').length - 1;
    const once = countOf({ media: [shared] });
    const again = { ...shared, url: `${shared.url}?tag=12` };
    expect(countOf({ media: [shared], quote: postOf({ id: '7', media: [again] }) })).toBe(once);
    const article = { title: 'T', blocks: [{ type: 'media' as const, media: again }] };
    if (write !== forms['embed']) expect(countOf({ media: [shared], article })).toBe(countOf({ article }));
    const broadcast = { url: 'https://x.com/i/broadcasts/1abc', state: 'live' };
    const card = { url: 'https://twitter.com/i/broadcasts/1abc', title: 'SHARED' };
    const written = write(postOf({ card, broadcast }));
    expect(written.split('SHARED')).toHaveLength(2);
    expect(written).toContain('Live broadcast');
    expect(written).not.toContain(broadcast.url);
  });
});

test('[pages 10] the picture proxy passes on no playlist', () => {
  expect(parseFileUrl(PLAYLIST)).toBeUndefined();
  expect(parseFileUrl(PLAYLIST.replace('m3u8', 'mp4'))).toMatchObject({ path: '/amplify_video/913/pl/L.mp4' });
});

test('[lists 13] a feed and an embed keep the indentation of code, and a feed has no figures of an open poll', () => {
  const text = 'def tide(x):\n    if x:\n\treturn  x\n https://a.example/ y';
  const kept = 'def tide(x):<br/>\u00a0\u00a0\u00a0\u00a0if x:<br/>\u00a0\u00a0\u00a0\u00a0return\u00a0 x<br/>\u00a0<a';
  const post = postOf({ text, links: [{ url: 'https://a.example/' }] });
  expect(forms['embed']?.(post)).toContain(kept);
  expect(forms['feed item']?.(post)).toContain(kept);
  expect(forms['feed item']?.(post)).toContain('</a> y</p>');
  const poll = (votes: number, closed?: boolean) =>
    forms['feed item']?.(
      postOf({
        poll: {
          choices: [{ label: 'Yes', votes, percentage: votes }],
          total_votes: votes,
          ends_at: '2026-08-21T10:00:00Z',
          ...(closed !== undefined && { closed }),
        },
      }),
    );
  expect(poll(17, false)).toBe(poll(18, false));
  expect(poll(17)).toBe(poll(18));
  expect(poll(17, false)).toContain('open until 2026-08-21 10:00 UTC');
  expect(poll(17, true)).toContain('Yes: 17 % (17)');
});
