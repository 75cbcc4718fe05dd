// Parses the arguments of `npm run export`.
import { commandLine } from '../../../infra/command/command-line.ts';
import { CommandError } from '../../../infra/command/output.ts';
import type { LambdaName } from '../../../shared/contract/lambdas.ts';
import { readAt, versionedPath } from '../../../shared/contract/operations.ts';
import { rowOf, type UseCaseName, useCases } from '../../../shared/contract/use-cases.ts';
import { parseHandle, parseId } from '../../../shared/model/handle.ts';
import { keysOf } from '../../../shared/model/json.ts';
import { kindOfPage, parsePostLink } from '../../../shared/model/x-urls.ts';
import { type BoxArgument, parseBoxArgument } from '../box-argument.ts';
import { isListTarget, pathOfHandle, withQuery } from '../list-target.ts';
import { parseOptions } from '../options.ts';

/** The reads with an option of their own, by option. */
const named: ReadonlyMap<string, UseCaseName> = new Map(
  keysOf(useCases).flatMap((name): readonly [string, UseCaseName][] => {
    const { exportOption } = rowOf(name);
    return exportOption === undefined ? [] : [[exportOption, name]];
  }),
);

const subjectOf = (name: UseCaseName): string => rowOf(name).required.join();

/** The parameters that select items of the list. */
const ownOptions = (name: UseCaseName): readonly string[] => {
  const { list = [] } = rowOf(name);
  const subject = subjectOf(name);
  return list.slice(1).filter((each) => each !== subject);
};

const usageOf = (lambda: LambdaName, what: string): string =>
  [...named]
    .filter(([, name]) => useCases[name].lambda === lambda && name !== 'readXList')
    .map(([option, name]) => `--${option} ${what}${ownOptions(name).includes('sort') ? ' [--sort top|recent]' : ''}`)
    .join(', ');

export const USAGE = `usage: ${commandLine('export', 'LIST [--limit N] > FILE')}
       ${commandLine('export', '[LIST] [--limit N] --resume FILE')}
LIST is one of
  @HANDLE or the link of a profile [--kind posts|replies|media|articles] [--since TIME] [--until TIME]
  @HANDLE,@HANDLE,… (up to 20): one timeline of them all, with the same options
  the link or the id of a post: its replies [--sort top|recent]
  any link of one of the lists below
  ${usageOf('profiles', '@HANDLE')}; --following also with --format opml, for feed readers
  --list ID or the link of a list of X
  ${usageOf('engagements', 'URL')}
  --search QUERY [--feed latest|top|media|users]
Every list can be CSV with --format csv, a conversation a graph with --format graphml. Without --format, each line of FILE is an
item as JSON. A conversation is written when it is read whole.`;

/** The formats that are written as a whole, each of one list: the feeds of accounts, and the graph of a conversation. */
const WHOLE_FORMATS = { opml: 'listFollowing', graphml: 'readConversation' } as const satisfies Readonly<
  Record<string, UseCaseName>
>;
export type WholeFormat = keyof typeof WHOLE_FORMATS;

export const isWholeFormat = (format: string | undefined): format is WholeFormat =>
  format !== undefined && Object.hasOwn(WHOLE_FORMATS, format);

/** In place of NDJSON. */
const EXPORT_FORMATS = ['csv', ...keysOf(WHOLE_FORMATS)] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface ExportArguments {
  /** The target of the first page; undefined: the list that FILE has. */
  readonly target: string | undefined;
  /** @default Infinity */
  readonly limit: number;
  /** The file to continue; undefined: standard output. */
  readonly file: string | undefined;
  /** Undefined: that of FILE, or NDJSON. */
  readonly format?: ExportFormat;
}

const TIMELINE_OPTIONS = ['kind', 'since', 'until'] as const;

const options = Object.fromEntries(
  [...TIMELINE_OPTIONS, ...named.keys(), 'sort', 'feed', 'format', 'limit', 'resume'].map((name) => [
    name,
    { type: 'string' } as const,
  ]),
);

type Values = Readonly<Record<string, string | undefined>>;

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

const pick = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = values[name];
      return value === undefined ? [] : [[name, value.toWellFormed()]];
    }),
  );

interface NamedList {
  readonly read?: UseCaseName;
  readonly own: readonly string[];
  readonly target: string;
}

/** @returns the path of the list that the value of an option names */
const pathOf = (name: UseCaseName, text: string): string => {
  if (name === 'readXList') return pathOfXList(text);
  return subjectOf(name) === 'handle' ? pathOfProfile(name, text) : pathOfPost(name, text);
};

const listOf = (name: UseCaseName, path: string, values: Values): NamedList => {
  const own = ownOptions(name);
  return { read: name, own, target: withQuery(path, pick(values, own)) };
};

const searchFor = (q: string, values: Values): NamedList =>
  listOf('searchPosts', withQuery(versionedPath('searchPosts'), { q: q.toWellFormed() }), values);

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
      const name = (page && readAt(`/{handle}/${page}`)) ?? 'listPosts';
      if (name !== 'listPosts') return listOf(name, pathOfHandle(name, handle), values);
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
      const name = readAt(`/{handle}/status/{id}/${page}`) ?? 'listReplies';
      return listOf(name, pathOfId(name, ref.id), values);
    }
    case 'search':
      return searchFor(meaning.query, { feed: meaning.feed, ...pick(values, ['feed']) });
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
  ...[...named].flatMap(([option, name]) => {
    const text = values[option];
    if (text === undefined) return [];
    return name === 'searchPosts' ? searchFor(text, values) : listOf(name, pathOf(name, text), values);
  }),
];

const OWN_OPTIONS: readonly string[] = [...TIMELINE_OPTIONS, ...[...named.values()].flatMap(ownOptions)];

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
  const { format: named } = values;
  const foreign = OWN_OPTIONS.some((name) => values[name] !== undefined && !list?.own.includes(name));
  const isOther = isWholeFormat(named) && list !== undefined && list.read !== WHOLE_FORMATS[named];
  if (more.length > 0 || foreign || isOther || (list === undefined && values['resume'] === undefined)) return undefined;
  if (values['limit'] !== undefined && list?.read === 'readConversation')
    throw new CommandError('A conversation is exported whole. Leave --limit out.');
  if (values['limit'] !== undefined && !LIMIT.test(values['limit']))
    throw new CommandError('--limit must be a whole number from 1 to 999999999.');
  const format = EXPORT_FORMATS.find((each) => each === named);
  if (named !== undefined && format === undefined)
    throw new CommandError(`--format must be one of ${EXPORT_FORMATS.join(', ')}. Leave it out for NDJSON.`);
  const whole = list?.read === 'readConversation' ? 'A conversation' : isWholeFormat(format) && format;
  if (whole && values['resume'] !== undefined)
    throw new CommandError(`${whole} is written as a whole. Leave --resume out.`);
  if (list !== undefined && !isListTarget(list.target)) throw new CommandError('That name is no handle.');
  return {
    target: list?.target,
    limit: values['limit'] === undefined ? Number.POSITIVE_INFINITY : Number(values['limit']),
    file: values['resume'],
    ...(format && { format }),
  };
};
