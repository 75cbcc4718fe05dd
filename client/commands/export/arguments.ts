// Parses the arguments of `npm run export`.
import { commandLine } from '../../../infra/command/command-line.ts';
import { CommandError } from '../../../infra/command/output.ts';
import { versionedPath } from '../../../shared/contract/operations.ts';
import type { UseCaseName } from '../../../shared/contract/use-cases.ts';
import { parseHandle, parseId } from '../../../shared/model/handle.ts';
import { kindOfPage, type PostPage, parsePostLink } from '../../../shared/model/x-urls.ts';
import { type BoxArgument, parseBoxArgument } from '../box-argument.ts';
import { isListTarget, pathOfHandle, withQuery } from '../list-target.ts';
import { parseOptions } from '../options.ts';

export const USAGE = `usage: ${commandLine('export', 'LIST [--limit N] > FILE')}
       ${commandLine('export', '[LIST] [--limit N] --resume FILE')}
LIST is one of
  @HANDLE or the link of a profile [--kind posts|replies|media|articles] [--since TIME] [--until TIME]
  @HANDLE,@HANDLE,… (up to 20): one timeline of them all, with the same options
  the link or the id of a post: its replies [--sort top|recent]
  any link of one of the lists below
  --followers @HANDLE, --following @HANDLE; --following also with --format opml, for feed readers
  --list ID or the link of a list of X
  --replies URL [--sort top|recent], --quotes URL, --reposts URL
  --search QUERY [--feed latest|top|media|users]`;

export interface ExportArguments {
  /** The target of the first page; undefined: the list that FILE has. */
  readonly target: string | undefined;
  /** @default Infinity */
  readonly limit: number;
  /** The file to continue; undefined: standard output. */
  readonly file: string | undefined;
  /** The feeds of the accounts as OPML in place of NDJSON. @default false */
  readonly isOpml?: true;
}

const options = {
  kind: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
  followers: { type: 'string' },
  following: { type: 'string' },
  list: { type: 'string' },
  replies: { type: 'string' },
  sort: { type: 'string' },
  quotes: { type: 'string' },
  reposts: { type: 'string' },
  search: { type: 'string' },
  feed: { type: 'string' },
  format: { type: 'string' },
  limit: { type: 'string' },
  resume: { type: 'string' },
} as const;

type Values = { readonly [Name in keyof typeof options]?: string | undefined };
type Query = Readonly<Record<string, string | undefined>>;

const pathOfId = (useCase: UseCaseName, id: string): string => versionedPath(useCase).replace('{id}', id);

/** A link to a profile also names an account. The service checks handles. */
const pathOfProfile = (useCase: UseCaseName, text: string): string => {
  const meaning = text.includes('/') ? parseBoxArgument(text) : undefined;
  return pathOfHandle(useCase, meaning?.kind === 'profile' ? meaning.handle : text.replace(/^@/, ''));
};

const pathOfXList = (text: string): string => {
  const meaning = text.includes('/') ? parseBoxArgument(text) : undefined;
  const id = meaning?.kind === 'list' ? meaning.id : parseId(text);
  if (id === undefined) throw new CommandError(`${text} is not the URL or the id of a list of X.`);
  return pathOfId('readXList', id);
};

const pathOfPost = (useCase: UseCaseName, text: string): string => {
  const ref = parsePostLink(text);
  const id = 'error' in ref ? parseId(text) : ref.id;
  if (id === undefined) throw new CommandError(`${text} is not the URL or the id of a post.`);
  return pathOfId(useCase, id);
};

/** The lists with their own options. */
const lists = {
  followers: { own: [], target: (text: string) => pathOfProfile('listFollowers', text) },
  following: { own: ['format'], target: (text: string) => pathOfProfile('listFollowing', text) },
  list: { own: [], target: pathOfXList },
  replies: { own: ['sort'], target: (text: string, own: Query) => withQuery(pathOfPost('listReplies', text), own) },
  quotes: { own: [], target: (text: string) => pathOfPost('listQuotes', text) },
  reposts: { own: [], target: (text: string) => pathOfPost('listReposts', text) },
  search: {
    own: ['feed'],
    target: (q: string, own: Query) => withQuery(versionedPath('searchPosts'), { q: q.toWellFormed(), ...own }),
  },
} as const satisfies Partial<
  Record<keyof Values, { own: readonly (keyof Values)[]; target: (text: string, own: Query) => string }>
>;

const TIMELINE_OPTIONS = ['kind', 'since', 'until'] as const satisfies readonly (keyof Values)[];

const pick = (values: Values, names: readonly (keyof Values)[]): Query =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = values[name];
      return value === undefined ? [] : [[name, value.toWellFormed()]];
    }),
  );

interface NamedList {
  readonly own: readonly (keyof Values)[];
  readonly target: string;
}

const LISTS_OF_POST: Readonly<Record<PostPage, UseCaseName>> = {
  replies: 'listReplies',
  quotes: 'listQuotes',
  retweets: 'listReposts',
};

/** A handle needs no `@` here. Digits without it are an id. */
const meaningOf = (text: string, origin: string | undefined): BoxArgument => {
  const handle = parseId(text) === undefined ? parseHandle(text) : undefined;
  return handle === undefined ? parseBoxArgument(text, origin) : { kind: 'profile', handle };
};

/** @throws CommandError if the text has no list */
const listOfBox = (text: string, values: Values, origin: string | undefined): NamedList => {
  const meaning = meaningOf(text, origin);
  switch (meaning.kind) {
    case 'profile': {
      const { handle, page } = meaning;
      if (page === 'followers') return { own: [], target: pathOfHandle('listFollowers', handle) };
      if (page === 'following') return { own: lists.following.own, target: pathOfHandle('listFollowing', handle) };
      const kind = page && kindOfPage[page];
      const query = { ...(kind && { kind }), ...pick(values, TIMELINE_OPTIONS) };
      return { own: TIMELINE_OPTIONS, target: withQuery(pathOfHandle('listPosts', handle), query) };
    }
    case 'timeline': {
      const kind = meaning.page && kindOfPage[meaning.page];
      const query = { handles: meaning.handles.join(), ...(kind && { kind }), ...pick(values, TIMELINE_OPTIONS) };
      return { own: TIMELINE_OPTIONS, target: withQuery(versionedPath('mergeTimelines'), query) };
    }
    case 'post': {
      const { ref, page = 'replies' } = meaning;
      const { own } = page === 'replies' ? lists.replies : lists.quotes;
      return { own, target: withQuery(pathOfId(LISTS_OF_POST[page], ref.id), pick(values, own)) };
    }
    case 'search': {
      const { own, target } = lists.search;
      return { own, target: target(meaning.query, { feed: meaning.feed, ...pick(values, own) }) };
    }
    case 'list':
      return { own: [], target: pathOfId('readXList', meaning.id) };
    case 'account':
      throw new CommandError(`${text} has no list. Pass the @handle of the account.`);
  }
};

const namedLists = (
  values: Values,
  positionals: readonly string[],
  origin: string | undefined,
): readonly NamedList[] => [
  ...positionals.map((text) => listOfBox(text, values, origin)),
  ...Object.entries(lists).flatMap(([name, { own, target }]) => {
    const value = new Map(Object.entries(values)).get(name);
    return value === undefined ? [] : [{ own, target: target(value, pick(values, own)) }];
  }),
];

const OWN_OPTIONS: readonly (keyof Values)[] = [...TIMELINE_OPTIONS, ...Object.values(lists).flatMap(({ own }) => own)];

const LIMIT = /^[1-9][0-9]{0,8}$/;

/**
 * @param origin of the service, whose links name lists, too
 * @returns undefined if the arguments are not as in USAGE
 * @throws CommandError if the value of an argument is wrong
 */
export const parseExportArguments = (args: readonly string[], origin?: string): ExportArguments | undefined => {
  const parsed = parseOptions({ args: [...args], options, allowPositionals: true });
  if (parsed === undefined) return undefined;
  const { positionals } = parsed;
  const values: Values = parsed.values;
  const [list, ...more] = namedLists(values, positionals, origin);
  const foreign = OWN_OPTIONS.some((name) => values[name] !== undefined && !list?.own.includes(name));
  if (more.length > 0 || foreign || (list === undefined && values.resume === undefined)) return undefined;
  if (values.limit !== undefined && !LIMIT.test(values.limit))
    throw new CommandError('--limit must be a whole number from 1 to 999999999.');
  const isOpml = values.format === 'opml';
  if (values.format !== undefined && !isOpml) throw new CommandError('--format must be opml. Leave it out for NDJSON.');
  if (isOpml && values.resume !== undefined) throw new CommandError('OPML is written as a whole. Leave --resume out.');
  if (list !== undefined && !isListTarget(list.target)) throw new CommandError('That name is no handle.');
  return {
    target: list?.target,
    limit: values.limit === undefined ? Number.POSITIVE_INFINITY : Number(values.limit),
    file: values.resume,
    ...(isOpml && { isOpml }),
  };
};
