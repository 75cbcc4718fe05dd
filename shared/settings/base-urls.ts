// Parses the base URLs of a provider: `https://one.example,https://two.example;weight=3`. The deployment and the functions use
// the same parser.
import { MAX_BASE_URLS, type ProviderBaseUrl, type ProviderName, providerRow } from '../contract/providers.ts';
import { httpUrl, type SettingParser, wholeNumber } from './base-parsers.ts';

const weightInRange = wholeNumber((value) => value >= 1 && value <= 100, '');

/** @returns undefined if the entry is invalid */
const parseEntry = (entry: string): ProviderBaseUrl | undefined => {
  const [, url = '', text = '1'] = /^([^;]*)(?:;\s*weight=([0-9]+))?$/.exec(entry.trim()) ?? [];
  const baseUrl = httpUrl.parse(url.trim());
  const weight = weightInRange.parse(text);
  return baseUrl === undefined || weight === undefined ? undefined : { baseUrl, weight };
};

const parseList = (text: string): readonly ProviderBaseUrl[] | undefined => {
  const entries = text.split(',');
  const baseUrls = entries.flatMap((entry) => parseEntry(entry) ?? []);
  const distinct = new Set(baseUrls.map(({ baseUrl }) => baseUrl));
  return entries.length <= MAX_BASE_URLS && distinct.size === entries.length ? baseUrls : undefined;
};

/** A token goes to every base URL, so a provider with one has only one. */
const one: SettingParser<readonly ProviderBaseUrl[]> = {
  rule: httpUrl.rule,
  parse: (text) => {
    // A list would parse as the URL of a host with a comma.
    const baseUrl = text.includes(',') ? undefined : httpUrl.parse(text);
    return baseUrl === undefined ? undefined : [{ baseUrl, weight: 1 }];
  },
};

const several: SettingParser<readonly ProviderBaseUrl[]> = {
  rule: `${httpUrl.rule}, or up to ${MAX_BASE_URLS} different ones as URL;weight=1, separated by commas. There is no rate: a base URL that answers 429 is not called until its Retry-After`,
  parse: parseList,
};

export const baseUrlsOf = (name: ProviderName): SettingParser<readonly ProviderBaseUrl[]> =>
  providerRow(name).secret === undefined ? several : one;

/** The text that parses to these base URLs. */
export const formatBaseUrls = (baseUrls: readonly ProviderBaseUrl[]): string =>
  baseUrls.map(({ baseUrl, weight }) => `${baseUrl}${weight === 1 ? '' : `;weight=${weight}`}`).join(',');
