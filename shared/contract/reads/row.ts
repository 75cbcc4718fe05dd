// Declares the row of a read: all that the service promises about it. Every table of reads is derived from the rows. A row has
// only data, so that whatever takes rows takes no code.
import type { ResourceName } from '../../model/resources.ts';
import type { AllowanceName } from '../allowances.ts';
import type { CacheClass } from '../caching.ts';
import type { LambdaName } from '../lambdas.ts';
import type { ToolName } from '../mcp.ts';
import type { Format } from '../media-types.ts';
import type { ParameterName } from '../parameters.ts';
import type { ProblemCode } from '../problems.ts';

/** The address of a page of X, at which people and link previews read. */
export interface Permalink {
  readonly path: string;
  /** Other paths. Their variables are parameters, too, but `number` is ignored. */
  readonly alsoAt?: readonly string[];
  /** Parameters that the path implies. A request cannot change them. */
  readonly fixed?: Readonly<Partial<Record<ParameterName, string>>>;
  /** The parameter that people may leave out: where HTML is chosen, they get a page with a form for it. */
  readonly formFor?: ParameterName;
}

export interface Read {
  readonly lambda: LambdaName;
  /** The path of the v1 route. */
  readonly path: string;
  /** Other paths of the v1 route. */
  readonly alsoAt?: readonly string[];
  /** By the name of the operation. */
  readonly permalinks: Readonly<Record<string, Permalink>>;
  /** In the order of the documents. */
  readonly parameters: readonly ParameterName[];
  /** The parameters without which there is nothing to read. The rules of some reads are in inputs.ts. */
  readonly required: readonly ParameterName[];
  /** The accepted values of `format`. The first is the default. */
  readonly formats: readonly Format[];
  /** The code of another format. @default 'invalid_format' */
  readonly formatCode?: ProblemCode;
  /** A list: its name, and the parameters to which its cursors are bound. */
  readonly list?: readonly [name: string, ...parameters: ParameterName[]];
  /** The option of `npm run export` that names the list. */
  readonly exportOption?: string;
  readonly resource: ResourceName;
  /** `ignored`: the Authorization header is not read (requirements: keys). */
  readonly apiKey: 'ignored' | 'honoured';
  /** The allowance that a request charges; `fair-use`: no allowance, only the fair-use bound. */
  readonly allowance: AllowanceName | 'fair-use';
  /** The most units of the allowance that an answer charges. @default 1 */
  readonly mostUnits?: number;
  readonly cache: CacheClass;
  /** The class of its feeds. @default 'feed' */
  readonly feedCache?: CacheClass;
  /** `negotiated`: `format` and Accept select the format. `json`: always JSON. */
  readonly representation: 'negotiated' | 'json';
  /** The problems that remain if the parameters are valid and the provider answers. */
  readonly problems: readonly ProblemCode[];
  /** The MCP tool. Several reads can have one. */
  readonly tool?: ToolName;
  /** The value of the argument that chooses this read among those of its tool. */
  readonly toolChoice?: string;
  /** The argument of the tool that chooses this read if it is true. */
  readonly toolFlag?: { readonly name: string; readonly description: string };
  /** The tool reads this if its argument `handle` names several accounts. */
  readonly isForSeveralHandles?: true;
  readonly summary: string;
}

/** What the documents say about a read. */
export interface ReadWords {
  /** One or two sentences in Markdown. */
  readonly description: string;
  /** The request whose answer the documents show. The bundled sample data can answer it. */
  readonly example: Readonly<Partial<Record<ParameterName, string>>>;
}

/** In paths of X, `i` stands for the handle of any author. */
export const ANY_HANDLE = 'i';

/** The language of a reader, which pages keep. */
const READING_PARAMETERS = ['lang', 'translation'] as const satisfies readonly ParameterName[];
const PAGE_PARAMETERS = ['format', 'limit', 'cursor', 'max_tokens'] as const satisfies readonly ParameterName[];

export const LIST_PARAMETERS = [...PAGE_PARAMETERS, ...READING_PARAMETERS] as const;
export const POST_LIST_PARAMETERS = [...PAGE_PARAMETERS, 'metrics', ...READING_PARAMETERS] as const;

export const OF_PROFILE = {
  lambda: 'profiles',
  cache: 'list',
  representation: 'negotiated',
  apiKey: 'honoured',
  allowance: 'browse',
  problems: ['profile_protected', 'profile_not_found', 'withheld_by_operator'],
} as const;

/** Lists below a post charge an allowance by IP address, which posts do not, so that the Lambda of posts stays small. */
export const BELOW_POST = {
  lambda: 'engagements',
  cache: 'list',
  representation: 'negotiated',
  apiKey: 'ignored',
  allowance: 'browse',
  problems: ['post_protected', 'post_not_found', 'withheld_by_operator'],
  tool: 'x_list_replies',
} as const;

/** Reads of posts charge no allowance. */
export const OF_POSTS = {
  cache: 'post',
  representation: 'negotiated',
  apiKey: 'ignored',
  allowance: 'fair-use',
} as const;
