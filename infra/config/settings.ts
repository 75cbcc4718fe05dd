// Lists all settings, in the order of the documentation, with the rules between settings.
import * as z from 'zod';
import { providerRow } from '../../shared/contract/providers.ts';
import { callerSettings } from './caller-settings.ts';
import { guardSettings } from './guard-settings.ts';
import { operationSettings } from './operation-settings.ts';
import { serviceSettings } from './service-settings.ts';
import type { SettingRow } from './setting.ts';
import { upstreamSettings } from './upstream-settings.ts';

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
  .refine((all) => (all.domainName === undefined) === (all.certificateArn === undefined), {
    error: 'and certificateArn go together: set both or neither',
    path: ['domainName'],
    when: ifValid('domainName', 'certificateArn'),
  })
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
