// Defines posts and their parts. The schemas are the published contract. Lambdas import only the types.
import * as z from 'zod';
import { type AccountNames, ANSWERED, BROADCASTER } from './account-names.ts';
import { PLACES, type TextPlace } from './text-places.ts';
import { Instant, User } from './user.ts';

/** Of the text of a model. It is no member of the contract: JSON has no symbols. */
const TextPlaces = z.custom<readonly TextPlace[]>().optional();

const Account = z.custom<AccountNames>().optional();

/** The reason that a post cannot be read. `withheld` is by X, also for an age limit or a block, or by the operator. */
export const TombstoneReason = z.enum(['deleted', 'protected', 'suspended', 'withheld', 'unknown']);
export type TombstoneReason = z.infer<typeof TombstoneReason>;

export const Tombstone = z.object({ id: z.string(), unavailable: z.literal(true), reason: TombstoneReason });
export type Tombstone = z.infer<typeof Tombstone>;

/** A quoted post that cannot be read and whose id the provider does not return. */
export const UnidentifiedTombstone = Tombstone.omit({ id: true });
export type UnidentifiedTombstone = z.infer<typeof UnidentifiedTombstone>;

/** A post that is linked but not included: a quote below the fourth level. */
export const PostLink = z.object({ id: z.string(), url: z.string() });
export type PostLink = z.infer<typeof PostLink>;

export const MediaVariant = z.object({
  url: z.string(),
  content_type: z.string().optional(),
  bitrate: z.int().optional().describe('Bits per second.'),
});

export const Media = z.object({
  type: z.enum(['photo', 'video', 'gif']),
  url: z.string().describe('The picture, or the best variant of a video.'),
  width: z.int().optional().describe('Pixels.'),
  height: z.int().optional().describe('Pixels.'),
  alt_text: z.string().optional().describe('What the author says is to be seen.'),
  duration_ms: z.int().optional().describe('Of a video.'),
  thumbnail_url: z.string().optional().describe('A still of a video or gif.'),
  variants: z.array(MediaVariant).optional(),
  publisher: User.optional().describe('The account whose video it is, if the provider names one.'),
});
export type Media = z.infer<typeof Media>;

export const PollChoice = z.object({
  label: z.string(),
  votes: z.int().nullable(),
  percentage: z.number().nullable(),
});

export const Poll = z.object({
  choices: z.array(PollChoice),
  total_votes: z.int().nullable(),
  ends_at: Instant.optional(),
  closed: z.boolean().optional(),
});
export type Poll = z.infer<typeof Poll>;

export const Link = z.object({
  url: z.string(),
  display_url: z.string().optional(),
  start: z.int32().optional().describe('Offset of its first place in `text`, in UTF-16 code units.'),
  end: z.int32().optional().describe('Offset after it. Without both, the text does not show the link.'),
});
export type Link = z.infer<typeof Link>;

/** A styled range of the text of a post. */
export const TextStyle = z.object({
  type: z.enum(['bold', 'italic']),
  start: z.int32().describe('Offset in `text`, in UTF-16 code units.'),
  end: z.int32().describe('Offset after the range.'),
});
export type TextStyle = z.infer<typeof TextStyle>;

/** Clients of 1.0 know two types of styles, so the others are a member of their own. */
export const TextDecoration = z.object({
  ...TextStyle.shape,
  type: z.string().describe('underline or strikethrough. New values may appear.'),
});
export type TextDecoration = z.infer<typeof TextDecoration>;

/** A run of article text: plain, styled or linked. */
export const ArticleSpan = z.object({
  text: z.string(),
  bold: z.literal(true).optional(),
  italic: z.literal(true).optional(),
  strikethrough: z.literal(true).optional(),
  url: z.string().optional(),
});
export type ArticleSpan = z.infer<typeof ArticleSpan>;

const spans = z.array(ArticleSpan);

/** The blocks of an article, by the names of their schemas. */
export const articleBlocks = {
  ArticleParagraph: z.object({ type: z.literal('paragraph'), spans }),
  ArticleHeading: z.object({ type: z.literal('heading'), level: z.int32(), spans }),
  ArticleQuote: z.object({ type: z.literal('quote'), spans }),
  ArticleListItem: z.object({ type: z.literal('list_item'), ordered: z.boolean(), spans }),
  ArticleCode: z.object({ type: z.literal('code'), language: z.string().optional(), text: z.string() }),
  ArticleMedia: z.object({ type: z.literal('media'), media: Media }),
  ArticlePost: z.object({ type: z.literal('post'), id: z.string(), url: z.string() }),
  ArticleDivider: z.object({ type: z.literal('divider') }),
} as const;

export const ArticleBlock = z.discriminatedUnion('type', [
  articleBlocks.ArticleParagraph,
  articleBlocks.ArticleHeading,
  articleBlocks.ArticleQuote,
  articleBlocks.ArticleListItem,
  articleBlocks.ArticleCode,
  articleBlocks.ArticleMedia,
  articleBlocks.ArticlePost,
  articleBlocks.ArticleDivider,
]);
export type ArticleBlock = z.infer<typeof ArticleBlock>;

export const Article = z.object({
  title: z.string(),
  preview_text: z.string().optional(),
  cover_url: z.string().optional(),
  cover_width: z.int().positive().optional().describe('Pixels of the cover, if the provider names them.'),
  cover_height: z.int().positive().optional(),
  published_at: Instant.optional(),
  modified_at: Instant.optional().describe('The last change.'),
  markdown: z.string().optional(),
  blocks: z.array(ArticleBlock).describe('Empty where only a preview is known.'),
});
export type Article = z.infer<typeof Article>;

export const PostMetrics = z.object({
  likes: z.int().nullable(),
  reposts: z.int().nullable(),
  replies: z.int().nullable(),
  quotes: z.int().nullable(),
  bookmarks: z.int().nullable(),
  views: z.int().nullable(),
});
export type PostMetrics = z.infer<typeof PostMetrics>;

export const Card = z.object({
  url: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  domain: z.string().optional().describe('As X shows it. It is not always the host of `url`.'),
  image_url: z.string().optional(),
  image_width: z.int().optional().describe('Pixels.'),
  image_height: z.int().optional().describe('Pixels.'),
  image_alt: z.string().optional().describe('What the page says is to be seen.'),
});
export type Card = z.infer<typeof Card>;

export const Broadcast = z.object({
  url: z.string().describe('On X.'),
  state: z.string().optional().describe('live or ended, when the provider was read. New values may appear.'),
  thumbnail_url: z.string().optional(),
  [BROADCASTER]: Account,
});
export type Broadcast = z.infer<typeof Broadcast>;

export const Community = z.object({
  id: z.string().describe('Decimal digits.'),
  name: z.string().optional(),
  description: z.string().optional(),
  topic: z.string().optional(),
  created_at: Instant.optional(),
});
export type Community = z.infer<typeof Community>;

export const Translation = z.object({
  text: z.string().describe('Plain text.'),
  source_lang: z.string().optional().describe('BCP 47.'),
  target_lang: z.string().optional().describe('BCP 47.'),
  provider: z.string().optional().describe('Who translated.'),
});
export type Translation = z.infer<typeof Translation>;

export const CommunityNote = z.object({ text: z.string(), [PLACES]: TextPlaces });
export type CommunityNote = z.infer<typeof CommunityNote>;

export const InReplyTo = z.object({
  handle: z.string().optional(),
  name: z.string().optional(),
  id: z.string().optional(),
});

export const Post = z.object({
  id: z.string().describe('Decimal digits. Always a string: ids exceed 2^53.'),
  url: z.string(),
  text: z.string().describe('Plain text: entities decoded, short links expanded.'),
  [PLACES]: TextPlaces,
  styles: z
    .array(TextStyle)
    .optional()
    .describe('Bold and italic ranges of a long post, by start. Ranges of one type do not overlap.'),
  decorations: z.array(TextDecoration).optional().describe('Other styled ranges of a long post, in the same order.'),
  created_at: Instant.optional(),
  lang: z.string().optional().describe('BCP 47, as X guessed it.'),
  translation: Translation.optional().describe('The requested one, or one that the provider sends by itself.'),
  author: User.optional(),
  metrics: PostMetrics,
  media: z.array(Media),
  poll: Poll.optional(),
  get quote(): z.ZodOptional<
    z.ZodUnion<[typeof Post, typeof Tombstone, typeof PostLink, typeof UnidentifiedTombstone]>
  > {
    return z.optional(z.union([Post, Tombstone, PostLink, UnidentifiedTombstone]));
  },
  article: Article.optional(),
  community_note: CommunityNote.optional().describe('Context that readers added.'),
  card: Card.optional().describe('Preview of a link.'),
  broadcast: Broadcast.optional().describe('A live video.'),
  community: Community.optional().describe('The community in which it was posted.'),
  client: z.string().optional().describe('The app that it was posted with.'),
  in_reply_to: InReplyTo.optional().describe('The post that it answers.'),
  [ANSWERED]: Account,
  reposted_by: User.optional(),
  conversation_id: z.string().optional().describe('Id of the post that began the conversation.'),
  sensitive: z.boolean().optional().describe('Marked as such by its author or by X.'),
  mentions: z.array(z.string()).describe('Handles without @.'),
  hashtags: z.array(z.string()).describe('Without #.'),
  cashtags: z.array(z.string()).describe('Without $.'),
  links: z.array(Link),
});
export type Post = z.infer<typeof Post>;

/** An entry of a conversation. */
export const PostOrTombstone = z.union([Post, Tombstone]);
export type PostOrTombstone = z.infer<typeof PostOrTombstone>;
