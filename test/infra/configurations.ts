// The configurations in which every check of the stack runs: each value of each setting with an effect on the template,
// and the pairs that meet in one resource.

/** The settings of an operator, as cdk context has them. */
export type Context = Readonly<Record<string, string | number | boolean>>;

const domain = {
  domainName: 'posts.example.org',
  certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/11111111-2222-3333-4444-555555555555',
} as const;

const alarms = { alarmEmail: 'ops@example.org' } as const;

const paid = { providers: 'x_api,fxtwitter', xApiTokenSecret: 'postern/x-api' } as const;

const webAclArn =
  'arn:aws:wafv2:us-east-1:123456789012:global/webacl/postern/11111111-2222-3333-4444-555555555555' as const;

const everyGuard = {
  wafRateLimit: 2000,
  originShield: true,
  monthlyBudget: 100,
  xApiDailyRows: 5000,
} as const;

const everySignal = {
  dashboard: true,
  accessLogDays: 30,
} as const;

/** The stack of the service. Outside us-east-1, other-regions.test.ts has the stacks beside it. */
export const configurations = {
  default: {},
  alarms: { ...alarms },
  domain: { ...domain, ...alarms },
  'base URL': { baseUrl: 'https://posts.example.org', securityContact: 'mailto:security@example.org' },
  'another region': { region: 'eu-west-1' },
  'another region, domain, alarms': { region: 'eu-west-1', ...domain, ...alarms },
  'secrets rotated': { originSecretVersion: 2, cursorSecretVersion: 2 },
  'secrets rotated, another region': { originSecretVersion: 3, cursorSecretVersion: 4, region: 'eu-west-1', ...alarms },
  'X API': { ...paid, ...alarms },
  'X API, token rotated': { ...paid, xApiTokenVersion: 2, xApiDailyRows: 1000 },
  'X API without ceiling': { ...paid, xApiDailyRows: 0, region: 'eu-west-1' },
  'web ACL, domain': { wafRateLimit: 1000, ...domain, ...alarms },
  'hosted zone, price class': {
    domainName: domain.domainName,
    hostedZoneId: 'Z0123456789ABCDEFGHIJ',
    priceClass: 'PriceClass_100',
  },
  'web ACL, hosted zone, another region': {
    wafRateLimit: 1000,
    domainName: domain.domainName,
    hostedZoneId: 'Z0123456789ABCDEFGHIJ',
    region: 'eu-west-1',
  },
  'own web ACL, another region': { webAclArn, region: 'eu-west-1' },
  'origin shield': { originShield: true },
  'origin shield, another region': { originShield: true, region: 'eu-west-1' },
  budget: { monthlyBudget: 50, ...alarms },
  'budget, another region': { monthlyBudget: 50, ...alarms, region: 'eu-west-1' },
  'without canary': { canaryMinutes: 0, ...alarms },
  'scheduled canary, another region, domain': { canaryMinutes: 60, region: 'eu-west-1', ...domain, ...alarms },
  'access log': { accessLogDays: 90 },
  'pictures through the service': { pictures: 'proxied', ...alarms },
  'pictures through the service, no reservation': { pictures: 'proxied', mediaConcurrency: 0 },
  'no signals': { metrics: 'none', dashboard: false },
  'few signals, alarms': { metrics: 'service', dashboard: false, ...alarms },
  'adopted tables': { keysTableName: 'postern-keys-of-before', adminTableName: 'postern-admin-of-before' },
  'adopted tables, rotated, X API': { keysTableName: 'keys-of-before', cursorSecretVersion: 2, ...paid },
  staging: { stackName: 'PosternStaging', ...alarms },
  'staging, another region, x86_64': { stackName: 'Postern-staging', region: 'eu-west-1', arch: 'x86_64' },
  'own FxEmbed, pool, one operator': {
    fxTwitterBaseUrl: 'https://fx.example.org,https://fx2.example.org;weight=2',
    allowanceSearchPool: '1000/60',
    adminTokenHashes: `ada=${'0'.repeat(64)}`,
    logRetentionDays: 7,
    cacheTtlSeconds: 0,
  },
  everything: {
    ...domain,
    ...alarms,
    ...paid,
    ...everyGuard,
    ...everySignal,
    canaryMinutes: 15,
    originSecretVersion: 2,
    cursorSecretVersion: 2,
    stackName: 'PosternFull',
  },
  'everything, another region': {
    ...domain,
    ...alarms,
    ...paid,
    ...everyGuard,
    ...everySignal,
    wafRateLimit: 0,
    accessLogDays: 0,
    webAclArn,
    canaryMinutes: 15,
    originSecretVersion: 2,
    keysTableName: 'keys-of-before',
    adminTableName: 'admin-of-before',
    region: 'eu-west-1',
    stackName: 'PosternFull',
  },
} as const satisfies Readonly<Record<string, Context>>;
