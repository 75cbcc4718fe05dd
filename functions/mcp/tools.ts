// Describes the tools for `tools/list`. The texts are specific to tools; the arguments come from the contract. Clients load
// the list with every conversation, so each sentence must be necessary.
import { inputs } from '../../shared/contract/inputs.ts';
import { MAX_TEXT_CHARACTERS, MAX_TOOL_LIMIT } from '../../shared/contract/mcp.ts';
import { MAX_LOOKUP_POSTS, type ParameterName, parameters } from '../../shared/contract/parameters.ts';
import { type UseCaseName, useCases } from '../../shared/contract/use-cases.ts';
import { keysOf } from '../../shared/model/table-keys.ts';
import { BYTES_PER_TOKEN } from '../../shared/render/content/format.ts';
import type { ToolListing } from './registry.ts';

type Json = Readonly<Record<string, unknown>>;

/** The use cases that are tools. */
export type ToolUseCase = {
  [Name in UseCaseName]: (typeof useCases)[Name] extends { readonly tool: string } ? Name : never;
}[UseCaseName];

export type ToolName = (typeof useCases)[ToolUseCase]['tool'];

/** The text is bounded in bytes, so it has at most as many characters. */
export const MAX_TOOL_TOKENS = MAX_TEXT_CHARACTERS / BYTES_PER_TOKEN;

/** The forms of a result. The first is the default. */
export const TOOL_FORMATS = ['markdown', 'json'] as const;

/** An argument that chooses among the use cases of a tool. The first value is the default. */
interface ToolChoice {
  readonly parameter: ParameterName;
  readonly description: string;
  readonly values: Readonly<Record<string, ToolUseCase>>;
}

interface ToolRow {
  readonly title: string;
  /** The result, the cost, and when another tool fits better. */
  readonly description: string;
  readonly required: readonly ParameterName[];
  readonly choice?: ToolChoice;
}

const toolRows: Readonly<Record<ToolName, ToolRow>> = {
  x_get_post: {
    title: 'Get a post',
    description:
      'Reads one public post of X with the posts it answers, its thread and some replies. Needs url or id. Costs no allowance. x_list_replies gives more replies, x_search_posts finds posts by words.',
    required: [],
  },
  x_get_profile: {
    title: 'Get a profile',
    description:
      'Reads a public profile of X and its recent posts, newest first. Costs one of the browse allowance. x_list_posts gives other kinds and dates.',
    required: ['handle'],
  },
  x_list_posts: {
    title: 'List posts of a profile',
    description:
      'Lists posts of a public profile by kind and dates, newest first, without reposts. A page costs one of the browse allowance. x_get_profile gives the account as well.',
    required: ['handle'],
  },
  x_list_followers: {
    title: 'List followers',
    description: 'Lists accounts that follow a public profile. A page costs one of the browse allowance.',
    required: ['handle'],
  },
  x_list_following: {
    title: 'List followed accounts',
    description: 'Lists accounts that a public profile follows. A page costs one of the browse allowance.',
    required: ['handle'],
  },
  x_get_posts: {
    title: 'Get several posts',
    description: `Reads up to ${MAX_LOOKUP_POSTS} public posts at once, without their conversations. Costs no allowance. x_get_post gives one with its conversation.`,
    required: ['ids'],
  },
  x_list_replies: {
    title: 'List replies or quotes',
    description:
      'Lists the replies to a public post, or the posts that quote it. A page costs one of the browse allowance. x_get_post gives the post with its first replies.',
    required: ['id'],
    choice: {
      parameter: 'kind',
      description: 'Which posts.',
      values: { replies: 'listReplies', quotes: 'listQuotes' },
    },
  },
  x_search_posts: {
    title: 'Search posts',
    description:
      'Searches public posts of X, or with feed users suggests a few accounts. A page costs one of the search allowance, which a key raises. x_list_posts gives the posts of one account.',
    required: ['q'],
  },
};

interface ParameterChange {
  readonly description?: string;
  /** Members that differ from REST; undefined: the member is omitted. */
  readonly schema?: Json;
}

/** Tools accept more spellings than REST, so the patterns of REST would reject valid arguments. */
const changes: Readonly<Partial<Record<ParameterName, ParameterChange>>> = {
  url: { description: 'Address of the post, in any spelling.', schema: { maxLength: undefined } },
  handle: { description: 'Handle, or the address of the profile.', schema: { pattern: undefined } },
  id: { description: 'Id of the post, as a string, or its address.', schema: { pattern: undefined } },
  thread: { description: 'full, off, or at most so many posts of the thread.' },
  replies: { description: 'Which replies; with layout unrolled, off is the default.' },
  layout: { description: 'unrolled: the thread as one text.' },
  q: { description: 'Words, with the operators of X such as from: and since:.' },
  feed: { description: 'Which results; users: accounts.' },
  limit: { description: 'Items per page.', schema: { maximum: MAX_TOOL_LIMIT } },
  cursor: {
    description: 'next_cursor of the page before.',
    schema: { maxLength: undefined },
  },
  ids: {
    description: `At most ${MAX_LOOKUP_POSTS} ids as strings, or addresses.`,
    schema: {
      type: undefined,
      minLength: undefined,
      anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'string' }],
    },
  },
  kind: { description: 'replies: posts and replies.' },
  sort: { description: 'Order of replies.' },
  since: { description: 'First instant: RFC 3339, or YYYY-MM-DD in UTC.' },
  until: { description: 'Instant after the last, as since.' },
  format: {
    description: 'json: lean JSON.',
    schema: { enum: TOOL_FORMATS },
  },
  max_tokens: { description: 'Bound of the result, 4 bytes each.', schema: { maximum: MAX_TOOL_TOKENS } },
};

/** Some clients support only anyOf. */
const withAnyOf = ({ oneOf, ...rest }: Json): Json => (oneOf === undefined ? rest : { anyOf: oneOf, ...rest });

const schemaOf = (name: ParameterName): Json => {
  const { description, schema } = parameters[name];
  const change = changes[name];
  return { description: change?.description ?? description, ...withAnyOf({ ...schema, ...change?.schema }) };
};

export interface Tool extends ToolRow {
  readonly name: ToolName;
  /** Several if the tool has a choice; the first is the default. */
  readonly useCases: readonly [ToolUseCase, ...ToolUseCase[]];
  readonly parameters: readonly ParameterName[];
}

const isToolUseCase = (name: UseCaseName): name is ToolUseCase => 'tool' in useCases[name];

const toolOf = (useCase: ToolUseCase): Tool => {
  const { tool: name } = useCases[useCase];
  const row = toolRows[name];
  const { choice } = row;
  const others = Object.values(choice?.values ?? {}).filter((other) => other !== useCase);
  const all: readonly [ToolUseCase, ...ToolUseCase[]] = [useCase, ...others];
  const own: readonly ParameterName[] = all.flatMap((each) => inputs[useCases[each].input].parameters);
  return { ...row, name, useCases: all, parameters: [...new Set([...own, ...(choice ? [choice.parameter] : [])])] };
};

/** In the order of the contract. A tool of several use cases is at the place of the first. */
export const tools: readonly Tool[] = keysOf(useCases)
  .filter(isToolUseCase)
  .filter((useCase, index, all) => all.findIndex((other) => useCases[other].tool === useCases[useCase].tool) === index)
  .map(toolOf);

export const findTool = (name: string): Tool | undefined => tools.find((tool) => tool.name === name);

const propertyOf = ({ choice }: Tool, name: ParameterName): Json => {
  if (choice?.parameter !== name) return schemaOf(name);
  const values = Object.keys(choice.values);
  return { description: choice.description, type: 'string', enum: values, default: values[0] };
};

const inputSchema = (tool: Tool): Json => ({
  type: 'object',
  properties: Object.fromEntries(tool.parameters.map((name) => [name, propertyOf(tool, name)])),
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
