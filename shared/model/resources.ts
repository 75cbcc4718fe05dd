// Defines the resources and their JSON bodies. The schemas are the published contract; Lambdas import only the types.
import * as z from 'zod';
import { FEEDS, MAX_CONVERSATION_REPLIES, TIMELINE_KINDS } from './lists.ts';
import { Post, PostOrTombstone, Tombstone, TombstoneReason } from './post.ts';
import { Instant, User } from './user.ts';

export const Warning = z.object({
  code: z.string().describe('Stable; new codes may appear.'),
  message: z.string().describe('For people.'),
});
export type Warning = z.infer<typeof Warning>;

export const Conversation = z.object({
  post: Post,
  ancestors: z.array(PostOrTombstone).describe('The chain of posts before the post, by any author.'),
  thread: z.array(PostOrTombstone).describe("The author's continuation after the post."),
  replies: z.array(PostOrTombstone).describe(`At most ${MAX_CONVERSATION_REPLIES}.`),
});
export type Conversation = z.infer<typeof Conversation>;

/** The members that every JSON body of a resource has. */
export const Provenance = z.object({
  source: z.string().describe('The provider that answered. Open-ended: new values may appear.'),
  fetched_at: Instant.describe('When the provider was read; survives caches.'),
  warnings: z.array(Warning).describe('Empty when the answer is complete.'),
});
export type Provenance = z.infer<typeof Provenance>;

const NextCursor = z
  .string()
  .optional()
  .describe('Pass as cursor for the next page. Opaque; its absence is the end of the list.');

const Degraded = z.boolean().optional().describe('true: a fallback with less data answered.');

export const Profile = z.object({
  profile: User,
  posts: z
    .array(Post)
    .describe('In the order of X, mostly newest first; without replies, and without reposts unless reposts=include.'),
  next_cursor: NextCursor,
  degraded: Degraded,
});
export type Profile = z.infer<typeof Profile>;

export const ProfilePosts = z.object({
  handle: z.string().describe('Whose posts they are.'),
  kind: z.enum(TIMELINE_KINDS),
  posts: z.array(Post).describe('In the order of X, mostly newest first; without reposts unless reposts=include.'),
  next_cursor: NextCursor,
  degraded: Degraded,
});
export type ProfilePosts = z.infer<typeof ProfilePosts>;

export const MissingAccount = z.object({
  handle: z.string(),
  reason: z
    .enum([...TombstoneReason.options, 'failed'])
    .describe('failed: the provider failed; the next page goes on.'),
});
export type MissingAccount = z.infer<typeof MissingAccount>;

/** The posts of several accounts. */
export const MergedTimeline = z.object({
  handles: z.array(z.string()).describe('Whose posts they are: in lower case, sorted, each once.'),
  kind: z.enum(TIMELINE_KINDS),
  missing: z.array(MissingAccount).describe('The accounts that cannot be read.'),
  posts: z.array(Post).describe('Newest first over all accounts, by id; without reposts unless reposts=include.'),
  next_cursor: NextCursor,
  degraded: Degraded,
});
export type MergedTimeline = z.infer<typeof MergedTimeline>;

export const UserList = z.object({
  handle: z.string().describe('Whose list it is.'),
  users: z.array(User),
  next_cursor: NextCursor,
});
export type UserList = z.infer<typeof UserList>;

export const SearchResults = z.object({
  query: z.string(),
  feed: z.enum(FEEDS),
  posts: z.array(Post).optional().describe('Absent with the feed users.'),
  users: z.array(User).optional().describe('With the feed users alone.'),
  next_cursor: NextCursor,
  degraded: Degraded,
});
export type SearchResults = z.infer<typeof SearchResults>;

const SubjectId = z.string().describe('Id of the post that they belong to.');

/** Replies or quotes. */
export const RelatedPosts = z.object({ id: SubjectId, posts: z.array(Post), next_cursor: NextCursor });
export type RelatedPosts = z.infer<typeof RelatedPosts>;

/** The posts of a list of X, which the service does not know by its name. */
export const XList = z.object({
  id: z.string().describe('Id of the list.'),
  posts: z.array(Post).describe('In the order of the source, mostly newest first.'),
  next_cursor: NextCursor,
});
export type XList = z.infer<typeof XList>;

/** A post in the tree of a conversation. */
export const TreePost = Post.extend({
  depth: z
    .int32()
    .describe('Steps to the root, which has 0. Below a missing post without a parent: the fewest possible.'),
  replies_known: z.int32().describe('The posts of the answer that answer it.'),
  replies_said: z.int32().nullable().describe('The replies that X counts; null: unknown.'),
});
export type TreePost = z.infer<typeof TreePost>;

export const GapReason = z.enum([...TombstoneReason.options, 'not_given']);
export type GapReason = z.infer<typeof GapReason>;

/** Posts of a conversation that cannot be shown. */
export const ConversationGap = z.object({
  id: z.string().optional().describe('Of one post, if it is known.'),
  parent: z
    .string()
    .optional()
    .describe(
      'Id of the post that they answer, if it is known. Without it, the post may also be among those that a gap counts.',
    ),
  reason: GapReason.describe('not_given: only the source knows why.'),
  count: z.int32().describe('How many posts; 1 with an id.'),
});
export type ConversationGap = z.infer<typeof ConversationGap>;

/** All posts that answer a post, directly or not. */
export const ConversationTree = z.object({
  root: z.string().describe('Id of the post at the root.'),
  posts: z
    .array(TreePost)
    .describe('In reading order: the root, then each reply, oldest first, before what answers it.'),
  missing: z.array(ConversationGap).describe('The gaps, in the order of their parents.'),
  completeness: z
    .object({
      said: z.int32().describe('Replies that the posts count, or that are known to be missing.'),
      found: z
        .int32()
        .describe('Replies that were found. A page that was cut also counts those of the pages around it.'),
    })
    .describe('Without next_cursor, the difference is the sum of the counts in missing.'),
  next_cursor: NextCursor,
});
export type ConversationTree = z.infer<typeof ConversationTree>;

export const Reposters = z.object({ id: SubjectId, users: z.array(User), next_cursor: NextCursor });
export type Reposters = z.infer<typeof Reposters>;

export const UnreadReason = z.enum(['failed']);

/** A post that could not be read, because the provider failed. It may exist. */
export const UnreadPost = z.object({ id: z.string(), unavailable: z.literal(true), reason: UnreadReason });
export type UnreadPost = z.infer<typeof UnreadPost>;

export const LookupEntry = z.union([Post, Tombstone, UnreadPost]);
export type LookupEntry = z.infer<typeof LookupEntry>;

export const PostLookup = z.object({
  posts: z.array(LookupEntry).describe('In the order of the request, each post once.'),
});
export type PostLookup = z.infer<typeof PostLookup>;

/** A post and the maximum size of its embed in pixels. */
export interface Embed {
  readonly post: Post;
  readonly maxWidth?: number | undefined;
  readonly maxHeight?: number | undefined;
}

/** The results of reads. The published body of `xList` is `XListBody`. */
export interface Resources {
  readonly post: Conversation;
  readonly profile: Profile;
  readonly profilePosts: ProfilePosts;
  readonly timeline: MergedTimeline;
  readonly postLookup: PostLookup;
  readonly relatedPosts: RelatedPosts;
  readonly conversation: ConversationTree;
  readonly reposters: Reposters;
  readonly xList: XList;
  readonly userList: UserList;
  readonly search: SearchResults;
  readonly oembed: Embed;
}

export type ResourceName = keyof Resources;

export const OembedBody = z.object({
  version: z.literal('1.0'),
  type: z.literal('rich'),
  html: z.string().describe('Needs no script and loads nothing but pictures of X.'),
  width: z.int32().describe('Pixels; at most maxwidth.'),
  height: z.int32().describe('Pixels, estimated from the words; at most maxheight.'),
  title: z.string(),
  author_name: z.string().optional(),
  author_url: z.string().optional(),
  provider_name: z.string(),
  provider_url: z.string(),
  cache_age: z.int32().describe('Seconds for which it may be kept.'),
  thumbnail_url: z.string().optional(),
  thumbnail_width: z.int().optional(),
  thumbnail_height: z.int().optional(),
});
export type OembedBody = z.infer<typeof OembedBody>;

/** The members of the resource, after those that every JSON body has and before its Markdown, which `max_tokens` cuts. */
const bodyOf = <Shape extends z.ZodRawShape>(resource: z.ZodObject<Shape>) =>
  z.object({
    ...Provenance.shape,
    ...resource.shape,
    markdown: z.string().describe('The same as Markdown. Its wording and layout are no contract.'),
  });

/** The schemas of JSON bodies, by their published names. */
export const bodies = {
  PostBody: bodyOf(Conversation),
  ProfileBody: bodyOf(Profile),
  ProfilePostsBody: bodyOf(ProfilePosts),
  TimelineBody: bodyOf(MergedTimeline),
  PostLookupBody: bodyOf(PostLookup),
  RelatedPostsBody: bodyOf(RelatedPosts),
  ConversationBody: bodyOf(ConversationTree),
  XListBody: bodyOf(XList),
  RepostersBody: bodyOf(Reposters),
  UserListBody: bodyOf(UserList),
  SearchBody: bodyOf(SearchResults),
  OembedBody,
} as const;

export type PostBody = z.infer<typeof bodies.PostBody>;
