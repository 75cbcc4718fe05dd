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
import {
  defaultProviders,
  type ProviderName,
  providerNames,
  providerRow,
  providers,
} from '../shared/contract/providers.ts';
import { cacheTtl, contactUri, httpUrl, type SettingParser, wholeNumber } from '../shared/settings/base-parsers.ts';
import { env, environmentDefaults } from '../shared/settings/environment-variables.ts';
import { handle, operatorList, postId, providerNameList } from '../shared/settings/feature-parsers.ts';

/** An error that the operator can correct: it is printed as its message, without a stack trace. */
export class SetupError extends Error {}

const RETENTION_DAYS = Object.values(RetentionDays).filter((days) => typeof days === 'number');

/** Context is text on the command line, but may be a number in cdk.json. A number that is not safe has lost digits. */
const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
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
