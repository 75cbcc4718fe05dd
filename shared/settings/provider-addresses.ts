// Parses the addresses of a provider: `https://one.example,https://two.example;weight=3;rate=500`. The deployment and the
// functions use the same parser.
import { MAX_PROVIDER_ADDRESSES, type ProviderAddress, type ProviderName, providerRow } from '../contract/providers.ts';
import { httpUrl, type SettingParser, wholeNumber } from './base-parsers.ts';

/** Calls per minute and instance, as FxTwitter limits each caller. */
const PRESET_RATE = 1000;
const MAX_WEIGHT = 100;
const MAX_RATE = 10_000;

const weight = wholeNumber((value) => value >= 1 && value <= MAX_WEIGHT, '');
const rate = wholeNumber((value) => value <= MAX_RATE, '');

/** @returns undefined if the entry is invalid */
const parseAddress = (entry: string, preset: number | undefined): ProviderAddress | undefined => {
  const [url = '', ...parameters] = entry.trim().split(';');
  const baseUrl = httpUrl.parse(url.trim());
  if (baseUrl === undefined) return undefined;
  const pairs = parameters.map((parameter) => parameter.trim().split('='));
  const values = new Map(pairs.map(([name = '', value = '']) => [name, value]));
  const known = [...values.keys()].every((name) => name === 'weight' || name === 'rate');
  const share = weight.parse(values.get('weight') ?? '1');
  const calls = rate.parse(values.get('rate') ?? String(preset ?? 0));
  if (!known || values.size < pairs.length || share === undefined || calls === undefined) return undefined;
  if (pairs.some(({ length }) => length !== 2)) return undefined;
  return { baseUrl, weight: share, ...(calls > 0 && { callsPerMinute: calls }) };
};

const parseAddresses = (text: string): readonly ProviderAddress[] | undefined => {
  const entries = text.split(',');
  if (entries.length > MAX_PROVIDER_ADDRESSES) return undefined;
  const preset = entries.length > 1 ? PRESET_RATE : undefined;
  const addresses = entries.flatMap((entry) => parseAddress(entry, preset) ?? []);
  const distinct = new Set(addresses.map(({ baseUrl }) => baseUrl));
  return distinct.size === entries.length ? addresses : undefined;
};

/** A token goes to every address, so a provider with one has only one. */
const oneAddress: SettingParser<readonly ProviderAddress[]> = {
  rule: httpUrl.rule,
  parse: (text) => {
    // A list would parse as the URL of a host with a comma.
    const baseUrl = text.includes(',') ? undefined : httpUrl.parse(text);
    return baseUrl === undefined ? undefined : [{ baseUrl, weight: 1 }];
  },
};

const severalAddresses: SettingParser<readonly ProviderAddress[]> = {
  rule: `${httpUrl.rule}, or up to ${MAX_PROVIDER_ADDRESSES} different ones as ADDRESS;weight=1;rate=1000, separated by commas`,
  parse: parseAddresses,
};

export const providerAddresses = (name: ProviderName): SettingParser<readonly ProviderAddress[]> =>
  providerRow(name).secret === undefined ? severalAddresses : oneAddress;

/** The text that parses to these addresses. */
export const formatAddresses = (addresses: readonly ProviderAddress[]): string => {
  const isPlain = addresses.length === 1;
  return addresses
    .map(({ baseUrl, weight: share, callsPerMinute = 0 }) => {
      const isPreset = callsPerMinute === (isPlain ? 0 : PRESET_RATE);
      return `${baseUrl}${share === 1 ? '' : `;weight=${share}`}${isPreset ? '' : `;rate=${callsPerMinute}`}`;
    })
    .join(',');
};
