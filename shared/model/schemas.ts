// The published bodies as JSON Schema (2020-12), each under its name. For documents and tests; no Lambda loads it.
import * as z from 'zod';
import { PostBody, Warning } from './conversation.ts';
import { isRecord, type JsonRecord } from './json.ts';
import { OembedBody } from './oembed.ts';
import {
  Article,
  ArticleBlock,
  Card,
  Media,
  Poll,
  Post,
  PostLink,
  PostMetrics,
  Tombstone,
  UnidentifiedTombstone,
} from './post.ts';
import { ProfileBody } from './profile.ts';
import { SearchBody } from './search-results.ts';
import { User, UserMetrics } from './user.ts';
import { UserListBody } from './user-list.ts';

/** What reads answer as JSON, by resource. */
export const bodySchemas = {
  post: PostBody,
  profile: ProfileBody,
  users: UserListBody,
  search: SearchBody,
  oembed: OembedBody,
} as const;

export type JsonSchema = JsonRecord;

const named = {
  PostBody,
  ProfileBody,
  UserListBody,
  SearchBody,
  OembedBody,
  Post,
  Tombstone,
  UnidentifiedTombstone,
  PostLink,
  PostMetrics,
  User,
  UserMetrics,
  Media,
  Poll,
  Card,
  Article,
  ArticleBlock,
  Warning,
};

export type SchemaName = keyof typeof named;

/** The name of the schema of a resource's body. */
export const bodySchemaNames = {
  post: 'PostBody',
  profile: 'ProfileBody',
  users: 'UserListBody',
  search: 'SearchBody',
  oembed: 'OembedBody',
} as const satisfies Readonly<Record<keyof typeof bodySchemas, SchemaName>>;

type Draft = Record<string, unknown>;

const isPlain = (schema: unknown, type: string): boolean =>
  isRecord(schema) && Object.keys(schema).length === 1 && schema['type'] === type;

/** Open for members to come, without the bounds of JavaScript's numbers, and with the short form of "or null". */
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

/** @param prefix of references, such as `#/components/schemas/` */
export const jsonSchemas = (prefix: string): Readonly<Record<SchemaName, JsonSchema>> => {
  const registry = z.registry<{ readonly id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => `${prefix}${id}`,
    override: ({ jsonSchema }) => simplify(jsonSchema as Draft), // a JSON Schema is an object of anything
  });
  for (const schema of Object.values(schemas)) simplify(schema as Draft);
  return schemas as Record<SchemaName, JsonSchema>; // one for each that was added
};
