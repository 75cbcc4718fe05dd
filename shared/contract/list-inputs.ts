// Parses the parameters of a list as its row declares them, with the rules between them and the key to which the cursors of
// the list are bound.

import { definedMembers } from '../model/json.ts';
import type { ListKey, ListPosition } from '../model/lists.ts';
import { type CONVERSATION_FORMATS, LIST_FORMATS, type TIMELINE_FORMATS } from './formats.ts';
import { type FindFeed, feedOfAccount, formatOf, INVALID_FORMAT, type ParameterReader } from './parameter-reader.ts';
import {
  DEFAULT_LIMIT,
  type MetricsChoice,
  type ParameterName,
  type ParameterValue,
  type TranslationChoice,
} from './parameters.ts';
import { SEARCH_FEED } from './paths.ts';
import type { reads } from './reads/index.ts';
import type { Read } from './reads/row.ts';

type ListFormat = (typeof TIMELINE_FORMATS | typeof CONVERSATION_FORMATS)[number];

/** The input of every list. */
export interface ListInput {
  readonly format?: ListFormat;
  readonly limit: number;
  readonly maxTokens?: number;
  /** Only lists of posts have it. */
  readonly metrics?: MetricsChoice;
  /** A language of languages.ts. Cursors continue the list in any. @default no translations are requested */
  readonly lang?: string;
  /** @default 'both' */
  readonly translation?: TranslationChoice;
  /** The position after the previous page; unset: the first page. */
  readonly position?: ListPosition;
  /** The key of the list, to which its cursors are bound. */
  readonly list: ListKey;
}

/** The row of a read that is a list. */
export type ListRead = Read & Required<Pick<Read, 'list'>> & { readonly formats: readonly ListFormat[] };

/** The values of parameters that are absent. */
const PRESETS = { kind: 'posts', sort: 'top', feed: 'latest' } as const satisfies Partial<
  Record<ParameterName, string>
>;

/** The members whose names differ from those of the parameters. */
const MEMBERS = { q: 'query', sort: 'order' } as const satisfies Partial<Record<ParameterName, string>>;

type MemberOf<Name> = Name extends keyof typeof MEMBERS ? (typeof MEMBERS)[Name] : Name & string;
/** A permalink names the author of the post or the list, too, who does not identify it. */
type NamedAuthor<Name> = 'id' extends Name ? { readonly handle?: string } : unknown;
type OwnOf<Row extends ListRead> = Extract<Row['parameters'][number], (typeof OWN)[number]>;
type GivenOf<Row extends ListRead> = Extract<OwnOf<Row>, Row['required'][number] | keyof typeof PRESETS>;

/** The input that the row of a list declares. */
export type ListInputOf<Row extends ListRead> = ListInput &
  NamedAuthor<Row['required'][number]> & { readonly [Name in GivenOf<Row> as MemberOf<Name>]: ParameterValue<Name> } & {
    readonly [Name in Exclude<OwnOf<Row>, GivenOf<Row>> as MemberOf<Name>]?: ParameterValue<Name>;
  };

type InputOfRead<Name extends keyof typeof reads> = (typeof reads)[Name] extends infer Row extends ListRead
  ? ListInputOf<Row>
  : never;

export type HandleInput = InputOfRead<'readProfile'>;
export type ProfilePostsInput = InputOfRead<'listPosts'>;
export type MergedTimelineInput = InputOfRead<'mergeTimelines'>;
/** The input of a list that belongs to the post, the account or the list of X with the id. */
export type IdInput = InputOfRead<'readProfileById'>;
export type RepliesInput = InputOfRead<'listReplies'>;
export type SearchInput = InputOfRead<'searchPosts'>;

/** The own parameters of lists, in the order in which they are checked. */
const OWN = [
  'handle',
  'handles',
  'id',
  'q',
  'kind',
  'sort',
  'feed',
  'since',
  'until',
  'reposts',
  'threads',
] as const satisfies readonly ParameterName[];

type Values = { readonly [Name in (typeof OWN)[number]]?: ParameterValue<Name> };

/** @returns the part of the key for the value of a parameter; undefined if the list is not known without the value */
const keyPart = (name: ParameterName, values: Values, reader: ParameterReader): readonly string[] | undefined => {
  switch (name) {
    case 'handle':
      return values.handle === undefined ? undefined : [values.handle.toLowerCase()];
    case 'handles':
      return values.handles && [values.handles.join(',')];
    case 'since':
    case 'until':
      return values[name] === undefined && reader.has(name) ? undefined : [String(values[name] ?? '')];
    case 'reposts':
      return values.reposts === 'include' ? ['reposts'] : [];
    case 'threads':
      return values.threads === 'merged' ? ['threads'] : [];
    case 'id':
    case 'q':
    case 'kind':
    case 'sort':
    case 'feed':
      return values[name] === undefined ? undefined : [values[name]];
    default:
      throw new Error(`no list is bound to ${name}`);
  }
};

/** @returns undefined if a parameter that identifies the list is missing or wrong */
const keyOf = ([list, ...names]: ListRead['list'], values: Values, reader: ParameterReader): ListKey | undefined => {
  const key = [list];
  for (const name of names) {
    const part = keyPart(name, values, reader);
    if (part === undefined) return undefined;
    key.push(...part);
  }
  return key;
};

const checkPeriod = ({ since, until }: Values, reader: ParameterReader): void => {
  if (since !== undefined && until !== undefined && since >= until)
    reader.reject('invalid_parameter', 'until', 'must be later than since');
};

const isOwn = ({ parameters, required }: ListRead, name: ParameterName): boolean =>
  parameters.includes(name) || (name === 'handle' && required.includes('id'));

const readOwn = (row: ListRead, reader: ParameterReader): Values => {
  const presets: Readonly<Partial<Record<ParameterName, string>>> = PRESETS;
  const values: Values = {};
  for (const name of OWN.filter((each) => isOwn(row, each))) {
    const isGiven = reader.has(name);
    const value = reader.value(name) ?? (isGiven ? undefined : presets[name]);
    if (row.required.includes(name) && !isGiven)
      reader.reject(name === 'q' ? 'missing_query' : 'missing_parameter', name, 'is required');
    if (value !== undefined) Object.assign(values, { [name]: value });
    if (name === 'until') checkPeriod(values, reader);
  }
  return values;
};

/** A search for accounts has no feed. The search for posts has one. */
const feedOfSearch: FindFeed = (format) => (format === 'rss' ? SEARCH_FEED : `/search?q=&format=${format}`);

const membersOf = ({ q, sort, ...same }: Values): object => ({
  ...same,
  ...(q !== undefined && { [MEMBERS.q]: q }),
  ...(sort !== undefined && { [MEMBERS.sort]: sort }),
});

/** @returns undefined if a parameter that identifies the list is missing or wrong */
export const parseList = (row: ListRead, reader: ParameterReader): ListInput | undefined => {
  const values = readOwn(row, reader);
  const list = keyOf(row.list, values, reader);
  const metrics = row.parameters.includes('metrics') ? reader.value('metrics') : undefined;
  // A feed has posts, not accounts.
  const formats = values.feed === 'users' ? LIST_FORMATS : row.formats;
  const findFeed = row.required.includes('q') ? feedOfSearch : feedOfAccount;
  const format = formatOf(reader, formats, INVALID_FORMAT, findFeed);
  const limit = reader.value('limit') ?? DEFAULT_LIMIT;
  const position = reader.position(list);
  const maxTokens = reader.value('max_tokens');
  const lang = reader.value('lang');
  const translation = reader.value('translation');
  return (
    list && {
      list,
      ...definedMembers({ limit, format, position, maxTokens, metrics, lang, translation }),
      ...membersOf(values),
    }
  );
};
