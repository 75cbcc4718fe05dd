// Parses the settings that some functions read.
import {
  isProviderName,
  MAX_BASE_URLS,
  type ProviderBaseUrl,
  type ProviderName,
  providerNames,
  providerRow,
} from '../contract/providers.ts';
import { parseHandle, parseId } from '../model/handle.ts';
import type { Operator } from '../ports/stores.ts';
import { httpUrl, type SettingParser, wholeNumber } from './base-parsers.ts';

// The base URLs of a provider: `https://one.example,https://two.example;weight=3`. The deployment and the functions use
// the same parser.

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

export const providerNameList: SettingParser<readonly ProviderName[]> = {
  rule: `must be a comma-separated list, in order of preference, of ${providerNames.join(', ')}`,
  parse: (text) => {
    const names = text.split(',').map((name) => name.trim());
    const known = names.filter(isProviderName);
    return known.length < names.length || new Set(known).size < known.length ? undefined : known;
  },
};

export const paidRowCeiling: SettingParser<number> = wholeNumber(
  () => true,
  'must be a whole number of rows up to 999999, or 0 for no limit',
);

export const handle: SettingParser<string> = { rule: 'must be a handle', parse: parseHandle };

/** RFC 6750 section 2.1. */
export const bearerToken: SettingParser<string> = {
  rule: 'must be a token of letters, digits and -._~+/%=',
  parse: (text) => (/^[A-Za-z0-9\-._~+/%]+=*$/.test(text) ? text : undefined),
};

export const postId: SettingParser<string> = { rule: 'must be the id of a post', parse: parseId };

const OPERATOR = /^([A-Za-z0-9._-]{1,40})=([0-9a-f]{64})$/;

export const operatorList: SettingParser<readonly Operator[]> = {
  rule: 'must be NAME=SHA-256 of a token in lower-case hexadecimal, or several with different names separated by commas',
  parse: (text) => {
    const operators = text.split(',').flatMap((entry): readonly Operator[] => {
      const [, name, tokenHash] = OPERATOR.exec(entry.trim()) ?? [];
      return name === undefined || tokenHash === undefined ? [] : [{ name, tokenHash }];
    });
    const names = new Set(operators.map(({ name }) => name));
    return operators.length === text.split(',').length && names.size === operators.length ? operators : undefined;
  },
};
