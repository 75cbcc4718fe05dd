// The settings of providers.
import * as z from 'zod';
import {
  defaultProviders,
  type ProviderName,
  paidRowsSetting,
  providerNames,
  providerRow,
  providers,
  X_API_PRICES,
} from '../../shared/contract/providers.ts';
import { env, environmentDefaults } from '../../shared/settings/environment-variables.ts';
import { baseUrlsOf, formatBaseUrls, handle, postId, providerNameList } from '../../shared/settings/feature-parsers.ts';
import {
  dollars,
  HTTP_URL_PATTERN,
  handleText,
  listPrice,
  matching,
  parsed,
  postIdText,
  type SettingRow,
  separated,
  wholeNumber,
} from './setting.ts';

const severalBaseUrls = (name: ProviderName): string =>
  providerRow(name).secret === undefined ? ', or several separated by commas' : '';

/** The value is the text that the functions parse. */
const baseUrlRow = (name: ProviderName) =>
  ({
    schema: parsed(baseUrlsOf(name), HTTP_URL_PATTERN).transform(formatBaseUrls).prefault(providers[name].baseUrl),
    rule: baseUrlsOf(name).rule,
    meaning: `Base URL of \`${name}\`${severalBaseUrls(name)}.`,
  }) satisfies SettingRow;

type BaseUrlRows = {
  readonly [Name in ProviderName as (typeof providers)[Name]['setting']]: ReturnType<typeof baseUrlRow>;
};

const baseUrlRows = Object.fromEntries(
  providerNames.map((name) => [providers[name].setting, baseUrlRow(name)]),
) as BaseUrlRows; // one setting per row; the type of fromEntries loses the names

export const upstreamSettings = {
  providers: {
    schema: separated(z.enum(providerNames))
      .refine((names) => new Set(names).size === names.length, { error: providerNameList.rule })
      .prefault([...defaultProviders]),
    rule: providerNameList.rule,
    meaning: 'The providers in order of preference; on the command line separated by commas.',
  },
  ...baseUrlRows,
  xApiTokenSecret: {
    schema: matching(/^[A-Za-z0-9/_+=.@-]{1,512}$/).optional(),
    rule: 'must be the name of a secret in Secrets Manager',
    meaning:
      'Name of a Secrets Manager secret that contains only the bearer token of the X API. Required if `x_api` is in `providers`.',
    price: `The secret costs ${listPrice('secrets')} a month, and X bills every row.`,
  },
  xApiTokenVersion: {
    schema: wholeNumber(1).prefault(1),
    rule: 'must be a whole number from 1',
    meaning: 'Increase by 1 after the token changed in Secrets Manager, so that the functions get the new token.',
  },
  [paidRowsSetting.setting]: {
    schema: wholeNumber().prefault(Number(paidRowsSetting.preset)),
    rule: 'must be a whole number of rows, or 0 for no limit',
    meaning: 'Rows of `x_api` that may be billed per day (UTC), after which the provider is skipped; 0 for no limit.',
    price: `At most ${dollars(Math.max(...Object.values(X_API_PRICES)))} a row.`,
  },
  canaryPost: {
    schema: postIdText().prefault(environmentDefaults[env.canaryPost]),
    rule: postId.rule,
    meaning: 'Id of a post that exists. It distinguishes a missing post from an outage of a provider.',
  },
  canaryProfile: {
    schema: handleText().prefault(environmentDefaults[env.canaryProfile]),
    rule: handle.rule,
    meaning: 'Handle of a profile that exists.',
  },
  freshnessProfile: {
    schema: handleText().prefault(environmentDefaults[env.freshnessProfile]),
    rule: handle.rule,
    meaning: 'Handle of an account that posts many times a day. It distinguishes a frozen timeline from a quiet one.',
  },
} as const satisfies Readonly<Record<string, SettingRow>>;
