// The words that readers get, as files to read: `npm run golden` writes them anew, and the diff is the review.
import { expect, test } from 'vitest';
import type { Format } from '../../../shared/contract/media-types.ts';
import { represent } from '../../../shared/render/represent.ts';
import { readCaptured } from '../../support/captured.ts';

// biome-ignore format: a list of names
const POSTS = [
  'status/first_post_20', 'status/text_plain', 'status/text_markdown_traps', 'status/text_astral_then_entities', 'status/text_cjk_newlines', 'status/text_rtl',
  'status/text_control_chars', 'status/text_mention_storm', 'status/text_two_same_urls', 'status/note_rich', 'status/photo_four', 'status/photo_one_alt',
  'status/video', 'status/gif', 'status/mixed_photo_video', 'status/poll_live', 'status/poll_ended_two', 'status/card_link', 'status/card_player_youtube',
  'status/quote_of_quote', 'status/quote_of_deleted', 'status/community_note', 'status/article', 'status/repost', 'status/reply_to_deleted',
  'status/generated_broadcast', 'thread/th3', 'thread/1848831595014459513', 'conversation/th1_p1_likes', 'conversation/reply_focal',
];

const read = async (name: string, format: Format): Promise<string> => {
  const outcome = await readCaptured(`fxtwitter/${name}.json`);
  if (outcome.kind !== 'found') throw new Error(`${name}: ${outcome.kind}`);
  return represent({ cache: 'post' }, outcome, { format, maxTokens: undefined, baseUrl: 'https://postern.example' })
    .body;
};

const golden = (name: string, extension: string): string => `../../golden/posts/${name.replace('/', '-')}.${extension}`;

test.each(POSTS)('%s', async (name) => {
  await expect(await read(name, 'markdown')).toMatchFileSnapshot(golden(name, 'md'));
  await expect(await read(name, 'obsidian')).toMatchFileSnapshot(golden(name, 'obsidian.md'));
  await expect(`${JSON.stringify(JSON.parse(await read(name, 'json')), null, 2)}\n`).toMatchFileSnapshot(
    golden(name, 'json'),
  );
});
