// Turns the arguments of a tool call into raw parameters. An argument that names what is read can be a link: then the link
// chooses the read, among those of the tool.
import { MAX_LOOKUP_POSTS } from '../../shared/contract/bounds.ts';
import type { RawParameters } from '../../shared/contract/inputs.ts';
import { pageBelow } from '../../shared/contract/pages-on-x.ts';
import { InvalidValue, type ParameterName, parameters } from '../../shared/contract/parameters.ts';
import type { ProblemCode } from '../../shared/contract/problems.ts';
import { ANY_HANDLE } from '../../shared/contract/reads/row.ts';
import { rowOf, useCases } from '../../shared/contract/use-cases.ts';
import type { XPage } from '../../shared/contract/x-pages.ts';
import { parseText, type TextMeaning } from '../../shared/model/account-list.ts';
import { parseLink } from '../../shared/model/box.ts';
import { parseHandle, parseId, postUrl } from '../../shared/model/handle.ts';
import { TIMELINE_KINDS } from '../../shared/model/lists.ts';
import type { PostRef } from '../../shared/model/x-urls.ts';
import { ignoredNote, type MatchedArguments, matchArguments } from './argument-names.ts';
import { exceededMaximum, handlesOf, parseArguments, refused, textOf } from './argument-values.ts';
import { type LinkedRead, NOT_HERE, readAmong, readOfLink, unreadPage, wrongTool } from './linked-reads.ts';
import type { Tool, ToolUseCase } from './tools.ts';

/** X calls reposts retweets. */
const choiceName = (value: string): string => (value.trim() === 'retweets' ? 'reposts' : value.trim());

/** An argument that names what is read, and is not only a handle or an id. */
interface Subject {
  readonly name: ParameterName;
  readonly text: string;
  readonly meaning: TextMeaning;
  /** Unset: the link cannot be read. */
  readonly read?: LinkedRead;
}

const DIGITS = /^[0-9]+$/;

/** @returns undefined: the text is a handle, an id, or words */
const meaningOf = (name: ParameterName, text: string, origin: string): TextMeaning | undefined => {
  if (name === 'q') {
    const meaning = parseLink(text, origin) && parseText(text, origin);
    // Who shared the page of another site is a search, and the name of a site can be a word.
    const isSearched = meaning?.kind === 'error' && (meaning.code === 'unsupported_host' || meaning.path === '/');
    return isSearched ? undefined : meaning;
  }
  if (name === 'handle') {
    if (parseHandle(text) !== undefined) return undefined;
    // No handle is so long.
    const id = parseId(text);
    if (id !== undefined) return { kind: 'account', id };
  } else if (DIGITS.test(text)) return undefined;
  const meaning = /[@/,]/.test(text) ? parseText(text, origin) : undefined;
  // Of several entries, each is read by itself.
  if (name === 'handle' && handlesOf(text).length > 1) return meaning?.kind === 'timeline' ? meaning : undefined;
  return meaning?.kind === 'search' && meaning.query === text.toWellFormed() ? undefined : meaning;
};

const subjectOf = (name: ParameterName, text: string, origin: string): Subject | undefined => {
  const meaning = meaningOf(name, text, origin);
  return meaning && { name, text, meaning, ...(meaning.kind !== 'error' && { read: readOfLink(meaning) }) };
};

/** The handle beside the id of a post only names its author. */
const subjectsOf = ({ parameters: names }: Tool): readonly ParameterName[] =>
  names.includes('url') ? ['url', 'id', 'handle'] : ['handle', 'id', 'q'];

const findSubject = (tool: Tool, { values }: MatchedArguments, origin: string): Subject | undefined => {
  const name = subjectsOf(tool).find((each) => tool.parameters.includes(each) && values.has(each));
  const text = name && textOf(name, values.get(name), tool);
  return name && text ? subjectOf(name, text, origin) : undefined;
};

/** The arguments of one call. */
export interface ToolArguments extends MatchedArguments {
  readonly tool: Tool;
  /** The use case that they choose. A value that chooses none gets the error of the parameters. */
  readonly useCase: ToolUseCase;
  readonly baseUrl: string;
  readonly subject?: Subject | undefined;
}

const chosenBy = ({ choice }: Tool, value: unknown): ToolUseCase | undefined => {
  const name = typeof value === 'string' ? choiceName(value) : '';
  return choice && Object.hasOwn(choice.values, name) ? choice.values[name] : undefined;
};

const useCaseOf = (tool: Tool, { values, flag }: MatchedArguments, subject: Subject | undefined): ToolUseCase => {
  if (flag === true && tool.flag !== undefined) return tool.flag.useCase;
  const { choice, several, useCases: all } = tool;
  const chosen = chosenBy(tool, choice && values.get(choice.parameter));
  const named = chosen ?? (subject?.read && readAmong(all, subject.read));
  if (named !== undefined) return named;
  const handles = several && textOf('handle', values.get('handle'), tool);
  if (several !== undefined && handles !== undefined && handlesOf(handles).length > 1) return several;
  return all.find((name) => rowOf(name).required.every((required) => values.has(required))) ?? all[0];
};

export const readArguments = (tool: Tool, args: object, baseUrl: string): ToolArguments => {
  const matched = matchArguments(tool, args);
  const subject = findSubject(tool, matched, new URL(baseUrl).origin);
  return { ...matched, tool, subject, useCase: useCaseOf(tool, matched, subject), baseUrl };
};

/** @returns sentences about arguments that were ignored or changed */
const argumentNotes = ({ tool, useCase, values, images, flag, ignored, subject }: ToolArguments): readonly string[] => {
  // Some count for one of the use cases only, such as `sort` for replies.
  const own: readonly ParameterName[] = useCases[useCase].parameters;
  const choice = flag === true ? undefined : tool.choice?.parameter;
  const parameters = tool.parameters.filter(
    (name) => own.includes(name) || ['handle', choice, subject?.name].includes(name),
  );
  const unused = [...values.keys()].filter((name) => !parameters.includes(name));
  const exceeded = [...values, ['images', images] as const].flatMap(([name, value]) => {
    const maximum = exceededMaximum(name, value);
    return maximum === undefined ? [] : [`${name} is at most ${maximum}: ${maximum} was used.`];
  });
  return [...exceeded, ignoredNote(tool, parameters, [...ignored, ...unused])].filter((note) => note !== undefined);
};

/** @returns the notes of a result, which can be of what is here instead of a linked page */
export const resultNotes = (args: ToolArguments): readonly string[] => {
  const { subject, values, tool, baseUrl } = args;
  const ids = textOf('ids', values.get('ids'), tool)?.split(',', MAX_LOOKUP_POSTS) ?? [];
  const linked = ids.map((entry) => subjectOf('ids', entry.trim(), new URL(baseUrl).origin));
  const pages = [subject, ...linked].flatMap((each) => each?.read?.onX?.text ?? []);
  return [...new Set(pages), ...argumentNotes(args)];
};

/** @returns the notes of a failure: digits can be a handle or an id */
export const failureNotes = (args: ToolArguments, code: ProblemCode): readonly string[] => {
  const handle = textOf('handle', args.values.get('handle'), args.tool) ?? '';
  const isId = code === 'profile_not_found' && DIGITS.test(handle) && parseId(handle) !== undefined;
  const { tool } = useCases.readProfileById;
  return [...(isId ? [`For the account with this id, call ${tool} with id "${handle}".`] : []), ...argumentNotes(args)];
};

/** @throws Problem of a link on X that is not read, in the words of the pages */
const rejectUnread = (meaning: TextMeaning): void => {
  const unread = meaning.kind === 'error' && meaning.path !== undefined ? unreadPage(meaning.path) : undefined;
  if (unread !== undefined) throw unread;
};

/** @param place of the text, if the parameter is a list @returns undefined: REST judges the text @throws Problem */
const postOf = (name: ParameterName, text: string, origin: string, place?: string): PostRef | undefined => {
  const subject = subjectOf(name, text, origin);
  if (subject === undefined) return DIGITS.test(text) ? { id: text } : undefined;
  rejectUnread(subject.meaning);
  if (subject.meaning.kind === 'post') return subject.meaning.ref;
  if (subject.read !== undefined) throw wrongTool(name, subject.read, place);
  return undefined;
};

/** Accepts a URL as `id`, an id as `url`, and an id without a handle: each of them names a post. @throws Problem */
const normalizePostArguments = (texts: Map<ParameterName, string>, origin: string): void => {
  const given = (name: ParameterName): PostRef | undefined => {
    const text = texts.get(name);
    return text === undefined ? undefined : postOf(name, text, origin);
  };
  const handle = texts.get('handle');
  if (handle !== undefined && !texts.has('url') && !texts.has('id') && handle.includes('/')) texts.set('url', handle);
  const url = given('url');
  if (url !== undefined) texts.set('url', postUrl(url.id, url.handle));
  const id = given('id');
  const text = texts.get('id');
  if (id !== undefined) texts.set('id', id.id);
  else if (text?.includes('/') && !texts.has('url')) {
    texts.set('url', text);
    texts.delete('id');
  }
  const author = handle === undefined ? undefined : subjectOf('handle', handle, origin)?.read?.values.handle;
  if (author !== undefined) texts.set('handle', author);
  // `i` stands for an unknown handle, as on X.
  if (texts.has('id') && !texts.has('handle')) texts.set('handle', id?.handle ?? ANY_HANDLE);
  if (texts.has('url') && !texts.has('id')) texts.delete('handle');
};

const UNREADABLE = { title: NOT_HERE, resolution: 'Pass a handle or words, or the link as X writes it.' };
const UNREADABLE_LINK = 'is a link, but not of a post, a profile, a list of one of them or a search';

/** Replaces an argument that is a link by the parameters of the link. Arguments that were given have precedence. @throws Problem */
const applySubject = (texts: Map<ParameterName, string>, { tool, useCase, subject, baseUrl }: ToolArguments): void => {
  const { name, text, meaning, read } = subject ?? {};
  if (name === undefined || text === undefined || meaning === undefined) return;
  rejectUnread(meaning);
  if (read === undefined) {
    const ref = name === 'id' ? parameters.url.parse(text, { baseUrl }) : undefined;
    if (ref instanceof InvalidValue) throw refused(ref.code, [{ parameter: name, message: ref.message }]);
    const { code } = meaning.kind === 'error' && text.includes('/') ? meaning : {};
    if (code !== undefined) throw refused(code, [{ parameter: name, message: UNREADABLE_LINK }], UNREADABLE);
    return;
  }
  if (readAmong(tool.useCases, read) === undefined) throw wrongTool(name, read);
  texts.delete(name);
  const own: readonly ParameterName[] = useCases[useCase].parameters;
  for (const parameter of own) {
    const value = read.values[parameter];
    if (value !== undefined && !texts.has(parameter)) texts.set(parameter, value);
  }
};

/** The kinds of other APIs for the accounts that like a post, and for the posts that an account likes. */
const LIKES: ReadonlySet<string> = new Set(['likes', 'likers', 'liking_users', 'favorites', 'favourites']);

/** @returns what X has below a post or a profile by the name of a kind; undefined if it has nothing */
const kindOnX = ({ choice }: Tool, name: string): XPage | undefined => {
  const lowerCase = name.toLowerCase();
  const page = LIKES.has(lowerCase) ? 'likes' : lowerCase;
  return (
    pageBelow(choice === undefined ? '/{handle}' : '/{handle}/status/{id}', page) ??
    (page === 'bookmarks' ? pageBelow('', page) : undefined)
  );
};

/** @throws Problem */
const requireKind = (tool: Tool, texts: Map<ParameterName, string>): void => {
  const { choice } = tool;
  const value = texts.get('kind');
  if (value === undefined) return;
  const name = choiceName(value);
  const all: readonly string[] = choice === undefined ? TIMELINE_KINDS : Object.keys(choice.values);
  if (choice !== undefined) texts.delete('kind');
  if (all.includes(name)) return;
  if (choice === undefined && name === 'reposts') {
    texts.delete('kind');
    texts.set('reposts', 'include');
    return;
  }
  const page = kindOnX(tool, name);
  throw refused('invalid_parameter', [{ parameter: 'kind', message: `must be one of ${all.join(', ')}` }], {
    ...(page && { resolution: `On X, ${name} are ${page.what}. ${page.why}` }),
  });
};

/** @returns the handles of a list of handles and links @throws Problem that names the tool of an entry that names no account */
const entriesOf = (text: string | undefined, origin: string): readonly string[] =>
  handlesOf(text ?? '').map((entry, index) => {
    const { meaning, read } = subjectOf('handle', entry, origin) ?? {};
    if (meaning !== undefined) rejectUnread(meaning);
    if (read !== undefined && read.values.handle === undefined)
      throw wrongTool('handle', read, ` (entry ${index + 1})`);
    return read?.values.handle ?? entry;
  });

/** @throws Problem that names the tool of an entry that is no post */
const idsOf = (text: string, origin: string): string => {
  const { meaning, read } = subjectOf('ids', text, origin) ?? {};
  // The link of a timeline has commas, too.
  if (read !== undefined && meaning?.kind === 'timeline') throw wrongTool('ids', read);
  return text
    .split(',')
    .map((entry, index) =>
      index < MAX_LOOKUP_POSTS ? (postOf('ids', entry.trim(), origin, ` (entry ${index + 1})`)?.id ?? entry) : entry,
    )
    .join();
};

/** @throws Problem */
export const parametersFromArguments = (args: ToolArguments): RawParameters => {
  const { tool, useCase, baseUrl, subject, flag } = args;
  const { origin } = new URL(baseUrl);
  const texts = parseArguments(args);
  requireKind(tool, texts);
  if (flag === 'invalid' && tool.flag !== undefined)
    throw refused('invalid_parameter', [{ parameter: tool.flag.name, message: 'must be true or false' }]);
  const handles = subject === undefined && tool.several !== undefined ? entriesOf(texts.get('handle'), origin) : [];
  if (handles.length > 0) {
    texts.delete('handle');
    texts.set(useCase === tool.several ? 'handles' : 'handle', handles.join());
  }
  const ids = texts.get('ids');
  if (ids !== undefined) texts.set('ids', idsOf(ids, origin));
  if (tool.parameters.includes('url')) normalizePostArguments(texts, origin);
  else applySubject(texts, args);
  return new Map([...texts].map(([name, text]) => [name, [text]]));
};
