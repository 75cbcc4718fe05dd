// Defines the input of each use case: its parameters, its formats and the rules between parameters. Parses raw parameters to
// an input, or throws one problem that names every wrong parameter, and lists the problems that a use case can end in.
import { definedMembers } from '../model/json.ts';
import type { PostRef } from '../model/x-urls.ts';
import { listInputs } from './list-inputs.ts';
import { defineInput, formatOf, type InputRow, type ParameterReader } from './parameter-reader.ts';
import {
  DATA_FORMATS,
  DEFAULT_PART_TOKENS,
  EMBED_FORMATS,
  FOREIGN_CURSOR,
  FORMATS,
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
import { type UseCaseName, useCases } from './use-cases.ts';

/** Raw values by name. A repeated parameter has several values. */
export type RawParameters = ReadonlyMap<string, readonly string[]>;

export interface PostInput {
  readonly ref: PostRef;
  readonly format?: (typeof FORMATS)[number];
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
  readonly format?: (typeof DATA_FORMATS)[number];
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

/** oEmbed 1.0, errors: the status of a format that is not implemented is 501. */
const FORMAT_NOT_IMPLEMENTED = 'format_not_implemented';

const postInput = (reader: ParameterReader): PostInput | undefined => {
  const ref = postRef(reader);
  const format = formatOf(reader, FORMATS);
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
  const format = formatOf(reader, DATA_FORMATS);
  const maxTokens = reader.value('max_tokens');
  const metrics = reader.value('metrics');
  return ids && definedMembers({ ids, format, maxTokens, metrics });
};

const embedInput = (reader: ParameterReader): OembedInput | undefined => {
  const ref = reader.value('url');
  if (!reader.has('url')) reader.reject('missing_parameter', 'url', 'is required');
  const maxWidth = reader.value('maxwidth');
  const maxHeight = reader.value('maxheight');
  const format = formatOf(reader, EMBED_FORMATS, FORMAT_NOT_IMPLEMENTED);
  return ref && definedMembers({ ref, maxWidth, maxHeight, format });
};

export const inputs = {
  ...listInputs,
  post: defineInput(
    [
      'url',
      'handle',
      'id',
      'format',
      'thread',
      'replies',
      'layout',
      'max_tokens',
      'part',
      'metrics',
      'lang',
      'translation',
      'download',
    ],
    FORMATS,
    postInput,
  ),
  lookup: defineInput(['ids', 'format', 'max_tokens', 'metrics'], DATA_FORMATS, lookupInput),
  oembed: defineInput(['url', 'maxwidth', 'maxheight', 'format'], EMBED_FORMATS, embedInput, FORMAT_NOT_IMPLEMENTED),
} as const;

export type InputName = keyof typeof inputs;

export const inputRow = (name: InputName): Omit<InputRow<unknown>, 'parse'> => inputs[name];

/** @returns the same text for all pages and formats of a list; empty if the use case has no list */
export const queryKeyOf = (input: object): string => ('list' in input ? JSON.stringify(input.list) : '');

export type InputTypes = {
  readonly [Name in InputName]: (typeof inputs)[Name] extends InputRow<infer T> ? T : never;
};

export type InputFormats = { readonly [Name in InputName]: (typeof inputs)[Name]['formats'][number] };

/** @throws Problem with the code of the first wrong parameter and `errors[]` for every wrong parameter */
export const parseInput = <Name extends InputName>(
  name: Name,
  raw: RawParameters,
  context: ParseContext,
): InputTypes[Name] => {
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
  const rows: { readonly [N in InputName]: InputRow<InputTypes[N]> } = inputs;
  const row = rows[name];
  const input = row.parse(reader);
  const [first] = rejections;
  if (first !== undefined || input === undefined) {
    const errors = rejections.map(({ parameter, message }) => ({ parameter, message }));
    throw problem(first?.code ?? 'missing_parameter', {
      errors,
      ...(first && { detail: `${first.parameter} ${first.message}.` }),
    });
  }
  return input;
};

/** The problems of a request whose parameters are valid, in the order in which they are detected. */
export const useCaseProblems = (name: UseCaseName): readonly ProblemCode[] => [
  'rate_limited',
  ...useCases[name].problems,
  'upstream_failed',
  'upstream_unavailable',
];

/** The problems of one parameter with an invalid value. The code of `format` depends on the use case. */
export const parameterProblems = (name: UseCaseName, parameter: ParameterName): readonly ProblemCode[] =>
  parameter === 'format' ? [inputs[useCases[name].input].formatCode] : parameters[parameter].codes;
