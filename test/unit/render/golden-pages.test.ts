// Compares the texts, the pages, the embeds and the feeds of posts with golden files. `npm run update -- golden` writes the files again;
// review their diff.
import { describe, expect, test } from 'vitest';
import { FEED_FORMATS, type FeedFormat } from '../../../shared/contract/media-types.ts';
import { type WarningCode, warning, warningRows } from '../../../shared/contract/warnings.ts';
import { keysOf } from '../../../shared/model/json.ts';
import { TIMELINE_KINDS } from '../../../shared/model/lists.ts';
import type { Post } from '../../../shared/model/post.ts';
import type { Conversation, ProfilePosts } from '../../../shared/model/resources.ts';
import { presentOembed } from '../../../shared/reads/oembed/present.ts';
import { presentPost } from '../../../shared/reads/post/present.ts';
import { presentProfilePosts } from '../../../shared/reads/profile-posts/present.ts';
import { presentSearch } from '../../../shared/reads/search/present.ts';
import { upstreamWithLists } from '../../support/browse-routes.ts';
import { indentedJson } from '../../support/indented-json.ts';
import {
  BASE,
  pageUrlsAt,
  type RenderRequest,
  recordedPosts,
  renderList,
  renderResult,
} from '../../support/list-models.ts';
import { elementsOf, mainOf } from '../../support/page-parts.ts';
import { conversationOf, postOf } from '../../support/post-models.ts';
import { RECORDED_AT, readRecorded, recordedConversation } from '../../support/recorded-posts.ts';
import { RICH_CONVERSATIONS } from '../../support/rich-conversations.ts';
import { RICH_POSTS } from '../../support/rich-posts.ts';
import { createTestApp, upstreamReturning } from '../../support/test-app.ts';

// biome-ignore format: a list of names
const POSTS = [
  'status/text_markdown_traps', 'status/text_astral_then_entities', 'status/text_rtl', 'status/text_mention_storm', 'status/note_rich',
  'status/photo_four', 'status/photo_one_alt', 'status/video', 'status/gif', 'status/mixed_photo_video', 'status/poll_live', 'status/poll_ended_two',
  'status/card_link', 'status/card_player_youtube', 'status/quote_of_quote', 'status/quote_of_deleted', 'status/community_note', 'status/article',
  'status/repost', 'status/reply_to_deleted', 'status/generated_broadcast', 'status/community_post', 'status/generated_translation_present',
  'status/video_vertical_publisher', 'thread/th3', 'thread/1848831595014459513', 'conversation/th1_p1_likes',
  'conversation/reply_focal',
];

// biome-ignore format: a list of names
const TEXTS = [
  'status/first_post_20', 'status/text_plain', 'status/text_cjk_newlines', 'status/text_control_chars',
  'status/text_two_same_urls', 'status/converted_links', 'status/converted_note_styles', 'status/converted_article_parts',
];

const golden = (path: string): string => `../../golden/${path}`;

const pageOf = (conversation: Conversation, codes: readonly WarningCode[] = []): string =>
  mainOf(renderList(presentPost, conversation, { format: 'html', warnings: codes.map((code) => warning(code)) }).body);

const embedOf = (post: Post): string => indentedJson(renderList(presentOembed, { post }).body);

test('the golden files have one whole page each of a thread, a list and an error', async () => {
  const thread = renderList(presentPost, await recordedConversation('fxtwitter/thread/th3.json'), { format: 'html' });
  await expect(elementsOf(thread.body)).toMatchFileSnapshot(golden('pages/thread.html'));
  const list = createTestApp({ upstream: upstreamWithLists(30) });
  const headers = { accept: 'text/html' };
  const followers = await list.get('/jack/followers?limit=3', { headers });
  await expect(elementsOf(followers.body)).toMatchFileSnapshot(golden('pages/list.html'));
  const gone = createTestApp({ upstream: upstreamReturning({ kind: 'gone', reason: 'deleted' }) });
  const error = await gone.get('/jack/status/20', { headers });
  await expect(elementsOf(error.body)).toMatchFileSnapshot(golden('pages/error.html'));
});

/** @returns the body with the warnings of the read */
const read = async (name: string, request: RenderRequest): Promise<string> => {
  const outcome = await readRecorded(`fxtwitter/${name}.json`);
  if (outcome.kind !== 'found') throw new Error(`${name}: ${outcome.kind}`);
  return renderResult(presentPost, outcome, { ...request, ...pageUrlsAt('/') }).body;
};

test.each([...POSTS, ...TEXTS])('presentPost writes the texts of %s', async (name) => {
  const file = `posts/${name.replace('/', '-')}`;
  await expect(await read(name, { format: 'markdown' })).toMatchFileSnapshot(golden(`${file}.md`));
  await expect(await read(name, { format: 'obsidian' })).toMatchFileSnapshot(golden(`${file}.obsidian.md`));
  await expect(indentedJson(await read(name, { format: 'json' }))).toMatchFileSnapshot(golden(`${file}.json`));
});

test('presentPost writes the golden file of a thread as one text', async () => {
  await expect(await read('thread/th3', { layout: 'unrolled' })).toMatchFileSnapshot(
    golden('posts/thread-th3.unrolled.md'),
  );
});

describe('golden files of the page and the embed of a post', () => {
  test.each([...POSTS, 'conversation/th1_p2_likes'])(
    'presentPost and presentOembed write the golden files of %s',
    async (name) => {
      const conversation = await recordedConversation(`fxtwitter/${name}.json`);
      const file = name.replace('/', '-');
      await expect(pageOf(conversation)).toMatchFileSnapshot(golden(`posts/${file}.html`));
      await expect(embedOf(conversation.post)).toMatchFileSnapshot(golden(`embeds/${file}.json`));
    },
  );

  test.each([...RICH_POSTS])(
    'presentPost and presentOembed write the golden files of a post with %s',
    async (name, post) => {
      const file = name.replaceAll(/[ ,]+/g, '-');
      await expect(pageOf(conversationOf(post))).toMatchFileSnapshot(golden(`rich/${file}.html`));
      await expect(embedOf(post)).toMatchFileSnapshot(golden(`rich/${file}.embed.json`));
      const { body } = renderList(presentPost, conversationOf(post), { format: 'obsidian' });
      await expect(body).toMatchFileSnapshot(golden(`rich/${file}.obsidian.md`));
    },
  );

  test.each([...RICH_CONVERSATIONS])(
    'presentPost writes the golden files of the conversation %s',
    async (name, value) => {
      await expect(pageOf(value, ['thread_incomplete', 'invisible_removed'])).toMatchFileSnapshot(
        golden(`rich/conversation-${name}.html`),
      );
      for (const layout of ['conversation', 'unrolled'] as const) {
        const { body } = renderList(presentPost, value, { layout });
        await expect(body).toMatchFileSnapshot(golden(`rich/conversation-${name}.${layout}.md`));
      }
    },
  );

  test('the note in Markdown says each warning in the words of the golden file', async () => {
    const notes = keysOf(warningRows).map((code) => {
      const { body } = renderList(presentPost, conversationOf(postOf()), { warnings: [warning(code)] });
      return `- ${code}: ${/\*Incomplete: .*\*/.exec(body)?.[0] ?? ''}`;
    });
    await expect(`${notes.join('\n')}\n`).toMatchFileSnapshot(golden('pages/markdown-notes.md'));
  });

  test('the notes of a page say each warning in the words of the golden file', async () => {
    const notes = keysOf(warningRows).map((code) => {
      const html = pageOf(conversationOf(postOf()), [code]);
      return `- ${code}: ${[...html.matchAll(/<p class="note">(.*?)<\/p>/g)].map(([, note = '']) => note).join(' | ')}`;
    });
    await expect(`${notes.join('\n')}\n`).toMatchFileSnapshot(golden('pages/notes.md'));
  });
});

const feedText = (format: FeedFormat, body: string): string =>
  format === 'jsonfeed' ? indentedJson(body) : `${body.trim().replaceAll(/(?<!^)<(?=\w)/gm, '\n<')}\n`;

describe.each(FEED_FORMATS)('golden files of the format %s', (format) => {
  const written = (value: ProfilePosts, path: string): string => {
    const view = presentProfilePosts(
      { value, source: 'recorded', fetchedAt: RECORDED_AT, warnings: [] },
      { baseUrl: BASE, ...pageUrlsAt(path), selfUrl: () => `${BASE}${path}` },
    );
    return feedText(format, view.feed?.(format).body ?? '');
  };

  test('presentProfilePosts writes the golden file of a feed with all kinds of posts', async () => {
    const posts = [...RICH_POSTS.values(), ...recordedPosts('statuses/p1_default').slice(0, 4)];
    const text = written({ handle: 'ADA', kind: 'posts', posts, next_cursor: 'v1.abc' }, '/ADA/rss');
    await expect(text).toMatchFileSnapshot(golden(`feeds/posts.${format}`));
  });

  test.each(TIMELINE_KINDS)('presentProfilePosts writes the golden file of an empty feed of %s', async (kind) => {
    const text = written({ handle: 'Ada', kind, posts: [] }, `/Ada/${kind}`);
    await expect(text).toMatchFileSnapshot(golden(`feeds/empty-${kind}.${format}`));
  });

  test.each(['media', 'articles'] as const)(
    'presentProfilePosts writes the golden file of a feed of %s',
    async (kind) => {
      const posts = [postOf({ id: '9', lang: 'de', hashtags: ['tide', 'tide', ''] })];
      const text = written({ handle: 'Ada', kind, posts }, `/Ada/${kind}`);
      await expect(text).toMatchFileSnapshot(golden(`feeds/${kind}.${format}`));
    },
  );

  test('presentSearch writes the golden file of a feed of several authors', async () => {
    const view = presentSearch(
      {
        value: { query: 'tide & "fjord"', feed: 'latest', posts: recordedPosts('search/q_puffins').slice(0, 3) },
        source: 'recorded',
        fetchedAt: RECORDED_AT,
        warnings: [],
      },
      { baseUrl: BASE, ...pageUrlsAt('/search?q=tide') },
    );
    const text = feedText(format, view.feed?.(format).body ?? '');
    await expect(text).toMatchFileSnapshot(golden(`feeds/search.${format}`));
  });
});
