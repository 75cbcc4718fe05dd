// Lists the short values of the contract that a page can name with `{{value NAME}}`, and what the default Cache-Control value
// of each cache class allows.
import {
  type AllowanceSetting,
  allowanceSettings,
  FAIR_USE,
  type Limit,
  parseAllowance,
  TRANSLATED_READS,
} from '../../contract/allowances.ts';
import { MAX_QUERY_PARAMETERS, MAX_RESPONSE_BYTES } from '../../contract/bounds.ts';
import { type CacheClass, cacheClasses, cacheControl, DEFAULT_CACHE_TTL_SECONDS } from '../../contract/caching.ts';
import { READ_ALLOW_FIELD } from '../../contract/headers.ts';
import { deprecationField, lifecycles, sunsetField, versionPolicy } from '../../contract/lifecycle.ts';
import {
  BATCH_VERSION,
  MAX_BATCH_MESSAGES,
  MAX_MESSAGE_BYTES,
  MAX_TEXT_BYTES,
  MAX_TOOL_LIMIT,
  MCP_VERSIONS,
} from '../../contract/mcp.ts';
import { contentTypes, NDJSON_TYPE } from '../../contract/media-types.ts';
import { aliases, operationRows, operations, pathsOf, queryNames, useCasesOf } from '../../contract/operations.ts';
import { DEFAULT_PART_TOKENS, parameters } from '../../contract/parameters.ts';
import { MCP_PATH } from '../../contract/paths.ts';
import { BASE_URL_PLACEHOLDER, MCP_CONFIG_PLACEHOLDER } from '../../contract/placeholders.ts';
import { COUNTER_KEPT_SECONDS, KEY_USE_KEPT_SECONDS } from '../../contract/tables.ts';
import { type UseCase, useCases } from '../../contract/use-cases.ts';
import { tableOf } from '../../model/json.ts';
import { languages } from '../../model/languages.ts';
import { ACCOUNT_COLUMNS } from '../../render/data/account-columns.ts';
import { POST_COLUMNS } from '../../render/data/post-columns.ts';
import { codeList, day, duration } from './markdown-blocks.ts';

const BYTES_PER_MEGABYTE = 1_000_000;

const thousands = (count: number): string => count.toLocaleString('en-US');

/** "10 in 1 minute". */
const limitText = ({ count, seconds }: Limit): string => `${count} in ${duration(seconds)}`;

const presetText = ({ preset }: AllowanceSetting): string => {
  const allowance = parseAllowance(preset);
  return allowance === undefined ? 'none' : limitText(allowance);
};

const pathsCharging = (allowance: UseCase['allowance']): string =>
  codeList(
    operationRows
      .filter(([, operation]) => useCasesOf(operation).some((name) => useCases[name].allowance === allowance))
      .flatMap(([, operation]) => pathsOf(operation)),
  );

export const defaultCacheControl = tableOf(cacheClasses, (name) => cacheControl(name, DEFAULT_CACHE_TTL_SECONDS));

/** In seconds; 0 without the directive. */
export interface CacheDurations {
  readonly fresh: number;
  readonly stale: number;
  readonly staleIfError: number;
}

export const cacheDurations = (cacheClass: CacheClass): CacheDurations => {
  const secondsOf = (directive: string): number =>
    Number(new RegExp(`${directive}=(\\d+)`).exec(defaultCacheControl[cacheClass])?.[1] ?? 0);
  return {
    fresh: secondsOf('s-maxage'),
    stale: secondsOf('stale-while-revalidate'),
    staleIfError: secondsOf('stale-if-error'),
  };
};

const post = cacheDurations('post');
const dayOldPost = cacheDurations('dayOldPost');
const monthOldPost = cacheDurations('monthOldPost');
const feed = cacheDurations('feed');
const list = cacheDurations('list');

/** The query is percent-encoded JSON. The placeholder stays readable: a query may contain `:` and `/`. */
const mcpVsCodeLink = `vscode:mcp/install?${encodeURIComponent(
  JSON.stringify({ name: 'postern', type: 'http', url: `${BASE_URL_PLACEHOLDER}${MCP_PATH}` }),
).replace(encodeURIComponent(BASE_URL_PLACEHOLDER), BASE_URL_PLACEHOLDER)}`;

export const values = {
  aliasSunset: day(lifecycles.convert.sunset),
  browse: presetText(allowanceSettings.browse),
  browsePaths: pathsCharging('browse'),
  browseResources: codeList(Object.keys(aliases.browse.useCase.choices)),
  convertDeprecation: deprecationField(lifecycles.convert),
  convertParameters: codeList(queryNames(operations.convert)),
  convertSunset: sunsetField(lifecycles.convert),
  currentVersion: versionPolicy.currentMajorVersion,
  fairUse: limitText(FAIR_USE),
  fairUsePaths: pathsCharging('fair-use'),
  languages: codeList(languages),
  maxAnswerSize: `${MAX_RESPONSE_BYTES / BYTES_PER_MEGABYTE} MB`,
  maxQueryParameters: String(MAX_QUERY_PARAMETERS),
  partTokens: String(DEFAULT_PART_TOKENS),
  maxTokens: String(parameters.max_tokens.schema.maximum),
  mcpCursorLink: `cursor://anysphere.cursor-deeplink/mcp/install?name=postern&config=${MCP_CONFIG_PLACEHOLDER}`,
  mcpVsCodeLink,
  mcpBatchVersion: BATCH_VERSION,
  mcpMaxBatch: String(MAX_BATCH_MESSAGES),
  mcpMaxBodyBytes: thousands(MAX_MESSAGE_BYTES),
  mcpMaxLimit: String(MAX_TOOL_LIMIT),
  mcpMaxTextBytes: thousands(MAX_TEXT_BYTES),
  mcpPath: MCP_PATH,
  mcpVersions: codeList(MCP_VERSIONS),
  dayOldPostFresh: duration(dayOldPost.fresh),
  counterKept: duration(COUNTER_KEPT_SECONDS),
  feedFresh: duration(feed.fresh),
  keyUseKept: duration(KEY_USE_KEPT_SECONDS),
  listVisible: duration(list.fresh + list.stale),
  monthOldPostFresh: duration(monthOldPost.fresh),
  methods: READ_ALLOW_FIELD,
  minTokens: String(parameters.max_tokens.schema.minimum),
  postFresh: duration(post.fresh),
  postStale: duration(post.stale),
  postStaleIfError: duration(post.staleIfError),
  newPostVisible: duration(post.fresh + post.stale),
  /** A shared cache can serve a post for at most this time after its deletion. */
  postVisible: duration(monthOldPost.fresh + monthOldPost.stale),
  problemMediaType: contentTypes.problem,
  accountColumns: codeList(ACCOUNT_COLUMNS.map(({ name }) => name)),
  postColumns: codeList(POST_COLUMNS.map(({ name }) => name)),
  csvMediaType: contentTypes.csv,
  ndjsonMediaType: NDJSON_TYPE,
  searchAnonymous: presetText(allowanceSettings.searchAnonymous),
  searchKeyed: presetText(allowanceSettings.searchKeyed),
  searchPaths: pathsCharging('search'),
  translatedReads: String(TRANSLATED_READS),
  supportedVersions: codeList(versionPolicy.supportedVersions),
  supportMonths: String(versionPolicy.minimumSupportWindowMonths),
} as const satisfies Readonly<Record<string, string>>;
