// Names the results of reads.
import type {
  Conversation,
  Embed,
  MergedTimeline,
  PostLookup,
  Profile,
  ProfilePosts,
  RelatedPosts,
  Reposters,
  SearchResults,
  UserList,
  XList,
} from '../../model/resources.ts';

export interface Resources {
  readonly post: Conversation;
  readonly profile: Profile;
  readonly profilePosts: ProfilePosts;
  readonly timeline: MergedTimeline;
  readonly lookup: PostLookup;
  readonly relatedPosts: RelatedPosts;
  readonly reposters: Reposters;
  readonly xList: XList;
  readonly users: UserList;
  readonly search: SearchResults;
  readonly oembed: Embed;
}

export type ResourceName = keyof Resources;
