// Reads the operator's settings from cdk context: `cdk deploy -c cacheTtlSeconds=60`, or "context" in cdk.json. Every
// setting has a default that deploys. An invalid or unknown setting stops the synthesis with its name.
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod';
import {
  ALLOWANCE_SYNTAX,
  type Allowance,
  type AllowanceSetting,
  allowanceSettings,
  formatAllowance,
  parseAllowance,
} from '../shared/contract/allowances.ts';
import { DEFAULT_CACHE_TTL_SECONDS } from '../shared/contract/caching.ts';
import { type LambdaName, lambdaNames, lambdas } from '../shared/contract/lambdas.ts';
import { metricDetails } from '../shared/contract/metrics.ts';
import {
  defaultProviders,
  type ProviderName,
  providerNames,
  providerRow,
  providers,
} from '../shared/contract/providers.ts';
import { paidRowsSetting } from '../shared/contract/x-api-costs.ts';
import { cacheTtl, contactUri, httpUrl, type SettingParser, wholeNumber } from '../shared/settings/base-parsers.ts';
import { env, environmentDefaults } from '../shared/settings/environment-variables.ts';
import { handle, operatorList, postId, providerNameList } from '../shared/settings/feature-parsers.ts';

/** An error that the operator can correct: it is printed as its message, without a stack trace. */
export class SetupError extends Error {}

const RETENTION_DAYS = Object.values(RetentionDays).filter((days) => typeof days === 'number');

/** Context is text on the command line, but may be a number or a boolean in cdk.json. A number that is not safe has lost digits. */
const textOf = (value: unknown): string => {
  if (typeof value === 'string' || typeof value === 'boolean') return String(value);
  return Number.isSafeInteger(value) ? String(value) : '';
};

/** Validates a setting with the parser that the functions use. */
const settingSchema = <T>({ parse, rule }: SettingParser<T>) =>
  z.unknown().transform((value, context): T => {
    const parsed = parse(textOf(value));
    if (parsed !== undefined) return parsed;
    context.addIssue({ code: 'custom', message: rule });
    return z.NEVER;
  });

const origin: SettingParser<string> = {
  rule: 'must be an origin without path, such as https://posts.example.org',
  parse: (text) => {
    const url = httpUrl.parse(text);
    return url !== undefined && new URL(url).origin === url ? url : undefined;
  },
};

const retentionDays = wholeNumber(
  (days) => RETENTION_DAYS.includes(days),
  `must be a number of days that CloudWatch Logs knows: ${RETENTION_DAYS.join(', ')}`,
);

const version = wholeNumber((number) => number >= 1, 'must be a whole number from 1');

/** `SURFACE=COUNT`, separated by commas. */
const concurrencies: SettingParser<Readonly<Partial<Record<LambdaName, number>>>> = {
  rule: `must be SURFACE=COUNT, or several separated by commas; surfaces are ${lambdaNames.join(', ')}`,
  parse: (text) => {
    if (text === '') return {};
    const pairs = text.split(',').map((entry) => /^([a-z]+)=([1-9][0-9]{0,4})$/.exec(entry.trim()));
    const counts = new Map(pairs.map((pair) => [pair?.[1] ?? '', Number(pair?.[2])]));
    const areKnown = [...counts.keys()].every((name) => Object.hasOwn(lambdas, name));
    return areKnown && counts.size === pairs.length ? Object.fromEntries(counts) : undefined;
  },
};

/** Lists a switch: `true` and `false`, also as text of the command line. */
const toggle: SettingParser<boolean> = {
  rule: 'must be true or false',
  parse: (text) => (text === 'true' || text === 'false' ? text === 'true' : undefined),
};

const tableNameSetting = z
  .string()
  .regex(/^[A-Za-z0-9_.-]{3,255}$/, { error: 'must be the name of a DynamoDB table' })
  .optional();

const count = (rule: string, least = 0) => wholeNumber((number) => number >= least, rule);

const baseUrlSetting = (name: ProviderName) => settingSchema(httpUrl).prefault(providers[name].baseUrl);

type BaseUrlSettings = {
  readonly [Name in ProviderName as (typeof providers)[Name]['setting']]: ReturnType<typeof baseUrlSetting>;
};

const baseUrlSettings = Object.fromEntries(
  providerNames.map((name) => [providers[name].setting, baseUrlSetting(name)]),
) as BaseUrlSettings; // one setting per row; the type of fromEntries loses the names

const allowance: SettingParser<Allowance> = { rule: ALLOWANCE_SYNTAX, parse: parseAllowance };

const presetAllowance = ({ preset }: AllowanceSetting) => settingSchema(allowance).prefault(preset);

const settings = z
  .strictObject({
    /** Two stacks with different names are two services, such as staging beside production. */
    stackName: z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9-]{0,99}$/, { error: 'must be letters, digits and hyphens, and begin with a letter' })
      .default('Postern'),
    region: z
      .string()
      .regex(/^[a-z]{2}(-[a-z]+)+-\d$/, { error: 'must be an AWS region, such as us-east-1' })
      .default('us-east-1'),
    domainName: z
      .string()
      .regex(/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/, { error: 'must be a host name in lower case' })
      .optional(),
    certificateArn: z
      .string()
      .regex(/^arn:aws[a-z-]*:acm:us-east-1:\d{12}:certificate\/[A-Za-z0-9-]+$/, {
        error: 'must be the ARN of an ACM certificate in us-east-1, where CloudFront looks for them',
      })
      .optional(),
    baseUrl: settingSchema(origin).optional(),
    providers: settingSchema(providerNameList).prefault(defaultProviders.join(',')),
    ...baseUrlSettings,
    /** Name of a secret in Secrets Manager that contains only the bearer token of the official X API. */
    xApiTokenSecret: z
      .string()
      .regex(/^[A-Za-z0-9/_+=.@-]{1,512}$/, { error: 'must be the name of a secret in Secrets Manager' })
      .optional(),
    canaryPost: settingSchema(postId).prefault(environmentDefaults[env.canaryPost]),
    canaryProfile: settingSchema(handle).prefault(environmentDefaults[env.canaryProfile]),
    cacheTtlSeconds: settingSchema(cacheTtl).prefault(DEFAULT_CACHE_TTL_SECONDS),
    [allowanceSettings.searchAnonymous.setting]: presetAllowance(allowanceSettings.searchAnonymous),
    [allowanceSettings.searchKeyed.setting]: presetAllowance(allowanceSettings.searchKeyed),
    [allowanceSettings.browse.setting]: presetAllowance(allowanceSettings.browse),
    /** The allowance pool of all callers without an API key; none by default. */
    [allowanceSettings.searchPool.setting]: settingSchema(allowance).optional(),
    /** `NAME=SHA-256 of a token`, separated by commas. If it is empty, no operator can sign in to the dashboard. */
    adminTokenHashes: z
      .string()
      .refine((text) => operatorList.parse(text) !== undefined, { error: operatorList.rule })
      .default(''),
    /** The contact in security.txt. */
    securityContact: settingSchema(contactUri).optional(),
    alarmEmail: z.email({ error: 'must be an e-mail address' }).optional(),
    arch: z.enum(['arm64', 'x86_64'], { error: 'must be arm64 or x86_64' }).default('arm64'),
    /** `parameter`: the operator passes the secret with `cdk deploy --parameters OriginSecret=...`. */
    originSecret: z
      .enum(['generated', 'parameter'], { error: 'must be generated (in Secrets Manager) or parameter' })
      .default('generated'),
    /** Increase by 1 to rotate the generated secret; the previous secret stays accepted. */
    originSecretVersion: settingSchema(version).prefault(1),
    /** The same for the secret that signs cursors. */
    cursorSecretVersion: settingSchema(version).prefault(1),
    logRetentionDays: settingSchema(retentionDays).prefault(RetentionDays.ONE_MONTH),
    /** Increase by 1 after the X API token changed in Secrets Manager. */
    xApiTokenVersion: settingSchema(version).prefault(1),
    /** The name of a retained table of an earlier stack, which the stack then uses instead of a new one. */
    keysTableName: tableNameSetting,
    adminTableName: tableNameSetting,

    /** Rows of `x_api` that may be billed per UTC day; 0: without limit. */
    [paidRowsSetting.setting]: settingSchema(count('must be a whole number of rows, or 0 for no limit')).prefault(
      paidRowsSetting.preset,
    ),
    /** Requests of one IP address in 5 minutes, after which a web ACL blocks it; 0: no web ACL. */
    wafRateLimit: settingSchema(
      wholeNumber((number) => number === 0 || number >= 10, 'must be a whole number from 10, or 0 for no web ACL'),
    ).prefault(0),
    /** The rule groups of AWS, in the same web ACL. */
    wafManagedRules: settingSchema(toggle).prefault(false),
    /** A web ACL of your own in us-east-1. */
    webAclArn: z
      .string()
      .regex(/^arn:aws:wafv2:us-east-1:\d{12}:global\/webacl\/[A-Za-z0-9_-]+\/[0-9a-f-]+$/, {
        error: 'must be the ARN of a web ACL for CloudFront, which is in us-east-1',
      })
      .optional(),
    /** Requests per second that API Gateway admits; 0: the limit of the account. */
    apiThrottleRate: settingSchema(count('must be a whole number of requests per second')).prefault(0),
    apiThrottleBurst: settingSchema(count('must be a whole number of requests')).prefault(0),
    reservedConcurrency: settingSchema(concurrencies).prefault(''),
    /** One more cache of CloudFront before the origins, in the region nearest to the functions. */
    originShield: settingSchema(toggle).prefault(false),
    /** US dollars; 0: no budget. */
    monthlyBudget: settingSchema(count('must be a whole number of US dollars')).prefault(0),

    metrics: z.enum(metricDetails, { error: `must be one of ${metricDetails.join(', ')}` }).default('routes'),
    tracing: settingSchema(toggle).prefault(false),
    dashboard: settingSchema(toggle).prefault(true),
    /** Days for which the access log of CloudFront is kept; 0: no access log. */
    accessLogDays: settingSchema(count('must be a whole number of days, or 0 for no access log')).prefault(0),

    /** Receives the alarms that can wait. The default is alarmEmail. */
    ticketEmail: z.email({ error: 'must be an e-mail address' }).optional(),
    /** The first part of links to the runbook; the default is the file in the repository. */
    runbookUrl: settingSchema(httpUrl).optional(),
    /** Hours without a request after which an alarm is raised; 0: none. */
    quietHours: settingSchema(
      wholeNumber((number) => number <= 24, 'must be a whole number of hours from 0 to 24'),
    ).prefault(0),

    /** How a new version of a function gets its requests; CodeDeploy moves them back if an alarm is raised. */
    rollout: z
      .enum(['all-at-once', 'canary', 'linear'], { error: 'must be all-at-once, canary or linear' })
      .default('all-at-once'),
    /** Minutes between two runs of the canary, which verifies the deployment from outside; 0: no canary. */
    canaryMinutes: settingSchema(
      wholeNumber((number) => number <= 1440, 'must be a whole number of minutes from 0 to 1440'),
    ).prefault(0),
  })
  .refine((all) => (all.domainName === undefined) === (all.certificateArn === undefined), {
    error: 'and certificateArn go together: set both or neither',
    path: ['domainName'],
  })
  .superRefine((all, context) => {
    for (const name of all.providers) {
      const { secret } = providerRow(name);
      if (secret !== undefined && all[secret.setting] === undefined) {
        context.addIssue({
          code: 'custom',
          message: `names ${name}, which needs ${secret.setting}`,
          path: ['providers'],
        });
      }
    }
  })
  .transform(({ baseUrl, domainName, ...rest }) => ({
    ...rest,
    domainName,
    /**
     * If unset, `{base_url}` is the domain name of the distribution, which the edge function sends with each request.
     */
    baseUrl: baseUrl ?? (domainName && `https://${domainName}`),
  }));

export type Config = Readonly<z.output<typeof settings>>;

/** Formats an allowance as the functions parse it; empty if it is not set. */
export const formatAllowanceSetting = (
  config: Config,
  { setting: name }: (typeof allowanceSettings)[keyof typeof allowanceSettings],
): string => {
  const value = config[name];
  return value === undefined ? '' : formatAllowance(value);
};

/** Feature flags and other context of the CDK have `@`, `:` or `-` in their names; settings have not. */
const isSetting = (name: string): boolean => !/[@:-]/.test(name);

const issueText = ({ code, path, message, ...issue }: z.core.$ZodIssue): string =>
  code === 'unrecognized_keys' && 'keys' in issue
    ? `${String(issue.keys)}: no such setting; known are ${Object.keys(settings.def.in.shape).join(', ')}`
    : `${path.join('.')} ${message}`;

/** @param context all context of the app; an empty setting counts as unset @throws SetupError */
export const readConfig = (context: Readonly<Record<string, unknown>>): Config => {
  const given = Object.entries(context).filter(([name, value]) => isSetting(name) && value !== '');
  const result = settings.safeParse(Object.fromEntries(given));
  if (!result.success) throw new SetupError(result.error.issues.map(issueText).join('\n'));
  return result.data;
};
