// Describes every environment variable, for docs/local-service.md (`npm run update -- readme`) and the documentation; no
// function loads it.
import { type AllowanceSettingName, allowanceSettings } from '../contract/allowances.ts';
import { DEFAULT_CACHE_TTL_SECONDS } from '../contract/caching.ts';
import { documents } from '../contract/documents.ts';
import type { METRICS_NAMESPACE } from '../contract/metrics.ts';
import { defaultProviders, type ProviderName, paidRowsSetting, providers } from '../contract/providers.ts';
import type { TableName, tables } from '../contract/tables.ts';
import { COUNTER_STORES, INDEXING, PICTURES, TRANSLATION } from './base-parsers.ts';
import { env, environmentDefaults } from './environment-variables.ts';
import { localDefaults, type localEnv, localTableNames } from './local-service.ts';

type Variable<Row> = Row extends { readonly variable: infer Name extends string } ? Name : never;
type Secret<Row> = Row extends { readonly secret: infer Inner } ? Variable<Inner> : never;
type ProviderRows = (typeof providers)[ProviderName];

export type VariableName =
  | (typeof env)[keyof typeof env]
  | (typeof localEnv)[keyof typeof localEnv]
  | typeof METRICS_NAMESPACE
  | Variable<(typeof allowanceSettings)[AllowanceSettingName]>
  | Variable<ProviderRows>
  | Secret<ProviderRows>
  | Variable<(typeof tables)[TableName]>
  | (typeof paidRowsSetting)['variable'];

export interface VariableDescription {
  /** The default of the local service, as Markdown. */
  readonly default: string;
  /** One sentence, as Markdown. */
  readonly meaning: string;
}

const UNSET = 'unset';

const code = (value: string | number): string => `\`${value}\``;
const allowance = (name: AllowanceSettingName): string => {
  const { preset } = allowanceSettings[name];
  return preset === '' ? UNSET : code(preset);
};

/** The compiler refuses a variable without a row, and a row without a variable. */
export const variableDescriptions: Readonly<Record<VariableName, VariableDescription>> = {
  PORT: { default: code(localDefaults.port), meaning: 'Port of the local service; 0 takes any free port.' },
  HOST: { default: code(localDefaults.host), meaning: 'IP address or host name on which the local service listens.' },
  BASE_URL: { default: 'the local URL', meaning: 'Base of links and of the `type` of problem documents.' },
  UPSTREAM: {
    default: code(localDefaults.upstream),
    meaning: '`live` calls providers, `sample` replays answers, `auto` replays if the first provider is unreachable.',
  },
  PROVIDERS: {
    default: code(defaultProviders.join(',')),
    meaning: 'Providers in order of preference, comma-separated; `x_api` is also known.',
  },
  FXTWITTER_BASE_URL: {
    default: code(providers.fxtwitter.baseUrl),
    meaning: 'Base URL of `fxtwitter`, for example of your own FxEmbed, or up to 10 of them, comma-separated.',
  },
  SYNDICATION_BASE_URL: {
    default: code(providers.syndication.baseUrl),
    meaning: 'Base URL of `syndication`, or several as above.',
  },
  X_API_BASE_URL: { default: code(providers.x_api.baseUrl), meaning: 'Base URL of `x_api`, the official API.' },
  X_API_BEARER_TOKEN: { default: UNSET, meaning: 'Token of `x_api`, which X bills.' },
  X_API_DAILY_ROWS: {
    default: code(paidRowsSetting.preset),
    meaning: 'Rows of `x_api` that may be billed per day (UTC), after which it is skipped; 0 for no limit.',
  },
  CANARY_POST: {
    default: code(environmentDefaults[env.canaryPost]),
    meaning: 'Id of a post that exists. It tells a missing post from an outage of a provider.',
  },
  CANARY_PROFILE: {
    default: code(environmentDefaults[env.canaryProfile]),
    meaning: 'Handle of a profile that exists, for the same purpose.',
  },
  FRESHNESS_PROFILE: {
    default: code(environmentDefaults[env.freshnessProfile]),
    meaning:
      'Handle of an account that posts many times a day. It tells a frozen timeline from a quiet one; `doctor` says how fresh it is.',
  },
  API_KEY: { default: UNSET, meaning: 'API key that `export`, `save` and `mcp` send to the service at `BASE_URL`.' },
  CACHE_TTL_SECONDS: {
    default: code(DEFAULT_CACHE_TTL_SECONDS),
    meaning: `Seconds for which shared caches keep a new post; 0 turns caching off. Below ${DEFAULT_CACHE_TTL_SECONDS}, it also bounds old posts.`,
  },
  REQUEST_CACHE_MIB: {
    default: 'a part of the memory',
    meaning:
      'MiB of results of providers that each function keeps for a minute. By default all caches of the local service have a quarter of the memory that it may use.',
  },
  CURSOR_SECRETS: {
    default: 'generated, kept in `DATA_DIR`',
    meaning: 'Secrets of cursors, comma-separated: the first signs, all are accepted.',
  },
  ALLOWANCE_SEARCH_ANONYMOUS: {
    default: allowance('searchAnonymous'),
    meaning: 'Searches without an API key, as `COUNT/SECONDS`; `30/900,5/60` adds a burst limit.',
  },
  ALLOWANCE_SEARCH_KEYED: { default: allowance('searchKeyed'), meaning: 'Searches with an API key.' },
  ALLOWANCE_SEARCH_POOL: { default: allowance('searchPool'), meaning: 'Searches of all anonymous callers together.' },
  ALLOWANCE_BROWSE: { default: allowance('browse'), meaning: 'Profiles and lists, with or without an API key.' },
  ADMIN_TOKEN: {
    default: 'generated, printed at start',
    meaning: 'Operator token for the dashboard and the API for keys, at least 32 characters.',
  },
  ADMIN_TOKEN_HASHES: {
    default: 'from `ADMIN_TOKEN`',
    meaning: '`NAME=SHA-256` of the token of each operator, comma-separated.',
  },
  DATA_DIR: { default: code(localDefaults.dataDir), meaning: 'Folder of the local store; `memory` keeps nothing.' },
  TRUSTED_PROXIES: {
    default: UNSET,
    meaning:
      'IP addresses and networks of reverse proxies, comma-separated. Only their `X-Forwarded-For` and `X-Forwarded-Proto` are believed, for limits, links and HSTS.',
  },
  LOG_OUTPUT: {
    default: code('stderr'),
    meaning:
      '`stdout` writes the log to standard output, and messages for people to standard error, as the container does.',
  },
  DYNAMODB_ENDPOINT: { default: 'embedded store', meaning: 'URL of another DynamoDB, such as DynamoDB Local.' },
  COUNTER_STORE: {
    default: `${code(COUNTER_STORES[1])}; ${code(COUNTER_STORES[0])} with ${code(env.dynamodbEndpoint)}`,
    meaning: `Where allowances are counted: in memory (${code(COUNTER_STORES[1])}), or in the counters table (${code(COUNTER_STORES[0])}), for several processes.`,
  },
  KEYS_TABLE: { default: code(localTableNames.keys), meaning: 'Table of API keys.' },
  COUNTERS_TABLE: { default: code(localTableNames.counters), meaning: 'Table of counters.' },
  ADMIN_TABLE: { default: code(localTableNames.admin), meaning: 'Table of sessions and audit entries.' },
  SECURITY_CONTACT: {
    default: code(documents.selfHosting.path),
    meaning: 'Contact in security.txt: `mailto:…` or `https://…`.',
  },
  ABUSE_CONTACT: {
    default: code('SECURITY_CONTACT'),
    meaning: `Contact for complaints on ${code(documents.removal.path)}: \`mailto:…\` or \`https://…\`.`,
  },
  OPERATOR_NAME: { default: UNSET, meaning: `Person or organization that ${code(documents.removal.path)} names.` },
  LOG_RETENTION_DAYS: {
    default: UNSET,
    meaning: `Days for which you keep the log, which ${code(documents.privacy.path)} says.`,
  },
  INDEXING: {
    default: code(INDEXING[0]),
    meaning: 'Whether search engines may index permalinks and the search: `none` or `all`.',
  },
  TRANSLATION: {
    default: code(TRANSLATION[0]),
    meaning: 'Whether providers are asked for translations: `on` or `off`.',
  },
  PICTURES: {
    default: code(localDefaults.pictures),
    meaning: `Pictures and videos of pages come from X to the browser (\`${PICTURES[0]}\`), or through the service, which hides readers from X (\`${PICTURES[1]}\`).`,
  },
  WITHHELD_FILE: {
    default: UNSET,
    meaning: 'JSON file of the posts and profiles that are withheld. A change is in force within 5 s.',
  },
  METRICS_NAMESPACE: {
    default: UNSET,
    meaning: 'CloudWatch namespace of the metrics in the log lines. Unset, the lines have none.',
  },
  ORIGIN_SECRETS: {
    default: code(localDefaults.originSecret),
    meaning: 'One or two accepted values of `x-origin-secret`.',
  },
};
