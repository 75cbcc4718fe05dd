// From raw parameters to the typed input of a read, or one problem that names every wrong parameter.
import type { PostRef } from '../model/post-ref.ts';
import {
  type ParameterName,
  type ParameterValue,
  type ParseContext,
  parameters,
  Refusal,
  type ThreadChoice,
} from './parameters.ts';
import { type ParameterError, type ProblemCode, problem } from './problems.ts';

/** Raw values by name; a name that the caller repeated has several. */
export type RawParameters = ReadonlyMap<string, readonly string[]>;

export interface PostInput {
  readonly ref: PostRef;
  readonly format?: ParameterValue<'format'>;
  readonly thread: ThreadChoice;
  readonly replies: ParameterValue<'replies'>;
  readonly maxTokens?: number;
}

interface Given {
  /** Whether the caller said anything, be it accepted or not. */
  has(name: ParameterName): boolean;
  value<Name extends ParameterName>(name: Name): ParameterValue<Name> | undefined;
  refuse(code: ProblemCode, parameter: ParameterName, message: string): void;
}

interface InputRow<T> {
  readonly parameters: readonly ParameterName[];
  readonly read: (given: Given) => T | undefined;
}

const POST_PARAMETERS = [
  'url',
  'handle',
  'id',
  'format',
  'thread',
  'replies',
  'max_tokens',
] as const satisfies readonly ParameterName[];

const postRef = (given: Given): PostRef | undefined => {
  const url = given.value('url');
  const handle = given.value('handle');
  const id = given.value('id');
  if (given.has('handle') && !given.has('id'))
    given.refuse('missing_parameter', 'id', 'is required together with handle');
  else if (given.has('id') && !given.has('handle'))
    given.refuse('missing_parameter', 'handle', 'is required together with id');
  else if (!given.has('url') && !given.has('id'))
    given.refuse('missing_parameter', 'url', 'is required, or handle and id');
  else if (url !== undefined && id !== undefined && url.id !== id)
    given.refuse('invalid_parameter', 'id', 'names another post than url');
  return url ?? (id === undefined || handle === undefined ? undefined : { id, handle });
};

const postInput = (given: Given): PostInput | undefined => {
  const ref = postRef(given);
  const format = given.value('format');
  const maxTokens = given.value('max_tokens');
  const rest = { thread: given.value('thread') ?? 'full', replies: given.value('replies') ?? 'top' } as const;
  if (ref === undefined) return undefined;
  return { ref, ...rest, ...(format !== undefined && { format }), ...(maxTokens !== undefined && { maxTokens }) };
};

/** Input of each read: the parameters it knows, in the order in which they are checked. */
export const inputs = {
  post: { parameters: POST_PARAMETERS, read: postInput },
} as const satisfies { readonly [Name in keyof InputTypes]: InputRow<InputTypes[Name]> };

export type InputName = keyof typeof inputs;
/** The typed input of each read. */
export interface InputTypes {
  readonly post: PostInput;
}

/** @throws Problem with the code of the first wrong parameter and `errors[]` for all of them */
export const readInput = <Name extends InputName>(
  name: Name,
  raw: RawParameters,
  context: ParseContext,
): InputTypes[Name] => {
  const refusals: (ParameterError & { readonly code: ProblemCode })[] = [];
  const refused = new Set<string>();
  const refuse: Given['refuse'] = (code, parameter, message) => {
    // One parameter is reported once, for the first thing that is wrong with it.
    if (refused.has(parameter)) return;
    refused.add(parameter);
    refusals.push({ code, parameter, message });
  };
  const given: Given = {
    has: (parameter) =>
      (raw.get(parameter) ?? []).some((value) => value !== '' || !parameters[parameter].emptyIsAbsent),
    value<N extends ParameterName>(parameter: N): ParameterValue<N> | undefined {
      const [value, ...more] = raw.get(parameter) ?? [];
      if (more.length > 0) refuse('repeated_parameter', parameter, 'was given more than once');
      const { emptyIsAbsent, parse } = parameters[parameter];
      if (value === undefined || more.length > 0 || (value === '' && emptyIsAbsent)) return undefined;
      const parsed = parse(value, context);
      if (!(parsed instanceof Refusal)) return parsed as ParameterValue<N>; // the table's row N parses to N's value
      refuse(parsed.code, parameter, parsed.message);
      return undefined;
    },
    refuse,
  };
  const row: InputRow<InputTypes[Name]> = inputs[name];
  const input = row.read(given);
  const [first] = refusals;
  if (first !== undefined || input === undefined) {
    const errors = refusals.map(({ parameter, message }) => ({ parameter, message }));
    throw problem(first?.code ?? 'missing_parameter', {
      errors,
      ...(first && { detail: `${first.parameter} ${first.message}.` }),
    });
  }
  return input;
};
