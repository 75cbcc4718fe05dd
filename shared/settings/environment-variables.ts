// Names the environment variables that infra/ sets and composition/ reads. The tables of providers, DynamoDB tables and
// allowances name their own variables.

export const env = {
  baseUrl: 'BASE_URL',
  originSecrets: 'ORIGIN_SECRETS',
  cacheTtlSeconds: 'CACHE_TTL_SECONDS',
  upstream: 'UPSTREAM',
  providers: 'PROVIDERS',
  canaryPost: 'CANARY_POST',
  canaryProfile: 'CANARY_PROFILE',
  freshnessProfile: 'FRESHNESS_PROFILE',
  cursorSecrets: 'CURSOR_SECRETS',
  dynamodbEndpoint: 'DYNAMODB_ENDPOINT',
  counterStore: 'COUNTER_STORE',
  adminTokenHashes: 'ADMIN_TOKEN_HASHES',
  securityContact: 'SECURITY_CONTACT',
  abuseContact: 'ABUSE_CONTACT',
  operatorName: 'OPERATOR_NAME',
  logRetentionDays: 'LOG_RETENTION_DAYS',
  indexing: 'INDEXING',
  translation: 'TRANSLATION',
  pictures: 'PICTURES',
  withheldFile: 'WITHHELD_FILE',
  requestCacheMebibytes: 'REQUEST_CACHE_MIB',
} as const;

/** The values of variables that are unset or empty. */
export const environmentDefaults = {
  [env.canaryPost]: '20',
  [env.canaryProfile]: 'X',
  /** Posts many times a day. */
  [env.freshnessProfile]: 'Reuters',
} as const;
