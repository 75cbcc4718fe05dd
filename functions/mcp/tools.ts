// Describes the tools for `tools/list`. The texts are specific to tools; the arguments come from the contract. Clients load
// the list with every conversation, so each sentence must be necessary.
import { inputs } from '../../shared/contract/inputs.ts';
import { MAX_TEXT_CHARACTERS, MAX_TOOL_LIMIT } from '../../shared/contract/mcp.ts';
import { type ParameterName, parameters } from '../../shared/contract/parameters.ts';
import { type UseCaseName, useCases } from '../../shared/contract/use-cases.ts';
import { BYTES_PER_TOKEN } from '../../shared/render/content/format.ts';
import type { ToolListing } from './registry.ts';

type Json = Readonly<Record<string, unknown>>;

/** The use cases that are tools. */
export type ToolUseCase = {
  [Name in UseCaseName]: (typeof useCases)[Name] extends { readonly tool: string } ? Name : never;
}[UseCaseName];

/** The text is bounded in bytes, so it has at most as many characters. */
export const MAX_TOOL_TOKENS = MAX_TEXT_CHARACTERS / BYTES_PER_TOKEN;

/** The forms of a result. The first is the default. */
export const TOOL_FORMATS = ['markdown', 'json'] as const;

interface ToolTexts {
  readonly title: string;
  /** The result, the cost, and when another tool fits better. */
  readonly description: string;
  readonly required: readonly ParameterName[];
}

const toolTexts: Readonly<Record<ToolUseCase, ToolTexts>> = {
  readPost: {
    title: 'Get a post',
    description:
      'Reads one public post of X with the conversation around it: the posts it answers, its thread and some replies. Needs url or id. Costs no allowance. x_get_profile gives the recent posts of an account, x_search_posts finds posts by words.',
    required: [],
  },
  readProfile: {
    title: 'Get a profile',
    description:
      'Reads a public profile of X and its recent posts, newest first, without reposts and replies. Costs one of the browse allowance. x_get_post gives a post with its replies.',
    required: ['handle'],
  },
  listFollowers: {
    title: 'List followers',
    description:
      'Lists accounts that follow a public profile, with bio and counts. A page costs one of the browse allowance. x_list_following gives the other direction.',
    required: ['handle'],
  },
  listFollowing: {
    title: 'List followed accounts',
    description:
      'Lists accounts that a public profile follows, with bio and counts. A page costs one of the browse allowance. x_list_followers gives the other direction.',
    required: ['handle'],
  },
  searchPosts: {
    title: 'Search posts',
    description:
      'Searches public posts of X, or with feed users suggests a few accounts. A page costs one of the search allowance, which a key raises. x_get_profile gives the posts of one account and leaves the search allowance alone.',
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
  handle: { description: 'Handle of the account, or the address of its profile.', schema: { pattern: undefined } },
  id: { description: 'Id of the post: a string, as numbers lose digits.', schema: { pattern: undefined } },
  thread: { description: 'full, off, or at most so many posts of the thread.' },
  replies: { description: 'Which replies; with layout unrolled, off is the default.' },
  layout: { description: 'unrolled: the thread as one text.' },
  q: { description: 'What to search for, with the operators of X such as from:, since: and quoted phrases.' },
  feed: { description: 'Which results; users: accounts.' },
  limit: { description: 'Items per page.', schema: { maximum: MAX_TOOL_LIMIT } },
  cursor: {
    description: 'next_cursor of the page before; other arguments unchanged.',
    schema: { maxLength: undefined },
  },
  format: {
    description: 'json: lean JSON, as text and as structuredContent.',
    schema: { enum: TOOL_FORMATS, default: TOOL_FORMATS[0] },
  },
  max_tokens: { description: 'Bounds the result: tokens of 4 bytes.', schema: { maximum: MAX_TOOL_TOKENS } },
};

/** Some clients support only anyOf. */
const withAnyOf = ({ oneOf, ...rest }: Json): Json => (oneOf === undefined ? rest : { anyOf: oneOf, ...rest });

const schemaOf = (name: ParameterName): Json => {
  const { description, schema } = parameters[name];
  const change = changes[name];
  return { description: change?.description ?? description, ...withAnyOf({ ...schema, ...change?.schema }) };
};

export const parametersOf = (useCase: ToolUseCase): readonly ParameterName[] =>
  inputs[useCases[useCase].input].parameters;

const inputSchema = (useCase: ToolUseCase): Json => {
  const { required } = toolTexts[useCase];
  return {
    type: 'object',
    properties: Object.fromEntries(parametersOf(useCase).map((name) => [name, schemaOf(name)])),
    ...(required.length > 0 && { required }),
  };
};

export const ANNOTATIONS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true };

const isTool = (name: string): name is ToolUseCase => Object.hasOwn(toolTexts, name);

/** In the order of the contract. */
export const toolUseCases: readonly ToolUseCase[] = Object.keys(useCases).filter(isTool);

export const useCaseOfTool = (name: string): ToolUseCase | undefined =>
  toolUseCases.find((useCase) => useCases[useCase].tool === name);

export const toolListings: readonly ToolListing[] = toolUseCases.map((useCase) => ({
  name: useCases[useCase].tool,
  title: toolTexts[useCase].title,
  description: toolTexts[useCase].description,
  // JSON drops the members that are undefined.
  inputSchema: JSON.parse(JSON.stringify(inputSchema(useCase))),
  annotations: ANNOTATIONS,
}));
