// Lists all settings, in the order of the documentation, with the rules between settings.
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod';
import {
  ALLOWANCE_SYNTAX,
  type Allowance,
  type AllowanceSetting,
  allowanceSettings,
  parseAllowance,
} from '../../shared/contract/allowances.ts';
import { DEFAULT_CACHE_TTL_SECONDS, MAX_CACHE_TTL_SECONDS } from '../../shared/contract/caching.ts';
import { DEFAULT_CANARY_MINUTES, DEFAULT_MEDIA_CONCURRENCY } from '../../shared/contract/other-functions.ts';
import { priceOf } from '../../shared/contract/prices.ts';
import { providerRow } from '../../shared/contract/providers.ts';
import {
  cacheTtl,
  INDEXING,
  indexing,
  PICTURES,
  pictures,
  type SettingParser,
  TRANSLATION,
  translation,
} from '../../shared/settings/base-parsers.ts';
import { operatorList } from '../../shared/settings/feature-parsers.ts';
import { serviceSettings } from './service-settings.ts';
import {
  dollars,
  listPrice,
  matching,
  oneOfNumbers,
  parsed,
  type SettingRow,
  separated,
  toggle,
  wholeNumber,
  withheldList,
  zeroOrFrom,
} from './setting.ts';
import { upstreamSettings } from './upstream-settings.ts';

const allowance: SettingParser<Allowance> = { rule: ALLOWANCE_SYNTAX, parse: parseAllowance };

const allowanceText = () => parsed(allowance, /^[1-9][0-9]*\/[1-9][0-9]*(,[1-9][0-9]*\/[1-9][0-9]*)?$/);

const allowanceRow = ({ preset }: AllowanceSetting, meaning: string) =>
  ({
    schema: allowanceText().prefault(preset),
    rule: ALLOWANCE_SYNTAX,
    meaning,
  }) satisfies SettingRow;

const { searchAnonymous, searchKeyed, browse, searchPool } = allowanceSettings;

/** The service to callers: cache, allowances, and who may sign in to the dashboard. */
const callerSettings = {
  cacheTtlSeconds: {
    schema: wholeNumber(0, MAX_CACHE_TTL_SECONDS).prefault(DEFAULT_CACHE_TTL_SECONDS),
    rule: cacheTtl.rule,
    meaning: `Seconds for which shared caches keep a new post; 0 turns caching off. Below ${DEFAULT_CACHE_TTL_SECONDS}, it also bounds old posts.`,
  },
  indexing: {
    schema: z.enum(INDEXING).default('none'),
    rule: indexing.rule,
    meaning:
      'Whether search engines may index permalinks and the search: `none` or `all`. The front page and the documentation always may be.',
  },
  pictures: {
    schema: z.enum(PICTURES).default('direct'),
    rule: pictures.rule,
    meaning:
      'The way of pictures and videos in pages: from X to the browser (`direct`), or through the service (`proxied`), so that X learns nothing about readers. `proxied` adds a function and [costs per page](#pictures).',
  },
  mediaConcurrency: {
    schema: zeroOrFrom(2).prefault(DEFAULT_MEDIA_CONCURRENCY),
    rule: 'must be 0, or a whole number from 2',
    meaning:
      'With `pictures` set to `proxied`: how many pictures and videos are passed on at once. Lambda reserves so many executions of the account. `0` reserves none, as a new account with 10 executions needs; then whoever asks for many files can take the executions of all functions.',
  },
  translation: {
    schema: z.enum(TRANSLATION).default('on'),
    rule: translation.rule,
    meaning:
      'Whether providers are asked for translations: `on` or `off`. With `off`, a read with `lang` is the plain read with a warning.',
  },
  withheld: {
    schema: withheldList(),
    rule: 'must be an array of objects with post or profile, reason, and optionally until',
    meaning:
      'Posts (by link or id) and profiles (by handle, or as `id:12` by id) that the service does not show, as 451: at most 1,000 objects with `post` or `profile`, `reason` (`copyright`, `court`, `privacy`, `terms` or `other`) and optionally `until`, a day or an instant.',
  },
  [searchAnonymous.setting]: allowanceRow(searchAnonymous, 'Searches of one caller without an API key.'),
  [searchKeyed.setting]: allowanceRow(searchKeyed, 'Searches with an API key that has no allowance of its own.'),
  [browse.setting]: allowanceRow(browse, 'Profiles and lists, with or without an API key.'),
  [searchPool.setting]: {
    schema: allowanceText().optional(),
    rule: ALLOWANCE_SYNTAX,
    meaning: 'Searches of all callers without an API key together.',
  },
  adminTokenHashes: {
    schema: separated(matching(/^[A-Za-z0-9._-]{1,40}=[0-9a-f]{64}$/))
      .transform((entries) => entries.join(','))
      .refine((text) => operatorList.parse(text) !== undefined, { error: operatorList.rule })
      .optional()
      .transform((text = '') => text),
    rule: operatorList.rule,
    meaning:
      '`NAME=SHA-256` of the token of each operator; on the command line separated by commas. Without it, the dashboard is disabled. Never the token itself.',
  },
} as const satisfies Readonly<Record<string, SettingRow>>;

/** The rules of the web ACL that `wafRateLimit` creates. */
export const WEB_ACL_RULES = 5;

/** Limits of load and cost. */
const guardSettings = {
  wafRateLimit: {
    schema: zeroOrFrom(10).prefault(0),
    rule: 'must be a whole number from 10, or 0 for no web ACL',
    meaning:
      'Requests of one IP address in 5 minutes, after which a web ACL blocks it; 0 for no web ACL. The web ACL also has rule groups of AWS.',
    price: `The web ACL costs ${dollars(priceOf('webAcls', 1) + priceOf('webAclRules', WEB_ACL_RULES))} a month and ${listPrice('webAclRequests')} per million requests.`,
  },
  webAclArn: {
    schema: matching(/^arn:aws:wafv2:us-east-1:\d{12}:global\/webacl\/[A-Za-z0-9_-]+\/[0-9a-f-]+$/).optional(),
    rule: 'must be the ARN of a web ACL for CloudFront, which is in us-east-1',
    meaning: 'ARN of a web ACL of your own, in us-east-1.',
  },
  originShield: {
    schema: toggle().prefault(false),
    rule: 'must be true or false',
    meaning: 'One more cache of CloudFront before the origins, in the region nearest to the functions.',
    price: `${listPrice('originShield')} or more per 10,000 requests that reach it.`,
  },
  monthlyBudget: {
    schema: wholeNumber().prefault(0),
    rule: 'must be a whole number of US dollars',
    meaning: 'US dollars a month; AWS mails when the bill is expected to exceed them. 0 for no budget.',
  },
} as const satisfies Readonly<Record<string, SettingRow>>;

const RETENTION_DAYS = Object.values(RetentionDays).filter((days) => typeof days === 'number');

const TOGGLE_RULE = 'must be true or false';

/** Observation of the service: metrics, logs and alarms. */
const operationSettings = {
  alarmEmail: {
    schema: z.email().optional(),
    rule: 'must be an e-mail address',
    meaning: 'Email address that receives alarms, after its owner has confirmed the subscription.',
  },
  logRetentionDays: {
    schema: oneOfNumbers(RETENTION_DAYS).prefault(RetentionDays.ONE_MONTH),
    rule: `must be a number of days that CloudWatch Logs knows: ${RETENTION_DAYS.join(', ')}`,
    meaning: 'Days for which CloudWatch keeps logs.',
    price: `${listPrice('logStorage')} per GB and month.`,
  },
  metrics: {
    schema: z.enum(['none', 'service']).default('service'),
    rule: 'must be none or service; the lines of the log have each route, form and tool',
    meaning: 'Metrics of the functions: `none`, or those of the `service`, which alarms and the dashboard read.',
    price: `${listPrice('metrics')} a month per metric with data.`,
  },
  dashboard: {
    schema: toggle().prefault(true),
    rule: TOGGLE_RULE,
    meaning: 'A dashboard in CloudWatch.',
    price: `${listPrice('dashboards')} a month; three per account are free.`,
  },
  accessLogDays: {
    schema: wholeNumber().prefault(0),
    rule: 'must be a whole number of days, or 0 for no access log',
    meaning: 'Days for which the access log of CloudFront is kept in S3, without IP addresses; 0 for no access log.',
    price: `S3 stores it for ${listPrice('objectStorage')} per GB and month; the delivery is free.`,
  },
  canaryMinutes: {
    schema: wholeNumber(0, 1440).prefault(DEFAULT_CANARY_MINUTES),
    rule: 'must be a whole number of minutes from 0 to 1440',
    meaning: 'Minutes between two runs of the function that verifies the deployment from outside; 0 for none.',
    price: 'Its requests and its alarm are a line of the bill on the page Costs and scaling.',
  },
} as const satisfies Readonly<Record<string, SettingRow>>;

/** The settings that a release removed, each with what an operator does instead. */
export const removedSettings: ReadonlyMap<string, string> = new Map([
  ['originSecret', 'Secrets Manager generates the secret; set originSecretVersion to rotate it'],
  ['reservedConcurrency', 'all functions share the concurrency of the account; ask for more in Service Quotas'],
  ['rollout', 'a deployment replaces all functions at once; verify it, and go back with the release before'],
  ['tracing', 'the line of each request in the log has its duration, and the line of each provider call'],
  ['apiThrottleBurst', 'the allowances limit callers; set wafRateLimit against one address that sends too much'],
  ['apiThrottleRate', 'the allowances limit callers; set wafRateLimit against one address that sends too much'],
  ['quietHours', 'the canary finds a service that nothing reaches; set canaryMinutes'],
  ['ticketEmail', 'every alarm goes to alarmEmail; the subjects of the mails name them, for a filter'],
  ['runbookUrl', 'alarms link to docs/runbook.md in the repository'],
  ['wafManagedRules', 'the web ACL of wafRateLimit has the rule groups of AWS'],
]);

export const settings = {
  ...serviceSettings,
  ...upstreamSettings,
  ...callerSettings,
  ...guardSettings,
  ...operationSettings,
} as const satisfies Readonly<Record<string, SettingRow>>;

export type SettingName = keyof typeof settings;

export const isSettingName = (name: string): name is SettingName => Object.hasOwn(settings, name);

export const settingRow = (name: SettingName): SettingRow => settings[name];

export const settingNames: readonly SettingName[] = Object.keys(settings).filter(isSettingName);

type Shape = { readonly [Name in SettingName]: (typeof settings)[Name]['schema'] };

const shape = Object.fromEntries(
  settingNames.map((name) => {
    const { schema, meaning, price } = settingRow(name);
    return [name, schema.describe(price === undefined ? meaning : `${meaning} ${price}`)];
  }),
) as Shape; // one schema per row; the type of fromEntries loses the names

/** The settings without the rules between them: the form of postern.config.json. */
export const fileSchema = z.strictObject(shape);

/** A rule between settings applies if each of them alone is valid, also if other settings are not. */
const ifValid =
  (...names: readonly SettingName[]) =>
  ({ issues }: z.core.ParsePayload): boolean =>
    !issues.some(({ path }) => names.some((name) => name === path?.[0]));

export const configSchema = fileSchema
  .refine(
    ({ domainName, certificateArn, hostedZoneId }) =>
      (domainName === undefined) === (certificateArn === undefined && hostedZoneId === undefined),
    {
      error: 'goes together with certificateArn or hostedZoneId: set it with one of them, or none',
      path: ['domainName'],
      when: ifValid('domainName', 'certificateArn', 'hostedZoneId'),
    },
  )
  .check(
    z.superRefine(
      (all, context) => {
        for (const name of all.providers) {
          const { secret } = providerRow(name);
          if (secret === undefined || all[secret.setting] !== undefined) continue;
          context.addIssue({
            code: 'custom',
            message: `names ${name}, which needs ${secret.setting}`,
            path: ['providers'],
          });
        }
      },
      { when: ifValid('providers', 'xApiTokenSecret') },
    ),
  )
  .transform(({ baseUrl, domainName, ...rest }) => ({
    ...rest,
    domainName,
    /**
     * If unset, `{base_url}` is the domain name of the distribution, which the edge function sends with each request.
     */
    baseUrl: baseUrl ?? (domainName && `https://${domainName}`),
  }));

export type Config = Readonly<z.output<typeof configSchema>>;
