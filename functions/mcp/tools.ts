// Describes the tools for `tools/list`. The texts are specific to tools; the arguments come from the contract. Clients load
// the list with every conversation, so each sentence must be necessary.
import { MAX_LOOKUP_POSTS } from '../../shared/contract/bounds.ts';
import {
  MAX_TEXT_BYTES,
  MAX_TOOL_LIMIT,
  TOOL_NAMES,
  type ToolName,
  type ToolTexts,
  toolArguments,
  toolTexts,
} from '../../shared/contract/mcp.ts';
import { type MetricsChoice, type ParameterName, parameters } from '../../shared/contract/parameters.ts';
import { readsOfTool, rowOf, type UseCaseName, useCases } from '../../shared/contract/use-cases.ts';
import { MAX_HANDLES } from '../../shared/model/handle.ts';
import type { JsonRecord } from '../../shared/model/json.ts';
import { BYTES_PER_TOKEN } from '../../shared/render/content/format.ts';
import type { ToolListing } from './registry.ts';

export type ToolUseCase = {
  [Name in UseCaseName]: (typeof useCases)[Name] extends { readonly tool: ToolName } ? Name : never;
}[UseCaseName];

/** The text is bounded in bytes, so it has at most as many characters. */
export const MAX_TOOL_TOKENS = MAX_TEXT_BYTES / BYTES_PER_TOKEN;

/** The most images of a result. */
export const MAX_IMAGES = 4;

/** The forms of a result. The first is the default. */
export const TOOL_FORMATS = ['markdown', 'json'] as const;

/** The figures of posts take tokens of every line of a list. */
export const defaultMetrics = (useCase: ToolUseCase): MetricsChoice => {
  const names: readonly ParameterName[] = useCases[useCase].parameters;
  return names.includes('cursor') ? 'off' : 'on';
};

/** An argument that chooses among the use cases of a tool. The first value is the default. */
interface ToolChoice {
  readonly parameter: ParameterName;
  readonly description: string;
  readonly values: Readonly<Record<string, ToolUseCase>>;
}

/** An argument that chooses a use case of a tool if it is true. */
interface ToolFlag {
  readonly name: string;
  readonly description: string;
  readonly useCase: ToolUseCase;
}

interface ParameterChange {
  readonly description?: string;
  /** Members that differ from REST; undefined: the member is omitted. */
  readonly schema?: JsonRecord;
}

/** Tools accept more spellings than REST, so the patterns of REST would reject valid arguments. */
const changes: Readonly<Partial<Record<ParameterName, ParameterChange>>> = {
  url: { description: 'Post link.', schema: { maxLength: undefined } },
  handle: { description: 'Handle or link.', schema: { pattern: undefined } },
  id: { description: 'Id as string, or link.', schema: { pattern: undefined } },
  thread: { description: 'full, off or a number.' },
  replies: { description: 'Which to show.' },
  layout: { description: 'unrolled: one text, no replies.' },
  q: {
    description: 'Words, and operators of X: from:, since:.',
    schema: { minLength: undefined, maxLength: undefined },
  },
  feed: { description: 'Which results.' },
  limit: { description: 'Per page.', schema: { maximum: MAX_TOOL_LIMIT } },
  cursor: { description: 'Next page.', schema: { maxLength: undefined } },
  ids: {
    description: `Up to ${MAX_LOOKUP_POSTS} ids as strings, or links.`,
    schema: {
      type: undefined,
      minLength: undefined,
      anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'string' }],
    },
  },
  kind: { description: 'replies gives posts and replies.' },
  reposts: { description: 'Of the account.', schema: { default: undefined } },
  sort: { description: 'Order of replies.' },
  since: { description: '2026-03-01 (UTC) or RFC 3339.' },
  until: { description: 'Exclusive, as since.' },
  format: { description: 'Default markdown.', schema: { enum: TOOL_FORMATS } },
  max_tokens: {
    description: `Of text, default ${MAX_TOOL_TOKENS}; a cut says how to go on.`,
    schema: { minimum: undefined, maximum: MAX_TOOL_TOKENS },
  },
  part: { description: 'Part of a long text.', schema: { maximum: undefined } },
  metrics: { description: 'Likes etc.' },
  lang: { description: 'Translate into it: de, zh-hans.', schema: { maxLength: undefined } },
  translation: { description: 'only: no original.' },
};

/** Some clients support only anyOf. */
const withAnyOf = ({ oneOf, ...rest }: JsonRecord): JsonRecord =>
  oneOf === undefined ? rest : { anyOf: oneOf, ...rest };

const schemaOf = (name: ParameterName): JsonRecord => {
  const { description, schema } = parameters[name];
  const change = changes[name];
  return { description: change?.description ?? description, ...withAnyOf({ ...schema, ...change?.schema }) };
};

export interface Tool extends Omit<ToolTexts, 'choice'> {
  readonly name: ToolName;
  readonly required: readonly ParameterName[];
  readonly choice?: ToolChoice;
  readonly flag?: ToolFlag;
  /** The use case of several handles, which `handle` accepts then. */
  readonly several?: ToolUseCase;
  /** Several if the tool has a choice; the first is the default. */
  readonly useCases: readonly [ToolUseCase, ...ToolUseCase[]];
  readonly parameters: readonly ParameterName[];
}

const isToolUseCase = (name: UseCaseName): name is ToolUseCase => 'tool' in useCases[name];

const toolOf = (name: ToolName): Tool => {
  const { choice: row, ...texts }: ToolTexts = toolTexts[name];
  const [first, ...others] = readsOfTool(name).filter(isToolUseCase);
  if (first === undefined) throw new Error(`no read has the tool ${name}`);
  const all = [first, ...others] as const;
  const several = others.find((each) => rowOf(each).isForSeveralHandles);
  const [flag] = all.flatMap((useCase): ToolFlag[] => {
    const { toolFlag } = rowOf(useCase);
    return toolFlag === undefined ? [] : [{ ...toolFlag, useCase }];
  });
  const chosen = all.filter((each) => each !== flag?.useCase);
  const values = chosen.map((each): [string, ToolUseCase] => [rowOf(each).toolChoice ?? '', each]);
  const choice = row && { ...row, values: Object.fromEntries(values) };
  const single = all.filter((each) => each !== several);
  const named = single.flatMap((each) => rowOf(each).required);
  const required = rowOf(first).required.filter((each) => single.every((name) => rowOf(name).required.includes(each)));
  const own = all.flatMap((each) => toolArguments(rowOf(each)));
  const leading = [...named, ...(choice ? [choice.parameter] : [])];
  // `handle` accepts several handles.
  const names = [...new Set([...leading, ...own])].filter((each) => each !== 'handles');
  return {
    ...texts,
    ...(choice && { choice }),
    ...(flag && { flag }),
    ...(several && { several }),
    name,
    required,
    useCases: all,
    parameters: names,
  };
};

export const tools: readonly Tool[] = TOOL_NAMES.map(toolOf);

export const findTool = (name: string): Tool | undefined => tools.find((tool) => tool.name === name);

const SEVERAL_HANDLES = `Handle or link, or up to ${MAX_HANDLES} with commas.`;

const propertyOf = ({ choice, several, id, useCases: [useCase] }: Tool, name: ParameterName): JsonRecord => {
  if (name === 'handle' && several !== undefined) return { ...schemaOf(name), description: SEVERAL_HANDLES };
  if (name === 'metrics') return { ...schemaOf(name), default: defaultMetrics(useCase) };
  if (name === 'id' && id !== undefined) return { ...schemaOf(name), description: id };
  if (choice?.parameter !== name) return schemaOf(name);
  const values = Object.keys(choice.values);
  return { description: choice.description, type: 'string', enum: values, default: values[0] };
};

const IMAGES = { description: 'Pictures to see.', type: 'integer', minimum: 0, maximum: MAX_IMAGES };

const inputSchema = (tool: Tool): JsonRecord => ({
  type: 'object',
  properties: {
    ...Object.fromEntries(
      tool.parameters.filter((name) => name !== tool.unlisted).map((name) => [name, propertyOf(tool, name)]),
    ),
    ...(tool.flag && { [tool.flag.name]: { description: tool.flag.description, type: 'boolean' } }),
    ...(tool.hasImages && { images: IMAGES }),
  },
  ...(tool.required.length > 0 && { required: tool.required }),
});

export const ANNOTATIONS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true };

export const toolListings: readonly ToolListing[] = tools.map((tool) => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  // JSON drops the members that are undefined.
  inputSchema: JSON.parse(JSON.stringify(inputSchema(tool))),
  annotations: ANNOTATIONS,
}));
