// Lists how the documents describe the resources: the schema of the JSON body, the tag of OpenAPI and the page. Summarizes
// operations in a few words.
import type { DocumentName } from '../contract/documents.ts';
import { type Operation, useCasesOf } from '../contract/operations.ts';
import { type Resources, useCases } from '../contract/use-cases.ts';
import type { SchemaName } from '../model/schemas.ts';

/** @returns for example `List the posts of a public profile by kind and date (kind=media)` */
export const operationSummary = (operation: Operation): string => {
  const { handle: _, ...fixed } = operation.fixed ?? {};
  const implied = Object.entries(fixed).map(([name, value]) => `${name}=${value}`);
  const summary = useCasesOf(operation)
    .map((name) => useCases[name].summary)
    .join('; ');
  return implied.length === 0 ? summary : `${summary} (${implied.join(', ')})`;
};

/** The tags of operations, with their pages. */
export const resourceTags = {
  Posts: { page: 'posts', description: 'A post with its conversation.' },
  Profiles: { page: 'profiles', description: 'Profiles, followers and followed accounts.' },
  Search: { page: 'search', description: 'Posts or accounts.' },
  Embeds: { page: 'embeds', description: 'oEmbed 1.0.' },
} as const satisfies Readonly<Record<string, { readonly page: DocumentName; readonly description: string }>>;

export const resources = {
  post: { schema: 'PostBody', tag: 'Posts' },
  profile: { schema: 'ProfileBody', tag: 'Profiles' },
  profilePosts: { schema: 'ProfilePostsBody', tag: 'Profiles' },
  timeline: { schema: 'TimelineBody', tag: 'Profiles' },
  lookup: { schema: 'PostLookupBody', tag: 'Posts' },
  relatedPosts: { schema: 'RelatedPostsBody', tag: 'Posts' },
  xList: { schema: 'XListBody', tag: 'Profiles' },
  reposters: { schema: 'RepostersBody', tag: 'Posts' },
  users: { schema: 'UserListBody', tag: 'Profiles' },
  search: { schema: 'SearchBody', tag: 'Search' },
  oembed: { schema: 'OembedBody', tag: 'Embeds' },
} as const satisfies Readonly<
  Record<keyof Resources, { readonly schema: SchemaName; readonly tag: keyof typeof resourceTags }>
>;
