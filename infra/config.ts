// The operator's settings, read from cdk context in one place: `cdk deploy -c cacheTtlSeconds=60`, or under "context" in
// cdk.json. Every setting has a default that deploys; a wrong or unknown one stops the synthesis with its name.
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod';
import { DEFAULT_CACHE_TTL_SECONDS, MAX_CACHE_TTL_SECONDS } from '../shared/contract/caching.ts';
import { isProviderName, providerNames } from '../shared/contract/providers.ts';
import { defaults, env } from '../shared/env.ts';
import { parseId } from '../shared/model/handle.ts';

/** Something that the operator can put right: shown as its message alone. */
export class SetupError extends Error {}

const RETENTION_DAYS = Object.values(RetentionDays).filter((days) => typeof days === 'number');

const withoutSlash = (address: string): string => address.replace(/\/+$/, '');

/** Context from the command line is text, from cdk.json it may be a number. */
const wholeNumber = (isAllowed: (value: number) => boolean, error: string) =>
  z.coerce.number({ error }).refine((value) => Number.isInteger(value) && isAllowed(value), { error });

const address = z
  .string()
  .transform(withoutSlash)
  .refine((value) => /^https?:\/\//.test(value) && URL.canParse(value), { error: 'must be an http(s) address' });

const providers = z
  .string()
  .transform((list) => list.split(',').map((name) => name.trim()))
  .refine((names) => names.every((name) => isProviderName(name)) && new Set(names).size === names.length, {
    error: `must list some of ${providerNames.join(', ')}, in order of preference, separated by commas`,
  });

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
    baseUrl: z
      .string()
      .transform(withoutSlash)
      .refine((value) => /^https?:/.test(value) && URL.canParse(value) && new URL(value).origin === value, {
        error: 'must be an origin without path, such as https://posts.example.org',
      })
      .optional(),
    providers: providers.prefault(defaults[env.providers]),
    fxTwitterBaseUrl: address.prefault(defaults[env.fxTwitterBaseUrl]),
    syndicationBaseUrl: address.prefault(defaults[env.syndicationBaseUrl]),
    canaryPost: z.coerce
      .string()
      .refine((id) => parseId(id) !== undefined, { error: 'must be the id of a post' })
      .prefault(defaults[env.canaryPost]),
    cacheTtlSeconds: wholeNumber(
      (seconds) => seconds >= 0 && seconds <= MAX_CACHE_TTL_SECONDS,
      `must be a whole number of seconds from 0 to ${MAX_CACHE_TTL_SECONDS}`,
    ).prefault(DEFAULT_CACHE_TTL_SECONDS),
    alarmEmail: z.email({ error: 'must be an e-mail address' }).optional(),
    arch: z.enum(['arm64', 'x86_64'], { error: 'must be arm64 or x86_64' }).default('arm64'),
    /** `parameter`: the deployer passes it, `cdk deploy --parameters OriginSecret=...`. */
    originSecret: z
      .enum(['generated', 'parameter'], { error: 'must be generated (in Secrets Manager) or parameter' })
      .default('generated'),
    /** Raised by one to rotate a generated secret; the one before stays accepted. */
    originSecretVersion: wholeNumber((version) => version >= 1, 'must be a whole number from 1').prefault(1),
    logRetentionDays: wholeNumber(
      (days) => RETENTION_DAYS.includes(days),
      `must be a number of days that CloudWatch Logs knows: ${RETENTION_DAYS.join(', ')}`,
    ).prefault(RetentionDays.ONE_MONTH),
  })
  .refine((all) => (all.domainName === undefined) === (all.certificateArn === undefined), {
    error: 'and certificateArn go together: set both or neither',
    path: ['domainName'],
  })
  .transform(({ baseUrl, domainName, ...rest }) => ({
    ...rest,
    domainName,
    /** Without one, `{base_url}` is the distribution's own name, which the edge tells with every request. */
    baseUrl: baseUrl ?? (domainName && `https://${domainName}`),
  }));

export type Config = Readonly<z.output<typeof settings>>;

/** Feature flags and what the CDK keeps for itself have `@`, `:` or `-` in their names; settings are plain words. */
const isSetting = (name: string): boolean => /^[A-Za-z]+$/.test(name);

const sentence = ({ code, path, message, ...issue }: z.core.$ZodIssue): string =>
  code === 'unrecognized_keys' && 'keys' in issue
    ? `${String(issue.keys)}: no such setting; known are ${Object.keys(settings.def.in.shape).join(', ')}`
    : `${path.join('.')} ${message}`;

/** @param context all of the app's context; an empty setting is an unset one */
export const readConfig = (context: Readonly<Record<string, unknown>>): Config => {
  const own = Object.entries(context).filter(([name, value]) => isSetting(name) && value !== '');
  const result = settings.safeParse(Object.fromEntries(own));
  if (!result.success) throw new SetupError(result.error.issues.map(sentence).join('\n'));
  return result.data;
};
