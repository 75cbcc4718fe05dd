// Converts the schemas of the published bodies to JSON Schema (2020-12), for documents and tests. No Lambda loads it.
import * as z from 'zod';
import { PostBody, Warning } from './conversation.ts';
import { RepostersBody, ResponsesBody } from './engagements.ts';
import { isRecord, type JsonRecord } from './json.ts';
import { OembedBody } from './oembed.ts';
import {
  Article,
  ArticleBlock,
  Broadcast,
  Card,
  Community,
  Media,
  Poll,
  Post,
  PostLink,
  PostMetrics,
  TextStyle,
  Tombstone,
  Translation,
  UnidentifiedTombstone,
} from './post.ts';
import { PostLookupBody, UnreadPost } from './post-lookup.ts';
import { ProfileBody } from './profile.ts';
import { ProfilePostsBody } from './profile-posts.ts';
import { SearchBody } from './search-results.ts';
import { User, UserMetrics } from './user.ts';
import { UserListBody } from './user-list.ts';

/** The schemas of JSON bodies, by resource. */
export const bodySchemas = {
  post: PostBody,
  profile: ProfileBody,
  profilePosts: ProfilePostsBody,
  lookup: PostLookupBody,
  responses: ResponsesBody,
  reposters: RepostersBody,
  users: UserListBody,
  search: SearchBody,
  oembed: OembedBody,
} as const;

export type JsonSchema = JsonRecord;

const named = {
  PostBody,
  ProfileBody,
  ProfilePostsBody,
  PostLookupBody,
  ResponsesBody,
  RepostersBody,
  UserListBody,
  SearchBody,
  OembedBody,
  Post,
  Tombstone,
  UnidentifiedTombstone,
  UnreadPost,
  PostLink,
  PostMetrics,
  TextStyle,
  User,
  UserMetrics,
  Media,
  Poll,
  Card,
  Broadcast,
  Community,
  Translation,
  Article,
  ArticleBlock,
  Warning,
};

export type SchemaName = keyof typeof named;

/** The names of the body schemas, by resource. */
export const bodySchemaNames = {
  post: 'PostBody',
  profile: 'ProfileBody',
  profilePosts: 'ProfilePostsBody',
  lookup: 'PostLookupBody',
  responses: 'ResponsesBody',
  reposters: 'RepostersBody',
  users: 'UserListBody',
  search: 'SearchBody',
  oembed: 'OembedBody',
} as const satisfies Readonly<Record<keyof typeof bodySchemas, SchemaName>>;

type Draft = Record<string, unknown>;

const isPlain = (schema: unknown, type: string): boolean =>
  isRecord(schema) && Object.keys(schema).length === 1 && schema['type'] === type;

/** Allows unknown members, removes the bounds of safe integers, and shortens `anyOf` integer or null. */
const simplify = (schema: Draft): void => {
  delete schema['additionalProperties'];
  delete schema['$schema'];
  delete schema['$id'];
  if (schema['type'] === 'integer') {
    if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
    if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  }
  const { anyOf } = schema;
  if (Array.isArray(anyOf) && anyOf.length === 2 && isPlain(anyOf[0], 'integer') && isPlain(anyOf[1], 'null')) {
    delete schema['anyOf'];
    schema['type'] = ['integer', 'null'];
  }
};

/** @param prefix of each `$ref`, such as `#/components/schemas/` */
export const jsonSchemas = (prefix: string): Readonly<Record<SchemaName, JsonSchema>> => {
  const registry = z.registry<{ readonly id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => `${prefix}${id}`,
    override: ({ jsonSchema }) => simplify(jsonSchema as Draft), // a JSON Schema is an object of anything
  });
  for (const schema of Object.values(schemas)) simplify(schema as Draft);
  return schemas as Record<SchemaName, JsonSchema>; // the registry has exactly these schemas
};
