// Converts the schemas of the published bodies to JSON Schema (2020-12), for documents and tests. No Lambda loads it.
import * as z from 'zod';
import { isRecord, type JsonRecord } from './json.ts';
import {
  Article,
  ArticleBlock,
  ArticleSpan,
  articleBlocks,
  Broadcast,
  Card,
  Community,
  CommunityNote,
  InReplyTo,
  Link,
  Media,
  MediaVariant,
  Poll,
  PollChoice,
  Post,
  PostLink,
  PostMetrics,
  PostOrTombstone,
  TextDecoration,
  TextStyle,
  Tombstone,
  TombstoneReason,
  Translation,
  UnidentifiedTombstone,
} from './post.ts';
import {
  bodies,
  ConversationGap,
  LookupEntry,
  MissingAccount,
  TreePost,
  UnreadPost,
  UnreadReason,
  Warning,
} from './resources.ts';
import { User, UserAbout, UserMetrics } from './user.ts';

export type JsonSchema = JsonRecord;

/** The schemas that documents publish, by name. */
export const schemas = {
  ...bodies,
  Post,
  PostOrTombstone,
  Tombstone,
  UnidentifiedTombstone,
  // Go checks the values of an enumeration only if it has a name, and tells a tombstone from an unread post by them.
  TombstoneReason,
  UnreadReason,
  LookupEntry,
  UnreadPost,
  MissingAccount,
  TreePost,
  ConversationGap,
  PostLink,
  PostMetrics,
  TextStyle,
  TextDecoration,
  InReplyTo,
  CommunityNote,
  Link,
  User,
  UserAbout,
  UserMetrics,
  Media,
  MediaVariant,
  Poll,
  PollChoice,
  Card,
  Broadcast,
  Community,
  Translation,
  Article,
  ArticleBlock,
  ...articleBlocks,
  ArticleSpan,
  Warning,
};

export type SchemaName = keyof typeof schemas;

type Draft = Record<string, unknown>;

/** zod gives every integer the bounds of its format. Generators understand only the format. */
const INTEGER_FORMATS = [
  { format: 'int32', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  { format: 'int64', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
] as const;

const setNumberFormat = (schema: Draft): void => {
  if (schema['type'] === 'number') schema['format'] = 'double';
  if (schema['type'] !== 'integer' || 'format' in schema) return;
  const row = INTEGER_FORMATS.find(({ maximum }) => maximum === schema['maximum']);
  schema['format'] = row?.format ?? 'int64';
  if (schema['maximum'] === row?.maximum) delete schema['maximum'];
  if (schema['minimum'] === row?.minimum) delete schema['minimum'];
};

const isNull = (schema: unknown): boolean => isRecord(schema) && schema['type'] === 'null';

/** Allows unknown members, names the formats of numbers, and shortens `anyOf` number or null. */
const simplify = (schema: Draft): void => {
  delete schema['additionalProperties'];
  delete schema['$schema'];
  delete schema['$id'];
  setNumberFormat(schema);
  const { anyOf } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || !isNull(anyOf[1])) return;
  const [only]: readonly unknown[] = anyOf;
  if (!isRecord(only) || typeof only['type'] !== 'string') return;
  delete schema['anyOf'];
  Object.assign(schema, only, { type: [only['type'], 'null'] });
};

const constantOf = (schema: JsonRecord | undefined, member: string): unknown => {
  const properties = schema?.['properties'];
  const described = isRecord(properties) ? properties[member] : undefined;
  return isRecord(described) ? described['const'] : undefined;
};

/** Generators use the discriminator to find the schema of a value without trying each of them. */
const addDiscriminator = (schema: Draft, member: string, find: (ref: string) => JsonRecord | undefined): void => {
  const refs = Array.isArray(schema['oneOf'])
    ? schema['oneOf'].map((form: unknown) => isRecord(form) && form['$ref'])
    : [];
  const mapping = refs.map((ref) => [constantOf(find(String(ref)), member), ref]);
  schema['discriminator'] = { propertyName: member, mapping: Object.fromEntries(mapping) };
};

/** @param prefix of each `$ref`, such as `#/components/schemas/` */
export const jsonSchemas = (prefix: string): Readonly<Record<SchemaName, JsonSchema>> => {
  const registry = z.registry<{ readonly id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const { schemas: drafts } = z.toJSONSchema(registry, {
    uri: (id) => `${prefix}${id}`,
    // The places of a text are no member of JSON.
    unrepresentable: ({ message }) => (message.startsWith('Symbol keys') ? 'any' : 'throw'),
    override: ({ jsonSchema }) => simplify(jsonSchema as Draft), // a JSON Schema is an object of anything
  });
  for (const schema of Object.values(drafts)) simplify(schema as Draft);
  const described = drafts as Record<SchemaName, JsonSchema>; // the registry has exactly these schemas
  const byName = new Map<string, JsonRecord>(Object.entries(described));
  const find = (ref: string): JsonRecord | undefined => byName.get(ref.slice(prefix.length));
  addDiscriminator(described.ArticleBlock as Draft, 'type', find);
  return described;
};
