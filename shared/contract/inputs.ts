// Parses raw parameters to the input that the row of a read declares, or throws one problem that names every wrong parameter.
// Has the rules of the reads that are no lists, and lists the problems that a read can end in.
import { definedMembers } from '../model/json.ts';
import type { PostRef } from '../model/x-urls.ts';
import type { EMBED_FORMATS, LOOKUP_FORMATS, POST_FORMATS } from './formats.ts';
import { type ListInputOf, type ListRead, parseList } from './list-inputs.ts';
import { formatOf, INVALID_FORMAT, type ParameterReader } from './parameter-reader.ts';
import {
  DEFAULT_PART_TOKENS,
  FOREIGN_CURSOR,
  InvalidValue,
  LAYOUT_NOT_FOR_JSON,
  type Layout,
  type MetricsChoice,
  type ParameterName,
  type ParameterValue,
  type ParseContext,
  parameters,
  type ThreadChoice,
  type TranslationChoice,
} from './parameters.ts';
import { type ParameterError, type ProblemCode, problem } from './problems.ts';
import { reads } from './reads/index.ts';
import type { Read } from './reads/row.ts';
import type { UseCaseName } from './use-cases.ts';

/** Raw values by name. A repeated parameter has several values. */
export type RawParameters = ReadonlyMap<string, readonly string[]>;

export interface PostInput {
  readonly ref: PostRef;
  readonly format?: (typeof POST_FORMATS)[number];
  readonly thread: ThreadChoice;
  readonly replies: ParameterValue<'replies'>;
  /** @default 'conversation' */
  readonly layout?: Layout;
  readonly maxTokens?: number;
  /** @default the first that shows the post */
  readonly part?: number;
  readonly metrics?: MetricsChoice;
  /** A language of languages.ts. @default no translation is requested */
  readonly lang?: string;
  /** @default 'both' */
  readonly translation?: TranslationChoice;
  /** The page as one file. */
  readonly download?: true;
}

export interface LookupInput {
  /** At least one, each once. */
  readonly ids: readonly string[];
  readonly format?: (typeof LOOKUP_FORMATS)[number];
  readonly maxTokens?: number;
  readonly metrics?: MetricsChoice;
}

/** The input of oEmbed. Sizes are in pixels. */
export interface OembedInput {
  readonly ref: PostRef;
  readonly format?: (typeof EMBED_FORMATS)[number];
  readonly maxWidth?: number;
  readonly maxHeight?: number;
}

const postRef = (reader: ParameterReader): PostRef | undefined => {
  const url = reader.value('url');
  const handle = reader.value('handle');
  const id = reader.value('id');
  if (reader.has('handle') && !reader.has('id'))
    reader.reject('missing_parameter', 'id', 'is required together with handle');
  else if (reader.has('id') && !reader.has('handle'))
    reader.reject('missing_parameter', 'handle', 'is required together with id');
  else if (!reader.has('url') && !reader.has('id'))
    reader.reject('missing_parameter', 'url', 'is required, or handle and id');
  else if (url !== undefined && id !== undefined && url.id !== id)
    reader.reject('invalid_parameter', 'id', 'names another post than url');
  return url ?? (id === undefined || handle === undefined ? undefined : { id, handle });
};

const postInput = (reader: ParameterReader): PostInput | undefined => {
  const ref = postRef(reader);
  const format = formatOf(reader, reads.readPost.formats);
  const part = reader.value('part');
  const maxTokens = reader.value('max_tokens') ?? (part === undefined ? undefined : DEFAULT_PART_TOKENS);
  const metrics = reader.value('metrics');
  const layout = reader.value('layout');
  if (format === 'json' && layout === 'unrolled') reader.reject('invalid_parameter', 'layout', LAYOUT_NOT_FOR_JSON);
  const download = reader.value('download');
  const isForReading =
    format === 'obsidian' || format === 'epub' || format === 'csl' || layout === 'unrolled' || part !== undefined;
  const replies = reader.value('replies') ?? (isForReading ? 'off' : 'top');
  const thread = reader.value('thread') ?? (format === 'csl' ? 'off' : 'full');
  const lang = reader.value('lang');
  const translation = reader.value('translation');
  return (
    ref &&
    definedMembers({ ref, thread, replies, format, layout, maxTokens, part, metrics, lang, translation, download })
  );
};

const lookupInput = (reader: ParameterReader): LookupInput | undefined => {
  const ids = reader.value('ids');
  if (!reader.has('ids')) reader.reject('missing_parameter', 'ids', 'is required');
  const format = formatOf(reader, reads.lookupPosts.formats);
  const maxTokens = reader.value('max_tokens');
  const metrics = reader.value('metrics');
  return ids && definedMembers({ ids, format, maxTokens, metrics });
};

const embedInput = (reader: ParameterReader): OembedInput | undefined => {
  const ref = reader.value('url');
  if (!reader.has('url')) reader.reject('missing_parameter', 'url', 'is required');
  const maxWidth = reader.value('maxwidth');
  const maxHeight = reader.value('maxheight');
  const format = formatOf(reader, reads.readOembed.formats, reads.readOembed.formatCode);
  return ref && definedMembers({ ref, maxWidth, maxHeight, format });
};

/** The parsers of the reads that are no lists. */
const ownParsers = {
  readPost: postInput,
  lookupPosts: lookupInput,
  readOembed: embedInput,
} as const satisfies Readonly<Partial<Record<UseCaseName, (reader: ParameterReader) => object | undefined>>>;

type Parsers = typeof ownParsers;

/** The input of a read. */
export type UseCaseInput<Name extends UseCaseName> = {
  readonly [N in UseCaseName]: N extends keyof Parsers
    ? NonNullable<ReturnType<Parsers[N]>>
    : (typeof reads)[N] extends infer Row extends ListRead
      ? ListInputOf<Row>
      : never;
}[Name];

/** @returns the same text for all pages and formats of a list; empty if the use case has no list */
export const queryKeyOf = (input: object): string => ('list' in input ? JSON.stringify(input.list) : '');

const isList = (row: Read): row is ListRead => row.list !== undefined;

/** @throws Problem with the code of the first wrong parameter and `errors[]` for every wrong parameter */
export const parseInput = <Name extends UseCaseName>(
  name: Name,
  raw: RawParameters,
  context: ParseContext,
): UseCaseInput<Name> => {
  const rejections: (ParameterError & { readonly code: ProblemCode })[] = [];
  const reported = new Set<string>();
  const reject: ParameterReader['reject'] = (code, parameter, message) => {
    if (reported.has(parameter)) return;
    reported.add(parameter);
    rejections.push({ code, parameter, message });
  };
  const reader: ParameterReader = {
    has: (parameter) =>
      (raw.get(parameter) ?? []).some((value) => value !== '' || !parameters[parameter].emptyIsAbsent),
    value<N extends ParameterName>(parameter: N): ParameterValue<N> | undefined {
      const [value, ...more] = raw.get(parameter) ?? [];
      if (more.length > 0) reject('repeated_parameter', parameter, 'was given more than once');
      const { emptyIsAbsent, parse } = parameters[parameter];
      if (value === undefined || more.length > 0 || (value === '' && emptyIsAbsent)) return undefined;
      const parsed = parse(value, context);
      if (!(parsed instanceof InvalidValue)) return parsed as ParameterValue<N>; // the table's row N parses to N's value
      reject(parsed.code, parameter, parsed.message);
      return undefined;
    },
    reject,
    position(list) {
      const cursor = reader.value('cursor');
      if (list === undefined || cursor === undefined) return undefined;
      const position = context.decodeCursor?.(list, cursor);
      if (position === undefined) reject('invalid_cursor', 'cursor', FOREIGN_CURSOR);
      return position;
    },
  };
  const row: Read = reads[name];
  const parsers: Readonly<Partial<Record<UseCaseName, (reader: ParameterReader) => object | undefined>>> = ownParsers;
  const input = isList(row) ? parseList(row, reader) : parsers[name]?.(reader);
  const [first] = rejections;
  if (first !== undefined || input === undefined) {
    const errors = rejections.map(({ parameter, message }) => ({ parameter, message }));
    throw problem(first?.code ?? 'missing_parameter', {
      errors,
      ...(first && { detail: `${first.parameter} ${first.message}.` }),
    });
  }
  return input as UseCaseInput<Name>; // the row of the read declares the members that its parser reads
};

/** The problems of a request whose parameters are valid, in the order in which they are detected. */
export const useCaseProblems = (name: UseCaseName): readonly ProblemCode[] => [
  'rate_limited',
  ...reads[name].problems,
  'upstream_failed',
  'upstream_unavailable',
];

/** The problems of one parameter with an invalid value. The code of `format` depends on the use case. */
export const parameterProblems = (name: UseCaseName, parameter: ParameterName): readonly ProblemCode[] =>
  parameter === 'format' ? [formatCodeOf(reads[name])] : parameters[parameter].codes;

const formatCodeOf = ({ formatCode = INVALID_FORMAT }: Read): ProblemCode => formatCode;
